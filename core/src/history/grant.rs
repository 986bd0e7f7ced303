//! Who holds a lock, by the records of the service that decides.

use super::Mode;
use crate::time::Time;
use crate::wire::ClientId;

/// Counts the grants of one lock from 1, whoever got them: its generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GrantId(pub u32);

/// A change of who holds a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub enum GrantEvent {
    /// A lease began. `ends` is the first instant at which it is over if nothing else happens; `None`: it does not end by itself.
    Granted { grant: GrantId, holder: ClientId, mode: Mode, ends: Option<Time> },
    /// Its end moved. `by` is who moved it.
    Moved { grant: GrantId, ends: Option<Time>, by: Option<ClientId> },
    /// It is over. `by` is whose command ended it.
    Ended { grant: GrantId, why: GrantEnd, by: Option<ClientId> },
}

/// Why a lease is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GrantEnd {
    /// A command removed it or passed it on.
    Removed,
    /// Its time was over.
    Expired,
    /// The records vanished: failover, restart without data, eviction.
    Vanished,
}
