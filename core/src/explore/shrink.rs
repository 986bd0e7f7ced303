//! The smallest run that still breaks: a broken run made simpler, as long as it stays broken.
//!
//! A [`Case`] is a scenario's text and the choices of a run. [`Shrink`] tries one simplification after another (fewer faults, fewer clients, fewer steps, default choices, nothing that is
//! not needed, shorter times) and keeps each with which the same property is still broken, until none is left that helps: a fixed point. It is a resumable function.
//!
//! # Limits
//!
//! The result is minimal in single steps: nothing more can be left out or shortened *alone*. [The search](super::Search) finds the simplest run of all, where the space is small enough.

use std::sync::Arc;

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, Value};

use super::onlooker::Onlooker;
use crate::check::{Judge, Property};
use crate::choices::{Choices, Taken};
use crate::locks::Kind;
use crate::scenario::Scenario;
use crate::sim::{Model, Plan, World};
use crate::time::Span;

/// A run that is not over by then is not looked at.
const MOST_STEPS: u64 = 50_000;

/// A run, as it can be written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The scenario's text.
    pub text: String,
    /// Who makes its choices.
    pub choices: CaseChoices,
}

/// Who makes the choices of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseChoices {
    /// A seed; simultaneous events come in file order.
    Seed(u64),
    /// These, and defaults elsewhere; the order of simultaneous events is among them.
    Taken(Vec<Taken>),
}

/// Why a run cannot be shrunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotBroken {
    /// It does not break the property.
    Holds,
    /// The scenario cannot be played with the lock.
    NotPlayed,
}

/// A broken run on its way to a smaller one.
#[derive(Clone, Debug)]
pub struct Shrink {
    name: String,
    lock: Kind,
    property: Property,
    best: Case,
    /// The next simplification to be tried.
    next: usize,
    /// Whether one has helped since the first was tried.
    helped: bool,
    tries: u64,
}

impl Shrink {
    /// A run that breaks a property, before anything has been tried. `name` is the scenario's.
    ///
    /// # Errors
    ///
    /// The run does not break it.
    pub fn new(name: &str, lock: Kind, property: Property, case: &Case) -> Result<Shrink, NotBroken> {
        let text = normal(&case.text, &lock.name, property).ok_or(NotBroken::NotPlayed)?;
        let best = Case { text, choices: case.choices.clone() };
        let shrink = Shrink { name: name.to_owned(), lock, property, best, next: 0, helped: false, tries: 0 };
        match shrink.breaks(&shrink.best) {
            Some(true) => Ok(shrink),
            Some(false) => Err(NotBroken::Holds),
            None => Err(NotBroken::NotPlayed),
        }
    }

    /// Tries so many simplifications more; false when none is left that helps.
    pub fn advance(&mut self, tries: u32) -> bool {
        for _ in 0..tries {
            let mut simpler = simplifications(&self.best);
            if self.next >= simpler.len() {
                if !self.helped {
                    return false;
                }
                (self.next, self.helped) = (0, false);
                continue;
            }
            let candidate = simpler.swap_remove(self.next);
            self.tries += 1;
            if self.breaks(&candidate) == Some(true) {
                self.best = candidate;
                self.helped = true;
            } else {
                self.next += 1;
            }
        }
        true
    }

    /// The smallest run so far.
    pub fn best(&self) -> &Case {
        &self.best
    }

    /// How many runs have been tried.
    pub fn tries(&self) -> u64 {
        self.tries
    }

    /// Whether a run breaks the property; `None`: it cannot be played.
    fn breaks(&self, case: &Case) -> Option<bool> {
        let scenario = Scenario::parse(&self.name, &case.text).ok()?;
        let (choices, order_is_chosen) = match &case.choices {
            CaseChoices::Seed(seed) => (Choices::seeded(*seed), false),
            CaseChoices::Taken(taken) => (Choices::replayed(taken.clone()), true),
        };
        let plan = Arc::new(Plan { order_is_chosen, ..Plan::new(&scenario, &self.lock).ok()? });
        let sink = Onlooker { judge: Judge::start(&plan.header, [self.property]) };
        let Ok(mut world) = World::new(plan.clone(), Model::new(plan), sink, choices);
        let Ok(_) = world.play(MOST_STEPS);
        Some(world.sink().judge.verdict(self.property).is_broken())
    }
}

/// The text with its faults as tables, and with nothing expected but the property: whatever else it expects may no longer be there.
fn normal(text: &str, lock: &str, property: Property) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    if let Some(list) = document.get("fault").and_then(Item::as_array) {
        let tables = list.iter().filter_map(Value::as_inline_table).map(|table| table.clone().into_table());
        let tables: ArrayOfTables = tables.collect();
        document.insert("fault", Item::ArrayOfTables(tables));
    }
    Some(expecting(document, lock, &[property]))
}

/// A scenario's text that expects just these breaks, of this lock; `None`: it is no scenario's text.
pub fn with_expected(text: &str, lock: &str, broken: &[Property]) -> Option<String> {
    Some(expecting(text.parse().ok()?, lock, broken))
}

fn expecting(mut document: DocumentMut, lock: &str, broken: &[Property]) -> String {
    let mut expectation = Table::new();
    expectation.insert("broken", Array::from_iter(broken.iter().map(|property| property.name())).into());
    let mut expected = Table::new();
    expected.set_implicit(true);
    expected.insert(lock, Item::Table(expectation));
    document.insert("expect", Item::Table(expected));
    document.to_string()
}

/// Every run that is one step simpler, what saves a reader most first.
fn simplifications(case: &Case) -> Vec<Case> {
    let Ok(document) = case.text.parse::<DocumentMut>() else { return Vec::new() };
    let mut texts = Vec::new();
    let mut edited = |edit: &dyn Fn(&mut DocumentMut)| {
        let mut simpler = document.clone();
        edit(&mut simpler);
        texts.push(simpler.to_string());
    };
    for list in ["fault", "client"] {
        let count = document.get(list).and_then(Item::as_array_of_tables).map_or(0, ArrayOfTables::len);
        for index in (0..count).rev() {
            edited(&|document| {
                if let Some(tables) = document.get_mut(list).and_then(Item::as_array_of_tables_mut) {
                    tables.remove(index);
                }
            });
        }
    }
    for key in ["network", "clocks", "seed", "lesson", "question", "source", "until", "within"] {
        if document.contains_key(key) {
            edited(&|document| {
                document.remove(key);
            });
        }
    }
    for list in ["client", "fault"] {
        let tables = document.get(list).and_then(Item::as_array_of_tables).into_iter().flat_map(ArrayOfTables::iter);
        for (index, table) in tables.enumerate() {
            for (key, item) in table.iter() {
                for value in simpler_values(key, item) {
                    edited(&|document| {
                        let tables = document.get_mut(list).and_then(Item::as_array_of_tables_mut);
                        let Some(table) = tables.and_then(|tables| tables.get_mut(index)) else { return };
                        match &value {
                            Some(value) => table[key] = Item::Value(value.clone()),
                            None => drop(table.remove(key)),
                        }
                    });
                }
            }
        }
    }
    let with_choices = |choices| Case { text: case.text.clone(), choices };
    let choices: Vec<Case> = simpler_choices(&case.choices).into_iter().map(with_choices).collect();
    let texts = texts.into_iter().filter(|text| *text != case.text);
    choices.into_iter().chain(texts.map(|text| Case { text, choices: case.choices.clone() })).collect()
}

/// What may stand in the place of a client's or a fault's value; `None`: nothing at all.
fn simpler_values(key: &str, item: &Item) -> Vec<Option<Value>> {
    match (key, item.as_str()) {
        ("steps", _) => {
            item.as_array().map_or(Vec::new(), fewer_steps).into_iter().map(|steps| Some(Value::Array(steps))).collect()
        }
        ("work" | "for" | "after" | "restart_after" | "by", Some(text)) => {
            shorter(text).into_iter().map(Some).collect()
        }
        ("step", Some(text)) => {
            let (sign, span) = text.split_at(text.len() - text.trim_start_matches(['+', '-']).len());
            shorter_texts(span).into_iter().map(|span| Some(format!("{sign}{span}").into())).collect()
        }
        ("starts" | "runs" | "every" | "wait" | "amount" | "stops" | "restart_after" | "mode", _) => vec![None],
        (key, _) if key.starts_with("when_") => vec![None],
        _ => Vec::new(),
    }
}

/// The steps without one, or with one that takes less time.
fn fewer_steps(steps: &Array) -> Vec<Array> {
    let mut simpler = Vec::new();
    for index in (0..steps.len()).rev() {
        let mut fewer = steps.clone();
        fewer.remove(index);
        simpler.push(fewer);
    }
    for (index, step) in steps.iter().enumerate() {
        for shorter in step.as_str().map_or(Vec::new(), shorter) {
            let mut changed = steps.clone();
            changed.replace(index, shorter);
            simpler.push(changed);
        }
    }
    simpler
}

fn shorter(text: &str) -> Vec<Value> {
    shorter_texts(text).into_iter().map(Value::from).collect()
}

/// Shorter spans of time: half of it, and less by a second, a tenth, a hundredth and a thousandth of one. What is finer than a millisecond goes first.
fn shorter_texts(text: &str) -> Vec<String> {
    let Ok(span) = text.parse::<Span>() else { return Vec::new() };
    let millis = span.as_millis();
    let mut found = vec![millis / 2];
    found.extend([60_000, 10_000, 1_000, 100, 10, 1].map(|less| millis.saturating_sub(less)));
    if !span.0.is_multiple_of(1_000) {
        found.push(millis);
    }
    found.retain(|millis| *millis > 0 && Span::from_millis(*millis) < span);
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|millis| Span::from_millis(millis).to_string()).collect()
}

/// Default choices in the place of all, of a half, of each.
fn simpler_choices(choices: &CaseChoices) -> Vec<CaseChoices> {
    let taken = match choices {
        CaseChoices::Seed(_) => return vec![CaseChoices::Taken(Vec::new())],
        CaseChoices::Taken(taken) => taken,
    };
    let mut fewer = Vec::new();
    let mut size = taken.len();
    while size > 0 {
        for from in (0..taken.len()).step_by(size) {
            let left = taken.iter().enumerate().filter(|(index, _)| !(from..from + size).contains(index));
            fewer.push(CaseChoices::Taken(left.map(|(_, taken)| *taken).collect()));
        }
        size /= 2;
    }
    fewer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locks;
    use crate::scenario::library;

    fn shrunk(scenario: &str, lock: &str, property: Property, choices: CaseChoices) -> Shrink {
        let found = library::find(scenario).expect("a built-in scenario");
        let case = Case { text: found.text.to_owned(), choices };
        let lock = locks::find(lock).expect("a lock").clone();
        let mut shrink = Shrink::new(found.name, lock, property, &case).expect("it is broken");
        while shrink.advance(1_000) {}
        shrink
    }

    #[test]
    fn a_pause_is_shortened_to_the_edge_and_whatever_is_not_needed_is_gone() {
        let shrink = shrunk("expiry/gc-pause", "token-lua", Property::NoOverrun, CaseChoices::Taken(Vec::new()));
        let scenario = Scenario::parse("small", &shrink.best().text).expect("it is a scenario");
        assert_eq!((scenario.clients.len(), scenario.faults.len()), (1, 1), "{}", shrink.best().text);
        // One step less on any way, and it holds: that is what a fixed point is.
        assert!(simplifications(shrink.best()).iter().all(|simpler| shrink.breaks(simpler) != Some(true)));
        // The lease ends 10.001 s after it began, and the pause begins 2 s after: 8.001 s are survived.
        assert!(shrink.best().text.contains("\"8.002s\""), "{}", shrink.best().text);
    }

    #[test]
    fn two_clients_stay_where_both_are_needed() {
        let shrink = shrunk("expiry/gc-pause", "token-lua", Property::MutualExclusion, CaseChoices::Taken(Vec::new()));
        let scenario = Scenario::parse("small", &shrink.best().text).expect("it is a scenario");
        assert_eq!((scenario.clients.len(), scenario.faults.len()), (2, 1), "{}", shrink.best().text);
    }

    #[test]
    fn a_seed_gives_way_to_default_choices() {
        let shrink = shrunk("expiry/gc-pause", "token-lua", Property::NoStaleWrite, CaseChoices::Seed(5));
        assert_eq!(shrink.best().choices, CaseChoices::Taken(Vec::new()));
    }

    #[test]
    fn what_is_not_broken_is_not_shrunk() {
        let found = library::find("expiry/gc-pause").expect("a built-in scenario");
        let case = Case { text: found.text.to_owned(), choices: CaseChoices::Taken(Vec::new()) };
        let lock = locks::find("fenced").expect("a lock").clone();
        assert_eq!(Shrink::new(found.name, lock, Property::NoStaleWrite, &case).err(), Some(NotBroken::Holds));
    }
}
