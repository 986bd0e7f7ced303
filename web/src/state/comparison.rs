//! What sets the runs apart that are compared: on their drawings, and in what was promised.

use std::collections::BTreeMap;
use std::rc::Rc;

use locklab_core::check::{Property, Verdict};
use locklab_core::time::Time;
use locklab_core::view::svg::Signs;
use locklab_core::view::{Difference, Element, differences};

use super::Played;

/// The runs that are compared, by what sets them apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Each run, in the order of the drawings.
    pub runs: Vec<Apart>,
    /// The signs of all drawings, for the one legend below the last.
    pub signs: Signs,
}

/// What sets one run apart: each of the others from the first, the first from any of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Apart {
    /// What is not so in the drawing that it is compared with.
    pub differing: Rc<[Difference]>,
    /// When this run and the first part, each instant once; none for the first.
    pub instants: Vec<Time>,
    /// What is broken here and not in the first.
    pub broken_here: Vec<Property>,
    /// What is broken in the first and holds here.
    pub kept_here: Vec<Property>,
}

impl Comparison {
    /// Compares the first of some runs with each of the others. A single run is compared with nothing.
    pub fn of(runs: &[Rc<Played>]) -> Comparison {
        let [first, others @ ..] = runs else { return Comparison::default() };
        let mut signs = Signs::default();
        for run in runs.iter().filter_map(|played| played.run().ok()) {
            signs = signs.and(Signs::of(&run.scene));
        }
        let mut of_first: BTreeMap<Element, Time> = BTreeMap::new();
        let mut apart = vec![Apart::default()];
        for other in others {
            let missing = between(first, other);
            for Difference { at, element } in &missing {
                let earliest = of_first.entry(*element).or_insert(*at);
                *earliest = (*earliest).min(*at);
            }
            apart.push(apart_from(first, other, &missing));
        }
        let differs = apart.iter().any(|apart| !apart.instants.is_empty());
        apart[0].differing = of_first.into_iter().map(|(element, at)| Difference { at, element }).collect();
        Comparison { runs: apart, signs: if differs { signs.and(Signs::DIFFERS) } else { signs } }
    }
}

/// Everything in one run that is not so in the other; nothing where one of them cannot be told.
fn between(one: &Played, other: &Played) -> Vec<Difference> {
    match (one.run(), other.run()) {
        (Ok(one), Ok(other)) => differences(&one.scene, &other.scene),
        _ => Vec::new(),
    }
}

/// What sets a run apart from the first, given what it lacks of that.
fn apart_from(first: &Played, other: &Played, missing: &[Difference]) -> Apart {
    let differing = between(other, first);
    let mut instants: Vec<Time> = differing.iter().chain(missing).map(|difference| difference.at).collect();
    instants.sort_unstable();
    instants.dedup();
    let (Ok(there), Ok(here)) = (first.run(), other.run()) else { return Apart::default() };
    let holds = |property: &Property| *here.report.verdict(*property) == Verdict::Holds;
    let was_broken: Vec<Property> = there.report.broken().collect();
    Apart {
        differing: differing.into(),
        instants,
        broken_here: here.report.broken().filter(|property| !was_broken.contains(property)).collect(),
        kept_here: was_broken.iter().copied().filter(holds).collect(),
    }
}
