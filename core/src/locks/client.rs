//! The contract of a lock client.

use std::sync::Arc;

use crate::choices::ChoiceLabel;
use crate::history::{Code, LockEvent, Phase};
use crate::time::{LocalTime, Span};
use crate::wire::{Command, NodeId, Reply};

/// A request of one lock client, numbered by it from 0; unique within its life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LockRequest(pub u32);

/// What a lock client is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Get the lock (or enter once more). `wait`: how long to try at most; `None`: for ever; zero: one try.
    Acquire {
        /// The bound on trying.
        wait: Option<Span>,
    },
    /// Give it back.
    Release,
    /// Ask the service whether the lock is still held; answered by [`LockEvent::Looked`].
    Check,
    /// A server answered.
    Reply {
        /// What it answers.
        request: LockRequest,
        /// The answer.
        reply: Reply,
    },
    /// A server pushed a message.
    Push {
        /// Which server.
        from: NodeId,
        /// The message.
        message: Reply,
    },
    /// A request cannot be answered: the connection is refused or reset. Whether the command ran is unknown.
    Disconnected {
        /// Which request.
        request: LockRequest,
    },
    /// The instant of the last [`Output::Wait`] has come. A stopped client's timers run on: what fell due meanwhile comes late.
    Timer,
    /// The answer to [`Output::Choose`].
    Chosen(u32),
}

/// What a lock client wants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// Send this command.
    Send {
        /// To whom: a node as the lock's parameters name it. Where a replica was promoted, the driver sends to the new master.
        to: NodeId,
        /// Its number.
        request: LockRequest,
        /// What it is for.
        phase: Phase,
        /// The line of the listing that sends it.
        code: Option<Code>,
        /// The command.
        command: Arc<Command>,
    },
    /// The answer to this request is no longer wanted (a time-out): drop its connection, so that a late reply is never delivered.
    Cancel {
        /// Which request.
        request: LockRequest,
    },
    /// This happened.
    Event(LockEvent),
    /// Pick an index below `count`; the answer is [`Input::Chosen`], and nothing else is handled before it.
    Choose {
        /// What is chosen.
        label: ChoiceLabel,
        /// How many there are, at least 1.
        count: u32,
    },
    /// Nothing more to do until an input comes, or until the local monotonic clock shows `until` (microseconds; `None`: no timer).
    Wait {
        /// The local monotonic instant; one that has passed means at once.
        until: Option<i64>,
    },
}

/// A lock client without I/O.
///
/// Contract, kept by the simulator and by the live driver:
/// 1. After every `handle`, `poll` is drained until it returns [`Output::Wait`], before the next `handle`. The one exception is
///    [`Output::Choose`]: it is answered at once by `handle(Chosen)`, and the drain goes on.
/// 2. `Acquire` is given only to a client that is idle or holds; `Release` only to one that holds, is renewing, or has lost its lock.
///    `Release` may come while a renewal is in flight.
/// 3. Every acquire ends in exactly one of `Acquired`, `Reentered`, `Refused`; every release in one of `Released`, `Descended`, `ReleaseFailed`.
/// 4. Each request is answered at most once, by `Reply` or `Disconnected`; never after its `Cancel`.
/// 5. A fault on an event strikes before the next `poll`, and the drain goes on after the resume: a client must not rely on the time
///    that it read before an output being the time after it.
/// 6. A client reads no clock and draws no chance: `now` is its own machine's clock, [`Output::Choose`] its only chance.
pub trait LockClient {
    /// Takes one input at the client's own local time.
    fn handle(&mut self, now: LocalTime, input: Input);

    /// Gives the next output.
    fn poll(&mut self) -> Output;
}
