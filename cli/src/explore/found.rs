//! What a search has found about one lock, ready to be told.

use locklab_core::address::{Change, ChoicesAddress};
use locklab_core::check::Property;
use locklab_core::explore::{Answer, Attack, Cost, Search, Summary};
use locklab_core::i18n::Text;
use locklab_core::locks::Kind;

use super::inquiry::Inquiry;
use crate::failure::Failure;
use crate::input::Source;
use crate::interrupt::Stop;
use crate::play::{Ground, Played, Stage};

/// The answer over all properties in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overall {
    /// At least one is broken.
    Broken,
    /// The search did not come to its end.
    Unknown,
    /// At least one holds, and none is broken.
    Holds,
    /// In no state was any of them put to the test.
    Untested,
}

impl Overall {
    /// Its canonical word.
    pub fn name(self) -> &'static str {
        match self {
            Overall::Broken => "broken",
            Overall::Unknown => "unknown",
            Overall::Holds => "holds",
            Overall::Untested => "not-applicable",
        }
    }
}

/// A run that breaks a property, played again.
#[derive(Clone, Debug)]
pub struct Break {
    /// What it breaks.
    pub property: Property,
    /// The run.
    pub attack: Attack,
    /// Its faults as a scenario writes them.
    pub faults: String,
    /// The run, played and judged as any other.
    pub played: Played,
}

/// What a search has found about one lock.
#[derive(Clone, Debug)]
pub struct Found {
    /// The scenario's name.
    pub scenario: String,
    /// Its title.
    pub title: Text,
    /// The lock's name.
    pub lock: String,
    /// Over all properties.
    pub verdict: Overall,
    /// The broken properties, the simplest run first.
    pub broken: Vec<Break>,
    /// The others, with their answers.
    pub others: Vec<(Property, Answer)>,
    /// What was searched.
    pub bounds: Vec<Text>,
    /// How many different states were met.
    pub states: u64,
    /// How many of them were not looked at.
    pub waiting: u64,
    /// How far it came: everything with fewer faults, or as many and fewer choices, was looked at.
    pub reached: Cost,
    /// Why it ended before its end, if it did.
    pub stopped: Option<Stop>,
}

impl Found {
    /// Plays what was found and puts it in order.
    pub fn new(
        inquiry: &Inquiry,
        lock: &Kind,
        search: &Search,
        summary: Summary,
        stopped: Option<Stop>,
    ) -> Result<Found, Failure> {
        let (source, stage) = (&inquiry.source, &inquiry.stage);
        let mut broken = Vec::new();
        let mut others = Vec::new();
        for (property, answer) in summary.answers {
            match answer {
                Answer::Broken(attack) => broken.push(played(source, stage, lock, search, *attack)?),
                answer => others.push((property, answer)),
            }
        }
        broken.sort_by_key(|found: &Break| found.attack.cost);
        let any = |wanted: Answer| others.iter().any(|(_, answer)| *answer == wanted);
        let (unknown, holds) = (any(Answer::Unknown), any(Answer::Holds));
        Ok(Found {
            scenario: stage.scenario.name.to_string(),
            title: stage.scenario.title.clone(),
            lock: lock.name.to_string(),
            verdict: match (broken.is_empty(), unknown, holds) {
                (false, ..) => Overall::Broken,
                (true, true, _) => Overall::Unknown,
                (true, false, true) => Overall::Holds,
                (true, false, false) => Overall::Untested,
            },
            broken,
            others,
            bounds: search.bounds(),
            states: summary.states,
            waiting: summary.waiting,
            reached: summary.reached,
            stopped,
        })
    }

    /// The properties with one kind of answer.
    pub fn with(&self, is: impl Fn(&Answer) -> bool) -> Vec<Property> {
        self.others.iter().filter(|(_, answer)| is(answer)).map(|(property, _)| *property).collect()
    }
}

/// Plays an attack as a run of the changed scenario: what `locklab replay` will do.
pub fn played(source: &Source, stage: &Stage, lock: &Kind, search: &Search, attack: Attack) -> Result<Break, Failure> {
    let settings = attack.settings(search.plan(), &stage.scenario);
    let faults = settings.first().map(|(_, faults)| faults.clone()).unwrap_or_default();
    let mut changes = stage.changes.clone();
    changes.extend(settings.into_iter().map(|(key, value)| Change { key, value }));
    let choices = match attack.taken.is_empty() {
        true => ChoicesAddress::Defaults,
        false => ChoicesAddress::Taken(attack.taken.clone()),
    };
    let played = Stage::new(source, changes)?.play(lock, choices, &Ground::Models)?;
    Ok(Break { property: attack.property, attack, faults, played })
}
