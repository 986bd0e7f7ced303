//! The search in the page: what may strike, what is in question, and what has come of it.

use std::rc::Rc;

use locklab_core::check::Property;
use locklab_core::explore::allowance_of;
use locklab_core::i18n::Text;
use locklab_core::say;
use locklab_core::sim::{Allowance, FaultClass};

use super::{Piece, Played, State, View};
use crate::errand::{Effort, Quarry, Report, Searched, Sought};

/// A search for the simplest way to break a lock.
#[derive(Clone, Debug, PartialEq)]
pub struct Hunt {
    /// The run whose scenario and lock are searched, by its address.
    pub run: String,
    /// The faults that may strike.
    pub faults: Allowance,
    /// The property in question; `None`: all.
    pub property: Option<Property>,
    /// How far it is.
    pub chase: Chase,
}

/// How far a search is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Chase {
    /// It has not begun.
    #[default]
    Idle,
    /// It goes on.
    Going(Effort),
    /// It is over.
    Over(Rc<Findings>),
    /// It could not be done.
    Failed(Text),
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// The answers.
    pub searched: Searched,
    /// The simplest run of all that break something.
    pub simplest: Option<Rc<Played>>,
}

/// The answer over all properties in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overall {
    /// At least one can be broken.
    Broken,
    /// The search did not come to its end.
    Unknown,
    /// At least one holds, and none can be broken.
    Holds,
    /// In no state was any of them put to the test.
    Untested,
}

/// What a reader can do with the search.
#[derive(Clone, Debug, PartialEq)]
pub enum Seek {
    /// Let so many faults of a class strike.
    Allow(FaultClass, u8),
    /// Ask for one property, or for all.
    Ask(Option<Property>),
    /// Begin.
    Start,
    /// End it before it is over.
    Stop,
    /// The worker has told something.
    Heard(Report),
}

impl Hunt {
    /// What it searches.
    pub fn quarry(&self) -> Quarry {
        Quarry { run: self.run.clone(), faults: self.faults, property: self.property }
    }

    /// What is searched, said in sentences.
    ///
    /// # Errors
    /// Why nothing can be searched.
    pub fn bounds(&self) -> Result<Vec<Text>, Text> {
        if self.run.is_empty() {
            return Err(say!(
                "there is no scenario to search: choose one, and a lock that it can be told with",
                "没有可以搜索的场景：请先选择一个场景和适用的锁"
            ));
        }
        self.quarry().start().map(|(_, _, search)| search.bounds())
    }

    fn heard(self, report: Report) -> Hunt {
        let chase = match (&self.chase, report) {
            (Chase::Going(_), Report::Going(effort)) => Chase::Going(effort),
            (Chase::Going(_), Report::Searched(searched)) => Chase::Over(Rc::new(Findings::of(searched))),
            (Chase::Going(_), Report::Failed(why)) => Chase::Failed(why),
            // What a worker still says that was ended.
            _ => return self,
        };
        Hunt { chase, ..self }
    }
}

impl Findings {
    fn of(searched: Searched) -> Findings {
        let simplest = searched.answers.iter().find_map(|(_, sought)| match sought {
            Sought::Broken { run, .. } => opened(run),
            _ => None,
        });
        Findings { searched, simplest }
    }

    /// The answer over all properties in question.
    pub fn overall(&self) -> Overall {
        let any = |is: fn(&Sought) -> bool| self.searched.answers.iter().any(|(_, sought)| is(sought));
        if any(|sought| matches!(sought, Sought::Broken { .. })) {
            Overall::Broken
        } else if any(|sought| *sought == Sought::Unknown) {
            Overall::Unknown
        } else if any(|sought| *sought == Sought::Holds) {
            Overall::Holds
        } else {
            Overall::Untested
        }
    }

    /// The properties with one kind of answer.
    pub fn with(&self, wanted: &Sought) -> Vec<Property> {
        let answers = self.searched.answers.iter().filter(|(_, sought)| sought == wanted);
        answers.map(|(property, _)| *property).collect()
    }
}

/// The run of an address, played.
pub(super) fn opened(address: &str) -> Option<Rc<Played>> {
    let (piece, ..) = Piece::at(address).ok()?;
    Played::of(&piece).ok().map(Rc::new)
}

impl State {
    /// The search of the run that is shown: the one that was begun for it, or one that has not begun.
    pub fn hunt(&self) -> Hunt {
        let run = self.played.address().unwrap_or_default();
        match &self.hunt {
            Some(hunt) if hunt.run == run => (**hunt).clone(),
            _ => Hunt { run, faults: usual(&self.played), property: None, chase: Chase::Idle },
        }
    }

    /// What a worker has to search; `None`: nothing, or nothing of the run that is shown.
    pub fn quarry(&self) -> Option<Quarry> {
        let hunt = self.hunt.as_ref().filter(|hunt| matches!(hunt.chase, Chase::Going(_)))?;
        (self.played.address().as_ref() == Some(&hunt.run)).then(|| hunt.quarry())
    }

    /// The state after something about the search.
    pub(super) fn sought(self, seek: Seek) -> State {
        let hunt = self.hunt();
        let hunt = match seek {
            Seek::Allow(class, count) => Hunt { faults: hunt.faults.with(class, count), chase: Chase::Idle, ..hunt },
            Seek::Ask(property) => Hunt { property, chase: Chase::Idle, ..hunt },
            Seek::Start => Hunt { chase: Chase::Going(Effort::default()), ..hunt },
            Seek::Stop => Hunt { chase: Chase::Idle, ..hunt },
            Seek::Heard(report) => hunt.heard(report),
        };
        State { hunt: Some(Rc::new(hunt)), ..self }
    }

    /// Shows what the address bar says after `search`.
    pub(super) fn in_search(self, run: &str) -> State {
        let is_shown = run.is_empty() || self.hunt().run == run;
        let state = if is_shown { self } else { self.open(run) };
        State { view: View::Search, playing: false, ..state }
    }
}

/// As many faults of each class as the scenario has; one pause where it has none, or some that a search cannot place.
fn usual(played: &Played) -> Allowance {
    let own = allowance_of(&played.scenario).ok().filter(|own| own.each().next().is_some());
    own.unwrap_or(Allowance::default().with(FaultClass::Pause, 1))
}
