//! `locklab shrink`, of a scenario, an address and a recorded history; and the random search, whose finds are shrunk.

use super::{GC_PAUSE, locklab, locklab_with};

/// Several lines that belong to a scenario, as `shrink` shows it.
fn edge(said: &super::Said) -> bool {
    said.out.contains("\"8.002s\"") && !said.out.contains("name   = \"B\"")
}

#[test]
fn a_scenario_is_shrunk_to_the_edge_and_its_address_shrinks_to_itself() {
    let said = locklab(&["shrink", GC_PAUSE, "--property", "no-overrun"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(edge(&said), "{}", said.out);
    let address = said.out.lines().find_map(|line| line.trim().strip_prefix("locklab replay ")).expect("an address");
    let replayed = locklab(&["replay", address]);
    assert!(replayed.out.contains("broken   no-overrun"), "{}", replayed.out);
    let again = locklab(&["shrink", address, "--property", "no-overrun"]);
    assert!(again.out.contains(address), "{}", again.out);
}

#[test]
fn a_recorded_history_is_shrunk_by_its_scenario_or_what_is_missing_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.jsonl").display().to_string();
    let written = locklab(&["run", GC_PAUSE, "--lock", "token-lua", "--format", "history", "-o", &file]);
    assert_eq!(written.code, Some(0), "{}", written.err);
    let said = locklab(&["shrink", &file, "--property", "no-overrun"]);
    assert!(said.code == Some(0) && edge(&said), "{}{}", said.out, said.err);
    let text = std::fs::read_to_string(&file).expect("it was written");
    std::fs::write(&file, text.replace("expiry/gc-pause", "mine/own")).expect("it is written");
    let said = locklab(&["shrink", &file]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("locklab shrink FILE --lock token-lua"), "{}", said.err);
}

#[test]
fn the_smallest_scenario_is_written_to_a_file_and_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("small.toml").display().to_string();
    let said = locklab(&["shrink", GC_PAUSE, "--property", "no-stale-write", "-o", &file]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), ""), "{}", said.err);
    // It expects whatever it breaks, so it comes out as expected.
    let run = locklab(&["run", &file]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let text = std::fs::read_to_string(&file).expect("it was written");
    assert!(text.contains("\"no-overrun\", \"no-stale-write\""), "{text}");
}

#[test]
fn what_breaks_nothing_is_told() {
    let said = locklab(&["shrink", GC_PAUSE, "--lock", "fenced", "--property", "no-stale-write"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("does not break no-stale-write"), "{}", said.err);
    let said = locklab_with(&["shrink", "basics/uncontended"], &[("LOCKLAB_LANG", "zh")], b"");
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("没有破坏任何性质"), "{}", said.err);
}

#[test]
fn random_runs_find_the_same_again_and_what_they_find_is_small() {
    let arguments =
        ["explore", GC_PAUSE, "--lock", "token-lua", "--property", "no-overrun", "--swarm", "2000", "--seed", "3"];
    let said = locklab(&arguments);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.starts_with("BROKEN by one of "), "{}", said.out);
    assert_eq!(said.out.matches("[[fault]]").count(), 1, "{}", said.out);
    assert_eq!(said.out, locklab(&arguments).out);
    let json = locklab(&[&arguments[..], &["--format", "json"]].concat());
    let document: serde_json::Value = serde_json::from_str(&json.out).expect("it is JSON");
    assert_eq!(document["swarms"][0]["found"][0]["property"], "no-overrun");
    let nothing = locklab(&["explore", GC_PAUSE, "--lock", "fenced", "--property", "no-stale-write", "--swarm", "50"]);
    assert!(nothing.code == Some(1) && nothing.out.starts_with("UNKNOWN: 50 random runs"), "{}", nothing.out);
}
