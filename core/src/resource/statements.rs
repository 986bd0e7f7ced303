//! What is said to a database about a resource that lives there, and what its replies mean.
//!
//! The table is called like the kind of resource and has a row for each cell. The guard is a part of the statement: whatever it demands stands in
//! WHERE, so that checking and changing are one step of the database, and a reply of no rows means that it was not so.

use std::sync::Arc;

use super::initial_text;
use crate::history::{Effected, Guard, Operation, Outcome, ResourceKind, Token};
use crate::wire::{Command, Reply};

/// How a resource in a database is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Statements {
    /// What the resource is.
    pub kind: ResourceKind,
    /// What guards it.
    pub guard: Guard,
    /// To what a stamp is shortened on its way back, in milliseconds; at least 1.
    pub resolution: u32,
}

/// What one request is about.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The cell's name.
    pub cell: &'a str,
    /// The client's name, which a register keeps.
    pub client: &'a str,
    /// What a ledger adds.
    pub amount: i64,
    /// What makes the write unique.
    pub unique: &'a str,
    /// What proves the grant.
    pub token: Option<&'a Token>,
    /// The client's wall clock in milliseconds.
    pub now: i64,
}

impl Statements {
    /// The statements that make the table and its rows before the run.
    pub fn set_up(self, cells: &[Arc<str>], initial: i64) -> Vec<Command> {
        let table = self.table();
        if self.keeps_keys() {
            return vec![Command::sql(&format!("CREATE TABLE {table} (id text PRIMARY KEY)"))];
        }
        let value = if self.kind == ResourceKind::Register { "text" } else { "bigint" };
        let guard = match self.guard {
            Guard::Version => ", version bigint DEFAULT 0",
            Guard::Timestamp => ", changed_ms bigint DEFAULT 0",
            Guard::Fencing => ", fence bigint DEFAULT 0",
            Guard::StateMachine => ", state text DEFAULT 'new'",
            Guard::None | Guard::UniqueKey => "",
        };
        let create = format!("CREATE TABLE {table} (id text PRIMARY KEY, value {value}{guard})");
        let first = self.literal(&initial_text(self.kind, initial));
        let rows = cells.iter().map(|cell| format!("INSERT INTO {table} (id, value) VALUES ('{cell}', {first})"));
        [create].into_iter().chain(rows).map(|statement| Command::sql(&statement)).collect()
    }

    /// Reads a cell, with its version where the guard asks for it.
    pub fn read(self, request: Request<'_>) -> Command {
        let (table, id) = (self.table(), request.cell);
        Command::sql(&match self.guard {
            Guard::Version => format!("SELECT value, version FROM {table} WHERE id = '{id}'"),
            Guard::Timestamp => format!("SELECT value, changed_ms FROM {table} WHERE id = '{id}'"),
            _ if self.keeps_keys() => format!("SELECT count(*) FROM {table} WHERE id = '{}'", request.unique),
            _ => format!("SELECT value FROM {table} WHERE id = '{id}'"),
        })
    }

    /// Stores a computed value; `base` is the version that it was computed from.
    pub fn write(self, request: Request<'_>, base: u32, value: &str) -> Command {
        if self.keeps_keys() {
            return self.insert(request);
        }
        let (sets, conditions) = self.guarded(request, Some(base));
        let (table, id, value) = (self.table(), request.cell, self.literal(value));
        Command::sql(&format!("UPDATE {table} SET value = {value}{sets} WHERE id = '{id}'{conditions}"))
    }

    /// Checks and changes in one step.
    pub fn atomic(self, request: Request<'_>) -> Command {
        if self.keeps_keys() {
            return self.insert(request);
        }
        let (sets, conditions) = self.guarded(request, None);
        let (table, id) = (self.table(), request.cell);
        let (change, left) = match self.kind {
            ResourceKind::Register => (format!("trim(value || ' {}')", request.client), ""),
            ResourceKind::Stock => ("value - 1".to_owned(), " AND value >= 1"),
            ResourceKind::Ledger if request.amount < 0 => (format!("value - {}", request.amount.unsigned_abs()), ""),
            ResourceKind::Ledger => (format!("value + {}", request.amount), ""),
            ResourceKind::Job => ("value + 1".to_owned(), ""),
        };
        Command::sql(&format!(
            "UPDATE {table} SET value = {change}{sets} WHERE id = '{id}'{left}{conditions} RETURNING value"
        ))
    }

    /// What a reply means. The version is the row's own where it has one, else the observer's to count.
    pub fn outcome(self, operation: Operation, reply: &Reply) -> Outcome {
        let accepted = |value: String, version: i64| {
            let version = u32::try_from(version).unwrap_or(0);
            Outcome::Accepted(Effected { base: version, version, value: Arc::from(value) })
        };
        let no_row = || Outcome::Refused { because: Arc::from("no such row") };
        match (operation, reply) {
            (_, Reply::Error(text)) => Outcome::Refused { because: Arc::from(text.as_str()) },
            (_, Reply::Array(row)) => {
                let value = row.first().and_then(Reply::text).unwrap_or_default();
                accepted(value, row.get(1).and_then(Reply::integer).unwrap_or(0))
            }
            (Operation::Write, Reply::Integer(0)) => no_row(),
            (Operation::Atomic, Reply::Nil) if self.kind == ResourceKind::Stock && self.guard == Guard::None => {
                Outcome::SoldOut
            }
            (Operation::Atomic, Reply::Nil) => no_row(),
            (_, reply) => accepted(reply.text().unwrap_or_default(), 0),
        }
    }

    /// Whether the effect is a row of its own, by its unique key.
    fn keeps_keys(self) -> bool {
        self.guard == Guard::UniqueKey
    }

    fn insert(self, request: Request<'_>) -> Command {
        Command::sql(&format!("INSERT INTO {} (id) VALUES ('{}')", self.table(), request.unique))
    }

    fn guarded(self, request: Request<'_>, base: Option<u32>) -> (String, String) {
        match (self.guard, request.token, base) {
            (Guard::Version, _, Some(base)) => (", version = version + 1".into(), format!(" AND version = {base}")),
            (Guard::Timestamp, _, base) => {
                let changed = format!(", changed_ms = {}", request.now);
                let resolution = self.resolution.max(1);
                let seen = base.map(|base| format!(" AND changed_ms <= {}", base / resolution * resolution));
                (changed, seen.unwrap_or_default())
            }
            (Guard::Version, _, None) => (", version = version + 1".into(), String::new()),
            (Guard::Fencing, Some(Token::Number(token)), _) => {
                (format!(", fence = {token}"), format!(" AND fence <= {token}"))
            }
            // Nothing is smaller than no token at all: it is refused.
            (Guard::Fencing, _, _) => (String::new(), " AND fence < 0".into()),
            (Guard::StateMachine, _, _) => (", state = 'done'".into(), " AND state = 'new'".into()),
            (Guard::None | Guard::UniqueKey, _, _) => (String::new(), String::new()),
        }
    }

    fn table(self) -> &'static str {
        match self.kind {
            ResourceKind::Register => "register",
            ResourceKind::Stock => "stock",
            ResourceKind::Ledger => "ledger",
            ResourceKind::Job => "job",
        }
    }

    fn literal(self, value: &str) -> String {
        if self.kind == ResourceKind::Register { format!("'{value}'") } else { value.to_owned() }
    }
}
