//! no-false-success: whoever is told "acquired" or "extended" has a lease at that instant.

use std::hash::{Hash, Hasher};

use crate::check::evidence::Evidence;
use crate::check::facts::Facts;
use crate::check::monitor::{Finding, Watch, finding};
use crate::check::{Property, Violation};
use crate::history::{ClientEvent, Event, Header, LockEvent, What};

/// Broken when a caller is told that it acquired, re-entered or extended the lock while its client has no lease of it.
///
/// A lease of which this instant is the first without it counts as none. That the news came late (the client stood still between the answer and its caller) is no excuse: the caller acts on it now. Tested
/// once anybody was told so by a lock that promises exclusion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    promised: bool,
    told: bool,
    count: u32,
    evidence: Evidence,
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        Monitor { promised: header.promises.exclusion, told: false, count: 0, evidence: Evidence::default() }
    }

    /// False successes so far.
    pub fn count(&self) -> u32 {
        self.count
    }
}

impl Watch for Monitor {
    fn step(&mut self, before: &Facts, event: &Event) {
        let What::Client { client, event: ClientEvent::Lock { lock, event: told } } = &event.what else { return };
        if !matches!(told, LockEvent::Acquired { .. } | LockEvent::Reentered { .. } | LockEvent::Extended { .. }) {
            return;
        }
        self.told = true;
        if before.own_lease(*client, *lock).is_none() {
            self.count += 1;
            let violation = Violation::at(Property::NoFalseSuccess, event.at, before.seen, vec![*client]);
            let latest = before.lock(*lock).and_then(|lock| *lock.latest.get(usize::from(client.0))?);
            self.evidence.add(violation.of_lock(*lock).of_grant(latest));
        }
    }

    fn finding(&self) -> Finding {
        finding(self.promised && self.count > 0, self.promised && self.told)
    }

    fn violations(&self) -> Vec<Violation> {
        self.evidence.sorted()
    }

    fn remember<H: Hasher>(&self, _: &Facts, hasher: &mut H) {
        (self.count > 0, self.told).hash(hasher);
    }
}
