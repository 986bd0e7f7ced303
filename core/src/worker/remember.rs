//! What of a worker decides what it does next: for a search that recognises a state which it has met at another time.

use std::hash::{Hash, Hasher};

use super::Worker;
use super::machine::Doing;
use super::slot::{OWN, split_request};
use crate::locks::Client;
use crate::time::{LocalTime, Span};
use crate::wire::RequestId;

impl Worker<Client> {
    /// How many requests have been made since this one, by the lock client or by the worker itself.
    pub fn age(&self, request: RequestId) -> u32 {
        match split_request(request) {
            (OWN, own) => self.next_request.wrapping_sub(own.0),
            (slot, asked) => self.slots.get(slot).map_or(0, |slot| slot.client.requests().wrapping_sub(asked.0)),
        }
    }

    /// Feeds what the worker will do into a hasher: times relative to what its clocks show, requests and holds relative to the latest.
    pub fn remember_relative<H: Hasher>(&self, now: LocalTime, hasher: &mut H) {
        for slot in &self.slots {
            (slot.inside.map(|hold| self.holds - hold), slot.without_lock, slot.depth, &slot.token, slot.drained)
                .hash(hasher);
            slot.until.map(|until| until - now.monotonic).hash(hasher);
            slot.client.hash_relative(now, hasher);
        }
        std::mem::discriminant(&self.doing).hash(hasher);
        match self.doing {
            Doing::Idle | Doing::Ready | Doing::Announced => {}
            Doing::Lock { slot } => slot.hash(hasher),
            Doing::Until { at, then } => (at - now.monotonic, then).hash(hasher),
            Doing::Asking { request, deadline } => {
                (self.age(request), deadline.map(|deadline| deadline - now.monotonic)).hash(hasher);
            }
        }
        (self.stopping, self.suspended, self.position, self.run, self.choosing).hash(hasher);
        if self.plan.every > Span::ZERO {
            (self.run_started - now.monotonic).hash(hasher);
        }
        if self.plan.attempts.is_some() {
            self.rejected.hash(hasher);
        }
        self.read.hash(hasher);
        self.outputs.hash(hasher);
    }
}
