//! The envelope, as an errand: where, along a figure of the scenario, a lock begins to break.

use locklab_core::check::Property;
use locklab_core::explore::envelope::{Axis, Envelope, Outcome, Stretch, critical, outcomes, point};
use locklab_core::explore::{Adversity, Answer, Progress, Search, lengths_of};
use locklab_core::i18n::Text;
use locklab_core::sim::{Allowance, Plan};

use super::base::{Base, in_question};
use super::search::{MOST_MEMORY, run_of};
use super::{PACE, Report};

/// How many values of a second figure make a map.
const LINES: u64 = 6;

/// How many states are looked at between two looks at the clock.
const AT_ONCE: usize = 100;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// The run whose scenario and lock are looked at, by its address.
    pub run: String,
    /// The faults that may strike.
    pub faults: Allowance,
    /// The property in question; `None`: the usual ones.
    pub property: Option<Property>,
    /// The figure that is varied.
    pub axis: Axis,
    /// A second figure, for a map.
    pub against: Option<Axis>,
}

/// What was found along a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edges {
    /// How many points were decided.
    pub points: u64,
    /// Where the figure was looked at.
    pub range: (u64, u64),
    /// For each property and each value of the second figure, what is known.
    pub lines: Vec<EdgeLine>,
    /// For each property that breaks on its first line, the least value that breaks it, and the simplest run there, by its address.
    pub breaks: Vec<(Property, u64, String)>,
}

/// What is known of a property along the figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeLine {
    /// The property.
    pub property: Property,
    /// The second figure's value; `None`: there is no second figure.
    pub against: Option<u64>,
    /// Neighbouring points that came out alike.
    pub stretches: Vec<Stretch>,
}

impl Course {
    /// Decides every point.
    pub(super) fn walk(&self, now: impl Fn() -> f64, tell: &mut impl FnMut(Report)) -> Result<Edges, Text> {
        let base = Base::at(&self.run)?;
        let properties = in_question(self.property);
        let plan = Plan::new(&base.scenario, &base.kind).map_err(|error| error.why)?;
        let unit = self.unit(&base, &plan, self.axis, &properties);
        let (from, to) = self.axis.usual_range(&plan);
        let from = from.div_ceil(unit) * unit;
        let mut told = now();
        let (mut points, mut lines) = (0, Vec::new());
        let mut breaks: Vec<(Property, u64, String)> = Vec::new();
        for second in self.seconds(&plan) {
            let fixed: Vec<(Axis, u64)> = self.against.zip(second).into_iter().collect();
            let (_, search) = self.search(&base, &plan, &fixed, &properties)?;
            let critical = critical(search.plan(), lengths_of(&base.scenario));
            let mut envelope = Envelope::new(from, to, (to - from) / 16, unit, &critical);
            loop {
                let pending = envelope.pending();
                if pending.is_empty() {
                    break;
                }
                for (done, value) in pending.iter().enumerate() {
                    let settings: Vec<(Axis, u64)> = fixed.iter().copied().chain([(self.axis, *value)]).collect();
                    let (_, mut search) = self.search(&base, &plan, &settings, &properties)?;
                    while search.advance(AT_ONCE) == Progress::Going && search.bytes() < MOST_MEMORY {
                        if now() - told >= PACE {
                            told = now();
                            tell(Report::Part { done: points + done as u64, waiting: (pending.len() - done) as u64 });
                        }
                    }
                    envelope.settle(*value, outcomes(&search));
                }
                points += pending.len() as u64;
            }
            for (place, property) in properties.iter().enumerate() {
                let stretches = envelope.stretches(place);
                let first = stretches.iter().find(|stretch| stretch.outcome == Outcome::Broken).map(|edge| edge.from);
                if let Some(value) = first.filter(|_| breaks.iter().all(|(known, ..)| known != property)) {
                    let settings: Vec<(Axis, u64)> = fixed.iter().copied().chain([(self.axis, value)]).collect();
                    let run = self.broken_run(&base, &plan, &settings, *property)?;
                    breaks.extend(run.map(|run| (*property, value, run)));
                }
                lines.push(EdgeLine { property: *property, against: second, stretches });
            }
        }
        lines.sort_by_key(|line| properties.iter().position(|property| *property == line.property));
        Ok(Edges { points, range: (from, to), lines, breaks })
    }

    /// The values of the second figure; one that is none, where there is no second figure.
    fn seconds(&self, plan: &Plan) -> Vec<Option<u64>> {
        let Some(axis) = self.against else { return vec![None] };
        let (from, to) = axis.usual_range(plan);
        // Whole seconds, where it spans some: every lock takes those.
        let unit = if axis.is_time() && to - from > 4_000_000 { 1_000_000 } else { axis.unit() };
        let values = (0..LINES).map(|line| (from + (to - from) / (LINES - 1) * line).div_ceil(unit) * unit);
        let mut values: Vec<Option<u64>> = values.map(Some).collect();
        values.dedup();
        values
    }

    /// The finest difference: coarser where the lock takes whole seconds only.
    fn unit(&self, base: &Base, plan: &Plan, axis: Axis, properties: &[Property]) -> u64 {
        axis.unit_in(&base.scenario, |value| self.search(base, plan, &[(axis, value)], properties).is_ok())
    }

    /// The search of one point.
    fn search(
        &self,
        base: &Base,
        plan: &Plan,
        settings: &[(Axis, u64)],
        properties: &[Property],
    ) -> Result<(Base, Search), Text> {
        let faults = Adversity::Placed(self.faults, lengths_of(&base.scenario));
        // Its faults are placed, so nothing is looked for in the scenario's text.
        let (faults, changes) = point(settings, faults, &base.scenario, "", plan).map_err(|error| error.message)?;
        let base = base.changed(changes)?;
        let search = Search::against(&base.scenario, &base.kind, faults, properties).map_err(|error| error.why)?;
        Ok((base, search))
    }

    /// The simplest run that breaks a property at a point, by its address.
    fn broken_run(
        &self,
        base: &Base,
        plan: &Plan,
        settings: &[(Axis, u64)],
        property: Property,
    ) -> Result<Option<String>, Text> {
        let (base, mut search) = self.search(base, plan, settings, &[property])?;
        while search.advance(AT_ONCE) == Progress::Going && search.bytes() < MOST_MEMORY {}
        match search.answers().next() {
            Some((_, Answer::Broken(attack))) => run_of(&attack, &base.piece, &base.scenario, &search).map(Some),
            _ => Ok(None),
        }
    }
}
