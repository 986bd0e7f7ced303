//! Who holds a lock in a database: by an advisory lock of a session, a row lock of a transaction, or a row.

use std::sync::Arc;

use super::{Holding, NodeRecords};
use crate::history::Mode;
use crate::time::Time;
use crate::wire::Record;

/// Whether a record tells of this lock: `advisory/lock`, `locks/lock FOR UPDATE`, or the row `locks/lock` or `claims/lock` itself.
pub(super) fn concerns(key: &str, record: &str) -> bool {
    let Some((table, row)) = record.split_once('/') else { return false };
    matches!(table, "advisory" | "locks" | "claims") && row.strip_suffix(" FOR UPDATE").unwrap_or(row) == key
}

/// The holder, if a client is one. A row that was there before the run is nobody's.
pub(super) fn read(now: Time, key: &str, nodes: &[NodeRecords]) -> Option<Holding> {
    let master = nodes.iter().find(|node| node.master)?;
    let names =
        [format!("advisory/{key}"), format!("locks/{key} FOR UPDATE"), format!("locks/{key}"), format!("claims/{key}")];
    let holding = |record: &Arc<Record>| {
        let lives = record.gone_at.is_none_or(|gone| gone > now);
        let identity = (master.node, record.created);
        let holder = record.created_by.filter(|_| lives)?;
        Some(Holding { holder, mode: Mode::Exclusive, ends: record.gone_at, identity })
    };
    names.iter().filter_map(|name| master.records.get(name.as_str())).find_map(holding)
}
