//! The configuration of one server, as far as it decides what a lock sees.

use super::data::Bytes;

/// What the server is configured to do, and what state its memory and disk are in.
///
/// The default is a fresh redis-server: enough memory, a disk that works, no password.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Whether `maxmemory` is reached.
    pub memory: Memory,
    /// Whether the last background save worked.
    pub snapshots: Snapshots,
    /// `min-replicas-to-write`: with fewer connected replicas every write is refused.
    pub min_replicas_to_write: u8,
    /// `replica-serve-stale-data`.
    pub stale_reads: StaleReads,
    /// `requirepass`.
    pub password: Option<Bytes>,
    /// Whether a client's subscriptions share the connection of its commands.
    pub subscriptions: Subscriptions,
}

/// How full the memory is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Memory {
    /// There is room.
    #[default]
    Enough,
    /// `maxmemory` is reached and the policy is `noeviction`: what needs memory is refused with OOM; deletes and expiries work.
    Full,
}

/// Whether snapshots can be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Snapshots {
    /// Yes, or none are configured.
    #[default]
    Working,
    /// The last one failed and `stop-writes-on-bgsave-error` is on: every write is refused with MISCONF.
    Failing,
}

/// What a replica answers while it has no link to its master.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StaleReads {
    /// What it has (`yes`, the default).
    #[default]
    Served,
    /// MASTERDOWN (`no`).
    Refused,
}

/// Where a client's subscriptions live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subscriptions {
    /// On a connection of their own, as client libraries keep them.
    #[default]
    OwnConnection,
    /// On the one connection that the client has: with RESP2 it can then do nothing else while it is subscribed.
    SameConnection,
}
