//! What running a command gives back to the world.

use super::data::Bytes;
use super::effect::Effect;
use crate::time::Span;
use crate::wire::{ClientId, Reply};

/// The result of one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// What the caller gets.
    pub outcome: Outcome,
    /// What changed on this server and must be replicated, in order; all of it at once, as one MULTI/EXEC.
    pub effects: Vec<Effect>,
    /// What other clients get because of it, in order.
    pub deliveries: Vec<(ClientId, Delivery)>,
}

impl Execution {
    /// The keys that changed, in order; a key may occur more than once. A flush of all keys names none.
    pub fn changed_keys(&self) -> impl Iterator<Item = &Bytes> {
        self.effects.iter().filter_map(|effect| effect.change.key())
    }

    /// The reply, if there is one already.
    pub fn reply(&self) -> Option<&Reply> {
        match &self.outcome {
            Outcome::Reply(reply) => Some(reply),
            Outcome::Subscribed(replies) => replies.first(),
            Outcome::Blocked(_) => None,
        }
    }
}

/// What the caller of a command gets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// A reply.
    Reply(Reply),
    /// One confirmation for each channel that was subscribed or unsubscribed; at least one.
    Subscribed(Vec<Reply>),
    /// No reply yet: the caller waits.
    Blocked(Blocked),
}

/// What a blocked caller waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Blocked {
    /// WAIT: that `replicas` replicas acknowledge `offset`. The world knows when; the reply is their number then, or at the time-out.
    Wait {
        /// How many replicas are asked for.
        replicas: u64,
        /// How long; `None`: for ever.
        timeout: Option<Span>,
        /// The replication offset that they must have reached.
        offset: u64,
    },
    /// BLPOP, BRPOP: an element of a list. It comes as a [`Delivery::Answer`] of whoever pushes; at the time-out the world calls
    /// [`Redis::time_out`](super::Redis::time_out).
    List {
        /// How long; `None`: for ever.
        timeout: Option<Span>,
    },
}

/// What a client receives without having just asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// A message on a channel to which it subscribes.
    Message(Reply),
    /// The answer to a command that had blocked.
    Answer(Reply),
}
