//! One round of the same command on some nodes, and how the answers count.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::setup::{Act, Electorate, Setup, Vote};
use crate::history::Refusal;
use crate::locks::LockRequest;
use crate::time::{Span, later};
use crate::wire::{Command, NodeId};

/// A round in which each of some nodes is asked once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ballot {
    pub act: Act,
    /// The acquisition that it is about.
    pub number: u32,
    pub command: Arc<Command>,
    /// The nodes to ask, in order.
    pub nodes: Vec<NodeId>,
    /// How many of them have been asked.
    pub asked: usize,
    /// Requests without an answer yet.
    pub open: Vec<Open>,
    /// The nodes that said yes.
    pub granted: Vec<NodeId>,
    against: usize,
    /// Nodes of which it is not known what they did, and what the first of them said.
    unknown: usize,
    pub trouble: Option<Refusal>,
}

/// A request without an answer yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Open {
    pub request: LockRequest,
    pub node: NodeId,
    /// The local monotonic instant at which it was sent.
    pub at: i64,
}

impl Ballot {
    pub fn new(setup: &Setup, act: Act, number: u32, nodes: Vec<NodeId>) -> Ballot {
        let command = setup.command(act, number);
        let (open, granted) = (Vec::new(), Vec::new());
        Ballot { act, number, command, nodes, asked: 0, open, granted, against: 0, unknown: 0, trouble: None }
    }

    pub fn waits_for(&self, request: LockRequest) -> bool {
        self.open.iter().any(|open| open.request == request)
    }

    /// Takes a request off the list, with the node that it asked.
    pub fn settle(&mut self, request: LockRequest) -> Option<NodeId> {
        let place = self.open.iter().position(|open| open.request == request);
        place.map(|place| self.open.remove(place).node)
    }

    /// Takes those off the list that have waited too long, and tells which.
    pub fn settle_late(&mut self, now: i64, timeout: Span) -> Vec<LockRequest> {
        let late = |open: &Open| later(open.at, timeout) <= now;
        let requests: Vec<LockRequest> = self.open.iter().filter(|open| late(open)).map(|open| open.request).collect();
        for request in &requests {
            if let Some(node) = self.settle(*request) {
                self.count(node, Vote::Unknown(Refusal::TimedOut));
            }
        }
        requests
    }

    pub fn count(&mut self, node: NodeId, vote: Vote) {
        match vote {
            Vote::For => self.granted.push(node),
            Vote::Against => self.against += 1,
            Vote::Unknown(why) => {
                self.unknown += 1;
                self.trouble.get_or_insert(why);
            }
        }
    }

    /// Whether no further answer is waited for.
    pub fn is_over(&self, setup: &Setup) -> bool {
        let all_answered = self.open.is_empty() && self.asked == self.nodes.len();
        let possible = setup.nodes() - self.against - self.unknown;
        all_answered || setup.decides_early && (self.has_quorum(setup) || possible < setup.quorum())
    }

    pub fn has_quorum(&self, setup: &Setup) -> bool {
        let needed = match setup.electorate {
            Electorate::Configured => setup.quorum(),
            Electorate::Answering => (self.granted.len() + self.against) / 2 + 1,
        };
        self.granted.len() >= needed
    }

    /// Why there is no quorum: enough nodes say that it is another's, or too few say anything.
    pub fn refusal(&self, setup: &Setup) -> Refusal {
        let possible = setup.nodes() - self.against;
        match self.act {
            _ if possible >= setup.quorum() => Refusal::NoQuorum,
            Act::Lock => Refusal::Held,
            Act::Free | Act::Look | Act::Extend => Refusal::NotHolder,
        }
    }

    /// The first local instant at which a request has waited too long.
    pub fn late_at(&self, timeout: Option<Span>) -> Option<i64> {
        let sent = self.open.iter().map(|open| open.at).min()?;
        timeout.map(|timeout| later(sent, timeout))
    }

    pub fn hash_relative(&self, now: i64, requests: u32, out: &mut impl Hasher) {
        (self.act, self.number, &self.nodes, self.asked).hash(out);
        (&self.granted, self.against, self.unknown, &self.trouble).hash(out);
        self.open.len().hash(out);
        for open in &self.open {
            (requests - open.request.0, open.node, open.at - now).hash(out);
        }
    }
}
