//! What the caller of a lock on one service waits for, and what it holds.

use std::hash::{Hash, Hasher};

use crate::history::Refusal;

/// What the caller waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Work {
    /// Nothing.
    #[default]
    Idle,
    /// The service is being asked, or another holds the lock.
    Acquiring(Attempt),
    /// The random part of the delay before the next try is being chosen; the reason is why this one failed.
    Drawing(Attempt, Refusal),
    /// A try failed for this reason; the next one comes at this local instant.
    Delaying(Attempt, Refusal, i64),
    /// The lock is being given back.
    Releasing,
    /// The service is being asked whether the lock is still held.
    Looking,
}

/// An acquire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The acquisition that it is.
    pub number: u32,
    /// The local instant after which it waits no longer.
    pub deadline: Option<i64>,
}

/// What a client holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hold {
    /// The acquisition that began it.
    pub number: u32,
    /// How often it has been entered without being left.
    pub depth: u32,
    /// Its caller has been told that it is lost.
    pub lost: bool,
}

impl Work {
    pub fn hash_relative(&self, now: i64, out: &mut impl Hasher) {
        std::mem::discriminant(self).hash(out);
        match self {
            Work::Idle | Work::Releasing | Work::Looking => {}
            Work::Acquiring(attempt) => attempt.hash_relative(now, out),
            Work::Drawing(attempt, why) => {
                attempt.hash_relative(now, out);
                why.hash(out);
            }
            Work::Delaying(attempt, why, at) => {
                attempt.hash_relative(now, out);
                (why, at - now).hash(out);
            }
        }
    }
}

impl Attempt {
    /// Whether it waits no longer.
    pub fn is_over(&self, now: i64) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= now)
    }

    fn hash_relative(&self, now: i64, out: &mut impl Hasher) {
        self.number.hash(out);
        self.deadline.map(|deadline| deadline.saturating_sub(now)).hash(out);
    }
}
