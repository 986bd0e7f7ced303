//! A reader's attempt to break a level.

use super::Level;
use crate::check::check;
use crate::choices::Choices;
use crate::explore::{AllowanceError, allowance_of};
use crate::history::History;
use crate::scenario::Scenario;
use crate::sim::{self, FaultClass, NotApplicable};

/// An attempt that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// How many faults it took.
    pub faults: usize,
    /// Whether it broke what was to be broken.
    pub breaks: bool,
    /// What happened.
    pub history: History,
}

/// Why an attempt does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverBudget {
    /// More faults of a class than the level allows.
    #[error("{placed} faults of the class {} are placed, {allowed} allowed", class.name())]
    TooMany {
        /// Which faults.
        class: FaultClass,
        /// How many were placed.
        placed: u8,
        /// How many are allowed.
        allowed: u8,
    },
    /// A fault of a kind that no level allows.
    #[error(transparent)]
    Kind(#[from] AllowanceError),
    /// The scenario cannot be told with the level's lock.
    #[error("{}", .0.why.en)]
    NotApplicable(NotApplicable),
}

impl Level {
    /// Plays an attempt: the level's scenario with the faults of `attempt`, of which nothing else counts.
    ///
    /// # Errors
    /// Faults that the budget does not allow.
    pub fn attempt(&self, attempt: &Scenario) -> Result<Attempt, OverBudget> {
        let (budget, spent) = (self.budget(), allowance_of(attempt)?);
        for (class, placed) in spent.each() {
            let allowed = budget.of(class);
            if placed > allowed {
                return Err(OverBudget::TooMany { class, placed, allowed });
            }
        }
        let scenario = Scenario { faults: attempt.faults.clone(), ..self.scenario() };
        let run = sim::run(&scenario, self.lock(), Choices::scripted()).map_err(OverBudget::NotApplicable)?;
        let breaks = check(&run.history).verdict(self.goal()).is_broken();
        Ok(Attempt { faults: scenario.faults.len(), breaks, history: run.history })
    }
}
