//! no-stale-write: the resource accepts no effect of an old grant after a request of a newer one.

use std::hash::{Hash, Hasher};

use crate::check::evidence::Evidence;
use crate::check::facts::Facts;
use crate::check::monitor::{Finding, Watch, finding};
use crate::check::{Property, Violation};
use crate::history::{CellId, Effect, Event, GrantId, Header, Operation, Outcome, What};
use crate::wire::{ClientId, LockId};

/// Broken when the resource accepts a change (a write, an atomic step, a call) of a grant after it has accepted any request, a read too, of a newer grant of
/// the same lock on the same cell.
///
/// An effect belongs to the latest grant of its client's hold; a hold that was never granted anything counts as older than every grant. Tested once requests of two different
/// grants have reached the same cell, one of them a change, refused ones included.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    promised: bool,
    cells: Vec<Seen>,
    rivals: bool,
    stale: u32,
    evidence: Evidence,
}

/// What one cell has seen of one lock's grants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Seen {
    cell: CellId,
    lock: LockId,
    /// The newest accepted, and whose.
    newest: Option<(GrantId, ClientId)>,
    first: GrantId,
    several: bool,
    changed: bool,
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        Monitor {
            promised: header.promises.exclusion,
            cells: Vec::new(),
            rivals: false,
            stale: 0,
            evidence: Evidence::default(),
        }
    }

    /// Stale changes accepted so far.
    pub fn stale(&self) -> u32 {
        self.stale
    }

    fn effect(&mut self, facts: &Facts, event: &Event, effect: &Effect) {
        let Some((lock, grant)) = facts.hold(effect.client, effect.hold) else { return };
        let grant = grant.unwrap_or_default();
        let change = effect.operation != Operation::Read;
        let seen = self.seen(effect.cell, lock, grant);
        seen.several |= seen.first != grant;
        seen.changed |= change;
        let tested = seen.several && seen.changed;
        let newest = seen.newest;
        if matches!(effect.outcome, Outcome::Accepted(_)) {
            match newest {
                Some((newest, whose)) if newest > grant => {
                    if change {
                        self.stale += 1;
                        let clients = vec![effect.client, whose];
                        let violation = Violation::at(Property::NoStaleWrite, event.at, facts.seen, clients);
                        self.evidence.add(violation.of_lock(lock).of_grant(Some(newest)).of_cell(effect.cell));
                    }
                }
                _ => seen.newest = Some((grant, effect.client)),
            }
        }
        self.rivals |= tested;
    }

    fn seen(&mut self, cell: CellId, lock: LockId, grant: GrantId) -> &mut Seen {
        let place = match self.cells.iter().position(|seen| seen.cell == cell && seen.lock == lock) {
            Some(place) => place,
            None => {
                self.cells.push(Seen { cell, lock, newest: None, first: grant, several: false, changed: false });
                self.cells.len() - 1
            }
        };
        &mut self.cells[place]
    }
}

impl Watch for Monitor {
    fn step(&mut self, before: &Facts, event: &Event) {
        if let What::Effect(effect) = &event.what {
            self.effect(before, event, effect);
        }
    }

    fn finding(&self) -> Finding {
        finding(self.promised && self.stale > 0, self.promised && self.rivals)
    }

    fn violations(&self) -> Vec<Violation> {
        self.evidence.sorted()
    }

    fn remember<H: Hasher>(&self, facts: &Facts, hasher: &mut H) {
        (self.stale > 0, self.rivals).hash(hasher);
        for seen in &self.cells {
            let newest = seen.newest.map(|(grant, _)| facts.age(seen.lock, grant));
            (seen.cell, seen.lock, newest, facts.age(seen.lock, seen.first), seen.several, seen.changed).hash(hasher);
        }
    }
}
