//! `locklab explore`: answers, witnesses that play again, exit codes.

use super::{GC_PAUSE, command, locklab, locklab_with, workspace};

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
fn what_was_never_put_to_the_test_does_not_count_as_holding() {
    let said = locklab(&["explore", "basics/uncontended", "--faults", "none", "--property", "mutual-exclusion"]);
    assert_eq!(said.code, Some(1), "{}", said.out);
    assert!(said.out.starts_with("NOT TESTED"), "{}", said.out);
}

/// Divided after so few states that a small space has parts.
const DIVIDED: [&str; 6] = ["--lock", "token-lua", "--divide-after", "300", "--format", "json"];

#[test]
fn shards_merge_to_the_bytes_of_one_run_whatever_the_threads_and_shards() {
    let one = explore(&[&DIVIDED[..], &["--threads", "1"]].concat());
    assert_eq!(one.code, Some(1), "{}", one.err);
    let threads = explore(&[&DIVIDED[..], &["--threads", "3"]].concat());
    assert_eq!(one.out, threads.out);
    let folder = tempfile::tempdir().expect("a folder");
    for of in ["2", "5"] {
        let count: u32 = of.parse().expect("a number");
        let files: Vec<String> = (1..=count)
            .map(|index| {
                let file = folder.path().join(format!("{index}-of-{of}.json")).display().to_string();
                let shard = format!("{index}/{of}");
                let said = explore(&[&DIVIDED[..], &["--shard", &shard, "-o", &file]].concat());
                assert_eq!((said.code, said.out.as_str()), (Some(0), ""), "{}", said.err);
                file
            })
            .collect();
        // In another order than they were made, and one of them twice.
        let mut files: Vec<&str> = files.iter().rev().map(String::as_str).collect();
        files.push(files[0]);
        let merged = locklab(&[&["merge", "--format", "json"][..], &files].concat());
        assert_eq!(merged.code, Some(1), "{}", merged.err);
        assert_eq!(merged.out, one.out);
    }
}

#[cfg(unix)]
#[test]
fn a_shard_that_was_killed_is_missed_and_searched_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |index: u32| folder.path().join(format!("{index}.json")).display().to_string();
    // What Slurm runs, with as many local processes.
    let shard = |index: u32| {
        let program = std::path::Path::new(env!("CARGO_BIN_EXE_locklab")).parent().expect("it is in a folder");
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
        let mut slurm = std::process::Command::new("sh");
        slurm.arg("deploy/slurm.sh").arg(folder.path()).arg(GC_PAUSE).args(SMALL).args(&DIVIDED[..4]);
        slurm.current_dir(workspace()).env("PATH", path).env("SHARDS", "3");
        slurm.env("SLURM_ARRAY_TASK_ID", index.to_string());
        slurm
    };
    let mut all: Vec<_> = (1..=3).map(|index| shard(index).spawn().expect("locklab starts")).collect();
    all[1].kill().expect("it can be killed");
    let codes: Vec<_> = all.iter_mut().map(|shard| shard.wait().expect("it ends").code()).collect();
    assert_eq!(codes, [Some(0), None, Some(0)]);
    let (one, two, three) = (file(1), file(2), file(3));
    let missed = locklab(&["merge", &one, &three]);
    assert_eq!(missed.code, Some(2), "{}", missed.out);
    assert!(missed.err.contains("shards are missing: 2/3"), "{}", missed.err);
    assert!(!std::path::Path::new(&two).exists(), "a file is there as a whole or not at all");
    assert!(shard(2).status().expect("locklab starts").success());
    let merged = locklab(&["merge", "--format", "json", &one, &two, &three]);
    assert_eq!(merged.out, explore(&DIVIDED).out, "{}", merged.err);
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

#[test]
fn files_of_different_searches_and_no_files_of_a_search_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (one, other) = (file("one.json"), file("other.json"));
    for (faults, shard, file) in [("pause=1", "1/2", &one), ("crash=1", "2/2", &other)] {
        let said = explore(&["--lock", "fenced", "--faults", faults, "--shard", shard, "-o", file]);
        assert_eq!(said.code, Some(0), "{}", said.err);
    }
    let said = locklab(&["merge", &one, &other]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("belongs to another search"), "{}", said.err);
    let said = locklab(&["merge", GC_PAUSE]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("is no shard of a search"), "{}", said.err);
    let said = explore(&["--shard", "3/2"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("such as 3/8"), "{}", said.err);
}
