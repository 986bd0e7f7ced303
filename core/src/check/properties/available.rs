//! available: while servers are unreachable, somebody still gets the lock in time.

use std::hash::Hasher;

use crate::check::facts::Facts;
use crate::check::monitor::{Finding, Watch};
use crate::check::patience::Patience;
use crate::check::{Property, Violation};
use crate::history::{ClientEvent, Event, Header, LockEvent, What};
use crate::time::Time;
use crate::wire::LockId;

/// Broken when, while a server is down or cut off, somebody has tried to get a lock and for the header's bound nobody was inside it.
///
/// The bound runs from the first try or the start of the fault, whichever is later, and starts again whenever somebody is inside. Clients that gave up meanwhile do not make the lock available:
/// a run that goes quiet with nobody served is broken at once; one that is cut before the bound has passed is unknown. A promotion ends the fault of the old master.
/// Tested once somebody tried to get a lock while a server was unreachable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    patience: Patience,
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        Monitor { patience: Patience::new(Property::Available, header) }
    }

    fn want(&mut self, facts: &Facts, lock: LockId) {
        if facts.troubles.unreachable_since.is_some() && !facts.anyone_inside(lock) {
            self.patience.test();
            self.patience.begin(lock, facts.now);
        }
    }
}

impl Watch for Monitor {
    fn elapse(&mut self, facts: &Facts, until: Time) {
        for (lock, _) in facts.each_lock() {
            if facts.troubles.unreachable_since.is_none() || facts.anyone_inside(lock) {
                self.patience.end(lock);
            } else if facts.waiters(lock).next().is_some() {
                self.want(facts, lock);
            }
        }
        let stretches = self.patience.stretches().collect();
        self.patience.elapse(facts, stretches, until);
    }

    fn step(&mut self, before: &Facts, event: &Event) {
        match &event.what {
            What::Client { event: ClientEvent::Lock { lock, event: LockEvent::Acquiring }, .. } => {
                self.want(before, *lock);
            }
            What::Client { event: ClientEvent::Entered { lock, .. }, .. } => self.patience.end(*lock),
            What::End(why) if before.troubles.unreachable_since.is_some() => {
                let stretches = self.patience.stretches().collect();
                self.patience.conclude(before, stretches, *why);
            }
            _ => {}
        }
    }

    fn finding(&self) -> Finding {
        self.patience.finding()
    }

    fn violations(&self) -> Vec<Violation> {
        self.patience.violations()
    }

    fn remember<H: Hasher>(&self, facts: &Facts, hasher: &mut H) {
        self.patience.remember(facts, self.patience.stretches(), hasher);
    }
}
