//! Who speaks to whom.

/// A client of the scenario, counted in file order from 0. A restarted client keeps its id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(pub u16);

/// A server process of the scenario, counted from 0: the master before its replicas, then the other services.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u8);

/// One of the scenario's locks, counted in file order from 0. Most scenarios have only one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LockId(pub u8);

/// A request of one client, numbered by that client; unique among its requests within a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u32);
