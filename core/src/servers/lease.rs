//! Leases that a leader counts: an etcd lease, a session of ZooKeeper or Consul.

use std::hash::{Hash, Hasher};

use super::sorted::Sorted;
use crate::time::{Span, later};

/// The number of a lease.
pub(super) type LeaseId = u64;

/// The leases of a cluster, by their number. `T` is what else is known of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leases<T = ()> {
    granted: LeaseId,
    on: Sorted<LeaseId, Lease<T>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Lease<T> {
    /// Its full time.
    length: Span,
    /// When it is over by the leader's monotonic clock; `None`: there is no leader to count it.
    ends: Option<i64>,
    terms: T,
}

impl<T> Default for Leases<T> {
    fn default() -> Leases<T> {
        Leases { granted: 0, on: Sorted::new() }
    }
}

impl<T: Hash> Leases<T> {
    /// Grants a lease of this length.
    pub fn grant(&mut self, now: i64, length: Span, terms: T) -> LeaseId {
        self.granted += 1;
        self.on.insert(self.granted, Lease { length, ends: Some(later(now, length)), terms });
        self.granted
    }

    /// Starts a lease anew: its length; `None`: it is over.
    pub fn renew(&mut self, now: i64, lease: LeaseId) -> Option<Span> {
        let lease = self.on.get_mut(&lease)?;
        lease.ends = Some(later(now, lease.length));
        Some(lease.length)
    }

    /// Ends a lease: its terms; `None`: it was over already.
    pub fn end(&mut self, lease: LeaseId) -> Option<T> {
        self.on.remove(&lease).map(|lease| lease.terms)
    }

    /// Ends the leases whose time is over: each with its terms.
    pub fn end_overdue(&mut self, now: i64) -> Vec<(LeaseId, T)> {
        let is_over = |lease: &Lease<T>| lease.ends.is_some_and(|ends| ends <= now);
        let over: Vec<LeaseId> = self.on.iter().filter(|(_, lease)| is_over(lease)).map(|(id, _)| *id).collect();
        over.into_iter().filter_map(|id| Some((id, self.end(id)?))).collect()
    }

    /// Whether a lease is not over.
    pub fn is_on(&self, lease: LeaseId) -> bool {
        self.on.contains_key(&lease)
    }

    /// When a lease is over, if anybody counts it.
    pub fn ends(&self, lease: LeaseId) -> Option<i64> {
        self.on.get(&lease)?.ends
    }

    /// The leases that are not over, with their length and their terms.
    pub fn iter(&self) -> impl Iterator<Item = (LeaseId, Span, &T)> {
        self.on.iter().map(|(id, lease)| (*id, lease.length, &lease.terms))
    }

    /// The leader is gone, and with it all that it knew of how much is left.
    pub fn stop_counting(&mut self) {
        for lease in self.on.values_mut() {
            lease.ends = None;
        }
    }

    /// A new leader gives every lease its full time.
    pub fn start_anew(&mut self, now: i64) {
        for lease in self.on.values_mut() {
            lease.ends = Some(later(now, lease.length));
        }
    }

    /// Feeds what is left of each lease into a hasher. Numbers are told as they are: clients name them.
    pub fn remember<H: Hasher>(&self, now: i64, hasher: &mut H) {
        self.granted.hash(hasher);
        for (id, lease) in self.on.iter() {
            (id, lease.length, &lease.terms, lease.ends.map(|ends| ends - now)).hash(hasher);
        }
        hasher.write_u8(0xff);
    }
}
