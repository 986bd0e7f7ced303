//! What never changes while an etcd client lives: its parameters, made ready, and its commands.

use crate::history::{Code, Phase, Section};
use crate::locks::one_service::{Inquiry, Terms};
use crate::locks::{Identity, Params};
use crate::time::Span;
use crate::wire::Command;

/// The lock as a person reads it; the lines that [`Question::line`] names are its lines.
pub(super) const CODE: &str = include_str!("etcd.txt");

/// What the cluster is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// For a lease.
    Grant,
    /// To put the own key behind all others, and who is first.
    Enter,
    /// Who is just ahead.
    Ahead,
    /// To say when that key is gone.
    Watch,
    /// Whether the own key is still there, after the wait.
    Reread,
    /// To start the lease anew.
    Keep,
    /// For another lease, while the caller works on: the old one is over.
    Regrant,
    /// The same as [`Question::Enter`], while the caller works on.
    Reenter,
    /// To delete the own key.
    Leave,
    /// To end the lease; nobody waits for the answer.
    Revoke,
    /// Whether the own key is still there, because the caller asks.
    Look,
}

impl Inquiry for Question {
    fn code(self) -> Code {
        let (section, line) = match self {
            Question::Grant | Question::Regrant => (Section::Acquire, 4),
            Question::Enter | Question::Reenter => (Section::Acquire, 5),
            Question::Ahead => (Section::Acquire, 8),
            Question::Watch => (Section::Acquire, 9),
            Question::Reread => (Section::Acquire, 10),
            Question::Keep => (Section::Renew, 12),
            Question::Leave => (Section::Release, 14),
            Question::Revoke => (Section::Release, 15),
            Question::Look => (Section::Check, 17),
        };
        Code { section, line }
    }

    fn phase(self) -> Phase {
        match self {
            Question::Regrant | Question::Reenter => Phase::Renew,
            _ => self.code().section.phase(),
        }
    }

    fn is_watch(self) -> bool {
        self == Question::Watch
    }
}

/// A client's parameters, made ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub terms: Terms,
    /// Whether the own key is read again after the wait.
    pub reread: bool,
    /// Whether a holder whose lease is over quietly takes the lock again.
    pub retake: bool,
}

impl Setup {
    pub fn new(params: &Params, identity: Identity) -> Setup {
        Setup {
            terms: Terms::new(params, identity, Span(params.ttl.micros() / 3)),
            reread: params.switch("reread").unwrap_or(true),
            retake: params.switch("retake").unwrap_or(false),
        }
    }

    pub fn grant(&self) -> Command {
        Command::new(["lease", "grant", &self.terms.params.ttl.micros().div_ceil(1_000_000).to_string()])
    }

    pub fn keep(&self, lease: u64) -> Command {
        Command::new(["lease", "keep-alive", &lease.to_string()])
    }

    pub fn revoke(&self, lease: u64) -> Command {
        Command::new(["lease", "revoke", &lease.to_string()])
    }

    pub fn enter(&self, lease: u64, number: u32) -> Command {
        let (mine, below) = (&*self.key(lease), &*self.prefix());
        let (condition, lease, token) =
            (format!("create({mine})=0"), format!("--lease={lease}"), self.terms.token(number));
        let then = ["txn", "if", &condition, "then", "put", mine, &token, &lease, "get", below, "--first"];
        Command::new(then.into_iter().chain(["else", "get", mine, "get", below, "--first"]))
    }

    pub fn ahead(&self, revision: u64) -> Command {
        Command::new(["get", &*self.prefix(), &format!("--last-before={revision}")])
    }

    pub fn watch(&self, key: &str, revision: u64) -> Command {
        Command::new(["watch", key, &format!("--rev={revision}")])
    }

    pub fn read(&self, lease: u64) -> Command {
        Command::new(["get", &*self.key(lease)])
    }

    pub fn delete(&self, lease: u64) -> Command {
        Command::new(["del", &*self.key(lease)])
    }

    /// Below this stand the keys of all who hold the lock or wait for it.
    fn prefix(&self) -> String {
        format!("{}/", self.terms.params.key)
    }

    fn key(&self, lease: u64) -> String {
        format!("{}/{lease}", self.terms.params.key)
    }
}
