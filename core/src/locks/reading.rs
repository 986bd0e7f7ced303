//! Who holds a lock: a pure function of its service's records.

mod first;
mod hash;
mod named_session;
mod quorum;
mod session;
mod term;

pub use hash::{Fields, Place};

use std::sync::Arc;

use super::{ChangeCause, GrantTracker, TokenForm};
use crate::history::Mode;
use crate::time::Time;
use crate::wire::{ClientId, NodeId, RecordValue, SharedRecords};

/// A lease that the records show.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Holding {
    /// Who holds it.
    pub holder: ClientId,
    /// Alone or with others.
    pub mode: Mode,
    /// The first true instant at which it is over; `None`: it does not end by itself.
    pub ends: Option<Time>,
    /// Tells two leases of one holder apart: where and as the how-manieth the record was created.
    pub identity: (NodeId, u64),
}

/// The records of one node, as an observer beside it sees them.
#[derive(Clone, Copy, Debug)]
pub struct NodeRecords<'a> {
    /// Which node.
    pub node: NodeId,
    /// Whether clients ask it: the master, or one of several independent nodes.
    pub master: bool,
    /// What it keeps.
    pub records: &'a SharedRecords,
}

/// How to read the records of the nodes that decide.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reading {
    /// Nobody ever holds it (no lock).
    Nobody,
    /// The client whose command created the key on the node that is master.
    Creator {
        /// The key.
        key: Arc<str>,
    },
    /// The client whose command wrote the key's value, which says until when in milliseconds; see [`attribute`](Reading::attribute).
    Stamped {
        /// The key.
        key: Arc<str>,
    },
    /// The client whose session, transaction or row holds the key in a database.
    Session {
        /// The key.
        key: Arc<str>,
    },
    /// The client whose token stands under the key on more than half of the nodes that are configured, whether they are up or not.
    Quorum {
        /// The key.
        key: Arc<str>,
        /// The nodes that are configured.
        nodes: Vec<NodeId>,
        /// How a token names its client.
        token: TokenForm,
    },
    /// The clients that have a field in so many of these hashes.
    Hashes {
        /// Where they are.
        places: Vec<Place>,
        /// In how many of them a client must have its field.
        needed: usize,
        /// What a field means.
        fields: Fields,
    },
    /// The client whose record is the oldest below a path (etcd, ZooKeeper).
    First {
        /// What the records' keys begin with.
        below: Arc<str>,
    },
    /// The client that created the session which the key names (Consul).
    NamedSession {
        /// The key.
        key: Arc<str>,
    },
    /// The client that the record names, for the duration that it says (Kubernetes).
    Term {
        /// The key.
        key: Arc<str>,
        /// How a token names its client.
        token: TokenForm,
    },
}

impl Reading {
    /// Whether a change of this key can change who holds the lock.
    pub fn concerns(&self, key: &str) -> bool {
        match self {
            Reading::Nobody => false,
            Reading::Session { key: lock } => session::concerns(lock, key),
            Reading::Creator { key: lock }
            | Reading::Stamped { key: lock }
            | Reading::Quorum { key: lock, .. }
            | Reading::Term { key: lock, .. } => **lock == *key,
            Reading::First { below } => key.starts_with(&**below),
            Reading::NamedSession { key: lock } => **lock == *key || key.starts_with("session/"),
            Reading::Hashes { places, fields, .. } => places.iter().any(|place| match fields {
                Fields::Owners => *place.key == *key,
                Fields::ReadersAndWriters { .. } => key.contains(&*place.key),
            }),
        }
    }

    /// Who holds the lock at `now`. `names` are the clients' names as their tokens begin, by [`ClientId`], for locks whose records name
    /// their holder.
    pub fn read(&self, now: Time, nodes: &[NodeRecords], names: &[Arc<str>]) -> Vec<Holding> {
        match self {
            Reading::Nobody => Vec::new(),
            Reading::Creator { key } => creator(now, key, nodes).into_iter().collect(),
            Reading::Stamped { key } => stamped(now, key, nodes).into_iter().collect(),
            Reading::Session { key } => session::read(now, key, nodes).into_iter().collect(),
            Reading::Quorum { key, nodes: configured, token } => {
                let configured = nodes.iter().filter(|board| configured.contains(&board.node));
                quorum::read(now, key, *token, configured, names).into_iter().collect()
            }
            Reading::Hashes { places, needed, fields } => hash::read(now, places, *needed, *fields, nodes, names),
            Reading::First { below } => first::read(now, below, nodes).into_iter().collect(),
            Reading::NamedSession { key } => named_session::read(now, key, nodes).into_iter().collect(),
            Reading::Term { key, token } => term::read(now, key, *token, nodes, names).into_iter().collect(),
        }
    }

    /// Names the holders that the records alone cannot name: a value that is an instant says nothing of its writer, but the command that
    /// wrote it has one. `before` knows the leases that the records showed before.
    pub fn attribute(&self, holdings: &mut [Holding], cause: ChangeCause, before: &GrantTracker) {
        if !matches!(self, Reading::Stamped { .. }) {
            return;
        }
        let writer = match cause {
            ChangeCause::Command(writer) => writer,
            ChangeCause::Expired | ChangeCause::Vanished => None,
        };
        for holding in holdings {
            let known =
                before.live().find(|(_, known)| known.identity == holding.identity).map(|(_, known)| known.holder);
            holding.holder = known.or(writer).unwrap_or(holding.holder);
        }
    }
}

fn stamped(now: Time, key: &str, nodes: &[NodeRecords]) -> Option<Holding> {
    let master = nodes.iter().find(|node| node.master)?;
    let RecordValue::Text(value) = &master.records.get(key)?.value else { return None };
    let millis: u64 = value.parse().ok()?;
    let ends = Time(millis.checked_add(1)?.checked_mul(1_000)?);
    let holding = creator(now, key, nodes)?;
    (ends > now).then_some(Holding { ends: Some(ends), identity: (master.node, millis), ..holding })
}

fn creator(now: Time, key: &str, nodes: &[NodeRecords]) -> Option<Holding> {
    let master = nodes.iter().find(|node| node.master)?;
    let record = master.records.get(key)?;
    if record.gone_at.is_some_and(|gone| gone <= now) {
        return None;
    }
    let holder = record.created_by?;
    Some(Holding { holder, mode: Mode::Exclusive, ends: record.gone_at, identity: (master.node, record.created) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Span;
    use crate::wire::Record;

    #[test]
    fn a_value_that_says_until_when_is_its_writers_until_then() {
        let reading = Reading::Stamped { key: "lock".into() };
        let mut tracker = GrantTracker::default();
        let mut see = |millis: u64, value: &str, cause: ChangeCause| {
            let now = Time::START + Span::from_millis(millis);
            let created = Record {
                value: RecordValue::Text(value.to_owned()),
                gone_at: None,
                created_by: Some(ClientId(0)),
                created: 1,
            };
            let records = [("lock".into(), Arc::new(created))].into();
            let board = NodeRecords { node: NodeId(0), master: true, records: &records };
            let mut holdings = reading.read(now, &[board], &[]);
            reading.attribute(&mut holdings, cause, &tracker);
            tracker.observe(now, &holdings, cause, &mut Vec::new());
            tracker.live().map(|(_, holding)| (holding.holder.0, holding.ends)).next()
        };
        let by = |client| ChangeCause::Command(Some(ClientId(client)));
        let ends = |millis| Some(Time::START + Span::from_millis(millis));
        assert_eq!(see(0, "100", by(0)), Some((0, ends(101))));
        assert_eq!(see(50, "150", by(1)), Some((1, ends(151))), "who replaces the value takes over");
        assert_eq!(see(60, "150", by(0)), Some((1, ends(151))), "a command that leaves it as it is changes nothing");
        assert_eq!(see(60, "150", ChangeCause::Vanished), Some((1, ends(151))));
        assert_eq!(see(151, "150", ChangeCause::Expired), None, "a value that is past holds nothing");
        assert_eq!(see(200, "no instant", by(0)), None);
    }
}
