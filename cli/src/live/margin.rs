//! Whether a scenario can be played so fast that a real machine still keeps the order that decides its verdict.
//!
//! A machine is late now and then. The hastened scenario is therefore simulated with messages that are late at random, by as much as
//! the world may be late before a run says nothing; if that changes what breaks, the wall clock could not be trusted either.

use std::collections::BTreeSet;

use locklab_core::check::check;
use locklab_core::choices::Choices;
use locklab_core::locks::Kind;
use locklab_core::say;
use locklab_core::scenario::Scenario;
use locklab_core::sim;
use locklab_core::time::Span;

use super::error::LiveError;
use super::pace::MOST_LATE;

/// How many late runs are simulated.
const TRIALS: u64 = 12;

/// Refuses a scenario that has been hastened so far that lateness decides its verdict.
pub fn check_margin(original: &Scenario, hastened: &Scenario, lock: &Kind, choices: &Choices) -> Result<(), LiveError> {
    let too_fast = || {
        LiveError::NotPlayable(say!(
            "this scenario cannot be played so fast: a machine that is a moment late would change its verdict; use a smaller --time-scale",
            "这个场景不能放得这么快：机器稍慢一点就会改变结论；请减小 --time-scale"
        ))
    };
    let expected = broken(original, lock, choices.clone())?;
    if broken(hastened, lock, choices.clone())? != expected {
        return Err(too_fast());
    }
    let mut late = hastened.clone();
    let most = Span(u64::try_from(MOST_LATE.as_micros()).unwrap_or(u64::MAX));
    for link in std::iter::once(&mut late.network.default).chain(late.network.links.iter_mut().map(|(_, _, link)| link))
    {
        link.latency_max = link.latency_max.max(link.latency) + most;
    }
    for seed in 1..=TRIALS {
        if broken(&late, lock, Choices::seeded(seed))? != expected {
            return Err(too_fast());
        }
    }
    Ok(())
}

/// The properties that break.
fn broken(scenario: &Scenario, lock: &Kind, choices: Choices) -> Result<BTreeSet<&'static str>, LiveError> {
    let run = sim::run(scenario, lock, choices).map_err(|refused| LiveError::NotApplicable(refused.why))?;
    Ok(check(&run.history).broken().map(|property| property.name()).collect())
}
