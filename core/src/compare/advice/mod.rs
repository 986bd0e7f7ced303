//! Advice: which protection is right here, for reasons that are runs.
//!
//! The answers to a few questions say which mechanisms are there to choose from, the plainest first, and against which threats the choice must hold.
//! [`advise`] plays those cells and takes the first mechanism that holds in all of them. So a recommendation is never better than what was played,
//! and what it does not keep is said with it, for the resource to keep.

mod candidates;
mod question;
mod remedy;

use candidates::Demand;
pub use question::{Check, Server, Situation, Stakes, Task};

use super::{Answer, Cell, Found, Mechanism, Threat};

/// A recommendation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What is recommended.
    pub choice: Mechanism,
    /// Others that hold against the same threats, in the order in which they would be taken.
    pub alternatives: Vec<Mechanism>,
    /// Against what it had to hold, and what came of it.
    pub reasons: Vec<Reason>,
    /// Plainer mechanisms that were not taken, each with the first cell that speaks against it.
    pub rejected: Vec<Reason>,
    /// What it does not keep, for the resource or its users to keep.
    pub left: Vec<Reason>,
}

/// A cell that was played for a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Which.
    pub cell: Cell,
    /// What came of it.
    pub found: Found,
    /// Whether the lock's service itself must not let two in: then an overlap speaks against it even where the resource was unharmed.
    pub is_strict: bool,
}

/// How many alternatives are looked for.
const ALTERNATIVES: usize = 2;

impl Advice {
    /// Whether no lock is needed at all.
    pub fn needs_no_lock(&self) -> bool {
        !self.choice.lock.promises.exclusion
    }

    /// Whether everything that was demanded holds.
    pub fn is_enough(&self) -> bool {
        self.reasons.iter().all(Reason::is_good)
    }
}

impl Reason {
    fn new(mechanism: Mechanism, threat: Threat, is_strict: bool) -> Reason {
        let cell = Cell { mechanism, threat };
        Reason { cell, found: cell.trial(), is_strict }
    }

    /// Whether the cell speaks for its mechanism.
    pub fn is_good(&self) -> bool {
        let is_unharmed = matches!(self.found.answer, Answer::Held | Answer::NotApplicable { .. });
        is_unharmed && !(self.is_strict && self.found.overlapped > 0)
    }
}

/// Plays what has to be known for a situation, and recommends.
pub fn advise(situation: &Situation) -> Advice {
    let demands = candidates::demands(situation);
    let mut rejected: Vec<Reason> = Vec::new();
    let mut enough: Vec<(Mechanism, Vec<Reason>)> = Vec::new();
    for mechanism in candidates::candidates(situation) {
        match withstands(mechanism, &demands) {
            Ok(reasons) => enough.push((mechanism, reasons)),
            Err(reason) => rejected.push(*reason),
        }
        if enough.len() > ALTERNATIVES {
            break;
        }
    }
    let mut enough = enough.into_iter();
    let (choice, reasons) = enough.next().unwrap_or_else(|| {
        let (choice, reasons) = least_bad(&rejected, &demands);
        rejected.retain(|reason| reason.cell.mechanism != choice);
        (choice, reasons)
    });
    Advice {
        choice,
        alternatives: enough.map(|(mechanism, _)| mechanism).collect(),
        left: left(choice, &demands, &reasons),
        reasons,
        rejected,
    }
}

/// The cells that speak for a mechanism, or the first that speaks against it.
fn withstands(mechanism: Mechanism, demands: &[Demand]) -> Result<Vec<Reason>, Box<Reason>> {
    let reason = |demand: &Demand| {
        let reason = Reason::new(mechanism, demand.threat, demand.is_strict);
        if reason.is_good() { Ok(reason) } else { Err(Box::new(reason)) }
    };
    demands.iter().map(reason).collect()
}

/// Where nothing holds against everything: the mechanism that fails least, the plainest of those.
fn least_bad(rejected: &[Reason], demands: &[Demand]) -> (Mechanism, Vec<Reason>) {
    let whole = |reason: &Reason| {
        let mechanism = reason.cell.mechanism;
        let reasons = demands.iter().map(|demand| Reason::new(mechanism, demand.threat, demand.is_strict));
        (mechanism, reasons.collect::<Vec<_>>())
    };
    let all = rejected.iter().map(whole);
    let least = all.min_by_key(|(_, reasons)| reasons.iter().filter(|reason| !reason.is_good()).count());
    least.expect("there is always something to choose from")
}

/// What the choice does not keep: of what was demanded, and of everything else that concerns it.
fn left(choice: Mechanism, demands: &[Demand], reasons: &[Reason]) -> Vec<Reason> {
    let demanded = reasons.iter().filter(|reason| !reason.is_good()).cloned();
    let others = Threat::ALL.into_iter().filter(|threat| !demands.iter().any(|demand| demand.threat == *threat));
    let others = others.map(|threat| Reason::new(choice, threat, false)).filter(|reason| !reason.is_good());
    demanded.chain(others).collect()
}
