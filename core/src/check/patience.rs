//! Waiting too long for a lock: what the properties that bound a wait have in common.

use std::hash::{Hash, Hasher};

use super::evidence::Evidence;
use super::facts::Facts;
use super::monitor::Finding;
use super::{Property, Violation};
use crate::history::{EndReason, Header};
use crate::time::Time;
use crate::wire::LockId;

/// A lock and the instant since when it is wanted in vain, as the property that is judged counts.
pub type Stretch = (LockId, Time);

/// Since when each lock is wanted in vain, and whether that was too long.
///
/// A wait that reaches the header's bound breaks the property, and so does any wait in a run that goes quiet: nothing will ever happen. A run that is cut during a wait leaves it open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Patience {
    property: Property,
    promised: bool,
    tested: bool,
    since: Vec<Option<Time>>,
    broken: bool,
    cut: bool,
    evidence: Evidence,
}

impl Patience {
    /// Before the first event.
    pub fn new(property: Property, header: &Header) -> Patience {
        Patience {
            property,
            promised: header.promises.exclusion,
            tested: false,
            since: vec![None; header.locks.len()],
            broken: false,
            cut: false,
            evidence: Evidence::default(),
        }
    }

    /// The property has been put to the test.
    pub fn test(&mut self) {
        self.tested = true;
    }

    /// A lock is wanted in vain, from now on or from earlier.
    pub fn begin(&mut self, lock: LockId, now: Time) {
        if let Some(since) = self.since.get_mut(usize::from(lock.0)) {
            since.get_or_insert(now);
        }
    }

    /// Nobody wants a lock in vain any more.
    pub fn end(&mut self, lock: LockId) {
        if let Some(since) = self.since.get_mut(usize::from(lock.0)) {
            *since = None;
        }
    }

    /// The locks that are wanted in vain, and since when.
    pub fn stretches(&self) -> impl Iterator<Item = Stretch> {
        (0..).map(LockId).zip(&self.since).filter_map(|(lock, since)| Some((lock, (*since)?)))
    }

    /// Time goes on to `until` while these stretches last.
    pub fn elapse(&mut self, facts: &Facts, stretches: Vec<Stretch>, until: Time) {
        for (lock, from) in stretches {
            if until >= from + facts.within {
                self.found(facts, lock, from, until);
            }
        }
    }

    /// The run ends during these stretches.
    pub fn conclude(&mut self, facts: &Facts, stretches: Vec<Stretch>, why: EndReason) {
        self.cut = !stretches.is_empty();
        if why == EndReason::Quiet {
            for (lock, from) in stretches {
                self.found(facts, lock, from, Time::NEVER);
            }
        }
    }

    fn found(&mut self, facts: &Facts, lock: LockId, from: Time, until: Time) {
        self.broken = true;
        let waiters = facts.waiters(lock).map(|(client, _)| client).collect();
        let violation = Violation::at(self.property, from, facts.seen.saturating_sub(1), waiters).of_lock(lock);
        self.evidence.extend(Violation { until, ..violation });
    }

    /// What is known now.
    pub fn finding(&self) -> Finding {
        match (self.promised && self.tested, self.broken, self.cut) {
            (false, ..) => Finding::Untested,
            (true, true, _) => Finding::Broken,
            (true, false, true) => Finding::Open,
            (true, false, false) => Finding::Kept,
        }
    }

    /// The violations so far, by time.
    pub fn violations(&self) -> Vec<Violation> {
        self.evidence.sorted()
    }

    /// Feeds what is known, and how long these stretches have lasted, into a hasher.
    pub fn remember<H: Hasher>(&self, facts: &Facts, stretches: impl Iterator<Item = Stretch>, hasher: &mut H) {
        (self.tested, self.broken, self.cut).hash(hasher);
        for (lock, from) in stretches {
            (lock, facts.now.since(from).min(facts.within)).hash(hasher);
        }
    }
}
