//! progress: after the faults, whoever waits for a lock that nobody uses gets it in time.

use std::hash::{Hash, Hasher};

use crate::check::evidence::Evidence;
use crate::check::facts::Facts;
use crate::check::monitor::{Finding, Watch};
use crate::check::{Property, Violation};
use crate::history::{ClientEvent, EndReason, Event, Header, What};
use crate::time::Time;
use crate::wire::LockId;

/// Broken when, with every fault lifted, a lock is idle for the header's bound without a break.
///
/// *Idle*: nobody is inside, somebody who is neither paused nor gone tries to get it, and none of them is about to be told that he has it. The bound runs from the last change of any fault or from
/// the start of the idleness, whichever is later. A run that goes quiet with a client still waiting is broken at once: nothing will ever happen. A run that is cut before the bound has passed is unknown. Tested
/// once a client waited while no fault was on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    promised: bool,
    tested: bool,
    idle_since: Vec<Option<Time>>,
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
            idle_since: vec![None; header.locks.len()],
            broken: false,
            cut: false,
            evidence: Evidence::default(),
        }
    }

    fn found(&mut self, facts: &Facts, lock: LockId, from: Time, until: Time) {
        self.broken = true;
        let waiters = facts.waiters(lock).map(|(client, _)| client).collect();
        let violation = Violation::at(Property::Progress, from, facts.seen.saturating_sub(1), waiters).of_lock(lock);
        self.evidence.extend(Violation { until, ..violation });
    }

    /// The idle stretches that count, each with the lock and its start.
    fn counted(&self, facts: &Facts) -> Vec<(LockId, Time)> {
        if !facts.troubles.all_lifted() {
            return Vec::new();
        }
        let idle = (0..).map(LockId).zip(&self.idle_since);
        idle.filter_map(|(lock, since)| Some((lock, (*since)?.max(facts.troubles.last_change.unwrap_or(Time::START)))))
            .collect()
    }
}

impl Watch for Monitor {
    fn elapse(&mut self, facts: &Facts, until: Time) {
        for (lock, _) in facts.each_lock() {
            let since = &mut self.idle_since[usize::from(lock.0)];
            *since = facts.idle(lock).then(|| since.unwrap_or(facts.now));
            self.tested |= facts.troubles.all_lifted() && facts.waiters(lock).next().is_some();
        }
        for (lock, from) in self.counted(facts) {
            if until >= from + facts.within {
                self.found(facts, lock, from, until);
            }
        }
    }

    fn step(&mut self, before: &Facts, event: &Event) {
        match &event.what {
            What::Client { event: ClientEvent::Entered { lock, .. }, .. } => {
                if let Some(since) = self.idle_since.get_mut(usize::from(lock.0)) {
                    *since = None;
                }
            }
            What::End(why) => {
                let idle: Vec<_> = self.counted(before).into_iter().filter(|(lock, _)| before.idle(*lock)).collect();
                self.cut = !idle.is_empty();
                if *why == EndReason::Quiet {
                    for (lock, from) in idle {
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
        // An idle stretch that begins later counts from its own beginning, and while a fault is on none counts before its end.
        for (lock, from) in self.counted(facts) {
            (lock, facts.now.since(from).min(facts.within)).hash(hasher);
        }
    }
}
