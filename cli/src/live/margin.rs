//! How late a real machine may be without changing a scenario's verdict.
//!
//! A machine is late now and then. The scenario is therefore simulated with messages that are late at random; the greatest lateness that
//! leaves what breaks as it is, is what a run on the wall clock may show. A scenario that has been hastened so far that not even a tenth of a
//! second is left is refused.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use locklab_core::check::check;
use locklab_core::choices::Choices;
use locklab_core::history::{EndReason, History};
use locklab_core::locks::Kind;
use locklab_core::say;
use locklab_core::scenario::{Expectation, Scenario};
use locklab_core::sim::{Model, Plan, Recorder, Run, World};
use locklab_core::time::Span;

use super::change::Changes;
use super::error::LiveError;

/// How many late runs are simulated for each lateness.
const TRIALS: u64 = 8;

/// What is tried, in milliseconds.
const LATENESS: [u64; 10] = [1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1];

/// After so many steps a late run counts as one that does not end.
const MOST_STEPS: u64 = 20_000;

/// What a scenario that is hastened must be able to bear, in milliseconds.
const LEAST_WHEN_HASTENED: u64 = 100;

/// How many times faster a scenario might be played that cannot be played as fast as was asked for.
const SCALES: [u32; 8] = [500, 200, 100, 50, 20, 10, 5, 2];

/// What stands among the properties that break for a run that comes to what its scenario expects.
const EXPECT: &str = "expect";

/// What stands there for a run that does not end.
const UNTIL: &str = "until";

/// What a run on the wall clock is held against.
#[derive(Clone, Debug)]
pub struct Margin {
    /// How late the world may be without changing the verdict.
    pub bears: Duration,
    /// What breaks in the simulation.
    broken: BTreeSet<&'static str>,
}

impl Margin {
    /// Of a run whose time does not run by itself.
    pub const UNLIMITED: Margin = Margin { bears: Duration::MAX, broken: BTreeSet::new() };

    /// Whether a run came to the verdict of the simulation. One that did was not disturbed, however late it was.
    pub fn agrees(&self, scenario: &Scenario, lock: &Kind, run: &Run) -> bool {
        broken_in(scenario, lock, &run.history, run.end) == self.broken
    }
}

/// What a run of a scenario is held against that is played `scale` times faster.
///
/// Errors when it is hastened and bears hardly any lateness then. Otherwise it may bear none at all: then only a run that agrees says something.
pub fn margin(scenario: &Scenario, scale: u32, lock: &Kind, choices: &Choices) -> Result<Margin, LiveError> {
    let broken = broken(scenario, lock, choices.clone())?;
    let bears = |scale| bears(scenario, scale, lock, choices, &broken);
    let bears = match bears(scale)? {
        Ok(bears) => bears,
        Err(_) if scale == 1 => Duration::ZERO,
        Err(property) => {
            let mut slower = SCALES.into_iter().filter(|slower| *slower < scale);
            return Err(too_fast(scale, property, slower.find(|slower| matches!(bears(*slower), Ok(Ok(_))))));
        }
    };
    Ok(Margin { bears, broken })
}

/// The greatest lateness that leaves what breaks as it is, when the scenario is played so many times faster; else what changes even at the least.
fn bears(
    scenario: &Scenario,
    scale: u32,
    lock: &Kind,
    choices: &Choices,
    expected: &BTreeSet<&'static str>,
) -> Result<Result<Duration, &'static str>, LiveError> {
    let mut hastened = scenario.clone();
    Changes { scale, prefix: None }.apply(&mut hastened);
    let differs = |found: BTreeSet<&'static str>| expected.symmetric_difference(&found).next().copied();
    let mut changed = differs(broken(&hastened, lock, choices.clone())?);
    if changed.is_none() {
        for millis in LATENESS.into_iter().filter(|millis| scale == 1 || *millis >= LEAST_WHEN_HASTENED) {
            let late = late(&hastened, Span::from_millis(millis));
            let found = (1..=TRIALS).map(|seed| broken(&late, lock, Choices::seeded(seed)));
            changed = found.collect::<Result<Vec<_>, _>>()?.into_iter().find_map(differs);
            if changed.is_none() {
                return Ok(Ok(Duration::from_millis(millis)));
            }
        }
    }
    Ok(changed.map_or(Ok(Duration::ZERO), Err))
}

/// The scenario with messages that are late at random, by at most so much.
fn late(scenario: &Scenario, most: Span) -> Scenario {
    let mut late = scenario.clone();
    let links = late.network.links.iter_mut().map(|(_, _, link)| link);
    for link in std::iter::once(&mut late.network.default).chain(links) {
        link.latency_max = link.latency_max.max(link.latency) + most;
    }
    late
}

fn too_fast(scale: u32, changed: &str, slower: Option<u32>) -> LiveError {
    let changed = match changed {
        EXPECT => say!("what it comes to", "它的结果"),
        UNTIL => say!("whether it ends", "它能否结束"),
        property => say!("the verdict on {property}", "{property} 的结论", property = property),
    };
    let instead = match slower {
        Some(scale) => say!("use --time-scale {scale}", "请用 --time-scale {scale}", scale = scale),
        None => {
            say!("no --time-scale leaves so much time: leave it out", "任何 --time-scale 都留不出这么多时间：请去掉它")
        }
    };
    LiveError::NotApplicable(say!(
        "{scale} times faster, a message that is {millis} ms late would change {changed}; {instead}",
        "快 {scale} 倍时，一条消息只要迟到 {millis} 毫秒，就会改变{changed}；{instead}",
        scale = scale,
        millis = LEAST_WHEN_HASTENED,
        changed = changed,
        instead = instead
    ))
}

/// What breaks in a simulated run.
fn broken(scenario: &Scenario, lock: &Kind, choices: Choices) -> Result<BTreeSet<&'static str>, LiveError> {
    let plan = Arc::new(Plan::new(scenario, lock).map_err(|refused| LiveError::NotApplicable(refused.why))?);
    let header = plan.header.clone();
    let Ok(mut world) = World::new(plan.clone(), Model::new(plan), Recorder::default(), choices);
    let Ok(end) = world.play(MOST_STEPS);
    let history = History { header, events: world.into_sink().events };
    Ok(broken_in(scenario, lock, &history, end))
}

/// The properties that break; and, where the scenario expects something of this lock, whether it comes to it (`happens`).
fn broken_in(scenario: &Scenario, lock: &Kind, history: &History, end: EndReason) -> BTreeSet<&'static str> {
    let report = check(history);
    let mut broken: BTreeSet<&'static str> = report.broken().map(|property| property.name()).collect();
    let expectation = scenario.expectations.iter().find(|expectation| *expectation.lock == *lock.name);
    let meant = expectation.map(|expectation| Expectation { totals: Vec::new(), ..expectation.clone() });
    if meant.is_some_and(|meant| meant.compare(&report, history).as_expected()) {
        broken.insert(EXPECT);
    }
    if end == EndReason::Bound {
        broken.insert(UNTIL);
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklab_core::scenario::library;
    use locklab_core::sim;

    #[test]
    fn a_time_out_of_a_millisecond_bears_no_lateness() {
        let text = library::find("libraries/token-forgotten-before-the-release").expect("it is shipped").text;
        let scenario = Scenario::parse("a time-out of 1 ms", text).expect("it is right");
        let lock = locklab_core::locks::find("redis-py").expect("it is shipped");
        let run = |scenario: &Scenario| sim::run(scenario, lock, Choices::scripted()).expect("it can be told");
        let margin = margin(&scenario, 1, lock, &Choices::scripted()).expect("nothing is hastened");
        let mut slow = scenario.clone();
        slow.network.default.latency = Span::from_millis(3);
        slow.network.default.latency_max = Span::from_millis(3);
        assert_eq!(margin.bears, Duration::ZERO);
        assert!(margin.agrees(&scenario, lock, &run(&scenario)));
        assert!(!margin.agrees(&scenario, lock, &run(&slow)));
    }

    #[test]
    fn who_asks_for_too_much_haste_is_told_what_is_bearable() {
        let refused = |name: &str, lock: &str, scale: u32| {
            let text = library::find(name).expect("it is shipped").text;
            let scenario = Scenario::parse(name, text).expect("it is right");
            let lock = locklab_core::locks::find(lock).expect("it is shipped");
            margin(&scenario, scale, lock, &Choices::scripted()).expect_err("too fast").to_string()
        };
        let told = refused("expiry/gc-pause", "token-lua", 1_000);
        assert!(told.ends_with("; use --time-scale 20"), "{told}");
        let told = refused("libraries/re-armed-after-the-release", "distlock-as-printed", 10);
        assert!(told.contains("would change what it comes to; use --time-scale 5"), "{told}");
        // It turns on a time-out of a millisecond.
        let told = refused("libraries/token-forgotten-before-the-release", "redis-py", 10);
        assert!(told.ends_with("; no --time-scale leaves so much time: leave it out"), "{told}");
    }
}
