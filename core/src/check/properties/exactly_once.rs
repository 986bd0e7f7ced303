//! exactly-once: a job takes effect once, not twice, not never.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use crate::check::evidence::Evidence;
use crate::check::facts::Facts;
use crate::check::monitor::{Finding, Watch, finding};
use crate::check::{Property, Violation};
use crate::history::{CellId, ClientEvent, Effect, EndReason, Event, Header, Operation, Outcome, ResourceKind, What};

/// Broken when a job's effect was accepted twice, or when the run is over and it was never accepted.
///
/// The effect is the job's write or atomic step; a job that only calls a third party has its calls as effect. Each cell is a job of its own, and so is each
/// of its scheduled runs: the first runs of all clients that work on a cell are one, their second runs the next. *Never* concerns the runs that somebody
/// began. Tested once a client started; no lock is needed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    job: bool,
    /// Each client's cell, and which of its runs it is in; 0 before the first.
    clients: Vec<(CellId, u32)>,
    jobs: BTreeMap<(CellId, u32), Effects>,
    missed: u32,
    evidence: Evidence,
}

/// How often one run of a job took effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Effects {
    writes: u32,
    calls: u32,
}

impl Effects {
    fn count(self) -> u32 {
        self.writes.max(self.calls)
    }
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        Monitor {
            job: header.resource.kind == ResourceKind::Job,
            clients: header.clients.iter().map(|client| (client.cell.unwrap_or_default(), 0)).collect(),
            jobs: BTreeMap::new(),
            missed: 0,
            evidence: Evidence::default(),
        }
    }

    /// How often jobs took effect so far.
    pub fn runs(&self) -> u32 {
        self.jobs.values().map(|effects| effects.count()).sum()
    }

    /// How many runs that somebody began never took effect; known when all is over.
    pub fn missed(&self) -> u32 {
        self.missed
    }

    fn effect(&mut self, before: &Facts, event: &Event, effect: &Effect) {
        let run = self.clients.get(usize::from(effect.client.0)).map_or(0, |client| client.1);
        let effects = self.jobs.entry((effect.cell, run.max(1))).or_default();
        if !matches!(effect.outcome, Outcome::Accepted(_)) {
            return;
        }
        let count = effects.count();
        match effect.operation {
            Operation::Call => effects.calls += 1,
            _ => effects.writes += 1,
        }
        if effects.count() > count.max(1) {
            let violation = Violation::at(Property::ExactlyOnce, event.at, before.seen, vec![effect.client]);
            self.evidence.add(violation.of_cell(effect.cell));
        }
    }
}

impl Watch for Monitor {
    fn step(&mut self, before: &Facts, event: &Event) {
        match &event.what {
            _ if !self.job => {}
            What::Client { client, event: ClientEvent::Started { run } } => {
                let Some(client) = self.clients.get_mut(usize::from(client.0)) else { return };
                client.1 = *run;
                self.jobs.entry((client.0, *run)).or_default();
            }
            What::Effect(effect) if effect.operation != Operation::Read => self.effect(before, event, effect),
            What::End(EndReason::Quiet | EndReason::Until) => {
                for ((cell, _), _) in self.jobs.iter().filter(|(_, effects)| effects.count() == 0) {
                    self.missed += 1;
                    let violation = Violation::at(Property::ExactlyOnce, event.at, before.seen, Vec::new());
                    self.evidence.add(violation.of_cell(*cell));
                }
            }
            _ => {}
        }
    }

    fn finding(&self) -> Finding {
        let twice = self.jobs.values().any(|effects| effects.count() > 1);
        finding(twice || self.missed > 0, !self.jobs.is_empty())
    }

    fn violations(&self) -> Vec<Violation> {
        self.evidence.sorted()
    }

    fn remember<H: Hasher>(&self, _: &Facts, hasher: &mut H) {
        (self.missed > 0).hash(hasher);
        for (_, run) in &self.clients {
            run.hash(hasher);
        }
        for (job, effects) in &self.jobs {
            (job, effects.writes.min(2), effects.calls.min(2)).hash(hasher);
        }
    }
}
