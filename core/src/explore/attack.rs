//! The run that a search has found, as a scenario's faults and choices: whoever plays them again needs no search.

use std::sync::Arc;

use super::Cost;
use crate::check::{Judge, Property};
use crate::choices::{Choices, Taken};
use crate::history::{EndReason, Event, History};
use crate::scenario::{Fault, FaultKind, Moment, Scenario, Trigger, written_faults};
use crate::sim::{Model, Placed, Plan, Recorder, World, moment};
use crate::time::{Span, Time};

/// A run that breaks a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attack {
    /// What it breaks.
    pub property: Property,
    /// How simple it is; its length is the instant at which the violation shows.
    pub cost: Cost,
    /// The faults, in the order in which they strike.
    pub faults: Vec<Fault>,
    /// The choices that are not the default, as a run of the scenario with these faults makes them.
    pub taken: Vec<Taken>,
    /// Where the run is cut; `None`: it ends by itself.
    pub until: Option<Time>,
}

/// A run that has not ended by then would not end.
const BOUND: u64 = 50_000;

/// As long as a fault can last in a scenario.
const EVER: Span = Span::from_secs(365 * 24 * 3_600);

impl Attack {
    /// The attack of these placed faults and choices; `None` where an ordinary run of them does not break the property.
    pub(super) fn new(
        plan: &Plan,
        property: Property,
        cost: Cost,
        placed: &[Placed],
        taken: &[Taken],
    ) -> Option<Attack> {
        // Those of the scenario, where a search plays them.
        let mut faults = plan.faults.clone();
        for fault in placed {
            let at = match fault.by_clock {
                true => Moment { trigger: Trigger::Start, occurrence: 1, plus: fault.at.since(Time::START) },
                false => {
                    let (history, _) = play(plan, &faults, taken, Some(fault.at));
                    let (trigger, occurrence) = moment(history.events.get(..fault.seen as usize)?)?;
                    Moment { trigger, occurrence, plus: Span::ZERO }
                }
            };
            faults.push(Fault { kind: with_length(fault), at });
        }
        let length = cost.length();
        let whole = Time((length.0 / 1_000_000 + 2) * 1_000_000);
        let cuts = [None, Some(whole), Some(length)];
        let until = cuts.into_iter().find(|until| {
            let (history, end) = play(plan, &faults, taken, *until);
            (until.is_some() || end == EndReason::Quiet) && breaks(&history, property)
        })?;
        Some(Attack { property, cost, faults, taken: taken.to_vec(), until })
    }

    /// What makes its scenario that run, key and value, as `--set` takes them: first the faults, then the end, where the run is cut or the scenario's
    /// own end would come before the violation.
    pub fn settings(&self, plan: &Plan, scenario: &Scenario) -> Vec<(String, String)> {
        let nodes: Vec<String> = plan.header.nodes.iter().map(|node| node.name.clone()).collect();
        let last = || self.play(plan).events.last().map(|event| event.at + Span::from_secs(1));
        let until = self.until.or_else(|| scenario.until.and_then(|_| last()));
        let faults = ("fault".to_owned(), written_faults(&self.faults, scenario, &nodes));
        let until = until.map(|until| ("until".to_owned(), until.since(Time::START).to_string()));
        [faults].into_iter().chain(until).collect()
    }

    /// Plays the run again with models.
    pub fn play(&self, plan: &Plan) -> History {
        play(plan, &self.faults, &self.taken, self.until).0
    }
}

fn play(plan: &Plan, faults: &[Fault], taken: &[Taken], until: Option<Time>) -> (History, EndReason) {
    let plan = Arc::new(Plan { faults: faults.to_vec(), until, order_is_chosen: true, ..plan.clone() });
    let header = plan.header.clone();
    let parts = Model::new(plan.clone());
    let Ok(mut world) = World::new(plan, parts, Recorder::default(), Choices::replayed(taken.to_vec()));
    let Ok(end) = world.play(BOUND);
    (History { header, events: world.into_sink().events }, end)
}

fn breaks(history: &History, property: Property) -> bool {
    let mut judge = Judge::start(&history.header, [property]);
    history.events.iter().for_each(|event: &Event| judge.step(event));
    judge.verdict(property).is_broken()
}

/// A placed fault with the length that it came to have; one that was never lifted lasts for ever, or as long as a scenario can say.
fn with_length(placed: &Placed) -> FaultKind {
    let lasted = placed.ends.map(|ends| ends.since(placed.at));
    match placed.kind.clone() {
        FaultKind::Pause { client, task, .. } => FaultKind::Pause { client, task, length: lasted },
        FaultKind::Cut { from, to, .. } => FaultKind::Cut { from, to, length: lasted },
        FaultKind::Failover { to, .. } => FaultKind::Failover { to, after: lasted.unwrap_or(EVER) },
        // Without a restart, nothing would be kept.
        FaultKind::Down { node, data_kept, .. } => {
            FaultKind::Down { node, restart: Some(lasted.unwrap_or(EVER)), data_kept }
        }
        kind => kind,
    }
}
