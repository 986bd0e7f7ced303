//! Who holds a lock: a pure function of its service's records.

use std::sync::Arc;

use crate::history::Mode;
use crate::time::Time;
use crate::wire::{ClientId, NodeId};

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
}
