//! `locklab explore`: can this lock break, and what is the simplest way?

pub mod found;
mod json;
mod swarm;
mod text;

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use locklab_core::check::Property;
use locklab_core::explore::{self, Progress, Search};
use locklab_core::i18n::{Language, Say};
use locklab_core::locks::Kind;
use locklab_core::sim::Allowance;

use crate::args::{ExploreArguments, ListFormat};
use crate::failure::{Ending, Failure};
use crate::input;
use crate::output::Output;
use crate::play::{self, Stage};
use found::Found;

/// How many states are looked at between two looks at the clock.
const AT_ONCE: usize = 500;

/// Searches the scenario with each lock and reports.
pub fn explore(arguments: &ExploreArguments, language: Language) -> Result<Ending, Failure> {
    let changes: Vec<_> = arguments.settings.iter().map(|setting| play::change(setting)).collect::<Result<_, _>>()?;
    let sources = input::sources(std::slice::from_ref(&arguments.file))?;
    let [source] = sources.as_slice() else { return Err(one_scenario_only()) };
    let stage = Stage::new(source, changes)?;
    let allowance = allowance(arguments.faults.as_deref(), &stage)?;
    let properties = properties(&arguments.properties, &Property::ALL)?;
    if let Some(runs) = arguments.swarm {
        return swarm::swarm(arguments, runs, &stage, allowance, &properties, language);
    }
    let mut output = Output::standard();
    let mut all = Vec::new();
    for lock in stage.locks(&arguments.locks)? {
        let found = search(arguments, &stage, &lock, allowance, &properties, language)?
            .map(|(search, took)| Found::new(source, &stage, &lock, &search, took))
            .transpose()?;
        let Some(found) = found else { continue };
        if arguments.format == ListFormat::Text {
            let gap = if all.is_empty() { "" } else { "\n" };
            output.write(&format!("{gap}{}", text::page(&found, language)))?;
        }
        all.push(found);
    }
    if arguments.format == ListFormat::Json {
        output.write(&json::document(&all))?;
    }
    output.finish()?;
    let holds = all.iter().all(|found| found.verdict == found::Overall::Holds);
    Ok(if holds && !all.is_empty() { Ending::AsExpected } else { Ending::NotAsExpected })
}

/// The faults that were asked for, or as many of each class as the scenario has.
pub fn allowance(faults: Option<&str>, stage: &Stage) -> Result<Allowance, Failure> {
    match faults {
        Some(text) => explore::parse_allowance(text),
        None => explore::allowance_of(&stage.scenario),
    }
    .map_err(|error| Failure::input(error.message).hint(error.hint))
}

/// The properties of these names, or the usual ones.
pub fn properties(names: &[String], usual: &[Property]) -> Result<Vec<Property>, Failure> {
    if names.is_empty() {
        return Ok(usual.to_vec());
    }
    let read = |name: &String| {
        name.parse::<Property>().map_err(|error| {
            let message = locklab_core::say!("there is no property \"{name}\"", "没有性质 \"{name}\"", name = name);
            Failure::input(message).hint(error.hint())
        })
    };
    names.iter().map(read).collect()
}

/// Searches until there is an answer, or the budget is out; `None` where the lock and the scenario do not go together, which is told.
fn search(
    arguments: &ExploreArguments,
    stage: &Stage,
    lock: &Kind,
    allowance: Allowance,
    properties: &[Property],
    language: Language,
) -> Result<Option<(Search, Duration)>, Failure> {
    let mut search = match Search::new(&stage.scenario, lock, allowance, properties) {
        Ok(search) => search,
        Err(error) if arguments.locks.is_empty() => {
            crate::note::note(&error.why, language);
            return Ok(None);
        }
        Err(error) => return Err(Failure::input(error.why)),
    };
    let start = Instant::now();
    let budget = Duration::from_micros(arguments.budget.micros());
    let mut bar = Bar::new(language);
    while search.advance(AT_ONCE) == Progress::Going {
        if start.elapsed() >= budget || search.bytes() >= arguments.memory {
            break;
        }
        bar.show(&search, start.elapsed());
    }
    bar.clear();
    Ok(Some((search, start.elapsed())))
}

/// How far the search is, on a terminal.
struct Bar {
    language: Language,
    is_seen: bool,
    last: Duration,
}

impl Bar {
    fn new(language: Language) -> Bar {
        Bar { language, is_seen: std::io::stderr().is_terminal(), last: Duration::ZERO }
    }

    fn show(&mut self, search: &Search, elapsed: Duration) {
        if !self.is_seen || elapsed < self.last + Duration::from_millis(250) {
            return;
        }
        self.last = elapsed;
        let rate = search.states() as u64 * 1_000 / (elapsed.as_millis() as u64).max(1);
        let words = locklab_core::say!(
            "{states} states, {rate} a second, {waiting} waiting, faults up to {faults}",
            "{states} 个状态，每秒 {rate}，待查 {waiting}，故障数到 {faults}",
            states = search.states() as u64,
            rate = rate,
            waiting = search.waiting() as u64,
            faults = search.reached().faults()
        );
        let mut stderr = std::io::stderr();
        let _ = write!(stderr, "\r\x1b[2K{}", words.say(self.language)).and_then(|()| stderr.flush());
    }

    fn clear(&self) {
        if self.is_seen && self.last > Duration::ZERO {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}

/// Several scenarios were named where one is wanted.
pub fn one_scenario_only() -> Failure {
    Failure::input(locklab_core::say!("one scenario is searched at a time", "一次只能搜索一个场景"))
}
