//! fencing-monotonic: every later grant carries a greater token.

use std::hash::{Hash, Hasher};

use crate::check::evidence::Evidence;
use crate::check::facts::Facts;
use crate::check::monitor::{Finding, Watch, finding};
use crate::check::{Property, Violation};
use crate::history::{ClientEvent, Event, GrantId, Guard, Header, LockEvent, Token, What};
use crate::wire::{ClientId, LockId};

/// Broken when a later grant of a lock carries a token that is not greater than that of an earlier grant.
///
/// Later and earlier are those of the grants, not of the news about them. A token without an order, such as a UUID, is never greater. Each client's latest token is compared. Tested once two
/// grants have shown a token, and the lock promises growing ones or the resource relies on them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    relied_on: bool,
    shown: Vec<Shown>,
    tested: bool,
    broken: bool,
    evidence: Evidence,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Shown {
    lock: LockId,
    client: ClientId,
    grant: GrantId,
    token: Token,
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        let relied_on = header.promises.fencing || header.resource.guard == Guard::Fencing;
        Monitor { relied_on, shown: Vec::new(), tested: false, broken: false, evidence: Evidence::default() }
    }
}

impl Watch for Monitor {
    fn step(&mut self, before: &Facts, event: &Event) {
        let What::Client { client, event: ClientEvent::Lock { lock, event: LockEvent::Acquired { token, .. } } } =
            &event.what
        else {
            return;
        };
        let Some(token) = token.clone().filter(|_| self.relied_on) else { return };
        let latest = || before.lock(*lock).and_then(|lock| *lock.latest.get(usize::from(client.0))?);
        let Some(grant) = before.own_lease(*client, *lock).map(|lease| lease.grant).or_else(latest) else { return };
        let new = Shown { lock: *lock, client: *client, grant, token };
        for old in self.shown.iter().filter(|old| old.lock == new.lock && old.grant != new.grant) {
            self.tested = true;
            let (earlier, later) = if old.grant < new.grant { (old, &new) } else { (&new, old) };
            if !grows(&earlier.token, &later.token) {
                self.broken = true;
                let clients = vec![later.client, earlier.client];
                let violation = Violation::at(Property::FencingMonotonic, event.at, before.seen, clients);
                self.evidence.add(violation.of_lock(*lock).of_grant(Some(later.grant)));
            }
        }
        self.shown.retain(|old| old.lock != new.lock || old.client != new.client);
        self.shown.push(new);
    }

    fn finding(&self) -> Finding {
        finding(self.broken, self.tested)
    }

    fn violations(&self) -> Vec<Violation> {
        self.evidence.sorted()
    }

    fn remember<H: Hasher>(&self, facts: &Facts, hasher: &mut H) {
        (self.broken, self.tested).hash(hasher);
        for shown in &self.shown {
            (shown.lock, shown.client, facts.age(shown.lock, shown.grant), &shown.token).hash(hasher);
        }
    }
}

fn grows(earlier: &Token, later: &Token) -> bool {
    match (earlier, later) {
        (Token::Number(earlier), Token::Number(later)) => later > earlier,
        (Token::Opaque(_), _) | (_, Token::Opaque(_)) => false,
    }
}
