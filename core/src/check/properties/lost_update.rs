//! no-lost-update: every accepted update is still part of the final value.

use std::hash::{Hash, Hasher};

use crate::check::facts::Facts;
use crate::check::monitor::{Finding, Watch, finding};
use crate::check::{Property, Violation};
use crate::history::{CellId, Event, Header, Operation, Outcome, What};
use crate::time::Time;
use crate::wire::ClientId;

/// Broken when an accepted update is not part of the cell's final value, so that the value fits no serial order of the accepted updates.
///
/// A write stores what was computed from the version that its client had read, so the updates inside it are those of that base and its own; an atomic step is computed from the version
/// just before it. Lost are the accepted updates less those inside the current version. An update that was lost can come back, when somebody who had read it writes later. Calls
/// to third parties have no value and do not count. Tested once two updates have reached the same cell, refused ones included; no lock is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    cells: Vec<Cell>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Cell {
    cell: CellId,
    asked: u32,
    /// The accepted updates; the first makes version 1.
    updates: Vec<Update>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Update {
    base: u32,
    client: ClientId,
    at: Time,
    event: usize,
}

impl Monitor {
    /// Before the first event.
    pub fn start(_: &Header) -> Monitor {
        Monitor { cells: Vec::new() }
    }

    /// Updates that are lost as things stand.
    pub fn lost(&self) -> u32 {
        self.cells.iter().map(Cell::lost).sum()
    }

    fn cell(&mut self, cell: CellId) -> &mut Cell {
        let place = match self.cells.iter().position(|known| known.cell == cell) {
            Some(place) => place,
            None => {
                self.cells.push(Cell { cell, asked: 0, updates: Vec::new() });
                self.cells.len() - 1
            }
        };
        &mut self.cells[place]
    }
}

impl Cell {
    fn version(&self) -> u32 {
        self.updates.len() as u32
    }

    /// The versions whose updates are inside `version`, newest first, itself included.
    fn inside(&self, version: u32) -> impl Iterator<Item = u32> + '_ {
        // A base is always older than its update, so the walk ends.
        std::iter::successors(Some(version), |version| {
            Some(self.updates.get((*version as usize).checked_sub(1)?)?.base)
        })
        .take_while(|version| *version > 0)
    }

    fn lost(&self) -> u32 {
        self.version() - self.inside(self.version()).count() as u32
    }

    /// For each lost update, the update that first left it out.
    fn violations(&self) -> impl Iterator<Item = Violation> + '_ {
        let kept: Vec<u32> = self.inside(self.version()).collect();
        let lost = (1..=self.version()).filter(move |version| !kept.contains(version));
        lost.filter_map(|version| {
            let culprit = (version + 1..=self.version()).find(|later| !self.inside(*later).any(|v| v == version))?;
            let (culprit, victim) = (self.updates[culprit as usize - 1], self.updates[version as usize - 1]);
            let clients = vec![culprit.client, victim.client];
            Some(Violation::at(Property::NoLostUpdate, culprit.at, culprit.event, clients).of_cell(self.cell))
        })
    }
}

impl Watch for Monitor {
    fn step(&mut self, before: &Facts, event: &Event) {
        let What::Effect(effect) = &event.what else { return };
        if !matches!(effect.operation, Operation::Write | Operation::Atomic) {
            return;
        }
        let cell = self.cell(effect.cell);
        cell.asked = (cell.asked + 1).min(2);
        if let Outcome::Accepted(effected) = &effect.outcome {
            let base = effected.base.min(cell.version());
            cell.updates.push(Update { base, client: effect.client, at: event.at, event: before.seen });
        }
    }

    fn finding(&self) -> Finding {
        finding(self.lost() > 0, self.cells.iter().any(|cell| cell.asked > 1))
    }

    fn violations(&self) -> Vec<Violation> {
        let mut violations: Vec<Violation> = self.cells.iter().flat_map(Cell::violations).collect();
        violations.sort_by_key(|violation| (violation.from, violation.event));
        violations
    }

    fn remember<H: Hasher>(&self, _: &Facts, hasher: &mut H) {
        for cell in &self.cells {
            (cell.cell, cell.asked, cell.lost()).hash(hasher);
            for (version, update) in (1..).zip(&cell.updates) {
                (version - update.base).hash(hasher);
            }
        }
    }
}
