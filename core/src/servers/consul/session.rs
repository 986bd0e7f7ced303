//! Sessions: who is taken to be alive, and for how long a key rests after one of them.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use crate::time::{LocalClock, Span, Time, later};
use crate::wire::{ClientId, Record, RecordValue};

/// The number of a session.
pub(super) type SessionId = u64;

/// The shortest and the longest time to live that Consul accepts.
const BOUNDS: std::ops::RangeInclusive<Span> = Span::from_secs(10)..=Span::from_secs(86_400);

/// The sessions of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sessions {
    created: SessionId,
    on: BTreeMap<SessionId, Session>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Session {
    ttl: Span,
    lock_delay: Span,
    created_by: Option<ClientId>,
    /// When it is over by the leader's monotonic clock; `None`: there is no leader to count it.
    ends: Option<i64>,
}

impl Sessions {
    /// Creates a session; `None`: its time to live is out of bounds.
    pub fn create(&mut self, now: i64, created_by: Option<ClientId>, ttl: Span, lock_delay: Span) -> Option<SessionId> {
        if !BOUNDS.contains(&ttl) {
            return None;
        }
        self.created += 1;
        self.on.insert(self.created, Session { ttl, lock_delay, created_by, ends: Some(later(now, ttl)) });
        Some(self.created)
    }

    /// Starts a session's time anew; false: it is over.
    pub fn renew(&mut self, now: i64, session: SessionId) -> bool {
        let Some(session) = self.on.get_mut(&session) else { return false };
        session.ends = Some(later(now, session.ttl));
        true
    }

    /// Ends a session: its lock-delay; `None`: it was over already.
    pub fn destroy(&mut self, session: SessionId) -> Option<Span> {
        self.on.remove(&session).map(|session| session.lock_delay)
    }

    pub fn is_on(&self, session: SessionId) -> bool {
        self.on.contains_key(&session)
    }

    /// Ends the sessions whose time is over: each with its lock-delay.
    pub fn end_overdue(&mut self, now: i64) -> Vec<(SessionId, Span)> {
        let is_over = |session: &Session| session.ends.is_some_and(|ends| ends <= now);
        let over = self.on.iter().filter(|(_, session)| is_over(session));
        let over = over.map(|(id, session)| (*id, session.lock_delay)).collect();
        self.on.retain(|_, session| !is_over(session));
        over
    }

    /// The leader is gone, and with it all that it knew of how much is left.
    pub fn stop_counting(&mut self) {
        for session in self.on.values_mut() {
            session.ends = None;
        }
    }

    /// A new leader gives every session its full time.
    pub fn start_anew(&mut self, now: i64) {
        for session in self.on.values_mut() {
            session.ends = Some(later(now, session.ttl));
        }
    }

    /// The sessions as an observer sees them.
    pub fn records(&self, clock: &LocalClock, now: Time) -> impl Iterator<Item = (String, Record)> {
        self.on.iter().map(move |(id, session)| {
            let value = RecordValue::Text(format!("TTL {}", session.ttl));
            let gone_at = session.ends.map(|ends| clock.when_monotonic(now, ends));
            (format!("session/{id}"), Record { value, gone_at, created_by: session.created_by, created: *id })
        })
    }

    /// Feeds what is left of each session into a hasher. Numbers are told as they are: clients name them.
    pub fn remember<H: Hasher>(&self, now: i64, hasher: &mut H) {
        self.created.hash(hasher);
        for (id, session) in &self.on {
            (id, session.ttl, session.lock_delay, session.created_by).hash(hasher);
            session.ends.map(|ends| ends - now).hash(hasher);
        }
        hasher.write_u8(0xff);
    }
}
