//! The model of one PostgreSQL server, as far as locks go.
//!
//! # Idea
//!
//! [`Database`] is a pure state machine: a statement of a session goes in, and a reply comes out, or the statement waits for a lock that
//! another transaction holds. It keeps what decides who waits for whom, and what everybody then sees:
//!
//! - Every connection is a session. A transaction ends with COMMIT or ROLLBACK, with an error, or with its session; then its row locks are
//!   free, whoever waited longest goes on, and what it did is seen or undone.
//! - READ COMMITTED: a statement sees what was committed when it began, and its own transaction's changes. After it has waited for a row,
//!   it looks at the row again: where its WHERE no longer holds, the row is left out.
//! - A wait looks for a deadlock once, after `deadlock_timeout`; whoever finds itself in a circle fails with 40P01.
//! - A session-level advisory lock belongs to the session, not to the transaction and not to the client: a connection pooler in transaction
//!   mode gives one client's session to the next.
//! - A session ends when the *server* notices that its connection is gone: at once when the client's machine closes it, after the
//!   keep-alive time when the network swallows everything.
//!
//! # Example
//!
//! ```
//! use locklab_core::servers::Service;
//! use locklab_core::servers::database::Database;
//! use locklab_core::time::LocalTime;
//! use locklab_core::wire::{ClientId, Command, Reply};
//!
//! let mut database = Database::default();
//! let mut sql = |client, text: &str| {
//!     database.execute(LocalTime::default(), Some(ClientId(client)), &Command::sql(text)).reply().cloned()
//! };
//! assert_eq!(sql(0, "SELECT pg_try_advisory_lock(hashtext('lock'))"), Some(Reply::bulk("t")));
//! assert_eq!(sql(1, "SELECT pg_try_advisory_lock(hashtext('lock'))"), Some(Reply::bulk("f")));
//! // It waits: there is no reply yet.
//! assert_eq!(sql(1, "SELECT pg_advisory_lock(hashtext('lock'))"), None);
//! ```
//!
//! # Limits
//!
//! The statements are those of [`sql`]. One isolation level; only the primary key is unique; no foreign keys, triggers, savepoints, prepared
//! transactions, replication. Rows are visited in the order of their keys. Sources: the chapters "Concurrency Control", "Explicit
//! Locking", "Client Connection Defaults" and "Lock Management" of the PostgreSQL 15 manual; the same statements are run against a real
//! server in the tests.

mod calendar;
mod datum;
mod error;
mod locks;
mod records;
mod remember;
mod run;
mod service;
mod session;
mod settings;
pub mod sql;
mod table;
mod timers;
mod turn;

#[cfg(test)]
mod tests;

pub use calendar::EPOCH;
pub use datum::{Datum, Type};
pub use error::SqlError;
pub use settings::{Access, Settings};

use std::sync::Arc;

use super::sorted::Sorted;
use locks::Locks;
use session::{Peer, Session, SessionId};
use table::Table;

/// One PostgreSQL server: its tables, sessions and locks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Database {
    settings: Settings,
    tables: Sorted<Arc<str>, Table>,
    sessions: Sorted<SessionId, Session>,
    /// How many sessions there have been.
    opened: u32,
    /// In which session a peer's next statement runs.
    bound: Sorted<Peer, SessionId>,
    /// A pooler's sessions that nobody uses, the one used last at the end.
    idle: Vec<SessionId>,
    /// Connections that the server has ended, and what their clients will be told.
    ended: Sorted<Peer, SqlError>,
    locks: Locks,
    /// How many rows have been created.
    created: u64,
}

impl Database {
    /// An empty database.
    pub fn new(settings: Settings) -> Database {
        Database { settings, ..Database::default() }
    }
}
