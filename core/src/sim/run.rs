//! A run: the pure function from a scenario, a lock and choices to a history.

use std::sync::Arc;

use super::{Model, NotApplicable, Parts, Plan, Recorder, World};
use crate::choices::{Choices, Taken};
use crate::history::{EndReason, History};
use crate::locks::Kind;
use crate::scenario::Scenario;

/// The bound on steps: a run that has not ended by then would not end.
pub const MAX_STEPS: u64 = 200_000;

/// A played scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What happened.
    pub history: History,
    /// The choices that were not the default: with the scenario and the lock they are the run's address.
    pub taken: Vec<Taken>,
    /// Why it ended.
    pub end: EndReason,
}

/// Plays a scenario with a lock on models.
///
/// # Errors
///
/// [`NotApplicable`] where the scenario cannot be told with this lock.
pub fn run(scenario: &Scenario, lock: &Kind, choices: Choices) -> Result<Run, NotApplicable> {
    let plan = Arc::new(Plan::new(scenario, lock)?);
    let parts = Model::new(plan.clone());
    let Ok(run) = run_with(plan, parts, choices);
    Ok(run)
}

/// Plays a plan with any parts, such as real ones.
///
/// # Errors
///
/// Whatever goes wrong with the parts.
pub fn run_with<P: Parts>(plan: Arc<Plan>, parts: P, choices: Choices) -> Result<Run, P::Error> {
    let header = plan.header.clone();
    let mut world = World::new(plan, parts, Recorder::default(), choices)?;
    let end = world.play(MAX_STEPS)?;
    let taken = world.choices().taken().to_vec();
    Ok(Run { history: History { header, events: world.into_sink().events }, taken, end })
}
