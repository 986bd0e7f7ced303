//! Leases: times to live to which keys are attached.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// The shortest lease in seconds: one and a half times the election time-out of 1 s, rounded up.
const SHORTEST: i64 = 2;

/// The longest lease in seconds, as etcd bounds it.
const LONGEST: i64 = 9_000_000_000;

/// The leases of a cluster, by their number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Leases {
    granted: u64,
    on: BTreeMap<u64, Lease>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Lease {
    /// Its full time in microseconds.
    length: i64,
    /// When it is over by the leader's monotonic clock; `None`: there is no leader to count it.
    ends: Option<i64>,
}

impl Leases {
    /// Grants a lease of this many seconds, or of the shortest that the cluster can keep: its number and its seconds.
    pub fn grant(&mut self, now: i64, seconds: i64) -> (u64, i64) {
        let seconds = seconds.clamp(SHORTEST, LONGEST);
        let length = seconds * 1_000_000;
        self.granted += 1;
        self.on.insert(self.granted, Lease { length, ends: Some(now.saturating_add(length)) });
        (self.granted, seconds)
    }

    /// Starts a lease anew: its seconds; `None`: there is no such lease.
    pub fn keep_alive(&mut self, now: i64, lease: u64) -> Option<i64> {
        let lease = self.on.get_mut(&lease)?;
        lease.ends = Some(now.saturating_add(lease.length));
        Some(lease.length / 1_000_000)
    }

    /// Ends a lease; false: there is no such lease.
    pub fn revoke(&mut self, lease: u64) -> bool {
        self.on.remove(&lease).is_some()
    }

    pub fn is_on(&self, lease: u64) -> bool {
        self.on.contains_key(&lease)
    }

    /// When a lease is over, if anybody counts it.
    pub fn ends(&self, lease: u64) -> Option<i64> {
        self.on.get(&lease)?.ends
    }

    /// Ends the leases that are over.
    pub fn end_overdue(&mut self, now: i64) -> Vec<u64> {
        let is_over = |lease: &Lease| lease.ends.is_some_and(|ends| ends <= now);
        let over: Vec<u64> = self.on.iter().filter(|(_, lease)| is_over(lease)).map(|(id, _)| *id).collect();
        self.on.retain(|_, lease| !is_over(lease));
        over
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
            lease.ends = Some(now.saturating_add(lease.length));
        }
    }

    /// Feeds what is left of each lease into a hasher. Numbers are told as they are: clients name them.
    pub fn remember<H: Hasher>(&self, now: i64, hasher: &mut H) {
        self.granted.hash(hasher);
        for (id, lease) in &self.on {
            (id, lease.length, lease.ends.map(|ends| ends - now)).hash(hasher);
        }
        hasher.write_u8(0xff);
    }
}
