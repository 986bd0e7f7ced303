//! Who holds a lock whose record is a hash from owner to hold count.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Holding, NodeRecords};
use crate::history::Mode;
use crate::time::Time;
use crate::wire::{ClientId, NodeId, Record, RecordValue, SharedRecords};

/// Where one of the hashes lives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The node; `None`: whichever is master.
    pub node: Option<NodeId>,
    /// The key.
    pub key: Arc<str>,
}

/// What the fields of such a hash mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fields {
    /// Each field is an owner, `A:1`, who excludes all others.
    Owners,
    /// `A:1:write` is a writer. `A:1` is a reader for as long as one of its keys `{lock}:A:1:rwlock_timeout:1` and so on is there.
    ReadersAndWriters {
        /// `A:1` without such a key is a plain lock's owner, who excludes all others; else a reader whose time is over.
        plain_too: bool,
    },
}

/// What one hash says of one of its owners.
struct Share {
    ends: Option<Time>,
    /// Where, and as the how-manieth, the hash was created.
    identity: (NodeId, u64),
}

/// Those who have a field in at least `needed` of the hashes, until the instant at which they no longer do.
pub(super) fn read(
    now: Time,
    places: &[Place],
    needed: usize,
    fields: Fields,
    nodes: &[NodeRecords],
    names: &[Arc<str>],
) -> Vec<Holding> {
    let mut held: BTreeMap<(ClientId, Mode), Vec<Share>> = BTreeMap::new();
    for place in places {
        let at = nodes.iter().find(|node| place.node.map_or(node.master, |wanted| wanted == node.node));
        let Some(NodeRecords { node, records, .. }) = at else { continue };
        let Some(hash) = alive(now, records, &place.key) else { continue };
        let RecordValue::Fields(owners) = &hash.value else { continue };
        for field in owners.keys() {
            let Some((holder, mode, ends)) = owner(now, &place.key, hash, field, fields, records, names) else {
                continue;
            };
            let identity = (*node, hash.created);
            held.entry((holder, mode)).or_default().push(Share { ends, identity });
        }
    }
    let single = places.len() == 1;
    let holdings = held.into_iter().filter(|(_, leases)| leases.len() >= needed).map(|((holder, mode), mut leases)| {
        // Several hashes are created and lost one by one: only together are they the lease.
        let identity = if single { leases[0].identity } else { (NodeId::default(), 0) };
        leases.sort_by_key(|share| std::cmp::Reverse(share.ends.unwrap_or(Time::NEVER)));
        Holding { holder, mode, ends: leases[needed - 1].ends, identity }
    });
    holdings.collect()
}

fn owner(
    now: Time,
    key: &str,
    hash: &Record,
    field: &str,
    fields: Fields,
    records: &SharedRecords,
    names: &[Arc<str>],
) -> Option<(ClientId, Mode, Option<Time>)> {
    let Fields::ReadersAndWriters { plain_too } = fields else {
        return Some((client(field, names)?, Mode::Exclusive, hash.gone_at));
    };
    if let Some(writer) = field.strip_suffix(":write") {
        return Some((client(writer, names)?, Mode::Exclusive, hash.gone_at));
    }
    let reader = client(field, names)?;
    let holds = (1..).map_while(|hold| alive(now, records, &format!("{{{key}}}:{field}:rwlock_timeout:{hold}")));
    match holds.map(|hold| hold.gone_at.unwrap_or(Time::NEVER)).max() {
        Some(until) => {
            let ends = until.min(hash.gone_at.unwrap_or(Time::NEVER));
            Some((reader, Mode::Shared, (ends != Time::NEVER).then_some(ends)))
        }
        None => plain_too.then_some((reader, Mode::Exclusive, hash.gone_at)),
    }
}

fn alive<'a>(now: Time, records: &'a SharedRecords, key: &str) -> Option<&'a Record> {
    records.get(key).map(|record| &**record).filter(|record| record.gone_at.is_none_or(|gone| gone > now))
}

/// The client of a field: its name before the thread; after a restart with a number behind it.
fn client(field: &str, names: &[Arc<str>]) -> Option<ClientId> {
    let (owner, _) = field.rsplit_once(':')?;
    let known = |name: &str| names.iter().position(|known| **known == *name);
    let place = known(owner).or_else(|| known(owner.rsplit_once('-')?.0))?;
    Some(ClientId(place as u16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Span;

    fn second(number: u64) -> Time {
        Time::START + Span::from_secs(number)
    }

    fn hash(fields: &[&str], ends: u64) -> Record {
        let fields = fields.iter().map(|field| ((*field).to_owned(), "1".to_owned())).collect();
        let value = RecordValue::Fields(fields);
        Record { value, gone_at: Some(second(ends)), created_by: Some(ClientId(0)), created: 3 }
    }

    fn text(ends: u64) -> Record {
        Record { value: RecordValue::Text("1".into()), gone_at: Some(second(ends)), created_by: None, created: 4 }
    }

    fn holders(fields: Fields, records: &[(&str, Record)]) -> Vec<(u16, Mode, u64)> {
        let records: SharedRecords =
            records.iter().map(|(key, record)| ((*key).into(), Arc::new(record.clone()))).collect();
        let nodes = [NodeRecords { node: NodeId(0), master: true, records: &records }];
        let places = [Place { node: None, key: "lock".into() }];
        let names = ["A".into(), "B".into(), "B-2".into()];
        let holdings = read(second(5), &places, 1, fields, &nodes, &names);
        let shown = |holding: &Holding| holding.ends.expect("every lease ends").0 / 1_000_000;
        holdings.iter().map(|holding| (holding.holder.0, holding.mode, shown(holding))).collect()
    }

    #[test]
    fn a_field_names_its_client_in_every_life() {
        let owners = |field: &str| holders(Fields::Owners, &[("lock", hash(&[field], 9))]);
        assert_eq!(owners("A:1"), [(0, Mode::Exclusive, 9)]);
        assert_eq!(owners("A-1000:1"), [(0, Mode::Exclusive, 9)]);
        assert_eq!(owners("B-2:1"), [(2, Mode::Exclusive, 9)], "a name that ends like a life is a name");
        assert_eq!(owners("C:1"), []);
        assert_eq!(holders(Fields::Owners, &[("lock", hash(&["A:1"], 5))]), [], "over at its very end");
    }

    #[test]
    fn a_reader_holds_for_as_long_as_its_own_key_and_the_hash() {
        let both = Fields::ReadersAndWriters { plain_too: false };
        let readers = hash(&["mode", "A:1", "B:1"], 9);
        let (mine, theirs) = ("{lock}:A:1:rwlock_timeout:1", "{lock}:B:1:rwlock_timeout:1");
        let held = holders(both, &[("lock", readers.clone()), (mine, text(7)), (theirs, text(12))]);
        assert_eq!(held, [(0, Mode::Shared, 7), (1, Mode::Shared, 9)]);
        assert_eq!(holders(both, &[("lock", readers), (theirs, text(12))]), [(1, Mode::Shared, 9)]);
        let writer = hash(&["mode", "A:1:write", "A:1"], 9);
        let held = holders(both, &[("lock", writer), (mine, text(8))]);
        assert_eq!(held, [(0, Mode::Exclusive, 9), (0, Mode::Shared, 8)], "on its way down it is both");
    }

    #[test]
    fn without_a_key_of_its_own_a_field_is_a_plain_lock_or_nothing() {
        let records = [("lock", hash(&["A:1"], 9))];
        assert_eq!(holders(Fields::ReadersAndWriters { plain_too: true }, &records), [(0, Mode::Exclusive, 9)]);
        assert_eq!(holders(Fields::ReadersAndWriters { plain_too: false }, &records), []);
    }

    #[test]
    fn of_several_hashes_so_many_are_needed_and_the_last_needed_one_ends_it() {
        let boards: Vec<SharedRecords> = [Some(9), Some(7), None]
            .map(|ends| ends.map(|ends| ("lock".into(), hash(&["A:1"], ends).into())).into_iter().collect())
            .into();
        let nodes: Vec<NodeRecords> = boards
            .iter()
            .enumerate()
            .map(|(node, records)| NodeRecords { node: NodeId(node as u8), master: true, records })
            .collect();
        let places: Vec<Place> = (0..3).map(|node| Place { node: Some(NodeId(node)), key: "lock".into() }).collect();
        let read = |needed| read(second(5), &places, needed, Fields::Owners, &nodes, &["A".into()]);
        assert_eq!(read(2).first().and_then(|holding| holding.ends), Some(second(7)));
        assert_eq!(read(3), []);
    }
}
