//! `locklab explore`: answers, witnesses that play again, exit codes.

use super::{GC_PAUSE, locklab, locklab_with};

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
