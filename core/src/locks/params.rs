//! The numbers and switches of a lock that a scenario sets.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::history::Mode;
use crate::time::{Span, later};
use crate::wire::NodeId;

/// What a lock client is made with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Params {
    /// The key, path or row that clients exclude each other by.
    pub key: Arc<str>,
    /// The lease. Between 1 ms and 100 days.
    pub ttl: Span,
    /// The delay between two tries. 100 ms unless said.
    pub retry: Span,
    /// The greatest delay between two tries where each failed try doubles it, from `retry` on. Zero unless said: it does not grow.
    pub backoff: Span,
    /// The greatest random delay added to `retry`. Zero unless said.
    pub jitter: Span,
    /// How long to wait for a reply before its connection is dropped; `None`: for ever (until the connection breaks).
    pub timeout: Option<Span>,
    /// How a client marks the lock as its own.
    pub token: TokenForm,
    /// The nodes that serve this lock: one, or all of Redlock's.
    pub nodes: Vec<NodeId>,
    /// What only some locks know, by its name in the scenario, such as `renew_every` or `drift`; checked against the lock's own list.
    pub extra: BTreeMap<String, Value>,
}

impl Params {
    /// When a request that was sent at this local instant has waited too long; `None`: it may wait for ever.
    pub(super) fn late_at(&self, sent: i64) -> Option<i64> {
        self.timeout.map(|timeout| later(sent, timeout))
    }

    /// The greatest random delay, in microseconds, so that one more than that can be counted.
    pub(super) fn jitter_micros(&self) -> u32 {
        u32::try_from(self.jitter.micros()).unwrap_or(u32::MAX - 1).min(u32::MAX - 1)
    }

    /// A switch that only some locks know.
    pub(super) fn switch(&self, name: &str) -> Option<bool> {
        match self.extra.get(name) {
            Some(Value::Switch(on)) => Some(*on),
            _ => None,
        }
    }

    /// A whole number that only some locks know.
    pub(super) fn number(&self, name: &str) -> Option<i64> {
        match self.extra.get(name) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// A span of time that only some locks know.
    pub(super) fn span(&self, name: &str) -> Option<Span> {
        match self.extra.get(name) {
            Some(Value::Span(span)) => Some(*span),
            _ => None,
        }
    }

    /// A word that only some locks know.
    pub(super) fn word(&self, name: &str) -> Option<&str> {
        match self.extra.get(name) {
            Some(Value::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// The delay after the next try, where `last` was the one after this try.
    pub fn next_delay(&self, last: Span) -> Span {
        (last + last).min(self.backoff).max(self.retry)
    }
}

/// Who a lock client is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// What its tokens begin with: the client's name in the scenario; in a live run with the run's id before it.
    pub name: Arc<str>,
    /// How many acquisitions it began in earlier lives, so that no token comes twice; 0 for a client that never crashed.
    pub acquisitions: u32,
    /// Which side of a read/write lock it takes; other locks exclude all either way.
    pub mode: Mode,
}

impl Identity {
    /// A client in its first life that excludes all others.
    pub fn new(name: impl Into<Arc<str>>) -> Identity {
        Identity { name: name.into(), acquisitions: 0, mode: Mode::Exclusive }
    }

    /// What marks its acquisition of this number.
    pub(super) fn token(&self, form: TokenForm, number: u32) -> String {
        match form {
            TokenForm::Unique => [&self.name, "-", &number.to_string()].concat(),
            TokenForm::PerClient => self.name.to_string(),
            TokenForm::Fixed => "locked".to_owned(),
        }
    }
}

/// A parameter's value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A switch.
    Switch(bool),
    /// A whole number.
    Number(i64),
    /// A span of time.
    Span(Span),
    /// A word, one of those that the lock allows.
    Word(String),
}

/// How a client marks the lock as its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenForm {
    /// `A-1`, `A-2`: unique for each acquisition.
    #[default]
    Unique,
    /// `A`: the same for every acquisition of one client (a process id, a host name).
    PerClient,
    /// `locked`: the same for everybody.
    Fixed,
}
