//! The search, as an errand.

use locklab_core::address::{Change, ChoicesAddress};
use locklab_core::check::Property;
use locklab_core::explore::{Answer, Attack, Cost, Progress, Search};
use locklab_core::i18n::Text;
use locklab_core::scenario::Scenario;
use locklab_core::sim::Allowance;
use locklab_core::time::Time;

use super::{PACE, Report};
use crate::state::{Piece, Played, Trouble};

/// What is searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quarry {
    /// The run whose scenario and lock are searched, by its address.
    pub run: String,
    /// The faults that may strike.
    pub faults: Allowance,
    /// The property in question; `None`: all.
    pub property: Option<Property>,
}

/// About how many bytes of memory a search may take: more, and a phone ends the page.
pub const MOST_MEMORY: usize = 512 << 20;

/// How many states are looked at between two looks at the clock.
const AT_ONCE: usize = 100;

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// How many different states were met.
    pub states: u64,
    /// How many of them were not looked at.
    pub waiting: u64,
    /// Everything with fewer faults, or as many and fewer choices, has been looked at.
    pub reached: Cost,
    /// About how much memory it takes.
    pub bytes: u64,
    /// How long it took, in milliseconds.
    pub millis: u64,
}

/// What a search that is over has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// How far it came.
    pub effort: Effort,
    /// The answers: what is broken first, the simplest before all.
    pub answers: Vec<(Property, Sought)>,
}

/// The answer for one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// It can be broken.
    Broken {
        /// With so many faults.
        faults: u32,
        /// With so many choices that are not the default.
        choices: u32,
        /// When it shows.
        shows: Time,
        /// The run, by its address.
        run: String,
    },
    /// The memory was used up.
    Unknown,
    /// It holds in every state within the bounds.
    Holds,
    /// In no state was it put to the test.
    Untested,
}

impl Quarry {
    /// The search at its start.
    ///
    /// # Errors
    /// The address opens nothing, or the scenario cannot be told with its lock.
    pub fn start(&self) -> Result<(Piece, Scenario, Search), Text> {
        let (piece, ..) = Piece::at(&self.run).map_err(said)?;
        let scenario = Scenario::parse(piece.source.name(), &piece.text().map_err(said)?);
        let scenario = scenario.map_err(|errors| said(errors.into()))?;
        let kind = piece.kind(&scenario).map_err(said)?;
        let all = Property::ALL;
        let properties = self.property.as_ref().map_or(&all[..], std::slice::from_ref);
        let search = Search::new(&scenario, &kind, self.faults, properties).map_err(|error| error.why)?;
        Ok((piece, scenario, search))
    }

    /// Searches to the end, or until the memory is used up.
    pub(super) fn search(&self, now: impl Fn() -> f64, tell: &mut impl FnMut(Report)) -> Result<Searched, Text> {
        let (piece, scenario, mut search) = self.start()?;
        let start = now();
        let mut told = start;
        while search.advance(AT_ONCE) == Progress::Going && search.bytes() < MOST_MEMORY {
            let instant = now();
            if instant - told >= PACE {
                told = instant;
                tell(Report::Going(Effort::of(&search, instant - start)));
            }
        }
        search.give_up();
        let effort = Effort::of(&search, now() - start);
        let mut answers = Vec::new();
        let mut broken = Vec::new();
        for (property, answer) in search.answers() {
            match answer {
                Answer::Broken(attack) => broken.push((property, attack)),
                Answer::Unknown => answers.push((property, Sought::Unknown)),
                Answer::Holds => answers.push((property, Sought::Holds)),
                Answer::NotApplicable => answers.push((property, Sought::Untested)),
            }
        }
        broken.sort_by_key(|(_, attack)| attack.cost);
        let told = |(property, attack): &(Property, Box<Attack>)| {
            let run = run_of(attack, &piece, &scenario, &search)?;
            let (faults, choices, shows) = (attack.cost.faults(), attack.cost.choices(), attack.cost.length());
            Ok((*property, Sought::Broken { faults, choices, shows, run }))
        };
        let broken = broken.iter().map(told).collect::<Result<Vec<_>, Text>>()?;
        Ok(Searched { effort, answers: broken.into_iter().chain(answers).collect() })
    }
}

impl Effort {
    fn of(search: &Search, millis: f64) -> Effort {
        Effort {
            states: search.states() as u64,
            waiting: search.waiting() as u64,
            reached: search.reached(),
            bytes: search.bytes() as u64,
            millis: millis as u64,
        }
    }

    /// How many states a second.
    pub fn rate(&self) -> u64 {
        self.states * 1_000 / self.millis.max(1)
    }
}

/// The address of an attack: an ordinary run of the changed scenario.
pub(super) fn run_of(attack: &Attack, piece: &Piece, scenario: &Scenario, search: &Search) -> Result<String, Text> {
    let settings = attack.settings(search.plan(), scenario).into_iter();
    let piece = settings.fold(piece.clone(), |piece, (key, value)| piece.changed(Change { key, value }));
    let choices = match attack.taken.is_empty() {
        true => ChoicesAddress::Defaults,
        false => ChoicesAddress::Taken(attack.taken.clone()),
    };
    let played = Played::of(&Piece { choices: Some(choices), ..piece }).map_err(said)?;
    played.run().map_err(Text::clone)?;
    Ok(played.address().unwrap_or_default())
}

/// A trouble in one sentence.
pub(super) fn said(trouble: Trouble) -> Text {
    match trouble {
        Trouble::Said { message, .. } => message,
        Trouble::Scenario(errors) => {
            use locklab_core::i18n::Language::{Chinese, English};
            Text::new(errors.render(English), errors.render(Chinese))
        }
    }
}
