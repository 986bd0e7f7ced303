//! What never changes while a Consul client lives: its parameters, made ready, and its commands.

use crate::history::{Code, Section};
use crate::locks::one_service::{Inquiry, Terms};
use crate::locks::{Identity, Params};
use crate::time::Span;
use crate::wire::Command;

/// The lock as a person reads it; the lines that [`Question::code`] names are its lines.
pub(super) const CODE: &str = include_str!("consul.txt");

/// What the cluster is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// For a session.
    Create,
    /// For the key.
    Acquire,
    /// How often it has been acquired: the token.
    Index,
    /// Who holds it, after an acquire that failed.
    Holder,
    /// To say when that changes.
    Watch,
    /// To start the session anew.
    Renew,
    /// To take the key back.
    Release,
    /// To end the session; nobody waits for the answer.
    Destroy,
    /// Who holds it, because the caller asks.
    Look,
}

impl Inquiry for Question {
    fn code(self) -> Code {
        let (section, line) = match self {
            Question::Create => (Section::Acquire, 4),
            Question::Acquire => (Section::Acquire, 5),
            Question::Index => (Section::Acquire, 6),
            Question::Holder => (Section::Acquire, 7),
            Question::Watch => (Section::Acquire, 8),
            Question::Renew => (Section::Renew, 10),
            Question::Release => (Section::Release, 12),
            Question::Destroy => (Section::Release, 13),
            Question::Look => (Section::Check, 15),
        };
        Code { section, line }
    }

    fn is_watch(self) -> bool {
        self == Question::Watch
    }
}

/// A client's parameters, made ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub terms: Terms,
    pub lock_delay: Span,
}

impl Setup {
    pub fn new(params: &Params, identity: Identity) -> Setup {
        Setup {
            terms: Terms::new(params, identity, Span(params.ttl.micros() / 2)),
            lock_delay: params.span("lock_delay").unwrap_or(Span::from_secs(15)),
        }
    }

    pub fn create(&self) -> Command {
        let (ttl, delay) = (format!("-ttl={}", self.terms.params.ttl), format!("-lock-delay={}", self.lock_delay));
        Command::new(["session", "create", &ttl, &delay])
    }

    /// `renew` or `destroy`.
    pub fn of_session(&self, verb: &str, session: u64) -> Command {
        Command::new(["session", verb, &session.to_string()])
    }

    pub fn acquire(&self, session: u64, number: u32) -> Command {
        let token = self.terms.token(number);
        Command::new(["kv", "put", &format!("-acquire={session}"), &self.terms.params.key, &token])
    }

    pub fn release(&self, session: u64) -> Command {
        Command::new(["kv", "put", &format!("-release={session}"), &self.terms.params.key])
    }

    pub fn get(&self) -> Command {
        Command::new(["kv", "get", &self.terms.params.key])
    }

    pub fn watch(&self, index: u64) -> Command {
        Command::new(["kv", "get", &format!("-index={index}"), "-wait=15s", &self.terms.params.key])
    }
}
