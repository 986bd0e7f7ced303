//! Sessions: one server process for one connection.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::datum::Datum;
use super::locks::Lockable;
use super::sql::{Setting, Statement};
use super::table::Values;
use crate::time::Span;
use crate::wire::ClientId;

/// A session of a server, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SessionId(pub u32);

/// Who is at the other end: a client, or an operator.
pub(super) type Peer = Option<ClientId>;

/// A session.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Session {
    /// When it began, by the server's monotonic clock.
    pub opened: i64,
    /// Who uses it, or used it last.
    pub peer: Peer,
    pub timeouts: Timeouts,
    pub transaction: Option<Transaction>,
    /// The statement that waits for a lock.
    pub waiting: Option<Waiting>,
    /// The connection is gone; the server notices when the statement is over.
    pub orphaned: bool,
    /// When its connection was cut without a word; the server notices after its keep-alive time.
    pub cut: Option<i64>,
}

/// The time-outs of a session; zero: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Timeouts {
    pub lock: Span,
    pub statement: Span,
    pub idle: Span,
}

/// A transaction: a block from BEGIN on, or a single statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Transaction {
    pub kind: Kind,
    /// `now()`
    pub began: i64,
    /// The rows that it has changed.
    pub touched: BTreeSet<(Arc<str>, Datum)>,
    /// Since when it waits for its next statement, by the monotonic clock.
    pub idle_since: Option<i64>,
}

/// What kind of transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// A statement on its own.
    Single,
    /// From BEGIN on.
    Block,
    /// A block in which a statement has failed: all is undone, the end is still to be said.
    Aborted,
}

/// A statement on its way through its rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Progress {
    pub statement: Arc<Statement>,
    /// The rows that its snapshot shows, in the order of their keys; the one that an INSERT brings.
    pub found: Vec<Found>,
    /// How many rows, or advisory locks, are done.
    pub done: usize,
    /// How many rows it has changed or found.
    pub count: i64,
    /// What it gives back.
    pub rows: Vec<Vec<Datum>>,
    /// When it began, by the monotonic clock.
    pub started: i64,
}

/// A row as a statement's snapshot shows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Found {
    pub key: Datum,
    pub values: Values,
    /// As the how-manieth row of the server it was inserted.
    pub inserted: u64,
}

/// A statement that waits for a lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Waiting {
    pub progress: Progress,
    pub what: Lockable,
    /// Since when, by the monotonic clock.
    pub since: i64,
    /// It has looked for a deadlock, which a wait does once.
    pub looked: bool,
}

impl Session {
    pub fn new(opened: i64, peer: Peer) -> Session {
        let timeouts = Timeouts::default();
        Session { opened, peer, timeouts, transaction: None, waiting: None, orphaned: false, cut: None }
    }

    pub fn set(&mut self, setting: Setting, span: Span) {
        match setting {
            Setting::LockTimeout => self.timeouts.lock = span,
            Setting::StatementTimeout => self.timeouts.statement = span,
            Setting::IdleInTransaction => self.timeouts.idle = span,
        }
    }

    /// Whether it is inside a block.
    pub fn is_in_block(&self) -> bool {
        self.transaction.as_ref().is_some_and(|transaction| transaction.kind != Kind::Single)
    }
}

impl Transaction {
    pub fn new(kind: Kind, began: i64) -> Transaction {
        Transaction { kind, began, touched: BTreeSet::new(), idle_since: None }
    }
}
