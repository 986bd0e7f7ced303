//! available: while servers are unreachable, somebody still gets the lock in time.

use std::hash::{Hash, Hasher};

use crate::check::evidence::Evidence;
use crate::check::facts::Facts;
use crate::check::monitor::{Finding, Watch};
use crate::check::{Property, Violation};
use crate::history::{ClientEvent, EndReason, Event, Header, LockEvent, What};
use crate::time::Time;
use crate::wire::LockId;

/// Broken when, while a server is down or cut off, somebody has tried to get a lock and for the header's bound nobody was inside it.
///
/// The bound runs from the first try or the start of the fault, whichever is later, and starts again whenever somebody is inside. Clients that gave up meanwhile do not make the lock available:
/// a run that goes quiet with nobody served is broken at once; one that is cut before the bound has passed is unknown. A promotion ends the fault of the old master.
/// Tested once somebody tried to get a lock while a server was unreachable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    promised: bool,
    tested: bool,
    wanted_since: Vec<Option<Time>>,
    broken: bool,
    cut: bool,
    evidence: Evidence,
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        Monitor {
            promised: header.promises.exclusion,
            tested: false,
            wanted_since: vec![None; header.locks.len()],
            broken: false,
            cut: false,
            evidence: Evidence::default(),
        }
    }

    fn want(&mut self, facts: &Facts, lock: LockId) {
        if facts.troubles.unreachable_since.is_some() && !facts.anyone_inside(lock) {
            self.tested = true;
            if let Some(wanted) = self.wanted_since.get_mut(usize::from(lock.0)) {
                wanted.get_or_insert(facts.now);
            }
        }
    }

    fn found(&mut self, facts: &Facts, lock: LockId, from: Time, until: Time) {
        self.broken = true;
        let waiters = facts.waiters(lock).map(|(client, _)| client).collect();
        let violation = Violation::at(Property::Available, from, facts.seen.saturating_sub(1), waiters).of_lock(lock);
        self.evidence.extend(Violation { until, ..violation });
    }
}

impl Watch for Monitor {
    fn elapse(&mut self, facts: &Facts, until: Time) {
        for (lock, _) in facts.each_lock() {
            if facts.troubles.unreachable_since.is_none() || facts.anyone_inside(lock) {
                self.wanted_since[usize::from(lock.0)] = None;
            } else if facts.waiters(lock).next().is_some() {
                self.want(facts, lock);
            }
            if let Some(from) = self.wanted_since[usize::from(lock.0)]
                && until >= from + facts.within
            {
                self.found(facts, lock, from, until);
            }
        }
    }

    fn step(&mut self, before: &Facts, event: &Event) {
        match &event.what {
            What::Client { event: ClientEvent::Lock { lock, event: LockEvent::Acquiring }, .. } => {
                self.want(before, *lock);
            }
            What::Client { event: ClientEvent::Entered { lock, .. }, .. } => {
                if let Some(wanted) = self.wanted_since.get_mut(usize::from(lock.0)) {
                    *wanted = None;
                }
            }
            What::End(why) if before.troubles.unreachable_since.is_some() => {
                let wanted = (0..).map(LockId).zip(self.wanted_since.clone());
                for (lock, from) in wanted.filter_map(|(lock, since)| Some((lock, since?))) {
                    self.cut = true;
                    if *why == EndReason::Quiet {
                        self.found(before, lock, from, Time::NEVER);
                    }
                }
            }
            _ => {}
        }
    }

    fn finding(&self) -> Finding {
        match (self.promised && self.tested, self.broken, self.cut) {
            (false, ..) => Finding::Untested,
            (true, true, _) => Finding::Broken,
            (true, false, true) => Finding::Open,
            (true, false, false) => Finding::Kept,
        }
    }

    fn violations(&self) -> Vec<Violation> {
        self.evidence.sorted()
    }

    fn remember<H: Hasher>(&self, facts: &Facts, hasher: &mut H) {
        (self.tested, self.broken, self.cut).hash(hasher);
        for since in &self.wanted_since {
            since.map(|since| facts.now.since(since).min(facts.within)).hash(hasher);
        }
    }
}
