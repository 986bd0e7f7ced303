//! A fault: what strikes, and the moment at which it strikes.

use std::sync::Arc;

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

/// A milestone of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Milestone {
    /// `started`: it begins a run of its steps.
    Started,
    /// `acquire-sent`: a command to get the lock is on the wire.
    AcquireSent,
    /// `acquire-executed`: a server ran a command to get the lock.
    AcquireExecuted,
    /// `checked`: it read its clock to decide whether what it has is still valid.
    Checked,
    /// `acquired`: its caller is told that it has the lock.
    Acquired,
    /// `refused`: its caller is told that it does not get the lock.
    Refused,
    /// `renew-sent`.
    RenewSent,
    /// `renew-executed`.
    RenewExecuted,
    /// `renewed`: it knows that its lease was extended.
    Renewed,
    /// `renew-failed`: it knows that a renewal failed.
    RenewFailed,
    /// `lost`: it knows that it no longer has the lock.
    Lost,
    /// `looked`: a check whether the lock is still held has been answered.
    Looked,
    /// `before-read`: it is about to ask the resource for its value.
    BeforeRead,
    /// `read`: it knows the value.
    Read,
    /// `before-write`: it is about to write.
    BeforeWrite,
    /// `write-sent`: its write is on the wire.
    WriteSent,
    /// `wrote`: it knows that its write was accepted.
    Wrote,
    /// `before-unlock`: it is about to release.
    BeforeUnlock,
    /// `release-sent`.
    ReleaseSent,
    /// `release-executed`.
    ReleaseExecuted,
    /// `released`: it knows that its release is done.
    Released,
    /// `finished`: it has done its steps.
    Finished,
}
