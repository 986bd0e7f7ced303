//! Where a Redlock client stands.

use std::hash::{Hash, Hasher};

use super::ballot::Ballot;
use crate::history::Refusal;
use crate::time::Span;

/// What the caller waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Work {
    /// Nothing.
    #[default]
    Idle,
    /// The node that is asked first is being chosen.
    Ordering(Attempt),
    /// The nodes are being asked for the lock.
    Asking(Attempt, Ballot),
    /// What a failed try may have locked is being taken back.
    Undoing(Attempt, Refusal, Ballot),
    /// The random part of the retry delay is being chosen; the reason is why this try failed.
    Drawing(Attempt, Refusal),
    /// The next try comes at this local instant.
    Delaying(Attempt, i64),
    /// The last try has failed, and what all of them may have locked is being taken back.
    GivingUp(Refusal, Ballot),
    /// The lock is being given back.
    Releasing(Ballot),
    /// The nodes are being asked whether the lock is still held.
    Looking(Ballot),
}

/// A try to get the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    /// The acquisition that it belongs to: its token follows from it.
    pub number: u32,
    /// The local instant after which no try begins.
    pub deadline: Option<i64>,
    /// When the first command that counts was sent, by the clock that counts validity; `None` between tries that count for themselves.
    pub began: Option<i64>,
    /// How long to wait after it, should it fail.
    pub delay: Span,
}

/// A lock that the client holds, as far as it knows or wants to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hold {
    /// The acquisition that it came from.
    pub number: u32,
    /// The local monotonic instant at which the client counts it as lost, if it minds.
    pub ends: Option<i64>,
    pub renewal: Renewal,
}

/// The timer that extends a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Renewal {
    /// There is none, or it has stopped.
    Off,
    /// It fires at this local monotonic instant.
    Due(i64),
    /// It fired, and the nodes are being asked.
    Running(Round, Ballot),
}

/// When an extension began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Round {
    /// On the monotonic clock.
    pub fired: i64,
    /// On the clock that counts validity.
    pub began: i64,
}

impl Work {
    pub fn is_idle(&self) -> bool {
        matches!(self, Work::Idle)
    }

    pub fn ballot(&self) -> Option<&Ballot> {
        match self {
            Work::Asking(_, ballot)
            | Work::Undoing(_, _, ballot)
            | Work::GivingUp(_, ballot)
            | Work::Releasing(ballot)
            | Work::Looking(ballot) => Some(ballot),
            Work::Idle | Work::Ordering(_) | Work::Drawing(..) | Work::Delaying(..) => None,
        }
    }

    pub fn ballot_mut(&mut self) -> Option<&mut Ballot> {
        match self {
            Work::Asking(_, ballot)
            | Work::Undoing(_, _, ballot)
            | Work::GivingUp(_, ballot)
            | Work::Releasing(ballot)
            | Work::Looking(ballot) => Some(ballot),
            Work::Idle | Work::Ordering(_) | Work::Drawing(..) | Work::Delaying(..) => None,
        }
    }

    /// `clock` is the clock that counts validity, at `now`.
    pub fn hash_relative(&self, now: i64, clock: i64, requests: u32, out: &mut impl Hasher) {
        std::mem::discriminant(self).hash(out);
        if let Some(ballot) = self.ballot() {
            ballot.hash_relative(now, requests, out);
        }
        match self {
            Work::Idle | Work::Releasing(_) | Work::Looking(_) => {}
            Work::Ordering(attempt) | Work::Asking(attempt, _) => attempt.hash_relative(now, clock, out),
            Work::Undoing(attempt, why, _) | Work::Drawing(attempt, why) => {
                attempt.hash_relative(now, clock, out);
                why.hash(out);
            }
            Work::Delaying(attempt, at) => {
                attempt.hash_relative(now, clock, out);
                (at - now).hash(out);
            }
            Work::GivingUp(why, _) => why.hash(out),
        }
    }
}

impl Attempt {
    fn hash_relative(&self, now: i64, clock: i64, out: &mut impl Hasher) {
        self.number.hash(out);
        self.deadline.map(|deadline| deadline.saturating_sub(now)).hash(out);
        self.delay.hash(out);
        self.began.map(|began| began - clock).hash(out);
    }
}

impl Hold {
    pub fn hash_relative(&self, now: i64, clock: i64, requests: u32, out: &mut impl Hasher) {
        self.number.hash(out);
        self.ends.map(|ends| ends.saturating_sub(now)).hash(out);
        std::mem::discriminant(&self.renewal).hash(out);
        match &self.renewal {
            Renewal::Off => {}
            Renewal::Due(at) => (at - now).hash(out),
            Renewal::Running(round, ballot) => {
                (round.fired - now, round.began - clock).hash(out);
                ballot.hash_relative(now, requests, out);
            }
        }
    }
}

impl Renewal {
    pub fn ballot(&self) -> Option<&Ballot> {
        match self {
            Renewal::Off | Renewal::Due(_) => None,
            Renewal::Running(_, ballot) => Some(ballot),
        }
    }

    pub fn ballot_mut(&mut self) -> Option<&mut Ballot> {
        match self {
            Renewal::Off | Renewal::Due(_) => None,
            Renewal::Running(_, ballot) => Some(ballot),
        }
    }
}
