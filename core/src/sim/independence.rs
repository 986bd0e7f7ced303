//! Independence: a step that only one client notices may come before or after whatever else falls on its instant.
//!
//! A client that gets a reply and only counts it (a node of several has answered, others have not) shows nothing, sends nothing and sets no timer. Nothing that another machine does at
//! that instant looks at the client, nor could it take the reply away, so every order of the two leads to the same world. A search need not try such a step later than it comes by
//! default: a run that puts it off is, step for step, one that does not, and costs no less.

use super::Parts;
use super::adversary::{Adversary, FaultClass};
use super::sink::Sink;
use super::state::{ForClient, Pending};
use super::world::World;
use crate::wire::ClientId;

/// What stays as it is in a step that only a client notices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    client: ClientId,
    timer: u32,
    /// Events that have happened; the arrival of a reply will be one more.
    seen: u32,
    queued: usize,
    asked: usize,
}

/// Faults that take messages away which have arrived but for their turn, or that are as long as what waits for its turn.
const REACH_OTHERS: [FaultClass; 4] =
    [FaultClass::Restart, FaultClass::RestartEmpty, FaultClass::Failover, FaultClass::Delay];

impl<P: Parts, S: Sink> World<P, S> {
    /// Whether only one client has noticed the last step of a search, which came by default: then its place among the simultaneous ones does not matter.
    pub fn is_independent(&self) -> bool {
        self.adversary.as_ref().is_some_and(|adversary| adversary.is_independent)
    }

    /// What to compare with, if the step to come may be noticed by one client only.
    pub(super) fn before(&self, item: &Pending) -> Option<Before> {
        let Pending::ForClient { client, item: ForClient::Reply { .. }, .. } = item else { return None };
        let reaches = |adversary: &Adversary| REACH_OTHERS.iter().any(|class| adversary.left.of(*class) > 0);
        if !self.plan.faults.is_empty() || self.adversary.as_deref().is_none_or(reaches) {
            return None;
        }
        let (timer, seen) = (self.clients[usize::from(client.0)].timer, self.seen());
        Some(Before { client: *client, timer, seen, queued: self.queue.len(), asked: self.choices.asked().len() })
    }

    /// Takes note of whether a step was noticed by one client only.
    pub(super) fn compare(&mut self, before: Option<Before>) {
        let is_independent = before.is_some_and(|before| {
            self.clients[usize::from(before.client.0)].timer == before.timer
                && self.seen() <= before.seen + 1
                && self.queue.len() == before.queued
                && self.choices.asked().len() == before.asked
        });
        if let Some(adversary) = &mut self.adversary {
            adversary.is_independent = is_independent;
        }
    }
}
