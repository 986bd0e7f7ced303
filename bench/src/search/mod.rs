//! How many states a second are searched on one core: Locklab's own search, the same world searched by stateright, and the same lock written by hand for stateright.
//!
//! Locklab's search leaves nothing out here, as stateright does not. All three look at everything that one pause and one crash can do to two clients with `token-lua`. The property in question holds, so none of them stops early. Locklab's search and
//! stateright must count as many different states: they have done the same work, or nothing is measured.

mod by_hand;
mod in_stateright;

use anyhow::{Context, anyhow, ensure};
use locklab_core::check::Property;
use locklab_core::explore::{Adversity, Answer, Progress, Reductions, Search, parse_allowance};
use locklab_core::i18n::Language;
use locklab_core::locks::{self, Kind};
use locklab_core::scenario::{Scenario, library};
use locklab_core::sim::{Allowance, Lengths, Plan};
use serde::Serialize;

use crate::stopwatch::Stopwatch;
use by_hand::TokenLua;
use in_stateright::InStateright;

/// Each is repeated until it has taken so many seconds.
const AT_LEAST: f64 = 2.0;

/// What is searched.
#[derive(Clone)]
pub struct Question {
    scenario: Scenario,
    lock: Kind,
    /// The faults that may strike.
    pub allowance: Allowance,
    /// What is asked.
    pub property: Property,
}

/// What one way of searching came to.
#[derive(Clone, Debug, Serialize)]
pub struct Searched {
    /// How many different states.
    pub states: u64,
    /// States a second on one core.
    pub per_second: f64,
}

/// The figures of all three.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Locklab's search.
    pub locklab: Searched,
    /// Bytes for each state that was met, at the end of Locklab's search.
    pub bytes_a_state: f64,
    /// The most bytes that it took, states that wait included.
    pub most_bytes: usize,
    /// Locklab's world in stateright.
    pub world_in_stateright: Searched,
    /// The lock written by hand for stateright.
    pub by_hand_in_stateright: Searched,
}

impl Question {
    /// What is asked of a scenario's text.
    pub fn new(name: &str, text: &str, lock: &str, faults: &str, property: Property) -> anyhow::Result<Question> {
        let scenario = Scenario::parse(name, text).map_err(|errors| anyhow!(errors.render(Language::English)))?;
        let lock = locks::find(lock).ok().context("the lock is one of the shipped ones")?.clone();
        let allowance = parse_allowance(faults).map_err(|error| anyhow!(error.message.en))?;
        Ok(Question { scenario, lock, allowance, property })
    }

    /// Locklab's search of it.
    pub fn search(&self) -> anyhow::Result<Search> {
        Search::new(&self.scenario, &self.lock, self.allowance, &[self.property]).map_err(|error| anyhow!(error.why.en))
    }

    /// The same search without reductions: what stateright is compared with.
    fn plain_search(&self) -> anyhow::Result<Search> {
        let adversity = Adversity::Placed(self.allowance, Lengths::default());
        Search::with(&self.scenario, &self.lock, adversity, &[self.property], Reductions::Off)
            .map_err(|error| anyhow!(error.why.en))
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let scenario = Scenario { faults: Vec::new(), until: None, ..self.scenario.clone() };
        Plan::new(&scenario, &self.lock).map_err(|error| anyhow!(error.why.en))
    }
}

/// Measures all three.
pub fn measure() -> anyhow::Result<Figures> {
    let question = headline()?;
    let (mut most_bytes, mut last_bytes) = (0, 0);
    let locklab = searched(|| {
        let mut search = question.plain_search()?;
        while search.advance(64) == Progress::Going {
            most_bytes = most_bytes.max(search.bytes());
        }
        last_bytes = search.bytes();
        let holds = search.answers().all(|(_, answer)| answer == Answer::Holds);
        Ok((search.states() as u64, holds))
    })?;
    let world_in_stateright = searched(|| Ok(InStateright::new(question.clone())?.search()))?;
    let (own, others) = (locklab.states, world_in_stateright.states);
    ensure!(own == others, "{own} states, and {others} by stateright: this is not the same work");
    Ok(Figures {
        bytes_a_state: last_bytes as f64 / locklab.states as f64,
        most_bytes,
        locklab,
        world_in_stateright,
        by_hand_in_stateright: searched(|| Ok(TokenLua { faults: (1, 1) }.search()))?,
    })
}

fn headline() -> anyhow::Result<Question> {
    let found = library::find("expiry/gc-pause").context("a built-in scenario")?;
    Question::new(found.name, found.text, "token-lua", "pause=1,crash=1", Property::NoForeignRelease)
}

fn searched(mut search: impl FnMut() -> anyhow::Result<(u64, bool)>) -> anyhow::Result<Searched> {
    let stopwatch = Stopwatch::start();
    let (mut states, mut all) = (0, 0);
    while stopwatch.seconds() < AT_LEAST {
        let (met, holds) = search()?;
        ensure!(holds, "the property does not hold: not everything was searched");
        (states, all) = (met, all + met);
    }
    Ok(Searched { states, per_second: all as f64 / stopwatch.seconds() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stateright_meets_exactly_as_many_states_as_the_search() -> anyhow::Result<()> {
        for faults in ["none", "crash=1", "pause=1"] {
            let question = Question { allowance: parse_allowance(faults).expect("it is one"), ..headline()? };
            let mut search = question.plain_search()?;
            while search.advance(10_000) == Progress::Going {}
            let (states, holds) = InStateright::new(question)?.search();
            assert!(holds);
            assert_eq!(search.states() as u64, states, "{faults}");
        }
        Ok(())
    }
}
