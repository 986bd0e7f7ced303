//! What is asked of a search, and the same made ready.

use locklab_core::check::Property;
use locklab_core::explore::Search;
use locklab_core::i18n::Language;
use locklab_core::locks::Kind;
use locklab_core::sim::Allowance;
use serde::{Deserialize, Serialize};

use crate::args::ExploreArguments;
use crate::failure::Failure;
use crate::input::Source;
use crate::partial::SourceText;
use crate::play::{self, Stage};
use crate::question;

/// Everything on which the answer depends, as it was typed: two shards of one search have the same question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The scenario.
    pub scenario: SourceText,
    /// The changes, such as `ttl=5s`.
    pub settings: Vec<String>,
    /// The locks; none: those of which the scenario expects something.
    pub locks: Vec<String>,
    /// The faults, such as `pause=1`; none: the scenario's kinds and counts.
    pub faults: Option<String>,
    /// The properties; none: all.
    pub properties: Vec<String>,
    /// After how many states the search is divided.
    pub divide_after: u64,
}

impl Question {
    /// What was typed.
    pub fn new(arguments: &ExploreArguments, source: &Source) -> Question {
        Question {
            scenario: SourceText::of(source),
            settings: arguments.settings.clone(),
            locks: arguments.locks.clone(),
            faults: arguments.faults.clone(),
            properties: arguments.properties.clone(),
            divide_after: arguments.divide_after,
        }
    }
}

/// A question made ready: everything that it names is there.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// The question.
    pub question: Question,
    /// The scenario as it was read.
    pub source: Source,
    /// The scenario with the changes.
    pub stage: Stage,
    /// The locks to search.
    pub locks: Vec<Kind>,
    /// The faults that may strike.
    pub allowance: Allowance,
    /// The properties in question.
    pub properties: Vec<Property>,
}

impl Inquiry {
    /// Makes a question ready.
    pub fn new(question: Question) -> Result<Inquiry, Failure> {
        let changes = question.settings.iter().map(|setting| play::change(setting)).collect::<Result<_, _>>()?;
        let source = question.scenario.source();
        let stage = Stage::new(&source, changes)?;
        Ok(Inquiry {
            allowance: question::allowance(question.faults.as_deref(), &stage)?,
            properties: question::properties(&question.properties, &Property::ALL)?,
            locks: stage.locks(&question.locks)?,
            question,
            source,
            stage,
        })
    }

    /// The search with one lock, at its start; `None` where the lock and the scenario do not go together, which is told.
    pub fn search(&self, lock: &Kind, language: Language) -> Result<Option<Search>, Failure> {
        match Search::new(&self.stage.scenario, lock, self.allowance, &self.properties) {
            Ok(search) => Ok(Some(search)),
            Err(error) if self.question.locks.is_empty() => {
                crate::note::note(&error.why, language);
                Ok(None)
            }
            Err(error) => Err(Failure::input(error.why)),
        }
    }
}
