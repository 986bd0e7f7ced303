//! What a reader of a history needs before its first event: who is who, and what was promised.

use super::{CellId, Place};
use crate::i18n::Text;
use crate::time::Span;

/// The opening of a history. Checkers and drawings know the run by this alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The format's version, [`super::VERSION`] when written by this build.
    pub version: u32,
    /// The scenario's name: topic and file stem, such as `expiry/gc-pause`.
    pub scenario: String,
    /// The scenario's title.
    pub title: Text,
    /// The question that the scenario asks.
    pub question: Text,
    /// The lock's canonical name.
    pub lock: String,
    /// The lock's code as a person reads it; [`super::Code::line`] counts its lines from 1.
    pub listing: String,
    /// The lease that the lock asks for; `None`: no expiry.
    pub ttl: Option<Span>,
    /// Whether there is a lock at all, and what it promises beyond exclusion.
    pub promises: Promises,
    /// How long after the last fault someone must have got the lock (`progress`, `available`).
    pub within: Span,
    /// The clients, by id.
    pub clients: Vec<ClientInfo>,
    /// The servers, by id.
    pub nodes: Vec<NodeInfo>,
    /// The locks, by id.
    pub locks: Vec<LockInfo>,
    /// The protected resource.
    pub resource: ResourceInfo,
    /// Where the run took place.
    pub played_on: Place,
}

/// What a lock promises, as far as a property asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Promises {
    /// Sections exclude each other. False for "no lock".
    pub exclusion: bool,
    /// Every grant carries a number greater than the one before.
    pub fencing: bool,
    /// A waiter is overtaken at most so often; `None`: nothing is promised.
    pub overtaking: Option<u32>,
}

/// A client of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientInfo {
    /// Its name in the scenario, such as `A`.
    pub name: String,
    /// The cell of the resource that it works on; `None`: the first.
    pub cell: Option<CellId>,
}

/// A server of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeInfo {
    /// Its name in the scenario, such as `redis`, `replica-1`, `node-3`.
    pub name: String,
    /// What it is at the start.
    pub role: NodeRole,
}

/// What a server is at the start of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeRole {
    /// The only server, or a master.
    Master,
    /// A replica of the master.
    Replica,
    /// One of several nodes that know nothing of each other.
    Independent,
}

/// A lock of the run: one key, or one path, that clients exclude each other by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockInfo {
    /// The key or path.
    pub key: String,
}

/// The protected resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceInfo {
    /// What it is.
    pub kind: ResourceKind,
    /// The guard in force.
    pub guard: Guard,
    /// Its value at the start: the stock, the balance, 0 for a register or a job.
    pub initial: i64,
    /// Its cells by [`super::CellId`], such as one an order; usually one.
    pub cells: Vec<String>,
}

/// What the lock protects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    /// A text to which each write appends the client's name.
    #[default]
    Register,
    /// A number of goods: each write takes one away.
    Stock,
    /// A balance: each write adds an amount.
    Ledger,
    /// A job whose effect must happen exactly once.
    Job,
}

/// What the resource checks before it accepts a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Guard {
    /// Nothing.
    #[default]
    None,
    /// The fencing token: the greatest seen on reads and writes is kept, a smaller one (or none) is refused, an equal one accepted.
    Fencing,
    /// The version that the writer read must still be the current one.
    Version,
    /// The time of the last change, as its writer's clock showed it, must not be later than it was when the writer read.
    Timestamp,
    /// A write's unique key must be new.
    UniqueKey,
    /// The business state must allow the step (created, then paid, never paid twice).
    StateMachine,
}
