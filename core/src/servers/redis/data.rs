//! What a key holds.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use super::number;
pub use crate::wire::Bytes;
use crate::wire::ClientId;

/// The score of a sorted set's member: a double that is not NaN, compared by its bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Score(u64);

impl Score {
    /// A score; `None` for NaN.
    pub fn new(value: f64) -> Option<Score> {
        (!value.is_nan()).then_some(Score(value.to_bits()))
    }

    /// The number.
    pub fn value(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&number::print_double(self.value()))
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

/// A value. Collections are never empty: a command that takes the last element deletes the key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A string.
    Text(Bytes),
    /// A hash: fields and values in the order of their creation.
    Hash(Arc<Vec<(Bytes, Bytes)>>),
    /// A list.
    List(Arc<VecDeque<Bytes>>),
    /// A set.
    Set(Arc<BTreeSet<Bytes>>),
    /// A sorted set, ordered by score and then by member.
    Sorted(Arc<Vec<(Score, Bytes)>>),
}

impl Value {
    /// The name that TYPE answers.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Text(_) => "string",
            Value::Hash(_) => "hash",
            Value::List(_) => "list",
            Value::Set(_) => "set",
            Value::Sorted(_) => "zset",
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Value::Text(_) => false,
            Value::Hash(fields) => fields.is_empty(),
            Value::List(items) => items.is_empty(),
            Value::Set(members) => members.is_empty(),
            Value::Sorted(members) => members.is_empty(),
        }
    }
}

/// A key's value, its expiry, and who created it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The value.
    pub value: Value,
    /// The last millisecond of this server's wall clock at which the key is present; `None`: it does not expire.
    pub expires_at: Option<i64>,
    /// The client whose command created the key, which was absent before; `None`: an operator or the set-up.
    pub created_by: Option<ClientId>,
    /// Counts creations on this server.
    pub created: u64,
}

impl Entry {
    /// Whether the key is past its expiry at `now` milliseconds: it is still present at the expiry itself.
    pub fn is_expired(&self, now: i64) -> bool {
        self.expires_at.is_some_and(|expiry| now > expiry)
    }
}
