//! What never changes while a Redlock client lives: its parameters, made ready, and its commands.

use std::sync::Arc;

use crate::history::{Code, Phase, Section};
use crate::locks::{Identity, Params, TokenForm, Value};
use crate::time::{LocalTime, Span};
use crate::wire::{Command, NodeId, Reply};

/// The lock as a person reads it; the lines that [`Act::code`] names are its lines.
pub(super) const CODE: &str = include_str!("redlock.txt");

/// Compares and deletes in one step.
pub(super) const RELEASE: &str = "if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
end
return 0
";

/// What every node is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Act {
    Lock,
    Free,
    Look,
}

impl Act {
    pub fn phase(self) -> Phase {
        match self {
            Act::Lock => Phase::Acquire,
            Act::Free => Phase::Release,
            Act::Look => Phase::Check,
        }
    }

    pub fn code(self) -> Code {
        let (section, line) = match self {
            Act::Lock => (Section::Acquire, 5),
            Act::Free => (Section::Release, 10),
            Act::Look => (Section::Check, 12),
        };
        Code { section, line }
    }
}

/// What an answer counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vote {
    For,
    Against,
    /// No answer, or one that tells nothing: what the node did is unknown.
    Unknown,
}

/// A client's parameters, made ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setup {
    pub identity: Identity,
    pub params: Params,
    /// All nodes at once, or one after the other.
    pub parallel: bool,
    /// Whether the node that is asked first is chosen anew for each try.
    pub rotated: bool,
    /// Whether the clock is read once more after the replies.
    pub checked: bool,
    /// What clocks may be apart over one lease.
    pub drift: Span,
    /// Whether validity is counted on the wall clock, which can be set.
    pub on_wall_clock: bool,
}

impl Setup {
    pub fn new(params: &Params, identity: Identity) -> Setup {
        let word =
            |name: &str, wanted: &str| matches!(params.extra.get(name), Some(Value::Word(word)) if word == wanted);
        let drift = match params.extra.get("drift") {
            Some(Value::Span(drift)) => *drift,
            _ => Span(params.ttl.micros() / 100) + Span::from_millis(2),
        };
        Setup {
            parallel: !word("sends", "sequential"),
            rotated: word("order", "rotated"),
            checked: params.extra.get("checked") != Some(&Value::Switch(false)),
            on_wall_clock: word("clock", "wall"),
            drift,
            params: params.clone(),
            identity,
        }
    }

    pub fn nodes(&self) -> usize {
        self.params.nodes.len()
    }

    /// More than half of the nodes that are configured, whether they answer or not.
    pub fn quorum(&self) -> usize {
        self.nodes() / 2 + 1
    }

    /// The node that is asked as the how-manieth, where `first` comes first.
    pub fn node(&self, first: usize, place: usize) -> NodeId {
        self.params.nodes[(first + place) % self.nodes()]
    }

    /// The clock by which validity is counted.
    pub fn clock(&self, now: LocalTime) -> i64 {
        if self.on_wall_clock { now.wall } else { now.monotonic }
    }

    /// What marks the acquisition of this number.
    pub fn token(&self, number: u32) -> String {
        match self.params.token {
            TokenForm::Unique => format!("{}-{number}", self.identity.name),
            TokenForm::PerClient => self.identity.name.to_string(),
            TokenForm::Fixed => "locked".to_owned(),
        }
    }

    pub fn command(&self, act: Act, number: u32) -> Arc<Command> {
        let (key, token) = (&*self.params.key, &*self.token(number));
        Arc::new(match act {
            Act::Lock => Command::new(["SET", key, token, "NX", "PX", &self.params.ttl.as_millis().to_string()]),
            Act::Free => Command::new(["EVAL", RELEASE, "1", key, token]),
            Act::Look => Command::new(["GET", key]),
        })
    }

    /// How a node's answer counts.
    pub fn vote(&self, act: Act, number: u32, reply: &Reply) -> Vote {
        let is_for = match (act, reply) {
            (_, Reply::Error(_)) => return Vote::Unknown,
            (Act::Lock, Reply::Status(text)) => **text == *"OK",
            (Act::Free, Reply::Integer(freed)) => *freed == 1,
            (Act::Look, reply) => reply.text().is_some_and(|text| text == self.token(number)),
            (Act::Lock | Act::Free, _) => false,
        };
        if is_for { Vote::For } else { Vote::Against }
    }
}
