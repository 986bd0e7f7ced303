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
    assert!(said.out.contains("NOT APPLICABLE") && said.out.contains("use --time-scale 20"), "{}", said.out);
    assert!(said.err.contains("nothing could be played live"), "{}", said.err);
}

#[test]
fn what_cannot_be_played_so_is_left_out_of_a_pass_and_counted() {
    // The first cannot be hastened, the last follows no virtual clock; neither keeps the others from being played.
    for (clock, files) in [
        (["--time-scale", "10"], ["libraries/re-armed-after-the-release", "expiry/gc-pause"]),
        (["--clock", "virtual"], ["etcd/contended", "expiry/gc-pause"]),
    ] {
        let said = locklab(&[&["run", "--live"][..], &clock, &files].concat());
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
        let lines: Vec<&str> = said.out.lines().collect();
        let of = |file: &str| lines.iter().filter(|line| line.contains(file)).copied().collect::<Vec<_>>();
        assert!(of(files[0]).iter().any(|line| line.contains("not applicable: ")), "{}", said.out);
        assert!(of(files[1]).iter().all(|line| line.starts_with('✓')), "{}", said.out);
        assert!(said.out.contains("not applicable (-v tells each in full)"), "{}", said.out);
    }
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
