//! Who holds a lock for which everybody puts a record of his own below a path: the one created first.

use super::{Holding, NodeRecords};
use crate::history::Mode;
use crate::time::Time;

/// The client of the oldest record below a path on the service.
pub(super) fn read(now: Time, below: &str, nodes: &[NodeRecords]) -> Option<Holding> {
    let service = nodes.iter().find(|node| node.master)?;
    let queue = service.records.iter().filter(|(key, record)| {
        key.starts_with(below) && record.gone_at.is_none_or(|gone| gone > now) && record.created_by.is_some()
    });
    let (_, first) = queue.min_by_key(|(_, record)| record.created)?;
    let identity = (service.node, first.created);
    Some(Holding { holder: first.created_by?, mode: Mode::Exclusive, ends: first.gone_at, identity })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Span;
    use crate::wire::{ClientId, NodeId, Record, RecordValue, SharedRecords};

    #[test]
    fn the_oldest_record_that_is_not_over_holds_the_lock() {
        let record = |created, client, ends| Record {
            value: RecordValue::Text(String::new()),
            gone_at: Some(Time::START + Span::from_secs(ends)),
            created_by: Some(ClientId(client)),
            created,
        };
        let records: SharedRecords = [
            ("lock/1".into(), record(7, 1, 20).into()),
            ("lock/2".into(), record(3, 0, 5).into()),
            ("locked".into(), record(1, 2, 20).into()),
        ]
        .into();
        let boards = [NodeRecords { node: NodeId(0), master: true, records: &records }];
        let holder = |second| read(Time::START + Span::from_secs(second), "lock/", &boards).map(|held| held.holder.0);
        assert_eq!([holder(4), holder(5), holder(20)], [Some(0), Some(1), None]);
    }
}
