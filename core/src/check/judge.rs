//! The judge: runs the folds of some properties, event by event.

use std::hash::Hasher;

use super::facts::Facts;
use super::monitor::{Finding, Monitor, Watch};
use super::{Property, Verdict, Violation};
use crate::history::{EndReason, Event, Header};
use crate::time::Time;

/// The state of judging a run that may not be over.
///
/// A search keeps one with every state of the world: [`Judge::remember`] gives what has to be compared, [`Judge::broken`] what has been found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judge {
    facts: Facts,
    monitors: Vec<(Property, Monitor)>,
}

impl Judge {
    /// A judge of these properties, before the first event.
    pub fn start(header: &Header, properties: impl IntoIterator<Item = Property>) -> Judge {
        let monitors = properties.into_iter().map(|property| (property, Monitor::start(property, header)));
        Judge { facts: Facts::start(header), monitors: monitors.collect() }
    }

    /// Takes in the next event. An event must not be earlier than the one before it; if it is, it counts as simultaneous.
    pub fn step(&mut self, event: &Event) {
        self.advance(event.at);
        for (_, monitor) in &mut self.monitors {
            monitor.step(&self.facts, event);
        }
        self.facts.step(event);
    }

    /// Lets time pass without an event.
    pub fn advance(&mut self, to: Time) {
        if to > self.facts.now {
            for (_, monitor) in &mut self.monitors {
                monitor.elapse(&self.facts, to);
            }
            self.facts.now = to;
        }
    }

    /// The verdict on one of the judge's properties; `Unknown` for another, and for one that is unbroken while the run goes on.
    pub fn verdict(&self, property: Property) -> Verdict {
        let found = self.monitors.iter().find(|(of, _)| *of == property);
        found.map_or(Verdict::Unknown, |(_, monitor)| self.judged(monitor))
    }

    /// Every verdict, in the order of the properties that the judge was started with.
    pub fn verdicts(&self) -> Vec<(Property, Verdict)> {
        self.monitors.iter().map(|(property, monitor)| (*property, self.judged(monitor))).collect()
    }

    /// The properties that are broken by what has happened so far.
    ///
    /// A lost update can come back while the run goes on (a client writes on top of the value that had it); every other one stays broken.
    pub fn broken(&self) -> impl Iterator<Item = Property> + '_ {
        let broken =
            |(property, monitor): &(Property, Monitor)| (monitor.finding() == Finding::Broken).then_some(*property);
        self.monitors.iter().filter_map(broken)
    }

    /// Whether a property has been put to the test, and whether it is broken, by what has happened so far.
    pub fn found(&self, property: Property) -> (bool, bool) {
        let of = self.monitors.iter().find(|(of, _)| *of == property);
        let finding = of.map_or(Finding::Untested, |(_, monitor)| monitor.finding());
        (finding != Finding::Untested, finding == Finding::Broken)
    }

    /// No longer judges a property: a search that has its answer need not tell worlds apart by it.
    pub fn forget(&mut self, property: Property) {
        self.monitors.retain(|(of, _)| *of != property);
    }

    /// The violations of one property so far.
    pub fn violations(&self, property: Property) -> Vec<Violation> {
        let found = self.monitors.iter().find(|(of, _)| *of == property);
        found.map_or(Vec::new(), |(_, monitor)| monitor.violations())
    }

    /// Feeds everything on which a later verdict can depend into a hasher, in times relative to now; evidence is left out.
    pub fn remember<H: Hasher>(&self, hasher: &mut H) {
        self.facts.remember(self.facts.now, hasher);
        for (_, monitor) in &self.monitors {
            monitor.remember(&self.facts, hasher);
        }
    }

    /// Whether the history said that the run is over, and why.
    pub fn ended(&self) -> Option<EndReason> {
        self.facts.ended
    }

    pub(super) fn facts(&self) -> &Facts {
        &self.facts
    }

    pub(super) fn monitors(&self) -> impl Iterator<Item = &Monitor> {
        self.monitors.iter().map(|(_, monitor)| monitor)
    }

    fn judged(&self, monitor: &Monitor) -> Verdict {
        match (monitor.finding(), self.facts.ended) {
            (Finding::Broken, _) => Verdict::Broken { evidence: monitor.violations() },
            (Finding::Untested, Some(EndReason::Quiet | EndReason::Until)) => Verdict::NotApplicable,
            (Finding::Kept, Some(EndReason::Quiet | EndReason::Until)) => Verdict::Holds,
            (Finding::Untested | Finding::Kept | Finding::Open, _) => Verdict::Unknown,
        }
    }
}
