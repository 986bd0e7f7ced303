//! What never changes while a ZooKeeper client lives: its parameters, made ready, and its commands.

use crate::history::{Code, Section};
use crate::locks::one_service::{Inquiry, Terms};
use crate::locks::{Identity, Params};
use crate::time::Span;
use crate::wire::Command;

/// The lock as a person reads it; the lines that [`Question::code`] names are its lines.
pub(super) const CODE: &str = include_str!("zookeeper.txt");

/// What the ensemble is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// For a session.
    Connect,
    /// For a place in the queue.
    Create,
    /// Who stands in the queue.
    List,
    /// To say when the place just ahead is gone.
    Watch,
    /// The own czxid, where the reply to the creation was lost.
    Own,
    /// To take the session to be alive.
    Ping,
    /// To delete the own place.
    Delete,
    /// To end the session; nobody waits for the answer.
    Close,
    /// Whether the own place is still there, because the caller asks.
    Look,
}

impl Inquiry for Question {
    fn code(self) -> Code {
        let (section, line) = match self {
            Question::Connect => (Section::Acquire, 4),
            Question::Create => (Section::Acquire, 5),
            Question::List => (Section::Acquire, 6),
            Question::Watch => (Section::Acquire, 8),
            Question::Own => (Section::Acquire, 9),
            Question::Ping => (Section::Renew, 11),
            Question::Delete => (Section::Release, 13),
            Question::Close => (Section::Release, 14),
            Question::Look => (Section::Check, 16),
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
    /// For how long nothing is heard of the ensemble until a holder takes its lock to be lost.
    pub patience: Span,
}

/// The states of a connection that a holder can listen to.
pub(super) const LISTENS: &[&str] = &["lost", "suspended"];

impl Setup {
    pub fn new(params: &Params, identity: Identity) -> Setup {
        // A client that hears nothing for two thirds of its session's time-out says so (in whole milliseconds). If it still hears nothing for
        // a whole time-out more, it takes the session to be over.
        let suspended = Span::from_millis(params.ttl.as_millis() * 2 / 3);
        let listens_early = params.word("listens") == Some("suspended");
        Setup {
            terms: Terms::new(params, identity, Span(params.ttl.micros() / 3)),
            patience: if listens_early { suspended } else { suspended + params.ttl },
        }
    }

    pub fn connect(&self) -> Command {
        Command::new(["connect", &self.terms.params.ttl.as_millis().to_string()])
    }

    pub fn create(&self, session: u64, number: u32) -> Command {
        let path = format!("{}/{}", self.terms.params.key, self.name(number));
        Command::new(["create", "-s", "-e", &path, &self.terms.identity.name, &at(session)])
    }

    pub fn list(&self, session: u64) -> Command {
        Command::new(["ls", &self.terms.params.key, &at(session)])
    }

    pub fn watch(&self, session: u64, path: &str) -> Command {
        Command::new(["exists", "-w", path, &at(session)])
    }

    /// What can be asked of a place: `exists` or `delete`.
    pub fn of_place(&self, verb: &str, session: u64, path: &str) -> Command {
        Command::new([verb, path, &at(session)])
    }

    /// `ping` or `close`.
    pub fn of_session(&self, verb: &str, session: u64) -> Command {
        Command::new([verb, &at(session)])
    }

    pub fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.terms.params.key)
    }

    /// What the name of the place of an acquisition begins with: a client knows it again even if the reply to its creation was lost.
    pub fn name(&self, number: u32) -> String {
        format!("{}-{number}-", self.terms.identity.name)
    }
}

fn at(session: u64) -> String {
    format!("@{session}")
}
