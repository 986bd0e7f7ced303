//! Who holds a lock whose record names a session that has a record of its own.

use super::{Holding, NodeRecords};
use crate::history::Mode;
use crate::time::Time;
use crate::wire::RecordValue;

/// The client that created the session which the key names, until that session ends.
pub(super) fn read(now: Time, key: &str, nodes: &[NodeRecords]) -> Option<Holding> {
    let service = nodes.iter().find(|node| node.master)?;
    let RecordValue::Fields(fields) = &service.records.get(key)?.value else { return None };
    let session = service.records.get(format!("session/{}", fields.get("Session")?).as_str())?;
    if session.gone_at.is_some_and(|gone| gone <= now) {
        return None;
    }
    let identity = (service.node, fields.get("LockIndex")?.parse().ok()?);
    Some(Holding { holder: session.created_by?, mode: Mode::Exclusive, ends: session.gone_at, identity })
}
