//! no-deadlock: no lock stays taken for ever, and nobody waits for himself or in a circle.

use std::hash::{Hash, Hasher};

use crate::check::evidence::Evidence;
use crate::check::facts::{Facts, Lease};
use crate::check::monitor::{Finding, Watch, finding};
use crate::check::{Property, Violation};
use crate::history::{ClientEvent, EndReason, Event, GrantEnd, GrantEvent, Header, LockEvent, What};
use crate::time::Time;
use crate::wire::{ClientId, LockId};

/// Broken when the owner of a lease without end is gone, or when clients wait for themselves or in a circle.
///
/// *Gone*: it crashed since, or it is neither inside nor on the way in. That is found when the run is over, or when an operator has to remove the lease by hand. *Wait for*: a client that tries to get
/// a lock waits for whoever is inside with a lease of it, or has one without end. A circle (of one, too) is found when the run is over, or when only the end of a lease breaks it. Tested
/// once a lock that promises exclusion was tried.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    promised: bool,
    tried: bool,
    broken: bool,
    evidence: Evidence,
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        Monitor { promised: header.promises.exclusion, tried: false, broken: false, evidence: Evidence::default() }
    }

    fn found(&mut self, violation: Violation) {
        self.broken = true;
        self.evidence.add(violation);
    }

    fn abandoned(&mut self, facts: &Facts, lock: LockId, lease: &Lease, until: Time) {
        if lease.ends.is_none() && owner_gone(facts, lock, lease) {
            let since = lease.holder_died.unwrap_or(lease.since);
            let violation = Violation::at(Property::NoDeadlock, since, facts.seen, vec![lease.holder]);
            self.found(Violation { until, ..violation.of_lock(lock).of_grant(Some(lease.grant)) });
        }
    }

    fn circles(&mut self, facts: &Facts, until: Time, broken_by: Option<ClientId>) {
        let mut told: Vec<ClientId> = Vec::new();
        for (client, _) in facts.each_client() {
            if told.contains(&client) {
                continue;
            }
            let Some(circle) = circle_from(facts, client) else { continue };
            told.extend(&circle);
            if broken_by.is_some_and(|by| !circle.contains(&by)) {
                continue;
            }
            let waits = circle.iter().filter_map(|client| facts.client(*client)?.waiting);
            let since = waits.clone().map(|waiting| waiting.since).max().unwrap_or(facts.now);
            let lock = waits.map(|waiting| waiting.lock).next().unwrap_or_default();
            let violation = Violation::at(Property::NoDeadlock, since, facts.seen, circle);
            self.found(Violation { until, ..violation.of_lock(lock) });
        }
    }
}

impl Watch for Monitor {
    fn step(&mut self, before: &Facts, event: &Event) {
        match &event.what {
            What::Client { event: ClientEvent::Lock { event: LockEvent::Acquiring, .. }, .. }
            | What::Client { event: ClientEvent::Entered { .. }, .. } => self.tried = true,
            What::Grant { lock, event: GrantEvent::Ended { grant, why: GrantEnd::Removed, by: None } } => {
                let lease = before.lock(*lock).and_then(|lock| lock.leases.iter().find(|lease| lease.grant == *grant));
                if let Some(lease) = lease {
                    self.abandoned(before, *lock, lease, event.at);
                }
            }
            What::Grant {
                lock,
                event: GrantEvent::Ended { grant, why: GrantEnd::Expired | GrantEnd::Vanished, .. },
            } => {
                let lease = before.lock(*lock).and_then(|lock| lock.leases.iter().find(|lease| lease.grant == *grant));
                let holder = lease.map(|lease| lease.holder);
                if holder.is_some() {
                    self.circles(before, event.at, holder);
                }
            }
            What::End(EndReason::Quiet | EndReason::Until) => {
                for (id, lock) in before.each_lock() {
                    for lease in &lock.leases {
                        self.abandoned(before, id, lease, Time::NEVER);
                    }
                }
                self.circles(before, Time::NEVER, None);
            }
            _ => {}
        }
    }

    fn finding(&self) -> Finding {
        finding(self.promised && self.broken, self.promised && self.tried)
    }

    fn violations(&self) -> Vec<Violation> {
        self.evidence.sorted()
    }

    fn remember<H: Hasher>(&self, _: &Facts, hasher: &mut H) {
        (self.broken, self.tried).hash(hasher);
    }
}

fn owner_gone(facts: &Facts, lock: LockId, lease: &Lease) -> bool {
    let Some(owner) = facts.client(lease.holder) else { return true };
    let coming = owner.waiting.is_some_and(|waiting| waiting.lock == lock);
    lease.holder_died.is_some() || (facts.section(lease.holder, lock).is_none() && !coming)
}

/// The clients that `client` waits for: not only until a lease that nobody uses ends by itself.
fn waits_for(facts: &Facts, client: ClientId) -> Vec<ClientId> {
    let Some(waiting) = facts.client(client).and_then(|client| client.waiting) else { return Vec::new() };
    let leases = facts.lock(waiting.lock).map_or(&[][..], |lock| &lock.leases);
    let blocks = |lease: &&Lease| {
        lease.holder_died.is_none() && (lease.ends.is_none() || facts.section(lease.holder, waiting.lock).is_some())
    };
    leases.iter().filter(blocks).map(|lease| lease.holder).collect()
}

/// The shortest circle of waiting clients that begins and ends with `client`.
fn circle_from(facts: &Facts, client: ClientId) -> Option<Vec<ClientId>> {
    let mut paths = vec![vec![client]];
    for _ in 0..facts.clients.len() {
        let mut longer = Vec::new();
        for path in &paths {
            for next in waits_for(facts, *path.last().expect("a path is never empty")) {
                if next == client {
                    return Some(path.clone());
                }
                if !longer.iter().chain(&paths).any(|path: &Vec<ClientId>| path.contains(&next)) {
                    longer.push(path.iter().copied().chain([next]).collect());
                }
            }
        }
        if longer.is_empty() {
            return None;
        }
        paths = longer;
    }
    None
}
