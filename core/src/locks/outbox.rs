//! What a lock client wants done, in order, and the numbers of its requests.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::{LockRequest, Output};
use crate::choices::ChoiceLabel;
use crate::history::{Code, LockEvent, Phase};
use crate::wire::{Command, NodeId};

/// The outputs that a client's caller has not taken yet, and how many requests there have been.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outbox {
    requests: u32,
    due: VecDeque<Output>,
}

impl Outbox {
    /// Sends a command: the number of its request.
    pub fn send(&mut self, to: NodeId, phase: Phase, code: Code, command: Arc<Command>) -> LockRequest {
        let request = LockRequest(self.requests);
        self.requests += 1;
        self.due.push_back(Output::Send { to, request, phase, code: Some(code), command });
        request
    }

    pub fn cancel(&mut self, request: LockRequest) {
        self.due.push_back(Output::Cancel { request });
    }

    pub fn tell(&mut self, event: LockEvent) {
        self.due.push_back(Output::Event(event));
    }

    /// Has an index below `count` chosen, which is at least 1.
    pub fn choose(&mut self, label: ChoiceLabel, count: u32) {
        self.due.push_back(Output::Choose { label, count });
    }

    /// The next output; `None`: there is nothing to do but wait.
    pub fn take(&mut self) -> Option<Output> {
        self.due.pop_front()
    }

    /// How many requests have been made.
    pub fn requests(&self) -> u32 {
        self.requests
    }

    /// Writes what is still to be taken. How many requests came before is nobody's business.
    pub fn hash_relative(&self, out: &mut impl Hasher) {
        self.due.hash(out);
    }
}
