//! Who leads by a record that names its leader, when it was written, and for how long that is to be good.

use std::sync::Arc;

use super::quorum::owner;
use super::{Holding, NodeRecords};
use crate::history::Mode;
use crate::locks::TokenForm;
use crate::time::{Span, Time};
use crate::wire::RecordValue;

/// The leader that the record names, until its duration has passed since it was written. The service itself lets nothing end: this is what
/// all candidates have agreed to go by.
pub(super) fn read(
    now: Time,
    key: &str,
    form: TokenForm,
    nodes: &[NodeRecords],
    names: &[Arc<str>],
) -> Option<Holding> {
    let service = nodes.iter().find(|node| node.master)?;
    let record = service.records.get(key)?;
    let RecordValue::Fields(fields) = &record.value else { return None };
    let (holder, number) = owner(fields.get("holderIdentity")?, form, names)?;
    let written: Span = fields.get("written")?.parse().ok()?;
    let seconds: u32 = fields.get("leaseDurationSeconds")?.parse().ok()?;
    let ends = Time::START + written + Span::from_secs(u64::from(seconds));
    (ends > now).then_some(Holding {
        holder,
        mode: Mode::Exclusive,
        ends: Some(ends),
        identity: (service.node, number),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{ClientId, NodeId, Record, SharedRecords};

    #[test]
    fn a_term_lasts_its_duration_from_when_it_was_written() {
        let fields = [("holderIdentity", "B-2"), ("leaseDurationSeconds", "15"), ("written", "2.5s")];
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let record = Record {
            value: RecordValue::Fields(fields.into()),
            gone_at: None,
            created_by: Some(ClientId(0)),
            created: 1,
        };
        let records: SharedRecords = [("lock".into(), Arc::new(record))].into();
        let boards = [NodeRecords { node: NodeId(0), master: true, records: &records }];
        let names: [Arc<str>; 2] = ["A".into(), "B".into()];
        let holding = |micros| read(Time(micros), "lock", TokenForm::Unique, &boards, &names);
        let held = holding(17_499_999).expect("the term is on");
        assert_eq!((held.holder, held.ends, held.identity.1), (ClientId(1), Some(Time(17_500_000)), 2));
        assert_eq!(holding(17_500_000), None);
    }
}
