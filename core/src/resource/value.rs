//! How a client changes a value.

use std::sync::Arc;

use crate::history::ResourceKind;

/// The value before the first write, as a person reads it.
pub fn initial_text(kind: ResourceKind, initial: i64) -> Arc<str> {
    match kind {
        ResourceKind::Register => Arc::from(""),
        ResourceKind::Stock | ResourceKind::Ledger | ResourceKind::Job => Arc::from(initial.to_string()),
    }
}

/// What a client makes of the value that it read: a register gets the client's name appended, stock one less, a ledger its amount more, a job
/// one run more.
pub fn changed(kind: ResourceKind, value: &str, client: &str, amount: i64) -> Arc<str> {
    let number = || value.parse::<i64>().unwrap_or(0);
    match kind {
        ResourceKind::Register if value.is_empty() => Arc::from(client),
        ResourceKind::Register => Arc::from(format!("{value} {client}")),
        ResourceKind::Stock => Arc::from(number().saturating_sub(1).to_string()),
        ResourceKind::Ledger => Arc::from(number().saturating_add(amount).to_string()),
        ResourceKind::Job => Arc::from(number().saturating_add(1).to_string()),
    }
}

/// Whether there is nothing left to take.
pub fn is_sold_out(kind: ResourceKind, value: &str) -> bool {
    kind == ResourceKind::Stock && value.parse::<i64>().is_ok_and(|left| left <= 0)
}
