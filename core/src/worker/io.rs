//! What a worker is told, and what it wants. The contract is that of [`crate::locks::LockClient`], one floor up.

use std::sync::Arc;

use crate::choices::ChoiceLabel;
use crate::history::{ClientEvent, Code, Outcome, Phase};
use crate::resource::Ask;
use crate::wire::{Command, NodeId, Reply, RequestId};

/// What a worker is told.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// Begin the steps, from the first (again after a crash and restart).
    Start,
    /// A server answered.
    Reply {
        /// What it answers.
        request: RequestId,
        /// The answer.
        reply: Reply,
    },
    /// The resource answered.
    Answer {
        /// What it answers.
        request: RequestId,
        /// The answer.
        outcome: Outcome,
    },
    /// A server pushed a message.
    Push {
        /// Which server.
        from: NodeId,
        /// The message.
        message: Reply,
    },
    /// A request cannot be answered: the connection is refused or reset.
    Disconnected {
        /// Which request.
        request: RequestId,
    },
    /// The work stops while the process goes on (a pause of one task), or goes on again.
    Suspend(bool),
    /// The instant of the last [`Output::Wait`] has come.
    Timer,
    /// The answer to [`Output::Choose`].
    Chosen(u32),
}

const _: () = assert!(size_of::<Output>() <= 56, "outputs are moved at every step: what is large and rare is shared");

/// What a worker wants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// Send this command to a server.
    Send {
        /// To whom.
        to: NodeId,
        /// Its number.
        request: RequestId,
        /// What it is for.
        phase: Phase,
        /// The line of the listing that sends it.
        code: Option<Code>,
        /// The command.
        command: Arc<Command>,
    },
    /// Ask the resource.
    Ask {
        /// Its number.
        request: RequestId,
        /// What is asked.
        ask: Arc<Ask>,
    },
    /// The answer to this request is no longer wanted: drop its connection.
    Cancel {
        /// Which request.
        request: RequestId,
    },
    /// This happened.
    Event(ClientEvent),
    /// Pick an index below `count`; answered at once by [`Input::Chosen`].
    Choose {
        /// What is chosen.
        label: ChoiceLabel,
        /// How many there are, at least 1.
        count: u32,
    },
    /// Nothing more to do until an input comes, or until the local monotonic clock shows `until`.
    Wait {
        /// The local monotonic instant in microseconds.
        until: Option<i64>,
    },
}
