//! The model of one redis-server process.
//!
//! # Idea
//!
//! [`Redis`] is a pure state machine: [`Redis::execute`] takes a command and what *this server's* clock shows, and returns what the
//! caller gets, what changed, and what others receive. It reads no clock, opens no socket and starts no timer. The world around it
//! decides when a command arrives, when an effect reaches a replica, and when somebody has waited long enough.
//!
//! It answers as redis-server 7.0.15 does, to the letter of its error texts: the same commands are run against the real server in the
//! tests. What makes or breaks a lock is this:
//!
//! - A key is present while `now_ms <= expiry`, by the wall clock of the server that answers, in whole milliseconds rounded down.
//!   A clock step therefore shortens or stretches every lease.
//! - An expiry is an absolute instant and travels as such, so a replica judges it by its own clock. A replica hides an expired key but
//!   deletes it only when its master says so.
//! - A script and a transaction are one step in which time stands still; an error in the middle undoes nothing.
//! - A reply of the master promises nothing about its replicas.
//!
//! # Example
//!
//! ```
//! use locklab_core::servers::redis::Redis;
//! use locklab_core::time::LocalTime;
//! use locklab_core::wire::{ClientId, Command, Reply};
//!
//! let mut redis = Redis::default();
//! let at = |millis: i64| LocalTime { wall: millis * 1_000, monotonic: millis * 1_000 };
//! let lock = Command::new(["SET", "lock", "A-1", "NX", "PX", "100"]);
//! assert_eq!(redis.execute(at(0), Some(ClientId(0)), &lock).reply(), Some(&Reply::ok()));
//! // Still there at the hundredth millisecond, gone at the next.
//! assert_eq!(redis.execute(at(100), Some(ClientId(1)), &lock).reply(), Some(&Reply::Nil));
//! assert_eq!(redis.execute(at(101), Some(ClientId(1)), &lock).reply(), Some(&Reply::ok()));
//! ```
//!
//! # Limits
//!
//! One database; RESP2; no cluster, modules, streams or geo commands. What is random in Redis (RANDOMKEY, SPOP, the order of KEYS and
//! SMEMBERS) is the order of bytes here. Memory is either enough or full: nobody counts it. Sources: the command pages and the pages on
//! replication, persistence, transactions, pub/sub and scripting of the Redis documentation, and the recorded replies in the tests.

mod call;
mod data;
mod effect;
mod expiry;
mod hashes;
mod keys;
mod keyspace;
mod lists;
mod number;
mod observe;
mod outcome;
mod process;
mod pubsub;
mod refusal;
mod replication;
mod script;
mod server;
mod session;
mod sets;
mod settings;
mod sorted;
mod strings;
mod transaction;
mod verb;

pub use data::{Bytes, Entry, Score, Value};
pub use effect::{Cause, Change, Effect};
pub use outcome::{Blocked, Delivery, Execution, Outcome};
pub use replication::{Image, Kept, Link, Role};
pub use script::{ScriptBudget, Scripting};
pub use settings::{Memory, Settings, Snapshots, StaleReads, Subscriptions};

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::sorted::Sorted;
use crate::time::LocalTime;
use crate::wire::{ClientId, Command, NodeId};
use call::Call;
use keyspace::Keyspace;
use lists::Waiting;
use session::{Caller, Sessions};

/// One redis-server process: its keys, scripts, connections and its place in replication.
///
/// Cheap to clone: values are shared, and keys are copied only when a clone writes. Two servers are equal when they cannot be told apart
/// by commands; what scripts have been remembered for speed does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redis {
    keys: Keyspace,
    /// How many keys have been created here so far.
    created: u64,
    /// How many effects have been put into the replication stream.
    offset: u64,
    role: Role,
    /// The connected replicas and the offset that each has acknowledged.
    replicas: Vec<(NodeId, u64)>,
    /// The offset after each caller's latest command; kept only while there are replicas, for WAIT.
    written: Vec<(Caller, u64)>,
    sessions: Sessions,
    /// Who waits for a list, first come first.
    waiting: Vec<Waiting>,
    /// The script cache: source by SHA-1 in hexadecimal.
    scripts: Arc<Sorted<Bytes, Bytes>>,
    settings: Settings,
    scripting: Scripting,
}

impl Redis {
    /// An empty master with these settings; scripts run in `scripting`, whose memory may be shared between servers.
    pub fn new(settings: Settings, scripting: Scripting) -> Redis {
        Redis { settings, scripting, ..Redis::default() }
    }

    /// Runs one command of a client, or of an operator (`None`), at `now` by this server's own clock.
    pub fn execute(&mut self, now: LocalTime, client: Option<ClientId>, command: &Command) -> Execution {
        let mut call = Call::new(self, now, client);
        let outcome = call.process(command.words());
        call.finish(outcome)
    }

    /// The configuration.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The configuration, to change it while the server runs.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Drops all that the server keeps for a client's connections: its transaction, watched keys, subscriptions and blocked command.
    pub fn disconnect(&mut self, client: ClientId) {
        self.sessions.close(Some(client));
        self.waiting.retain(|waiting| waiting.client != client);
    }

    /// Forgets all scripts, as SCRIPT FLUSH and a restart do: EVALSHA then answers NOSCRIPT.
    pub fn flush_scripts(&mut self) {
        self.scripts = Arc::default();
    }

    /// Deletes a key to make room, whatever its expiry, as an eviction policy does. A replica never evicts.
    pub fn evict(&mut self, now: LocalTime, key: &[u8]) -> Execution {
        let mut call = Call::new(self, now, None);
        call.evict(key);
        call.finish(Outcome::Reply(crate::wire::Reply::ok()))
    }

    /// Deletes the keys that are past their expiry, as the active expire cycle does. A replica only hides them.
    pub fn active_expire(&mut self, now: LocalTime) -> Execution {
        let mut call = Call::new(self, now, None);
        call.expire_all();
        call.finish(Outcome::Reply(crate::wire::Reply::ok()))
    }
}

impl Redis {
    /// Feeds what the server will answer into a hasher: expiries relative to what its clock shows, creations and offsets relative to the latest. A value that is
    /// itself an instant, and a script that reads the clock, stay what they are.
    pub fn remember<H: Hasher>(&self, now: LocalTime, hasher: &mut H) {
        for (key, entry) in self.keys.iter() {
            (key, &entry.value, entry.created_by).hash(hasher);
            effect::left(entry.expires_at, now).hash(hasher);
            (self.created - entry.created).hash(hasher);
        }
        hasher.write_u8(0xff);
        self.role.hash(hasher);
        for (replica, acknowledged) in &self.replicas {
            (replica, self.offset.wrapping_sub(*acknowledged)).hash(hasher);
        }
        for (caller, offset) in &self.written {
            (caller, self.offset.wrapping_sub(*offset)).hash(hasher);
        }
        self.sessions.hash(hasher);
        self.waiting.hash(hasher);
        // Scripts are named by their digest; their sources need not be hashed on every step of a search.
        self.scripts.len().hash(hasher);
        self.settings.hash(hasher);
    }
}

impl Hash for Redis {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Redis {
            keys,
            created,
            offset,
            role,
            replicas,
            written,
            sessions,
            waiting,
            scripts,
            settings,
            scripting: _,
        } = self;
        keys.hash(state);
        created.hash(state);
        offset.hash(state);
        role.hash(state);
        replicas.hash(state);
        written.hash(state);
        sessions.hash(state);
        waiting.hash(state);
        // Scripts are named by their digest; their sources need not be hashed on every step of a search.
        scripts.len().hash(state);
        settings.hash(state);
    }
}
