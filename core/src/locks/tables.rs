//! The tables that a lock in a database finds.

use std::sync::Arc;

use crate::wire::Command;

/// The statements that make them before the run, by an operator: `locks` has a row for each lock, which transactions lock or take as a lease; `claims` is
/// empty, and has at most one row for each.
pub fn tables(keys: &[Arc<str>]) -> Vec<Command> {
    let made = [
        "CREATE TABLE locks (name text PRIMARY KEY, locked_by text, lock_until timestamptz DEFAULT to_timestamp(0))",
        "CREATE TABLE claims (name text PRIMARY KEY, claimed_by text)",
    ];
    let rows = keys.iter().map(|key| format!("INSERT INTO locks (name) VALUES ('{}')", key.replace('\'', "''")));
    made.into_iter().map(str::to_owned).chain(rows).map(|statement| Command::sql(&statement)).collect()
}
