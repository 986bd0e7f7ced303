//! One round of the same command on every node, and how the answers count.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::setup::{Act, Setup, Vote};
use crate::history::Refusal;
use crate::locks::LockRequest;
use crate::time::Span;
use crate::wire::Command;

/// A round in which every node is asked once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ballot {
    pub act: Act,
    /// The acquisition that it is about.
    pub number: u32,
    pub command: Arc<Command>,
    /// The place of the node that is asked first.
    pub first: usize,
    /// How many nodes have been asked.
    pub asked: usize,
    /// Requests without an answer yet.
    pub open: Vec<Open>,
    votes: usize,
    against: usize,
}

/// A request without an answer yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Open {
    pub request: LockRequest,
    /// The local monotonic instant at which it was sent.
    pub at: i64,
}

impl Ballot {
    pub fn new(setup: &Setup, act: Act, number: u32, first: usize) -> Ballot {
        let command = setup.command(act, number);
        Ballot { act, number, command, first, asked: 0, open: Vec::new(), votes: 0, against: 0 }
    }

    /// Takes a request off the list; false if it is not on it.
    pub fn settle(&mut self, request: LockRequest) -> bool {
        let place = self.open.iter().position(|open| open.request == request);
        place.map(|place| self.open.remove(place)).is_some()
    }

    pub fn count(&mut self, vote: Vote) {
        match vote {
            Vote::For => self.votes += 1,
            Vote::Against => self.against += 1,
            Vote::Unknown => {}
        }
    }

    pub fn has_quorum(&self, setup: &Setup) -> bool {
        self.votes >= setup.quorum()
    }

    /// Why there is no quorum: enough nodes say that it is another's, or too few say anything.
    pub fn refusal(&self, setup: &Setup) -> Refusal {
        let possible = setup.nodes() - self.against;
        match self.act {
            _ if possible >= setup.quorum() => Refusal::NoQuorum,
            Act::Lock => Refusal::Held,
            Act::Free | Act::Look => Refusal::NotHolder,
        }
    }

    /// The first local instant at which a request has waited too long.
    pub fn late_at(&self, timeout: Option<Span>) -> Option<i64> {
        let sent = self.open.iter().map(|open| open.at).min()?;
        timeout.map(|timeout| super::later(sent, timeout))
    }

    pub fn hash_relative(&self, now: i64, requests: u32, out: &mut impl Hasher) {
        (self.act, self.number, self.first, self.asked, self.votes, self.against).hash(out);
        self.open.len().hash(out);
        for open in &self.open {
            (requests - open.request.0, open.at - now).hash(out);
        }
    }
}
