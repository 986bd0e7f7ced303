//! What is simulated.

use serde::Serialize;

/// Clients that contend for one lock whose release compares its token in Lua. All times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Workload {
    /// How many clients.
    pub clients: u32,
    /// The lease of a grant.
    pub ttl_ms: u64,
    /// How long the holder works.
    pub work_ms: u64,
    /// How long a client that did not get the lock waits before it asks again.
    pub retry_ms: u64,
    /// How long a message takes, one way.
    pub latency_ms: u64,
    /// How much time is simulated.
    pub simulated_ms: u64,
}

/// The workload that is measured.
pub const WORKLOAD: Workload =
    Workload { clients: 5, ttl_ms: 10_000, work_ms: 10, retry_ms: 1, latency_ms: 1, simulated_ms: 60_000 };

/// What a simulator did with the workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// How many commands the simulated Redis ran, refused attempts among them.
    pub commands: u64,
    /// How often the lock was granted; `None` where nobody looked.
    pub grants: Option<u64>,
}
