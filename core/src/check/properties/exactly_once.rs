//! exactly-once: a job takes effect once, not twice, not never.

use std::hash::{Hash, Hasher};

use crate::check::evidence::Evidence;
use crate::check::facts::Facts;
use crate::check::monitor::{Finding, Watch, finding};
use crate::check::{Property, Violation};
use crate::history::{CellId, ClientEvent, EndReason, Event, Header, Operation, Outcome, ResourceKind, What};

/// Broken when a job's effect was accepted twice, or when the run is over and it was never accepted.
///
/// The effect is the job's write or atomic step; a job that only calls a third party has its calls as effect. Each cell is a job of its own; *never* concerns the cells that somebody asked for, and
/// the first cell if a client started and nobody asked for any. Tested once a client started; no lock is needed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    job: bool,
    started: bool,
    cells: Vec<Runs>,
    missed: u32,
    evidence: Evidence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Runs {
    cell: CellId,
    writes: u32,
    calls: u32,
}

impl Runs {
    fn count(self) -> u32 {
        self.writes.max(self.calls)
    }
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        Monitor {
            job: header.resource.kind == ResourceKind::Job,
            started: false,
            cells: Vec::new(),
            missed: 0,
            evidence: Evidence::default(),
        }
    }

    /// How often jobs took effect so far.
    pub fn runs(&self) -> u32 {
        self.cells.iter().map(|runs| runs.count()).sum()
    }

    /// How many jobs never took effect; known when the run is over.
    pub fn missed(&self) -> u32 {
        self.missed
    }

    fn cell(&mut self, cell: CellId) -> usize {
        self.cells.iter().position(|runs| runs.cell == cell).unwrap_or_else(|| {
            self.cells.push(Runs { cell, writes: 0, calls: 0 });
            self.cells.len() - 1
        })
    }
}

impl Watch for Monitor {
    fn step(&mut self, before: &Facts, event: &Event) {
        match &event.what {
            _ if !self.job => {}
            What::Client { event: ClientEvent::Started { .. }, .. } => self.started = true,
            What::Client { event: ClientEvent::Asked { cell, .. }, .. } => {
                self.cell(*cell);
            }
            What::Effect(effect) if effect.operation != Operation::Read => {
                self.started = true;
                let place = self.cell(effect.cell);
                if !matches!(effect.outcome, Outcome::Accepted(_)) {
                    return;
                }
                let runs = self.cells[place].count();
                match effect.operation {
                    Operation::Call => self.cells[place].calls += 1,
                    _ => self.cells[place].writes += 1,
                }
                if self.cells[place].count() > runs.max(1) {
                    let violation = Violation::at(Property::ExactlyOnce, event.at, before.seen, vec![effect.client]);
                    self.evidence.add(violation.of_cell(effect.cell));
                }
            }
            What::End(EndReason::Quiet | EndReason::Until) if self.started => {
                if self.cells.is_empty() {
                    self.cell(CellId(0));
                }
                for runs in self.cells.iter().filter(|runs| runs.count() == 0) {
                    self.missed += 1;
                    let violation = Violation::at(Property::ExactlyOnce, event.at, before.seen, Vec::new());
                    self.evidence.add(violation.of_cell(runs.cell));
                }
            }
            _ => {}
        }
    }

    fn finding(&self) -> Finding {
        let twice = self.cells.iter().any(|runs| runs.count() > 1);
        finding(twice || self.missed > 0, self.started)
    }

    fn violations(&self) -> Vec<Violation> {
        self.evidence.sorted()
    }

    fn remember<H: Hasher>(&self, _: &Facts, hasher: &mut H) {
        (self.started, self.missed > 0).hash(hasher);
        for runs in &self.cells {
            (runs.cell, runs.writes.min(2), runs.calls.min(2)).hash(hasher);
        }
    }
}
