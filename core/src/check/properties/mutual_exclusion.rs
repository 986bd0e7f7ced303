//! mutual-exclusion: the sections of two clients that exclude each other do not overlap.

use std::hash::{Hash, Hasher};

use crate::check::evidence::Evidence;
use crate::check::facts::{Facts, Inside};
use crate::check::monitor::{Finding, Watch, finding};
use crate::check::{Property, Violation};
use crate::history::{ClientEvent, Event, Header, LockEvent, Mode, What};
use crate::time::{Span, Time};
use crate::wire::{ClientId, LockId};

/// Broken when two clients are inside sections of the same lock for more than no time, unless both are there as readers.
///
/// A section lasts from "acquired" until its client starts to release, dies, or stops because it was told of the loss: a paused client is still inside. Sections that only
/// touch do not overlap. Tested once a lock that promises exclusion was entered and two clients had tried to get it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    promised: bool,
    locks: Vec<Contest>,
    overlap: Span,
    evidence: Evidence,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Contest {
    first: Option<ClientId>,
    contested: bool,
    entered: bool,
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        Monitor {
            promised: header.promises.exclusion,
            locks: vec![Contest::default(); header.locks.len()],
            overlap: Span::ZERO,
            evidence: Evidence::default(),
        }
    }

    /// The overlap so far: the sum over all pairs of clients.
    pub fn overlap(&self) -> Span {
        self.overlap
    }

    fn tried(&mut self, client: ClientId, lock: LockId, entered: bool) {
        let Some(contest) = self.locks.get_mut(usize::from(lock.0)) else { return };
        contest.contested |= *contest.first.get_or_insert(client) != client;
        contest.entered |= entered;
    }
}

impl Watch for Monitor {
    fn elapse(&mut self, facts: &Facts, until: Time) {
        for (first, left) in facts.each_client() {
            for (second, right) in facts.each_client().skip(usize::from(first.0) + 1) {
                let Some(inside) = left.inside.iter().find(|inside| excluded(inside, &right.inside)) else { continue };
                self.overlap += until.since(facts.now);
                self.evidence.extend(Violation {
                    until,
                    ..Violation::at(Property::MutualExclusion, facts.now, facts.seen - 1, vec![first, second])
                        .of_lock(inside.lock)
                });
            }
        }
    }

    fn step(&mut self, _: &Facts, event: &Event) {
        match &event.what {
            What::Client { client, event: ClientEvent::Entered { lock, .. } } => self.tried(*client, *lock, true),
            What::Client { client, event: ClientEvent::Lock { lock, event: LockEvent::Acquiring } } => {
                self.tried(*client, *lock, false);
            }
            _ => {}
        }
    }

    fn finding(&self) -> Finding {
        let tested = self.locks.iter().any(|contest| contest.contested && contest.entered);
        finding(self.promised && self.overlap > Span::ZERO, self.promised && tested)
    }

    fn violations(&self) -> Vec<Violation> {
        self.evidence.sorted()
    }

    fn remember<H: Hasher>(&self, _: &Facts, hasher: &mut H) {
        (self.overlap > Span::ZERO).hash(hasher);
        for lock in &self.locks {
            // Once two have tried, nobody asks who was the first.
            (lock.contested, lock.entered, lock.first.filter(|_| !lock.contested)).hash(hasher);
        }
    }
}

/// Whether one of `others` is a section that must not overlap with `inside`.
fn excluded(inside: &Inside, others: &[Inside]) -> bool {
    let shared = |other: &Inside| inside.mode == Mode::Shared && other.mode == Mode::Shared;
    others.iter().any(|other| other.lock == inside.lock && !shared(other))
}
