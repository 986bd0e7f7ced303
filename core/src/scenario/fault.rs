//! A fault: what strikes, and the moment at which it strikes.

use std::sync::Arc;

use super::Milestone;
use crate::history::{Machine, Trouble};
use crate::time::Span;
use crate::wire::{ClientId, Command, NodeId};

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// What strikes.
    pub kind: FaultKind,
    /// When.
    pub at: Moment,
}

/// What strikes. A `length` of `None` is for ever.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub enum FaultKind {
    /// A client stops; `task`: only its work, while its timers go on.
    Pause { client: ClientId, task: bool, length: Option<Span> },
    /// A client dies, and starts again from its first step after `restart`.
    Crash { client: ClientId, restart: Option<Span> },
    /// A server dies, and is back after `restart` with what its persistence kept (`data_kept` overrides).
    Down { node: NodeId, restart: Option<Span>, data_kept: Option<bool> },
    /// The master dies, and `to` is promoted after `after`.
    Failover { to: NodeId, after: Span },
    /// `to` is promoted although the master lives (a split brain when the master is only cut off).
    Promote { to: NodeId },
    /// Two machines cannot reach each other.
    Cut { from: Machine, to: Machine, length: Option<Span> },
    /// One message (the one that the trigger names, else the client's next) is lost, delayed or doubled.
    Message { client: ClientId, leg: Leg, trouble: Trouble },
    /// A wall clock jumps by so many microseconds.
    Step { machine: Machine, by: i64 },
    /// A clock runs wrong by parts per million.
    Drift { machine: Machine, ppm: i64, length: Option<Span> },
    /// A server takes so long for each command.
    Slow { node: NodeId, by: Span, length: Option<Span> },
    /// A server evicts a key.
    Evict { node: NodeId, key: Arc<str> },
    /// A server's script cache is emptied.
    FlushScripts { node: NodeId },
    /// An operator runs a command.
    Operator { node: NodeId, command: Arc<Command> },
}

/// The way to the server, or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leg {
    /// To the server.
    Request,
    /// Back.
    Reply,
}

/// When a fault strikes: at the `occurrence`-th time of a trigger, and so much later.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Moment {
    /// What is waited for.
    pub trigger: Trigger,
    /// The how-manieth time, from 1.
    pub occurrence: u32,
    /// How much later.
    pub plus: Span,
}

/// Something that a fault waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub enum Trigger {
    /// The start of the run.
    Start,
    /// A client's milestone, which means the same for every lock: `A.acquired`.
    Client { client: ClientId, milestone: Milestone },
    /// `A.sent SET`: a client put a command of this name on the wire.
    Sent { client: ClientId, command: Arc<str> },
    /// `A.got SET`: a client received the reply to such a command.
    Got { client: ClientId, command: Arc<str> },
    /// `redis.executed SET by A`: a server ran such a command; its reply is not yet on the wire.
    Executed { node: NodeId, command: Arc<str>, client: Option<ClientId> },
}
