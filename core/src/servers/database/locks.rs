//! Row locks and advisory locks: who holds them, who waits for them, and in which order.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::datum::Datum;
use super::session::SessionId;
use super::sql::AdvisoryKey;
use crate::servers::sorted::Sorted;
use crate::wire::ClientId;

/// Something that one session at a time may hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Lockable {
    /// A row, by table and primary key; also a key that somebody is about to insert.
    Row(Arc<str>, Datum),
    /// An advisory lock.
    Advisory(AdvisoryKey),
}

/// How long a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Scope {
    /// To the end of the transaction.
    Transaction,
    /// Until it is given back, as often as it was taken, or to the end of the session.
    Session,
}

/// A lock that somebody holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Hold {
    pub holder: SessionId,
    /// How often it was taken for the session.
    pub depth: u32,
    /// It is held for the transaction, too.
    pub transaction: bool,
    /// Whose statement took it first, and as the how-manieth lock of the server.
    pub by: Option<ClientId>,
    pub number: u64,
    /// Who waits, and for how long they want it, first come first.
    queue: VecDeque<Waiter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Waiter {
    session: SessionId,
    scope: Scope,
    by: Option<ClientId>,
}

/// All locks of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Locks {
    held: Sorted<Lockable, Hold>,
    taken: u64,
}

impl Locks {
    /// Takes a lock if nobody else has it; false: somebody has.
    pub fn take(&mut self, what: &Lockable, session: SessionId, scope: Scope, by: Option<ClientId>) -> bool {
        if let Some(hold) = self.held.get_mut(what) {
            let mine = hold.holder == session;
            if mine {
                hold.add(scope);
            }
            return mine;
        }
        self.taken += 1;
        let mut hold =
            Hold { holder: session, depth: 0, transaction: false, by, number: self.taken, queue: VecDeque::new() };
        hold.add(scope);
        self.held.insert(what.clone(), hold);
        true
    }

    /// Waits behind everybody who waits already.
    pub fn wait(&mut self, what: &Lockable, session: SessionId, scope: Scope, by: Option<ClientId>) {
        if let Some(hold) = self.held.get_mut(what) {
            hold.queue.push_back(Waiter { session, scope, by });
        }
    }

    /// Waits no longer.
    pub fn stop_waiting(&mut self, session: SessionId) {
        for hold in self.held.values_mut() {
            hold.queue.retain(|waiter| waiter.session != session);
        }
    }

    /// Gives an advisory lock back once. `None`: the session does not hold it. Else who has it now.
    pub fn give_back(&mut self, what: &Lockable, session: SessionId) -> Option<Vec<SessionId>> {
        let hold = self.held.get_mut(what).filter(|hold| hold.holder == session && hold.depth > 0)?;
        hold.depth -= 1;
        Some(self.hand_on(|lock, _| lock == what))
    }

    /// A transaction is over. Gives the sessions whose wait is over, too.
    pub fn end_transaction(&mut self, session: SessionId) -> Vec<SessionId> {
        for hold in self.held.values_mut().filter(|hold| hold.holder == session) {
            hold.transaction = false;
        }
        self.hand_on(|_, hold| hold.holder == session)
    }

    /// A session gives back all that it holds for itself.
    pub fn end_session(&mut self, session: SessionId) -> Vec<SessionId> {
        for hold in self.held.values_mut().filter(|hold| hold.holder == session) {
            hold.depth = 0;
        }
        self.hand_on(|_, hold| hold.holder == session)
    }

    /// Gives back a row lock on a row that turned out not to be there.
    pub fn let_go(&mut self, what: &Lockable, session: SessionId) -> Vec<SessionId> {
        if let Some(hold) = self.held.get_mut(what).filter(|hold| hold.holder == session) {
            hold.transaction = false;
        }
        self.hand_on(|lock, _| lock == what)
    }

    /// What is no longer wanted goes to whoever has waited longest.
    fn hand_on(&mut self, concerns: impl Fn(&Lockable, &Hold) -> bool) -> Vec<SessionId> {
        let mut woken = Vec::new();
        let taken = &mut self.taken;
        self.held.retain(|what, hold| {
            if hold.depth > 0 || hold.transaction || !concerns(what, hold) {
                return true;
            }
            let Some(Waiter { session, scope, by }) = hold.queue.pop_front() else { return false };
            *taken += 1;
            (hold.holder, hold.by, hold.number) = (session, by, *taken);
            hold.add(scope);
            woken.push(session);
            true
        });
        woken
    }

    /// Whether a session waits for itself: for a holder, or for somebody before it in a queue, who waits for ..., who waits for it.
    pub fn is_deadlocked(&self, session: SessionId) -> bool {
        let mut reached = vec![session];
        let mut next = 0;
        while let Some(from) = reached.get(next).copied() {
            next += 1;
            for hold in self.held.values() {
                let Some(place) = hold.queue.iter().position(|waiter| waiter.session == from) else { continue };
                let before = hold.queue.iter().take(place).map(|waiter| waiter.session).chain([hold.holder]);
                for blocker in before {
                    if blocker == session {
                        return true;
                    }
                    if !reached.contains(&blocker) {
                        reached.push(blocker);
                    }
                }
            }
        }
        false
    }

    /// How many advisory locks a session holds.
    pub fn advisory(&self, session: SessionId) -> i64 {
        let mine = |(what, hold): &(&Lockable, &Hold)| hold.holder == session && matches!(what, Lockable::Advisory(_));
        self.held.iter().filter(mine).count() as i64
    }

    /// Nobody holds anything: the server has died.
    pub fn clear(&mut self) {
        self.held.clear();
    }

    /// Feeds who holds and who waits into a hasher, without the numbers that only count.
    pub fn hash_order(&self, out: &mut impl Hasher) {
        for (what, hold) in self.held.iter() {
            (what, hold.holder, hold.depth, hold.transaction, hold.by, &hold.queue).hash(out);
        }
    }

    /// Everything that is held.
    pub fn all(&self) -> impl Iterator<Item = (&Lockable, &Hold)> {
        self.held.iter()
    }
}

impl Hold {
    fn add(&mut self, scope: Scope) {
        match scope {
            Scope::Transaction => self.transaction = true,
            Scope::Session => self.depth += 1,
        }
    }
}
