//! no-overrun: a client is inside its section only during its own leases.

use std::hash::{Hash, Hasher};

use crate::check::evidence::Evidence;
use crate::check::facts::Facts;
use crate::check::monitor::{Finding, Watch, finding};
use crate::check::{Property, Violation};
use crate::history::{ClientEvent, Event, Header, What};
use crate::time::{Span, Time};

/// Broken when a client is inside a section for more than no time without a lease of its own of that lock, noticed or not.
///
/// A lease counts until its end by the records of the service that decides: expiry, release, deletion, loss in a failover. What the client was promised does not count.
/// Tested once a lock that promises exclusion was entered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    promised: bool,
    entered: bool,
    overrun: Span,
    evidence: Evidence,
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        Monitor {
            promised: header.promises.exclusion,
            entered: false,
            overrun: Span::ZERO,
            evidence: Evidence::default(),
        }
    }

    /// The overrun so far: the sum over all clients and locks.
    pub fn overrun(&self) -> Span {
        self.overrun
    }
}

impl Watch for Monitor {
    fn elapse(&mut self, facts: &Facts, until: Time) {
        for (client, inside) in facts.each_client().flat_map(|(id, client)| client.inside.iter().map(move |i| (id, i)))
        {
            let from = match facts.own_lease(client, inside.lock) {
                Some(lease) => lease.ends.unwrap_or(Time::NEVER),
                None => facts.now,
            };
            if from < until {
                self.overrun += until.since(from);
                self.evidence.extend(Violation {
                    until,
                    ..Violation::at(Property::NoOverrun, from, facts.seen - 1, vec![client])
                        .of_lock(inside.lock)
                        .of_grant(inside.grant)
                });
            }
        }
    }

    fn step(&mut self, _: &Facts, event: &Event) {
        self.entered |= matches!(event.what, What::Client { event: ClientEvent::Entered { .. }, .. });
    }

    fn finding(&self) -> Finding {
        finding(self.promised && self.overrun > Span::ZERO, self.promised && self.entered)
    }

    fn violations(&self) -> Vec<Violation> {
        self.evidence.sorted()
    }

    fn remember<H: Hasher>(&self, _: &Facts, hasher: &mut H) {
        (self.overrun > Span::ZERO, self.entered).hash(hasher);
    }
}
