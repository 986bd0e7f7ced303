//! "Break this lock": the reader is the adversary. A lock, a budget of faults, and a property to break.
//!
//! Nothing about a level's solution is written down. [`Level::search`] computes the simplest attack, or that there is none: from it come par and
//! the hints. Whether an attempt breaks the lock is what its run says.

mod attempt;
mod hint;
mod levels;

pub use attempt::{Attempt, OverBudget};
pub use hint::Hint;
pub use levels::LEVELS;

use crate::check::Property;
use crate::explore::{Search, parse_allowance};
use crate::i18n::Text;
use crate::locks::{self, Kind};
use crate::scenario::Scenario;
use crate::sim::Allowance;

/// A level of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Its name, as an address has it.
    pub name: &'static str,
    title: [&'static str; 2],
    story: [&'static str; 2],
    lock: &'static str,
    /// The lines of `[servers]`.
    servers: &'static str,
    /// How long A works; B works for 2 s.
    work: &'static str,
    /// The faults that may strike.
    budget: &'static str,
    goal: Property,
}

impl Level {
    /// A level by its name.
    pub fn find(name: &str) -> Option<&'static Level> {
        LEVELS.iter().find(|level| level.name == name)
    }

    /// What it is called.
    pub fn title(&self) -> Text {
        Text::new(self.title[0], self.title[1])
    }

    /// What the reader is told before the first move.
    pub fn story(&self) -> Text {
        Text::new(self.story[0], self.story[1])
    }

    /// The property that is to be broken.
    pub fn goal(&self) -> Property {
        self.goal
    }

    /// The lock.
    pub fn lock(&self) -> &'static Kind {
        locks::find(self.lock).expect("a test finds the lock of every level")
    }

    /// The faults that may strike.
    pub fn budget(&self) -> Allowance {
        parse_allowance(self.budget).expect("a test reads the budget of every level")
    }

    /// The text of the scenario that is to be broken: nothing goes wrong in it yet.
    pub fn text(&self) -> String {
        let Level { title: [en, zh], lock, servers, work, .. } = self;
        format!(
            r#"title    = {{ en = "{en}", zh = "{zh}" }}
question = {{ en = "Can you break it?", zh = "你能打破它吗？" }}
lesson   = {{ en = "A lock is what is left of it when everything goes wrong at the worst moment.", zh = "锁的价值，是一切都在最坏的时刻出错之后还剩下的部分。" }}
until    = "60s"

[servers]
{servers}

[lock]
kind  = "{lock}"
ttl   = "10s"
retry = "2s"

[[client]]
name = "A"
work = "{work}"

[[client]]
name   = "B"
starts = "1s"
work   = "2s"

[expect.{lock}]
happens = ["A.wrote", "B.wrote"]
"#
        )
    }

    /// The scenario that is to be broken.
    pub fn scenario(&self) -> Scenario {
        Scenario::parse(self.name, &self.text()).expect("a test reads the scenario of every level")
    }

    /// The search for the simplest attack within the budget, at its start.
    pub fn search(&self) -> Search {
        let search = Search::new(&self.scenario(), self.lock(), self.budget(), &[self.goal]);
        search.expect("a test begins the search of every level")
    }
}
