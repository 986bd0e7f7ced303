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

use super::error::LiveError;

/// How many late runs are simulated for each lateness.
const TRIALS: u64 = 8;

/// What is tried, in milliseconds.
const LATENESS: [u64; 10] = [1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1];

/// After so many steps a late run counts as one that does not end.
const MOST_STEPS: u64 = 20_000;

/// What a scenario that is hastened must be able to bear, in milliseconds.
const LEAST_WHEN_HASTENED: u64 = 100;

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

/// What a run of `scenario` is held against, which is `original` or a changed form of it.
///
/// Errors when it is `hastened` and bears hardly any lateness. Otherwise it may bear none at all: then only a run that agrees says something.
pub fn margin(
    original: &Scenario,
    scenario: &Scenario,
    hastened: bool,
    lock: &Kind,
    choices: &Choices,
) -> Result<Margin, LiveError> {
    let expected = broken(original, lock, choices.clone())?;
    let differs = |found: BTreeSet<&'static str>| expected.symmetric_difference(&found).next().copied();
    let margin = |bears| Ok(Margin { bears, broken: expected.clone() });
    let mut changed = differs(broken(scenario, lock, choices.clone())?);
    if changed.is_none() {
        for millis in LATENESS.into_iter().filter(|millis| !hastened || *millis >= LEAST_WHEN_HASTENED) {
            let late = late(scenario, Span::from_millis(millis));
            let found = (1..=TRIALS).map(|seed| broken(&late, lock, Choices::seeded(seed)));
            changed = found.collect::<Result<Vec<_>, _>>()?.into_iter().find_map(differs);
            if changed.is_none() {
                return margin(Duration::from_millis(millis));
            }
        }
    }
    match changed {
        Some(property) if hastened => Err(too_fast(property)),
        _ => margin(Duration::ZERO),
    }
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

fn too_fast(property: &str) -> LiveError {
    LiveError::NotPlayable(say!(
        "this scenario cannot be played so fast: on a machine that is a moment late, the verdict on {property} would change; use a \
         smaller --time-scale",
        "这个场景不能放得这么快：机器稍慢一点，{property} 的结论就会改变；请减小 --time-scale",
        property = property
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
        broken.insert("expect");
    }
    if end == EndReason::Bound {
        broken.insert("until");
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
        let margin = margin(&scenario, &scenario, false, lock, &Choices::scripted()).expect("nothing is hastened");
        let mut slow = scenario.clone();
        slow.network.default.latency = Span::from_millis(3);
        slow.network.default.latency_max = Span::from_millis(3);
        assert_eq!(margin.bears, Duration::ZERO);
        assert!(margin.agrees(&scenario, lock, &run(&scenario)));
        assert!(!margin.agrees(&scenario, lock, &run(&slow)));
    }
}
