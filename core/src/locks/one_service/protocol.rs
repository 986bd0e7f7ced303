//! What each lock on one service has for itself.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use super::{Answer, Attempt, OneService, Terms};
use crate::history::{Code, Phase};
use crate::time::LocalTime;

/// What a lock asks its service, and what the answers mean. The value is the lock's parameters, made ready.
pub trait Protocol: Clone + Debug + Eq {
    /// What the service is asked.
    type Question: Inquiry;

    /// What a client knows of the service.
    type Known: Known;

    /// What an acquire by a client that holds the lock comes to.
    const AGAIN: Again;

    /// What the client was made with.
    fn terms(&self) -> &Terms;

    /// The greatest random part of the delay between two tries, in microseconds.
    fn jitter_micros(&self) -> u32 {
        0
    }

    /// The service has answered something, and not with an error.
    fn heard(_client: &mut OneService<Self>, _now: LocalTime) {}

    /// Takes the first step of a try that is still to be taken.
    fn try_once(client: &mut OneService<Self>, now: LocalTime, attempt: Attempt);

    /// An answer for a client that tries to get the lock.
    fn acquiring(
        client: &mut OneService<Self>,
        now: LocalTime,
        attempt: Attempt,
        question: Self::Question,
        answer: &Answer,
    );

    /// Leaves nothing behind of an acquire that is given up.
    fn give_up(_client: &mut OneService<Self>, _now: LocalTime) {}

    /// Does what has fallen due to keep the lock.
    fn keep(client: &mut OneService<Self>, now: LocalTime);

    /// When that is due next, by the local monotonic clock.
    fn keeps_at(client: &OneService<Self>) -> Option<i64>;

    /// An answer to what was asked to keep the lock.
    fn renewing(client: &mut OneService<Self>, now: LocalTime, question: Self::Question, answer: &Answer);

    /// Begins to give the lock back.
    fn give_back(client: &mut OneService<Self>, now: LocalTime);

    /// An answer to what was asked to give the lock back.
    fn releasing(client: &mut OneService<Self>, now: LocalTime, question: Self::Question, answer: &Answer);

    /// Asks whether the lock is still held.
    fn look(client: &mut OneService<Self>, now: LocalTime);

    /// Whether an answer to that says so.
    fn is_mine(client: &OneService<Self>, now: LocalTime, answer: &Answer) -> bool;
}

/// Something that a service is asked.
pub trait Inquiry: Copy + Debug + Eq + Hash {
    /// The line of the lock's listing that asks it.
    fn code(self) -> Code;

    /// What it is asked for.
    fn phase(self) -> Phase {
        self.code().section.phase()
    }

    /// Whether the service answers when something happens, however long that takes.
    fn is_watch(self) -> bool;
}

/// What a client knows of its service; by default nothing.
pub trait Known: Clone + Debug + Default + Eq {
    /// Forgets what a lost hold hung on.
    fn forget_hold(&mut self);

    /// Writes it into a hash, with local times relative to now.
    fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher);
}

/// What an acquire by a client that holds the lock comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// It is refused.
    Refused,
    /// It enters once more: a counter in the client's memory.
    Counted,
    /// The service is asked, as by anybody.
    Asked,
}
