//! What a ZooKeeper client knows of its place in the queue.

use std::sync::Arc;

/// Where a client stands with its place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Queued {
    /// Whether a place has been asked for: then one may be there, whatever has been answered.
    pub asked: bool,
    /// The place in the queue, as far as it is known.
    pub place: Option<Place>,
}

/// A place in the queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub path: Arc<str>,
    /// The transaction that created it; `None`: its reply was lost.
    pub czxid: Option<u64>,
}
