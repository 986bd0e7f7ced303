//! A run is played again from its address.

use super::{GC_PAUSE, Said, address, locklab, locklab_with};

/// A report without its first line, which speaks of what was expected.
fn told(said: &Said) -> String {
    said.out.lines().skip(1).collect::<Vec<_>>().join("\n")
}

#[test]
fn an_address_plays_the_same_run() {
    for more in [&["--seed", "42"][..], &["--set", "ttl=12s", "--set", "B.starts=3s"]] {
        let run = locklab(&[&["run", GC_PAUSE, "--lock", "fenced"], more].concat());
        let replayed = locklab(&["replay", &address(&run)]);
        assert_eq!((replayed.code, replayed.err.as_str()), (Some(0), ""));
        assert_eq!(told(&replayed), told(&run));
    }
}

#[test]
fn a_scenario_of_ones_own_travels_in_its_address() {
    let text = std::fs::read_to_string(super::workspace().join(GC_PAUSE)).unwrap().replace("2s", "2500ms");
    let run = locklab_with(&["run", "-", "--lock", "fenced", "--set", "ttl=11s"], &[], text.as_bytes());
    let replayed = locklab(&["replay", &address(&run)]);
    assert_eq!((replayed.code, replayed.err.as_str()), (Some(0), ""));
    assert_eq!(told(&replayed), told(&run));
}

#[test]
fn a_run_that_comes_out_differently_is_shown_all_the_same_and_says_so() {
    use locklab_core::address::{Address, Check};
    let run = locklab(&["run", GC_PAUSE, "--lock", "fenced"]);
    let mut other: Address = address(&run).parse().unwrap();
    other.check = Check::of("another history");
    let replayed = locklab(&["replay", &other.to_string()]);
    assert_eq!(replayed.code, Some(0));
    assert!(replayed.err.starts_with("note: this is not the run that the address was made from"), "{}", replayed.err);
    assert_eq!(told(&replayed), told(&run));
}
