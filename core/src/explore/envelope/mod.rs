//! The edge between held and broken, along one figure of a scenario: how long a pause a lock survives, how far a clock may step.
//!
//! Each point is a whole [`Search`](super::Search) with that figure fixed. An [`Envelope`] says which points to decide next, in any order and on any number of threads:
//! first a grid and every instant that the plan knows (ends of leases, deadlines, the distances between what happens), each with its neighbours; then, between two
//! neighbours that came out differently, the point half-way, until they are one unit apart. So every edge that separates two samples is found to the unit.
//!
//! # Limits
//!
//! Where two neighbouring samples agree, what lies between them is taken to agree as well.

mod axis;
mod critical;
mod point;

use std::collections::BTreeMap;

pub use axis::{Axis, AxisError};
pub use critical::critical;
pub use point::point;

use super::{Answer, Search};

/// What one point came to for one property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Nothing breaks it there; or nothing puts it to the test.
    Held,
    /// Something breaks it there.
    Broken,
    /// The search did not come to its end.
    Unknown,
}

/// The answers of a search, property by property, as outcomes of its point.
pub fn outcomes(search: &Search) -> Vec<Outcome> {
    let outcome = |answer: Answer| match answer {
        Answer::Broken(_) => Outcome::Broken,
        Answer::Holds | Answer::NotApplicable => Outcome::Held,
        Answer::Unknown => Outcome::Unknown,
    };
    search.answers().map(|(_, answer)| outcome(answer)).collect()
}

/// Neighbouring points that came out alike for one property. The next stretch begins one unit after it, or where the next sample lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Its first point.
    pub from: u64,
    /// Its last point.
    pub to: u64,
    /// What it came to.
    pub outcome: Outcome,
}

/// Points along an axis, as far as they are decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    unit: u64,
    points: BTreeMap<u64, Option<Vec<Outcome>>>,
}

impl Envelope {
    /// An envelope from `from` to `to` in steps of `step`, with these critical values, told apart down to `unit`. All are in the axis' own unit
    /// (microseconds, or parts per million); `unit` and `step` count as 1 at least.
    pub fn new(from: u64, to: u64, step: u64, unit: u64, critical: &[u64]) -> Envelope {
        let (unit, step) = (unit.max(1), step.max(1));
        let on_grid = |value: u64| from + value.saturating_sub(from) / unit * unit;
        let mut points = BTreeMap::new();
        let mut add = |value: u64| {
            if (from..=to).contains(&value) {
                points.insert(value, None);
            }
        };
        add(from);
        add(on_grid(to));
        (0..).map_while(|index: u64| step.checked_mul(index)?.checked_add(from).filter(|value| *value <= to)).for_each(
            |value| {
                add(on_grid(value));
            },
        );
        for value in critical.iter().map(|value| on_grid(*value)) {
            [value.saturating_sub(unit), value, value.saturating_add(unit)].into_iter().for_each(&mut add);
        }
        Envelope { unit, points }
    }

    /// The points that can be decided now, the least first; none when all is known.
    pub fn pending(&self) -> Vec<u64> {
        let open: Vec<u64> = self.points.iter().filter(|(_, known)| known.is_none()).map(|(value, _)| *value).collect();
        if open.is_empty() { self.between() } else { open }
    }

    /// Takes in what a point came to: one outcome a property, always in the same order.
    pub fn settle(&mut self, value: u64, outcomes: Vec<Outcome>) {
        self.points.insert(value, Some(outcomes));
    }

    /// How many points have been decided.
    pub fn decided(&self) -> usize {
        self.points.values().flatten().count()
    }

    /// The finest difference that it tells apart.
    pub fn unit(&self) -> u64 {
        self.unit
    }

    /// What is known of one property, given by its place among the outcomes.
    pub fn stretches(&self, property: usize) -> Vec<Stretch> {
        let mut stretches: Vec<Stretch> = Vec::new();
        for (value, known) in &self.points {
            let outcome = known.as_ref().and_then(|known| known.get(property).copied()).unwrap_or(Outcome::Unknown);
            match stretches.last_mut() {
                Some(last) if last.outcome == outcome => last.to = *value,
                _ => stretches.push(Stretch { from: *value, to: *value, outcome }),
            }
        }
        stretches
    }

    /// Half-way between neighbours that came out differently. Next to what is unknown no edge is looked for.
    fn between(&self) -> Vec<u64> {
        let pairs = self.points.iter().zip(self.points.iter().skip(1));
        let differ = |one: &Option<Vec<Outcome>>, other: &Option<Vec<Outcome>>| {
            let known = one.iter().flatten().zip(other.iter().flatten());
            known.into_iter().any(|(one, other)| one != other && *one.max(other) != Outcome::Unknown)
        };
        pairs
            .filter(|((low, one), (high, other))| *high - *low > self.unit && differ(one, other))
            .map(|((low, _), (high, _))| low + (high - low) / 2 / self.unit * self.unit)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(mut envelope: Envelope, broken: impl Fn(u64) -> bool) -> Envelope {
        loop {
            let pending = envelope.pending();
            if pending.is_empty() {
                return envelope;
            }
            for value in pending {
                let outcome = if broken(value) { Outcome::Broken } else { Outcome::Held };
                envelope.settle(value, vec![outcome, Outcome::Held]);
            }
        }
    }

    #[test]
    fn every_edge_between_samples_is_found_to_the_unit() {
        let broken = |value: u64| (777..=3_140).contains(&value) || value >= 9_001;
        let envelope = decide(Envelope::new(0, 10_000, 1_000, 1, &[]), broken);
        let stretch = |from, to, outcome| Stretch { from, to, outcome };
        assert_eq!(
            envelope.stretches(0),
            [
                stretch(0, 776, Outcome::Held),
                stretch(777, 3_140, Outcome::Broken),
                stretch(3_141, 9_000, Outcome::Held),
                stretch(9_001, 10_000, Outcome::Broken),
            ]
        );
        assert_eq!(envelope.stretches(1), [stretch(0, 10_000, Outcome::Held)]);
        assert!(envelope.decided() < 60, "{}", envelope.decided());
    }

    #[test]
    fn a_gap_narrower_than_the_grid_is_found_by_its_critical_value() {
        let envelope = decide(Envelope::new(0, 10_000, 1_000, 1, &[4_321]), |value| value != 4_321);
        assert_eq!(envelope.stretches(0)[1], Stretch { from: 4_321, to: 4_321, outcome: Outcome::Held });
        assert_eq!(decide(Envelope::new(0, 10_000, 1_000, 1, &[]), |value| value != 4_321).stretches(0).len(), 1);
    }

    #[test]
    fn what_is_unknown_is_not_bisected() {
        let mut envelope = Envelope::new(0, 10, 10, 1, &[]);
        envelope.settle(0, vec![Outcome::Held]);
        envelope.settle(10, vec![Outcome::Unknown]);
        assert!(envelope.pending().is_empty());
    }
}
