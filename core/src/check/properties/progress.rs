//! progress: after the faults, whoever waits for a lock that nobody uses gets it in time.

use std::hash::Hasher;

use crate::check::facts::Facts;
use crate::check::monitor::{Finding, Watch};
use crate::check::patience::{Patience, Stretch};
use crate::check::{Property, Violation};
use crate::history::{ClientEvent, Event, Header, What};
use crate::time::Time;

/// Broken when, with every fault lifted, a lock is idle for the header's bound without a break.
///
/// *Idle*: nobody is inside, somebody who is neither paused nor gone tries to get it, and none of them is about to be told that he has it. The bound runs from the last change of any fault or from
/// the start of the idleness, whichever is later. A run that goes quiet with a client still waiting is broken at once: nothing will ever happen. A run that is cut before the bound has passed is unknown. Tested
/// once a client waited while no fault was on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    patience: Patience,
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        Monitor { patience: Patience::new(Property::Progress, header) }
    }

    /// The idle stretches that count: none while a fault is on, and none from before the last change of one.
    fn counted(&self, facts: &Facts) -> impl Iterator<Item = Stretch> {
        let last_change = facts.troubles.last_change.unwrap_or(Time::START);
        let counts = facts.troubles.all_lifted();
        self.patience.stretches().filter(move |_| counts).map(move |(lock, since)| (lock, since.max(last_change)))
    }
}

impl Watch for Monitor {
    fn elapse(&mut self, facts: &Facts, until: Time) {
        for (lock, _) in facts.each_lock() {
            if facts.idle(lock) {
                self.patience.begin(lock, facts.now);
            } else {
                self.patience.end(lock);
            }
            if facts.troubles.all_lifted() && facts.waiters(lock).next().is_some() {
                self.patience.test();
            }
        }
        let stretches = self.counted(facts).collect();
        self.patience.elapse(facts, stretches, until);
    }

    fn step(&mut self, before: &Facts, event: &Event) {
        match &event.what {
            What::Client { event: ClientEvent::Entered { lock, .. }, .. } => self.patience.end(*lock),
            What::End(why) => {
                let idle = self.counted(before).filter(|(lock, _)| before.idle(*lock)).collect();
                self.patience.conclude(before, idle, *why);
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
        self.patience.remember(facts, self.counted(facts), hasher);
    }
}
