//! On the wall clock a run takes real seconds, and comes to the same verdict.

use std::time::{Duration, Instant};

use crate::command::{GC_PAUSE, address, locklab};

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

#[test]
fn where_a_millisecond_decides_the_wall_clock_is_not_applicable() {
    let said = locklab(&["run", "jobs/wait-taken-for-lease", "--lock", "set-nx-ex", "--live", "--clock", "wall"]);
    assert_eq!(said.code, Some(2), "{}{}", said.out, said.err);
    assert!(said.out.contains("a message that is 1 ms late changes the outcome"), "{}", said.out);
}

#[test]
fn an_address_is_replayed_on_real_servers_by_either_clock() {
    let address = address(&locklab(&["run", GC_PAUSE, "--lock", "token-lua"]));
    for (more, clock) in [(&[][..], "virtual clock"), (&["--time-scale", "5"], "wall clock")] {
        let said = locklab(&[&["replay", &address, "--live", "-v"], more].concat());
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
        assert!(said.out.contains(clock) && said.out.contains(&address), "{}", said.out);
    }
}
