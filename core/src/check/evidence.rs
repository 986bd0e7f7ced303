//! What a monitor has seen go wrong: kept for the reader, never part of the judging state.

use std::hash::{Hash, Hasher};

use super::Violation;

/// How many violations can go on at once; what is further back is over.
const GOING_ON: usize = 1_000;

/// The violations that a monitor has found so far.
///
/// It counts in no comparison and no hash: two monitors that judge alike are equal, whatever they can tell about it.
#[derive(Clone, Debug, Default)]
pub struct Evidence(Vec<Violation>);

impl Evidence {
    /// Adds a violation.
    pub fn add(&mut self, violation: Violation) {
        self.0.push(violation);
    }

    /// Adds a violation that lasts: if the same parties' last one ended where this begins, or is this as known so far, that one goes on instead.
    pub fn extend(&mut self, violation: Violation) {
        let same = |earlier: &&mut Violation| {
            (earlier.until == violation.from || earlier.from == violation.from)
                && earlier.clients == violation.clients
                && earlier.lock == violation.lock
        };
        match self.0.iter_mut().rev().take(GOING_ON).find(same) {
            Some(earlier) => earlier.until = violation.until,
            None => self.0.push(violation),
        }
    }

    /// The violations, by the instant at which they began.
    pub fn sorted(&self) -> Vec<Violation> {
        let mut violations = self.0.clone();
        violations.sort_by_key(|violation| (violation.from, violation.event));
        violations
    }
}

impl PartialEq for Evidence {
    fn eq(&self, _: &Evidence) -> bool {
        true
    }
}

impl Eq for Evidence {}

impl Hash for Evidence {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
