//! What an etcd client knows of its lease.

use std::hash::{Hash, Hasher};

/// A lease and the key that hangs on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Session {
    pub lease: u64,
    /// The revision at which the own key was created; 0: it has not been.
    pub revision: u64,
    /// The local instant at which the cluster was last heard of it.
    pub heard: i64,
    /// The local instant of the next keep-alive; `None`: it is over, and kept no longer.
    pub beat: Option<i64>,
}

impl Session {
    pub fn hash_relative(&self, now: i64, out: &mut impl Hasher) {
        (self.lease, self.revision, self.heard - now, self.beat.map(|beat| beat - now)).hash(out);
    }
}
