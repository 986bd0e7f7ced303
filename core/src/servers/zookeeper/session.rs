//! Sessions: who is taken to be alive.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// The number of a session.
pub(super) type SessionId = u64;

/// The sessions of an ensemble.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sessions {
    opened: SessionId,
    on: BTreeMap<SessionId, Session>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Session {
    /// Its time-out in microseconds.
    timeout: i64,
    /// When it is over by the leader's monotonic clock; `None`: there is no leader to count it.
    ends: Option<i64>,
}

impl Sessions {
    /// Opens a session with a time-out in milliseconds.
    pub fn open(&mut self, now: i64, timeout: u64) -> SessionId {
        let timeout = i64::try_from(timeout).unwrap_or(i64::MAX).saturating_mul(1_000);
        self.opened += 1;
        self.on.insert(self.opened, Session { timeout, ends: Some(now.saturating_add(timeout)) });
        self.opened
    }

    /// Notes that a session was heard of; false: it is over.
    pub fn touch(&mut self, now: i64, session: SessionId) -> bool {
        let Some(session) = self.on.get_mut(&session) else { return false };
        session.ends = Some(now.saturating_add(session.timeout));
        true
    }

    pub fn close(&mut self, session: SessionId) {
        self.on.remove(&session);
    }

    /// When a session is over, if anybody counts it.
    pub fn ends(&self, session: SessionId) -> Option<i64> {
        self.on.get(&session)?.ends
    }

    /// Ends the sessions of which nothing has been heard for too long.
    pub fn end_overdue(&mut self, now: i64) -> Vec<SessionId> {
        let is_over = |session: &Session| session.ends.is_some_and(|ends| ends <= now);
        let over = self.on.iter().filter(|(_, session)| is_over(session)).map(|(id, _)| *id).collect();
        self.on.retain(|_, session| !is_over(session));
        over
    }

    /// The leader is gone, and with it all that it knew of who was heard when.
    pub fn stop_counting(&mut self) {
        for session in self.on.values_mut() {
            session.ends = None;
        }
    }

    /// A new leader gives every session its full time.
    pub fn start_anew(&mut self, now: i64) {
        for session in self.on.values_mut() {
            session.ends = Some(now.saturating_add(session.timeout));
        }
    }

    /// Feeds what is left of each session into a hasher. Numbers are told as they are: clients name them.
    pub fn remember<H: Hasher>(&self, now: i64, hasher: &mut H) {
        self.opened.hash(hasher);
        for (id, session) in &self.on {
            (id, session.timeout, session.ends.map(|ends| ends - now)).hash(hasher);
        }
        hasher.write_u8(0xff);
    }
}
