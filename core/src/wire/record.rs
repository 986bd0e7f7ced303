//! What a service keeps: the records from which a lock's reading tells who holds it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ClientId;
use crate::time::Time;

/// The value of a record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordValue {
    /// A string.
    Text(String),
    /// Fields and their values, such as a Redis hash or a database row.
    Fields(BTreeMap<String, String>),
    /// A list or an ordered set, first element first.
    List(Vec<String>),
}

/// One key of one service, as an observer beside the server sees it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Record {
    /// The value.
    pub value: RecordValue,
    /// The first true instant at which the service no longer shows the record; `None`: it does not expire.
    pub gone_at: Option<Time>,
    /// The client whose command created the record (it was absent before); `None`: an operator or the set-up.
    pub created_by: Option<ClientId>,
    /// Counts creations on this node, so that a re-created record is told from an old one.
    pub created: u64,
}

/// The records of one node, by key.
pub type Records = BTreeMap<String, Record>;

/// The records of one node, by key, for whoever keeps them: clones share them.
pub type SharedRecords = BTreeMap<Arc<str>, Arc<Record>>;
