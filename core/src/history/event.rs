//! One thing that happened.

use std::sync::Arc;

use super::{CellId, Effect, FaultEvent, GrantEvent, LockEvent, Machine, Mode, Operation};
use crate::time::Time;
use crate::wire::{ClientId, Command, LockId, NodeId, Record, Reply, RequestId};

/// Something that happened, and when (true time, which nobody in the run can read).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// True time.
    pub at: Time,
    /// What it was.
    pub what: What,
}

const _: () = assert!(size_of::<Event>() <= 64, "an event fits into a cache line: a run keeps many");

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub enum What {
    /// A client put a command on the wire.
    Sent { client: ClientId, node: NodeId, request: RequestId, phase: Phase, code: Option<Code>, command: Arc<Command> },
    /// A server ran a command. `client` is `None` for an operator. `reply` is `None` while the command blocks (WAIT, BLPOP).
    Executed {
        client: Option<ClientId>,
        node: NodeId,
        request: Option<RequestId>,
        phase: Phase,
        command: Arc<Command>,
        reply: Option<Arc<Reply>>,
    },
    /// A client received a reply.
    Got { client: ClientId, node: NodeId, request: RequestId, phase: Phase, reply: Arc<Reply> },
    /// A request was not answered: lost, refused, or too late.
    Missed { client: ClientId, node: NodeId, request: RequestId, why: LossReason },
    /// A server pushed a message to a client (pub/sub, watch).
    Pushed { client: ClientId, node: NodeId, message: Arc<Reply> },
    /// A client did something that no server sees.
    Client { client: ClientId, event: ClientEvent },
    /// A service's record changed.
    Key { node: NodeId, key: Arc<str>, change: KeyChange, record: Option<Arc<Record>>, by: Option<ClientId> },
    /// By the service's records, who holds a lock changed.
    Grant { lock: LockId, event: GrantEvent },
    /// The resource answered a request.
    Effect(Arc<Effect>),
    /// A fault struck or ended.
    Fault(FaultEvent),
    /// A machine's wall clock is off by this much from now on, in microseconds.
    Clock { machine: Machine, error: i64 },
    /// The run is over.
    End(EndReason),
}

/// What a command is for. Phase triggers name these, so they mean the same for every lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// To get the lock.
    Acquire,
    /// To keep the lock.
    Renew,
    /// To give the lock back.
    Release,
    /// To look at the lock before an effect.
    Check,
    /// To read or change the resource, when it lives on a server.
    Resource,
}

/// A part of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// `acquire:`
    Acquire,
    /// `release:`
    Release,
    /// `renew every ...:`
    Renew,
    /// `check:`
    Check,
}

impl Section {
    /// What the commands of its lines are for.
    pub fn phase(self) -> Phase {
        match self {
            Section::Acquire => Phase::Acquire,
            Section::Release => Phase::Release,
            Section::Renew => Phase::Renew,
            Section::Check => Phase::Check,
        }
    }
}

/// Where in the lock's code a client stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code {
    /// The section.
    pub section: Section,
    /// The line of the header's listing, counted from 1.
    pub line: u16,
}

/// Why a request was not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LossReason {
    /// The request was lost: the server never ran it.
    RequestLost,
    /// The reply was lost: the server did run it.
    ReplyLost,
    /// The link is cut or the server is down: the connection is refused or reset, and the client knows.
    Disconnected,
    /// The client gave up waiting and dropped the connection.
    TimedOut,
}

/// Something that a client did or learned, by its own account.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub enum ClientEvent {
    /// It begins its steps; `run` counts its runs from 1.
    Started { run: u32 },
    /// It does its next step, as the scenario writes it (`read`, `3s`, `write`).
    Step { step: Arc<str> },
    /// Its caller was told "acquired": it is inside its section from now on. `hold` counts its holds from 1; a re-entry keeps the hold.
    Entered { lock: LockId, hold: u32, mode: Mode },
    /// It is no longer inside.
    Left { lock: LockId, hold: u32, why: LeaveReason },
    /// What its lock client reports.
    Lock { lock: LockId, event: LockEvent },
    /// It asked the resource (the answer is an [`Effect`]).
    Asked { request: RequestId, operation: Operation, cell: CellId },
    /// It heard the resource's answer.
    Answered { request: RequestId, accepted: bool },
    /// It did not hear in time, or the link is cut.
    Unanswered { request: RequestId },
    /// It has done all its steps; `done` is false where it gave up (no lock, refused, sold out).
    Finished { done: bool },
}

/// Why a client is no longer inside its section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeaveReason {
    /// It starts to release.
    Releasing,
    /// It crashed.
    Died,
    /// It was told that the lock is lost, and stopped.
    Stopped,
}

/// How a record changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyChange {
    /// It was absent and is there now.
    Created,
    /// Its value or its expiry changed.
    Changed,
    /// A command deleted it.
    Deleted,
    /// Its time was over.
    Expired,
    /// The server made room.
    Evicted,
    /// The server restarted or was promoted without it.
    Vanished,
}

/// Why a run is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EndReason {
    /// Nothing was left to happen.
    Quiet,
    /// The scenario's `until`.
    Until,
    /// The bound on events: the run would not end.
    Bound,
}
