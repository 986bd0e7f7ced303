//! no-oversell: not more is sold than there was.

use std::hash::{Hash, Hasher};

use crate::check::evidence::Evidence;
use crate::check::facts::Facts;
use crate::check::monitor::{Finding, Watch, finding};
use crate::check::{Property, Violation};
use crate::history::{CellId, Event, Header, Operation, Outcome, ResourceKind, What};

/// Broken when more sales of a stock were accepted than it held at the start: honest books would show it below zero.
///
/// Every accepted write or atomic step sells one, also one that overwrote another sale, so that the stored number looks fine. Tested once anybody tried to buy; no lock is needed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    /// What each cell held at the start; `None`: the resource is no stock.
    stock: Option<i64>,
    sold: Vec<(CellId, i64)>,
    evidence: Evidence,
}

impl Monitor {
    /// Before the first event.
    pub fn start(header: &Header) -> Monitor {
        let stock = (header.resource.kind == ResourceKind::Stock).then_some(header.resource.initial);
        Monitor { stock, sold: Vec::new(), evidence: Evidence::default() }
    }

    /// How much more was sold than there was, so far.
    pub fn oversold(&self) -> u32 {
        let surplus = |(_, sold): &(CellId, i64)| (sold - self.stock.unwrap_or(*sold)).max(0) as u32;
        self.sold.iter().map(surplus).sum()
    }
}

impl Watch for Monitor {
    fn step(&mut self, before: &Facts, event: &Event) {
        let (What::Effect(effect), Some(stock)) = (&event.what, self.stock) else { return };
        if !matches!(effect.operation, Operation::Write | Operation::Atomic) {
            return;
        }
        let place = match self.sold.iter().position(|(cell, _)| *cell == effect.cell) {
            Some(place) => place,
            None => {
                self.sold.push((effect.cell, 0));
                self.sold.len() - 1
            }
        };
        if matches!(effect.outcome, Outcome::Accepted(_)) {
            self.sold[place].1 += 1;
            if self.sold[place].1 > stock {
                let violation = Violation::at(Property::NoOversell, event.at, before.seen, vec![effect.client]);
                self.evidence.add(violation.of_cell(effect.cell));
            }
        }
    }

    fn finding(&self) -> Finding {
        finding(self.oversold() > 0, !self.sold.is_empty())
    }

    fn violations(&self) -> Vec<Violation> {
        self.evidence.sorted()
    }

    fn remember<H: Hasher>(&self, _: &Facts, hasher: &mut H) {
        self.sold.hash(hasher);
    }
}
