//! Where a client of the family stands.

use std::hash::{Hash, Hasher};

use crate::history::Refusal;
use crate::locks::LockRequest;

/// What the caller waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Work {
    /// Nothing.
    #[default]
    Idle,
    /// The server is being asked for the lock.
    Asking(Attempt, Sent),
    /// The channel on which a release is announced is being subscribed to.
    Subscribing(Attempt, Sent),
    /// The next try comes with a message, or at this local instant; `None`: only with a message.
    Waiting(Attempt, Option<i64>),
    /// The server gave the lock, with this token; its replicas are being waited for.
    Confirming(Attempt, Option<u64>, Sent),
    /// A try that no replica has confirmed is being taken back.
    Undoing(Attempt, Sent),
    /// It gives up, and its place in the queue is being given up too.
    Leaving(Refusal, Sent),
    /// The lock is being given back.
    Releasing(Sent),
    /// The server is being asked whether the lock is still held.
    Checking(Sent),
}

/// A try to get the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    /// The local instant at which it gives up.
    pub deadline: Option<i64>,
    /// When its last command was sent.
    pub began: i64,
    /// How often it was refused: a spin lock waits longer each time.
    pub refused: u32,
    /// How often no replica confirmed.
    pub unconfirmed: u32,
}

/// A request in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    pub request: LockRequest,
    pub at: i64,
}

/// The timer that keeps a lock without a lease of its own up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Watchdog {
    /// Nothing is registered with it.
    #[default]
    Off,
    /// It fires at this local instant.
    Due(i64),
    /// It fired at `fired`, and its request is in flight.
    Running { sent: Sent, fired: i64 },
    /// It is believed to run, and does not: it failed before.
    Stale,
}

impl Work {
    pub fn is_idle(&self) -> bool {
        matches!(self, Work::Idle)
    }

    /// The request that it waits for.
    pub fn sent(&self) -> Option<&Sent> {
        match self {
            Work::Idle | Work::Waiting(..) => None,
            Work::Asking(_, sent)
            | Work::Subscribing(_, sent)
            | Work::Confirming(_, _, sent)
            | Work::Undoing(_, sent)
            | Work::Leaving(_, sent)
            | Work::Releasing(sent)
            | Work::Checking(sent) => Some(sent),
        }
    }

    pub fn hash_relative(&self, now: i64, requests: u32, out: &mut impl Hasher) {
        std::mem::discriminant(self).hash(out);
        match self {
            Work::Idle | Work::Releasing(_) | Work::Checking(_) => {}
            Work::Leaving(why, _) => why.hash(out),
            Work::Confirming(attempt, token, _) => {
                token.hash(out);
                attempt.hash_relative(now, out);
            }
            Work::Waiting(attempt, until) => {
                until.map(|until| until - now).hash(out);
                attempt.hash_relative(now, out);
            }
            Work::Asking(attempt, _) | Work::Subscribing(attempt, _) | Work::Undoing(attempt, _) => {
                attempt.hash_relative(now, out);
            }
        }
        if let Some(sent) = self.sent() {
            sent.hash_relative(now, requests, out);
        }
    }
}

impl Attempt {
    fn hash_relative(&self, now: i64, out: &mut impl Hasher) {
        self.deadline.map(|deadline| deadline.saturating_sub(now)).hash(out);
        (self.began - now).hash(out);
        // A spin lock's delay grows no further.
        (self.refused.min(8), self.unconfirmed).hash(out);
    }
}

impl Sent {
    pub fn hash_relative(&self, now: i64, requests: u32, out: &mut impl Hasher) {
        (requests - self.request.0, self.at - now).hash(out);
    }
}

impl Watchdog {
    pub fn hash_relative(&self, now: i64, requests: u32, out: &mut impl Hasher) {
        std::mem::discriminant(self).hash(out);
        match self {
            Watchdog::Off | Watchdog::Stale => {}
            Watchdog::Due(at) => (at - now).hash(out),
            Watchdog::Running { sent, fired } => {
                (fired - now).hash(out);
                sent.hash_relative(now, requests, out);
            }
        }
    }
}
