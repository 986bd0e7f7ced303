//! Under the virtual clock a live run is the simulated run, event for event.

use std::fs;

use locklab_core::scenario::Scenario;

use crate::command::{GC_PAUSE, locklab, workspace};

/// The events of a run as lines, without the header, which says where it was played.
fn events(arguments: &[&str]) -> Vec<String> {
    let said = locklab(&[arguments, &["--format", "history"]].concat());
    assert!(said.code.is_some_and(|code| code < 2), "{arguments:?}: {}", said.err);
    said.out.lines().skip(1).map(uncounted).collect()
}

/// An event without the count of the keys that had been created before: nobody outside a real server sees those that come and go within
/// one command, such as a list whose only element goes to a client that waits for it.
fn uncounted(line: &str) -> String {
    let parts = line.split("\"created\":").enumerate();
    parts
        .map(
            |(place, part)| {
                if place == 0 { part } else { part.trim_start_matches(|digit: char| digit.is_ascii_digit()) }
            },
        )
        .collect()
}

/// Every scenario file, by its path from the workspace.
fn scenario_files() -> Vec<String> {
    let pattern = workspace().join("scenarios/*/*.toml").display().to_string();
    let files =
        glob::glob(&pattern).expect("the pattern is well-formed").map(|file| file.expect("the folder is readable"));
    let files: Vec<String> = files.map(|file| file.display().to_string()).collect();
    assert!(!files.is_empty());
    files
}

/// Whether Redis can play the scenario with this lock.
fn is_playable(scenario: &Scenario, lock: &str) -> bool {
    use locklab_core::locks::{Needs, find};
    use locklab_core::scenario::ResourceHome;
    let on_redis = match find(lock) {
        Ok(kind) => matches!(kind.needs, Needs::Redis | Needs::IndependentRedis { .. }),
        // The scenario's own listing.
        Err(_) => true,
    };
    on_redis && scenario.resource.home != ResourceHome::Database && scenario.not_live.is_none()
}

#[test]
fn every_scenario_that_redis_can_play_goes_live_as_it_goes_simulated() {
    for file in scenario_files() {
        let text = fs::read_to_string(&file).unwrap();
        let scenario = Scenario::parse(&file, &text).unwrap_or_else(|errors| panic!("{file}: {errors}"));
        for lock in scenario.expectations.iter().map(|expectation| &*expectation.lock) {
            if !is_playable(&scenario, lock) {
                continue;
            }
            let run = ["run", &file, "--lock", lock];
            let simulated = events(&run);
            let live = events(&[&run[..], &["--live"]].concat());
            let first = simulated.iter().zip(&live).position(|(simulated, live)| simulated != live);
            if let Some(first) = first.or((simulated.len() != live.len()).then(|| simulated.len().min(live.len()))) {
                let at = |events: &[String]| events.get(first).cloned().unwrap_or_else(|| "nothing more".into());
                panic!("{file} with {lock}, event {first}:\nsimulated {}\nlive      {}", at(&simulated), at(&live));
            }
        }
    }
}

#[test]
fn twenty_live_runs_in_a_row_are_one_run() {
    let run = ["run", GC_PAUSE, "--lock", "token-lua", "--live"];
    let first = events(&run);
    for _ in 1..20 {
        assert_eq!(events(&run), first);
    }
}
