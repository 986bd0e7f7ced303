//! On the wall clock a run takes real seconds, and comes to the same verdict.

use std::time::{Duration, Instant};

use crate::command::{GC_PAUSE, locklab};

#[test]
fn real_seconds_come_to_the_verdict_of_the_simulation() {
    let begun = Instant::now();
    let said = locklab(&["run", GC_PAUSE, "--live", "--time-scale", "5"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(begun.elapsed() >= Duration::from_secs(2 * 17 / 5), "two runs of 17 s, five times faster");
}

#[test]
fn a_scenario_is_not_hastened_beyond_what_a_machine_can_keep() {
    let said = locklab(&["run", GC_PAUSE, "--lock", "token-lua", "--live", "--time-scale", "500"]);
    assert_eq!(said.code, Some(2), "{}{}", said.out, said.err);
    assert!(said.err.contains("use a smaller --time-scale"), "{}", said.err);
}
