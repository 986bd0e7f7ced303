//! The model of a Consul cluster, seen as one service: sessions, keys that a session can lock, blocking queries, and the lock-delay.
//!
//! # Idea
//!
//! A *session* has a time to live, which its owner renews. A key can be *acquired* by a session: it then names the session until that
//! session releases it or ends. When a session ends against its owner's will, nobody may acquire the key for the *lock-delay*: time for an
//! owner who lives on to notice. Every write has an index; a blocking query waits until a key's index has grown.
//!
//! # Commands
//!
//! As one would type them into the consul client, options first:
//!
//! - `session create -ttl=15s -lock-delay=15s`, `session renew ID`, `session destroy ID`
//! - `kv put -acquire=ID KEY VALUE` and `kv put -release=ID KEY`: 1 or 0
//! - `kv get KEY`: value, session (empty: free), LockIndex and ModifyIndex; with `-index=N -wait=15s` the answer comes when the ModifyIndex
//!   is above N, or after the wait
//! - `kv delete KEY`
//!
//! # Limits
//!
//! A session's end releases its keys (behaviour `release`), and a session has no health checks. It ends on its instant, where a real
//! cluster promises only not to end it earlier and takes up to twice the time. Sources: the pages on sessions and on the KV API of the
//! Consul documentation.

#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};

use super::lease::{LeaseId, Leases};
use super::service::{Delivery, Execution, Outcome, Service};
use super::sorted::Sorted;
use crate::time::{LocalClock, LocalTime, Span, Time, later};
use crate::wire::{ClientId, Command, Record, RecordValue, Records, Reply};

/// The shortest and the longest time to live that Consul accepts.
const BOUNDS: std::ops::RangeInclusive<Span> = Span::from_secs(10)..=Span::from_secs(86_400);

/// The number of a session.
type SessionId = LeaseId;

/// A Consul cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consul {
    keys: Sorted<String, Entry>,
    /// The index of the latest write.
    index: u64,
    /// Who is taken to be alive.
    sessions: Leases<Session>,
    /// Until when, by the leader's monotonic clock, nobody may acquire which key.
    delays: Sorted<String, i64>,
    /// Who waits until which key's index is above which.
    queries: Vec<Query>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Session {
    /// How long its keys rest after it.
    lock_delay: Span,
    created_by: Option<ClientId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    value: String,
    session: Option<SessionId>,
    /// How often the key has been acquired.
    lock_index: u64,
    modify_index: u64,
    created: u64,
    created_by: Option<ClientId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Query {
    client: ClientId,
    key: String,
    index: u64,
}

impl Consul {
    fn run(&mut self, now: LocalTime, client: Option<ClientId>, words: &[&str]) -> Option<Outcome> {
        Some(Outcome::Reply(match *words {
            ["session", "create", ttl, delay] => {
                let (ttl, lock_delay) = (span(ttl, "-ttl=")?, span(delay, "-lock-delay=")?);
                if BOUNDS.contains(&ttl) {
                    let session = Session { lock_delay, created_by: client };
                    Reply::bulk(self.sessions.grant(now.monotonic, ttl, session).to_string())
                } else {
                    Reply::Error("500 Invalid Session TTL, must be between 10s and 24h".into())
                }
            }
            ["session", "renew", session] => match self.sessions.renew(now.monotonic, session.parse().ok()?) {
                Some(_) => Reply::ok(),
                None => Reply::Error("404 Session id not found".into()),
            },
            ["session", "destroy", session] => {
                let id = session.parse().ok()?;
                if let Some(session) = self.sessions.end(id) {
                    self.release_all(now, id, session.lock_delay);
                }
                Reply::ok()
            }
            ["kv", "put", option, key, value] => {
                let session = option.strip_prefix("-acquire=")?.parse().ok()?;
                self.acquire(now, client, session, key, value)
            }
            ["kv", "put", option, key] => self.release(option.strip_prefix("-release=")?.parse().ok()?, key),
            ["kv", "get", key] => self.shown(key),
            ["kv", "get", index, wait, key] => {
                let (index, wait) = (index.strip_prefix("-index=")?.parse().ok()?, span(wait, "-wait=")?);
                let has_grown = self.keys.get(key).is_none_or(|entry| entry.modify_index > index);
                match client {
                    Some(client) if !has_grown => {
                        self.queries.push(Query { client, key: key.to_owned(), index });
                        return Some(Outcome::Blocked { timeout: Some(wait) });
                    }
                    _ => self.shown(key),
                }
            }
            ["kv", "delete", key] => {
                self.keys.remove(key);
                Reply::ok()
            }
            _ => return None,
        }))
    }

    fn acquire(
        &mut self,
        now: LocalTime,
        client: Option<ClientId>,
        session: SessionId,
        key: &str,
        value: &str,
    ) -> Reply {
        if !self.sessions.is_on(session) {
            return Reply::Error("500 invalid session".into());
        }
        let is_delayed = self.delays.get(key).is_some_and(|until| *until > now.monotonic);
        let holder = self.keys.get(key).and_then(|entry| entry.session);
        if holder.is_some_and(|holder| holder != session) || (holder.is_none() && is_delayed) {
            return Reply::Integer(0);
        }
        self.index += 1;
        let index = self.index;
        let fresh = || Entry {
            value: String::new(),
            session: None,
            lock_index: 0,
            modify_index: index,
            created: index,
            created_by: client,
        };
        let entry = self.keys.or_insert_with(key.to_owned(), fresh);
        // Who holds it already only writes the value.
        if entry.session.is_none() {
            entry.lock_index += 1;
        }
        (entry.value, entry.session, entry.modify_index) = (value.to_owned(), Some(session), index);
        Reply::Integer(1)
    }

    fn release(&mut self, session: SessionId, key: &str) -> Reply {
        let Some(entry) = self.keys.get_mut(key).filter(|entry| entry.session == Some(session)) else {
            return Reply::Integer(0);
        };
        self.index += 1;
        (entry.session, entry.modify_index) = (None, self.index);
        Reply::Integer(1)
    }

    /// A session is over: its keys are free, but not at once.
    fn release_all(&mut self, now: LocalTime, session: SessionId, delay: Span) {
        for (key, entry) in self.keys.iter_mut().filter(|(_, entry)| entry.session == Some(session)) {
            self.index += 1;
            (entry.session, entry.modify_index) = (None, self.index);
            self.delays.insert(key.clone(), later(now.monotonic, delay));
        }
    }

    fn end_overdue(&mut self, now: LocalTime) {
        for (id, session) in self.sessions.end_overdue(now.monotonic) {
            self.release_all(now, id, session.lock_delay);
        }
        self.delays.retain(|_, until| *until > now.monotonic);
    }

    fn shown(&self, key: &str) -> Reply {
        let number = |number: u64| Reply::Integer(i64::try_from(number).unwrap_or(i64::MAX));
        self.keys.get(key).map_or(Reply::Nil, |entry| {
            let session = entry.session.map(|session| session.to_string()).unwrap_or_default();
            let (lock_index, modify_index) = (number(entry.lock_index), number(entry.modify_index));
            Reply::Array(vec![Reply::bulk(&entry.value), Reply::bulk(session), lock_index, modify_index])
        })
    }

    /// Answers the queries whose key has changed.
    fn answer_queries(&mut self) -> Vec<Delivery> {
        let has_grown = |query: &Query| self.keys.get(&query.key).is_none_or(|entry| entry.modify_index > query.index);
        let (due, rest): (Vec<Query>, Vec<Query>) = self.queries.iter().cloned().partition(has_grown);
        self.queries = rest;
        let answer = |query: Query| Delivery { client: query.client, message: self.shown(&query.key), answers: true };
        due.into_iter().map(answer).collect()
    }
}

/// A span of time after an option's name.
fn span(word: &str, option: &str) -> Option<Span> {
    word.strip_prefix(option)?.parse().ok()
}

impl Service for Consul {
    fn execute(&mut self, now: LocalTime, client: Option<ClientId>, command: &Command) -> Execution {
        self.end_overdue(now);
        let words = command.texts().unwrap_or_default();
        let outcome = self
            .run(now, client, &words)
            .unwrap_or_else(|| Outcome::Reply(Reply::Error(format!("400 not a command of this model: {command}"))));
        Execution { outcome, deliveries: self.answer_queries() }
    }

    fn time_out(&mut self, _now: LocalTime, client: ClientId) -> Reply {
        let place = self.queries.iter().position(|query| query.client == client);
        place.map_or(Reply::Nil, |place| {
            let query = self.queries.remove(place);
            self.shown(&query.key)
        })
    }

    fn disconnect(&mut self, _now: LocalTime, client: ClientId) -> Vec<Delivery> {
        self.queries.retain(|query| query.client != client);
        Vec::new()
    }

    fn expire(&mut self, now: LocalTime) -> Vec<Delivery> {
        self.end_overdue(now);
        self.answer_queries()
    }

    /// Without a leader nobody counts sessions.
    fn down(&mut self, _now: LocalTime) {
        self.queries.clear();
        self.sessions.stop_counting();
    }

    /// A new leader gives every session its full time, and knows of no delay.
    fn up(&mut self, now: LocalTime, data_kept: bool) {
        if !data_kept {
            *self = Consul::default();
        }
        self.delays.clear();
        self.sessions.start_anew(now.monotonic);
    }

    /// The keys, and the sessions as `session/ID`.
    fn records(&self, clock: &LocalClock, now: Time) -> Records {
        let keys = self.keys.iter().map(|(key, entry)| {
            let session = entry.session.map(|session| session.to_string()).unwrap_or_default();
            let fields = [
                ("Value", entry.value.clone()),
                ("Session", session),
                ("LockIndex", entry.lock_index.to_string()),
                ("ModifyIndex", entry.modify_index.to_string()),
            ];
            let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            let (created_by, created) = (entry.created_by, entry.created);
            (key.clone(), Record { value: RecordValue::Fields(fields), gone_at: None, created_by, created })
        });
        let sessions = self.sessions.iter().map(|(id, ttl, session)| {
            let value = RecordValue::Text(format!("TTL {ttl}"));
            let gone_at = self.sessions.ends(id).map(|ends| clock.when_monotonic(now, ends));
            (format!("session/{id}"), Record { value, gone_at, created_by: session.created_by, created: id })
        });
        keys.chain(sessions).collect()
    }

    fn remember<H: Hasher>(&self, now: LocalTime, hasher: &mut H) {
        for (key, entry) in self.keys.iter() {
            (key, &entry.value, entry.session, entry.created_by, entry.lock_index).hash(hasher);
            entry.modify_index.hash(hasher);
        }
        self.index.hash(hasher);
        self.sessions.remember(now.monotonic, hasher);
        for (key, until) in self.delays.iter() {
            (key, until - now.monotonic).hash(hasher);
        }
        for query in &self.queries {
            (query.client, &query.key, query.index).hash(hasher);
        }
    }
}
