//! What a command changed: the replication stream.
//!
//! Redis sends a replica what a command *did*, not what was asked: `SET k v PX 500` travels as `SET k v PXAT <instant>`, a deleting
//! `PEXPIRE k 0` as `DEL k`, a refused `SET NX` not at all, a script as its commands. So lag never prolongs a lease, while a wrong
//! clock of the replica does. (Redis documentation: "How Redis replication deals with expires on keys".)
//!
//! An effect carries the value that the key has afterwards, so that applying it cannot go another way than it went on the master;
//! shown as text it is the command that Redis sends.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::data::{Bytes, Value};
use crate::time::LocalTime;
use crate::wire::{ClientId, Command};

/// One change of one server, in the order in which it is replicated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// The client whose command it was; `None`: an operator, or the server itself.
    pub by: Option<ClientId>,
    /// What changed.
    pub change: Change,
}

impl Effect {
    /// Feeds the effect into a hasher, with expiries relative to what a server's clock shows.
    pub(crate) fn remember<H: Hasher>(&self, now: LocalTime, hasher: &mut H) {
        self.by.hash(hasher);
        match &self.change {
            Change::Set { key, value, expires_at } => (key, value, left(*expires_at, now)).hash(hasher),
            Change::ExpireAt { key, at } => (key, left(Some(*at), now)).hash(hasher),
            change => change.hash(hasher),
        }
    }
}

/// The microseconds from what a clock shows to an expiry in milliseconds.
pub(super) fn left(expires_at: Option<i64>, now: LocalTime) -> Option<i64> {
    expires_at.map(|at| at.saturating_mul(1_000).saturating_sub(now.wall))
}

/// Why a key was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// A command asked for it.
    Command,
    /// Its time was over.
    Expired,
    /// The server needed the memory.
    Evicted,
}

/// What happened to a key, or to all keys, or on a channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// A string was set.
    Set {
        /// The key.
        key: Bytes,
        /// The new value.
        value: Bytes,
        /// Milliseconds of the wall clock, if it expires.
        expires_at: Option<i64>,
    },
    /// A value was changed in place; the expiry stays.
    Edit {
        /// The key.
        key: Bytes,
        /// The value afterwards; `None`: the last element went, and the key with it.
        value: Option<Value>,
        /// The command, which Redis sends as it came.
        command: Command,
    },
    /// The expiry was set, in milliseconds of the wall clock.
    ExpireAt {
        /// The key.
        key: Bytes,
        /// The last millisecond at which the key is present.
        at: i64,
    },
    /// The expiry was taken away.
    Persist {
        /// The key.
        key: Bytes,
    },
    /// The key was deleted.
    Delete {
        /// The key.
        key: Bytes,
        /// Why.
        cause: Cause,
    },
    /// All keys were deleted.
    Flush,
    /// A message was published; the keyspace is as before.
    Publish {
        /// The channel.
        channel: Bytes,
        /// The message.
        message: Bytes,
    },
}

impl Change {
    /// The key that changed; `None` where all did or none did.
    pub fn key(&self) -> Option<&Bytes> {
        match self {
            Change::Set { key, .. }
            | Change::Edit { key, .. }
            | Change::ExpireAt { key, .. }
            | Change::Persist { key }
            | Change::Delete { key, .. } => Some(key),
            Change::Flush | Change::Publish { .. } => None,
        }
    }

    /// The command that Redis sends to its replicas.
    pub fn command(&self) -> Command {
        match self {
            Change::Set { key, value, expires_at: None } => Command::new([b"SET", key.as_slice(), value]),
            Change::Set { key, value, expires_at: Some(at) } => {
                Command::new([b"SET", key.as_slice(), value, b"PXAT", at.to_string().as_bytes()])
            }
            Change::Edit { command, .. } => command.clone(),
            Change::ExpireAt { key, at } => Command::new([b"PEXPIREAT", key.as_slice(), at.to_string().as_bytes()]),
            Change::Persist { key } => Command::new([b"PERSIST", key.as_slice()]),
            Change::Delete { key, .. } => Command::new([b"DEL", key.as_slice()]),
            Change::Flush => Command::new(["FLUSHALL"]),
            Change::Publish { channel, message } => Command::new([b"PUBLISH", channel.as_slice(), message]),
        }
    }
}

/// The command that Redis sends, as redis-cli would take it.
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.change.command().fmt(f)
    }
}
