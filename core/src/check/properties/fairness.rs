//! fairness: a waiter is not overtaken more often than the lock promises.

use std::hash::{Hash, Hasher};

use crate::check::evidence::Evidence;
use crate::check::facts::Facts;
use crate::check::monitor::{Finding, Watch, finding};
use crate::check::{Property, Violation};
use crate::history::{ClientEvent, Event, Header, LockEvent, What};

/// Broken when, during one wait, a client sees more others get the lock who began to wait later than it did, than the lock promises at most.
///
/// Only locks that promise a bound are judged. Waiting begins when a client starts to acquire. Tested once somebody got the lock while another waited for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    /// The promised bound; `None`: nothing is promised.
    bound: Option<u32>,
    /// How often each client has been overtaken in its present wait.
    overtaken: Vec<u32>,
    worst: u32,
    tested: bool,
    evidence: Evidence,
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        Monitor {
            bound: header.promises.overtaking,
            overtaken: vec![0; header.clients.len()],
            worst: 0,
            tested: false,
            evidence: Evidence::default(),
        }
    }

    /// The most often that one client was overtaken in one wait.
    pub fn worst(&self) -> u32 {
        self.worst
    }
}

impl Watch for Monitor {
    fn step(&mut self, before: &Facts, event: &Event) {
        let What::Client { client, event: ClientEvent::Lock { lock, event: told } } = &event.what else { return };
        match told {
            LockEvent::Acquiring => {
                if let Some(overtaken) = self.overtaken.get_mut(usize::from(client.0)) {
                    *overtaken = 0;
                }
            }
            LockEvent::Acquired { .. } => {
                let Some(mine) = before.client(*client).and_then(|client| client.waiting) else { return };
                for (other, waiting) in before.waiters(*lock).filter(|(other, _)| other != client) {
                    self.tested = true;
                    if waiting.since < mine.since {
                        let overtaken = &mut self.overtaken[usize::from(other.0)];
                        *overtaken += 1;
                        self.worst = self.worst.max(*overtaken);
                        if self.bound.is_some_and(|bound| *overtaken > bound) {
                            let clients = vec![*client, other];
                            let violation = Violation::at(Property::Fairness, event.at, before.seen, clients);
                            self.evidence.add(violation.of_lock(*lock));
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn finding(&self) -> Finding {
        let broken = self.bound.is_some_and(|bound| self.worst > bound);
        finding(broken, self.bound.is_some() && self.tested)
    }

    fn violations(&self) -> Vec<Violation> {
        self.evidence.sorted()
    }

    fn remember<H: Hasher>(&self, _: &Facts, hasher: &mut H) {
        self.overtaken.hash(hasher);
        (self.worst, self.tested).hash(hasher);
    }
}
