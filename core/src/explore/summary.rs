//! What a search has found, or all the parts of one.

use super::{Answer, Cost};
use crate::check::Property;

/// How many parts a search is divided into, however many threads or machines there are: what is found must not depend on them.
pub const PARTS: u32 = 16;

/// What a search has found, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The answers, in the order of the questions.
    pub answers: Vec<(Property, Answer)>,
    /// How many different states were met, those before the division included.
    pub states: u64,
    /// How many of them were not looked at.
    pub waiting: u64,
    /// Everything simpler was looked at.
    pub reached: Cost,
}

impl Summary {
    /// What a search has found that was at `self` when it was divided, and whose parts, all of them and in their order, have found this.
    ///
    /// Broken: by the simplest run of all parts, the first of several as simple. Holds: in all parts. Unknown: in any.
    pub fn joined(self, parts: &[Summary]) -> Summary {
        let before = self.states;
        let whole = parts.iter().cloned().reduce(|one, other| Summary {
            answers: one
                .answers
                .into_iter()
                .zip(other.answers)
                .map(|((of, one), (_, other))| (of, one.or(other)))
                .collect(),
            states: one.states.saturating_add(other.states.saturating_sub(before)),
            waiting: one.waiting.saturating_add(other.waiting),
            reached: one.reached.min(other.reached),
        });
        whole.unwrap_or(self)
    }
}

impl Answer {
    /// The answer of two parts together.
    fn or(self, other: Answer) -> Answer {
        match (self, other) {
            (Answer::Broken(one), Answer::Broken(other)) if other.cost < one.cost => Answer::Broken(other),
            (broken @ Answer::Broken(_), _) | (_, broken @ Answer::Broken(_)) => broken,
            (Answer::Unknown, _) | (_, Answer::Unknown) => Answer::Unknown,
            (Answer::Holds, _) | (_, Answer::Holds) => Answer::Holds,
            (Answer::NotApplicable, Answer::NotApplicable) => Answer::NotApplicable,
        }
    }
}
