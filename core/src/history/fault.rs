//! A fault that struck, or ended.

use std::sync::Arc;

use crate::time::Span;
use crate::wire::{ClientId, Command, NodeId, RequestId};

/// A machine with a clock of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Machine {
    /// A client's.
    Client(ClientId),
    /// A server's.
    Node(NodeId),
    /// The resource's.
    Resource,
}

/// A fault that struck, or ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub enum FaultEvent {
    /// A client stops: its whole process, or (`task`) only its work while its timers go on. `length` is known where the scenario says it.
    Paused { client: ClientId, task: bool, length: Option<Span> },
    /// It goes on; what fell due meanwhile happens now.
    Resumed { client: ClientId },
    /// A client dies.
    Crashed { client: ClientId },
    /// It starts again from its first step.
    Restarted { client: ClientId },
    /// A server stops: it answers nothing and its connections are gone.
    Down { node: NodeId },
    /// A server is back, with its data or without.
    Up { node: NodeId, data_kept: bool },
    /// A replica becomes the master; clients ask it from now on.
    Promoted { node: NodeId },
    /// Two machines cannot reach each other.
    Cut { from: Machine, to: Machine },
    /// They can again.
    Healed { from: Machine, to: Machine },
    /// Something happens to one request (`to` a server or the resource).
    Request { client: ClientId, to: Machine, request: RequestId, trouble: Trouble },
    /// Something happens to one reply.
    Reply { client: ClientId, to: Machine, request: RequestId, trouble: Trouble },
    /// A wall clock jumps by so many microseconds.
    Stepped { machine: Machine, by: i64 },
    /// A clock runs too fast (positive) or too slow, in parts per million.
    Drifts { machine: Machine, ppm: i64 },
    /// A server is slow: each command takes so long from now on (zero: no longer slow).
    Slowed { node: NodeId, by: Span },
    /// A server evicted a key.
    Evicted { node: NodeId, key: Arc<str> },
    /// A server's script cache was emptied.
    ScriptsFlushed { node: NodeId },
    /// An operator ran a command.
    Operator { node: NodeId, command: Arc<Command> },
}

/// What happens to one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trouble {
    /// It never arrives.
    Lost,
    /// It arrives so much later.
    Delayed(Span),
    /// It arrives twice.
    Doubled,
}
