//! continuity: within one hold a lease does not end and later begin again.

use std::hash::{Hash, Hasher};

use crate::check::evidence::Evidence;
use crate::check::facts::Facts;
use crate::check::monitor::{Finding, Watch, finding};
use crate::check::{Property, Violation};
use crate::history::{ClientEvent, Event, GrantEvent, GrantId, Header, What};
use crate::time::Time;
use crate::wire::{ClientId, LockId};

/// Broken when, within one hold, a client's lease ended and later began again, after an instant in which the lock was free or another's.
///
/// The holder then looks as if it had held the lock all the time, although somebody else may have worked in the gap. A lease that only ends is no-overrun's business; one that is replaced at
/// the same instant, with nobody in between, goes on. Tested once a lease ended within a hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    promised: bool,
    lapses: Vec<Lapse>,
    tested: bool,
    resurrections: u32,
    evidence: Evidence,
}

/// A lease that ended while its client stayed inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Lapse {
    client: ClientId,
    lock: LockId,
    grant: GrantId,
    at: Time,
    another: bool,
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        Monitor {
            promised: header.promises.exclusion,
            lapses: Vec::new(),
            tested: false,
            resurrections: 0,
            evidence: Evidence::default(),
        }
    }

    /// Leases that began again so far.
    pub fn resurrections(&self) -> u32 {
        self.resurrections
    }

    fn lapse(&mut self, facts: &Facts, at: Time, lock: LockId, grant: GrantId) {
        let ended = facts.lock(lock).and_then(|lock| lock.leases.iter().find(|lease| lease.grant == grant));
        let Some(client) = ended.map(|lease| lease.holder) else { return };
        if facts.section(client, lock).is_some() {
            self.tested = true;
            self.lapses.push(Lapse { client, lock, grant, at, another: false });
        }
    }

    fn granted(&mut self, facts: &Facts, at: Time, lock: LockId, holder: ClientId) {
        let again = self.lapses.iter().position(|lapse| lapse.client == holder && lapse.lock == lock);
        let again = again.map(|place| self.lapses.remove(place));
        if let Some(lapse) = again.filter(|lapse| lapse.another || at > lapse.at) {
            self.resurrections += 1;
            let violation = Violation::at(Property::Continuity, lapse.at, facts.seen, vec![holder]);
            self.evidence.add(Violation { until: at, ..violation.of_lock(lock).of_grant(Some(lapse.grant)) });
        }
        for lapse in self.lapses.iter_mut().filter(|lapse| lapse.lock == lock) {
            lapse.another = true;
        }
    }
}

impl Watch for Monitor {
    fn step(&mut self, before: &Facts, event: &Event) {
        match &event.what {
            What::Grant { lock, event: GrantEvent::Ended { grant, .. } } => self.lapse(before, event.at, *lock, *grant),
            What::Grant { lock, event: GrantEvent::Granted { holder, .. } } => {
                self.granted(before, event.at, *lock, *holder);
            }
            What::Client { client, event: ClientEvent::Left { lock, .. } } => {
                self.lapses.retain(|lapse| lapse.client != *client || lapse.lock != *lock);
            }
            What::Client { client, event: ClientEvent::Finished { .. } } => {
                self.lapses.retain(|lapse| lapse.client != *client);
            }
            _ => {}
        }
    }

    fn finding(&self) -> Finding {
        finding(self.promised && self.resurrections > 0, self.promised && self.tested)
    }

    fn violations(&self) -> Vec<Violation> {
        self.evidence.sorted()
    }

    fn remember<H: Hasher>(&self, facts: &Facts, hasher: &mut H) {
        (self.resurrections > 0, self.tested).hash(hasher);
        for lapse in &self.lapses {
            (lapse.client, lapse.lock, lapse.another || facts.now > lapse.at).hash(hasher);
        }
    }
}
