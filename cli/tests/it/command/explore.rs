//! `locklab explore`: answers, witnesses that play again, exit codes.

use super::{GC_PAUSE, command, locklab, locklab_with};

/// A short lease, so that the whole space is small.
const SMALL: [&str; 6] = ["--set", "ttl=1s", "--set", "A.work=300ms", "--set", "B.work=200ms"];

fn explore(more: &[&str]) -> super::Said {
    locklab(&[&["explore", GC_PAUSE][..], &SMALL, more].concat())
}

#[test]
fn an_attack_is_told_and_its_address_plays_it_again() {
    let said = explore(&["--lock", "token-lua", "--property", "mutual-exclusion"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.starts_with("BROKEN\n"), "{}", said.out);
    let address =
        said.out.lines().rev().find_map(|line| line.trim().strip_prefix("locklab replay ")).expect("an address");
    let replayed = locklab(&["replay", address]);
    assert_eq!((replayed.code, replayed.err.as_str()), (Some(0), ""));
    assert!(replayed.out.contains("broken   mutual-exclusion"), "{}", replayed.out);
    let found = said.out.lines().find_map(|line| line.trim().strip_prefix("fault = ")).expect("the faults");
    let again =
        locklab(&[&["run", GC_PAUSE, "--lock", "token-lua", "--set", &format!("fault={found}")][..], &SMALL].concat());
    assert!(again.out.contains("broken   mutual-exclusion"), "{}", again.out);
}

#[test]
fn what_holds_ends_with_zero_and_lists_its_bounds() {
    let said = explore(&["--lock", "fenced", "--property", "no-stale-write", "--property", "no-lost-update"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(said.out.starts_with("HOLDS in all "), "{}", said.out);
    assert!(said.out.contains("at most pause=1"), "{}", said.out);
    let chinese = locklab_with(
        &[&["explore", GC_PAUSE, "--lock", "fenced", "--property", "no-stale-write"][..], &SMALL].concat(),
        &[("LOCKLAB_LANG", "zh")],
        b"",
    );
    assert!(chinese.out.starts_with("在下述范围内的全部 "), "{}", chinese.out);
}

#[test]
fn a_search_without_time_or_memory_knows_nothing() {
    for limit in [["--budget", "1us"], ["--memory", "1KB"]] {
        let said = explore(&[&["--lock", "fenced", "--property", "no-stale-write"][..], &limit].concat());
        assert_eq!(said.code, Some(1));
        assert!(said.out.starts_with("UNKNOWN"), "{}", said.out);
    }
}

#[test]
fn a_search_for_programs_is_one_document() {
    let said = explore(&["--lock", "token-lua", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&said.out).expect("it is JSON");
    let search = &document["searches"][0];
    assert_eq!((&search["verdict"], &search["lock"]), (&"broken".into(), &"token-lua".into()));
    let attack = &search["properties"][0]["attack"];
    assert_eq!(attack["fault_count"], 1);
    assert!(attack["address"].as_str().is_some_and(|address| address.starts_with("L1-")));
}

#[test]
fn wrong_faults_and_properties_are_told_with_a_hint() {
    let said = explore(&["--faults", "pauze=1"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("did you mean \"pause\"?"), "{}", said.err);
    let said = explore(&["--property", "mutual-exlusion"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("did you mean \"mutual-exclusion\"?"), "{}", said.err);
}

#[test]
fn a_property_that_is_named_twice_is_answered_once() {
    let property = ["--property", "mutual-exclusion"];
    let said = explore(&[&["--lock", "token-lua"][..], &property, &property].concat());
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains("\nbroken  mutual-exclusion\n"), "{}", said.out);
    assert!(!said.out.contains("\nholds"), "{}", said.out);
    let said = explore(&["--faults", "pause=1,pause=2"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("\"pause\" is there twice"), "{}", said.err);
}

#[test]
fn what_was_never_put_to_the_test_does_not_count_as_holding() {
    let said = locklab(&["explore", "basics/uncontended", "--faults", "none", "--property", "mutual-exclusion"]);
    assert_eq!(said.code, Some(1), "{}", said.out);
    assert!(said.out.starts_with("NOT TESTED"), "{}", said.out);
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_tells_what_is_known_so_far() {
    use rustix::process::{Pid, Signal, kill_process};
    let large = ["explore", GC_PAUSE, "--lock", "fenced", "--faults", "pause=2,crash=1,clock-step=2"];
    let child = command(&[&large[..], &["--property", "no-stale-write"]].concat())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("locklab starts");
    std::thread::sleep(std::time::Duration::from_secs(2));
    kill_process(Pid::from_child(&child), Signal::INT).expect("it is there");
    let output = child.wait_with_output().expect("locklab ends");
    let out = String::from_utf8(output.stdout).expect("a report is text");
    assert_eq!(output.status.code(), Some(1), "{out}");
    assert!(out.starts_with("UNKNOWN: interrupted"), "{out}");
    assert!(out.contains("unknown  no-stale-write"), "{out}");
}

/// A lock as somebody brings it to a review: its release asks whose lock it is, and then deletes whatever is there.
const OWN: &str = r#"
title = "ours"
[lock]
kind = "ours"
ttl = "1s"
retry = "200ms"
listing = """
acquire:
    SET {key} {token} NX PX {ttl_ms}     -> OK: next, nil: retry
release:
    GET {key}                            -> {token}: next, *: lost
    DEL {key}
"""
[[client]]
name = "A"
work = "300ms"
[[client]]
name = "B"
starts = "100ms"
work = "200ms"
[expect.ours]
broken = []
happens = ["B.released"]
"#;

#[test]
fn a_lock_of_ones_own_is_searched_by_its_listing() {
    let search = |text: &str| {
        let question = ["explore", "-", "--faults", "pause=1", "--property", "no-foreign-release"];
        locklab_with(&question, &[], text.as_bytes())
    };
    let broken = search(OWN);
    assert_eq!(broken.code, Some(1), "{}", broken.err);
    assert!(broken.out.starts_with("BROKEN\n") && broken.out.contains("A REMOVES B's lease"), "{}", broken.out);
    let script = "EVAL @release 1 {key} {token}        -> 1: next, 0: lost\n\nscript release:\n    \
                  if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end\n    return 0";
    let release =
        OWN.split_once("release:\n    ").and_then(|(_, rest)| rest.split_once("\n\"\"\"")).expect("a release").0;
    let mended = search(&OWN.replace(release, script));
    assert_eq!(mended.code, Some(0), "{}{}", mended.out, mended.err);
    assert!(mended.out.starts_with("HOLDS in all "), "{}", mended.out);
}
