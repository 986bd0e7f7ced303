//! no-foreign-release: nobody releases or renews a lock that somebody else holds.

use std::hash::{Hash, Hasher};

use crate::check::evidence::Evidence;
use crate::check::facts::{Facts, Lease};
use crate::check::monitor::{Finding, Watch, finding};
use crate::check::{Property, Violation};
use crate::history::{Event, GrantEnd, GrantEvent, Header, Mode, Phase, What};
use crate::wire::{ClientId, LockId};

/// Broken when a release or renewal removed or changed another holder's grant, or an operator removed the grant of a client that was inside.
///
/// Whose command it was and what it was for decide, not what it meant: comparing a token that two clients share does not help. A command sent to acquire is none of the two (a take-over
/// is judged as overlap); a reader that moves the end that it shares with a living reader does not harm it. Tested once a release or renewal was executed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    promised: bool,
    tried: bool,
    releases: u32,
    renewals: u32,
    evidence: Evidence,
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        Monitor {
            promised: header.promises.exclusion,
            tried: false,
            releases: 0,
            renewals: 0,
            evidence: Evidence::default(),
        }
    }

    /// Grants removed by somebody else so far.
    pub fn releases(&self) -> u32 {
        self.releases
    }

    /// Grants renewed by somebody else so far.
    pub fn renewals(&self) -> u32 {
        self.renewals
    }

    fn found(&mut self, facts: &Facts, event: &Event, lock: LockId, lease: &Lease, by: Option<ClientId>) {
        let clients = by.into_iter().chain([lease.holder]).collect();
        let violation = Violation::at(Property::NoForeignRelease, event.at, facts.seen, clients);
        self.evidence.add(violation.of_lock(lock).of_grant(Some(lease.grant)));
    }
}

impl Watch for Monitor {
    fn step(&mut self, before: &Facts, event: &Event) {
        if let What::Executed { client: Some(_), phase: Phase::Release | Phase::Renew, .. } = event.what {
            self.tried = true;
        }
        let What::Grant { lock, event: change } = &event.what else { return };
        let (GrantEvent::Ended { grant, why: GrantEnd::Removed, by } | GrantEvent::Moved { grant, by, .. }) = change
        else {
            return;
        };
        let leases = before.lock(*lock).map_or(&[][..], |lock| &lock.leases);
        let Some(lease) = leases.iter().find(|lease| lease.grant == *grant) else { return };
        let removed = matches!(change, GrantEvent::Ended { .. });
        let foreign = match *by {
            None => removed && before.section(lease.holder, *lock).is_some(),
            Some(by) => by != lease.holder && meddles(before, *lock, lease, by, removed),
        };
        if foreign {
            self.tried = true;
            if removed {
                self.releases += 1;
            } else {
                self.renewals += 1;
            }
            self.found(before, event, *lock, lease, *by);
        }
    }

    fn finding(&self) -> Finding {
        finding(self.promised && self.releases + self.renewals > 0, self.promised && self.tried)
    }

    fn violations(&self) -> Vec<Violation> {
        self.evidence.sorted()
    }

    fn remember<H: Hasher>(&self, _: &Facts, hasher: &mut H) {
        (self.releases + self.renewals > 0, self.tried).hash(hasher);
    }
}

/// Whether what `by` did to another's lease was a release or a renewal that it had no right to.
fn meddles(facts: &Facts, lock: LockId, lease: &Lease, by: ClientId, removed: bool) -> bool {
    let phase = facts.client(by).and_then(|client| client.phase);
    if phase == Some(Phase::Acquire) {
        return false;
    }
    let both_read = lease.mode == Mode::Shared
        && lease.holder_died.is_none()
        && facts.own_lease(by, lock).is_some_and(|own| own.mode == Mode::Shared);
    removed || !both_read
}
