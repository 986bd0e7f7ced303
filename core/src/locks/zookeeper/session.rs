//! What a ZooKeeper client knows of its session and of its place in the queue.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Session {
    pub id: u64,
    /// The local instant at which the ensemble was last heard.
    pub heard: i64,
    /// The local instant of the next ping; `None`: the session is given up.
    pub beat: Option<i64>,
    /// Whether a place has been asked for: then one may be there, whatever has been answered.
    pub asked: bool,
    /// The place in the queue, as far as it is known.
    pub place: Option<Place>,
}

/// A place in the queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub path: Arc<str>,
    /// The transaction that created it; `None`: its reply was lost.
    pub czxid: Option<u64>,
}

impl Session {
    pub fn hash_relative(&self, now: i64, out: &mut impl Hasher) {
        (self.id, self.heard - now, self.beat.map(|beat| beat - now), self.asked, &self.place).hash(out);
    }
}
