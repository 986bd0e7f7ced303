//! `locklab explore`: can this lock break, and what is the simplest way?

mod divided;
mod effort;
pub mod found;
mod inquiry;
mod json;
mod partial;
mod swarm;
mod text;

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use locklab_core::i18n::Language;
use locklab_core::say;
use locklab_core::time::Span;

use crate::args::ExploreArguments;
use crate::failure::{Ending, Failure};
use crate::form;
use crate::input;
use crate::interrupt::{Interrupt, Stop};
use crate::options::ListFormat;
use crate::output::Output;
use crate::partial::{Partial, Work, missing};
use crate::shard::Shard;
use divided::{Searched, searched};
use effort::Limits;
use found::{Found, Overall};
use inquiry::{Inquiry, Question};
use partial::LockPartial;

/// Searches the scenario with each lock and reports.
pub fn explore(arguments: &ExploreArguments, language: Language) -> Result<Ending, Failure> {
    let format = form::wanted(arguments.format, arguments.output.as_deref().filter(|_| arguments.shard.is_none()))?;
    let interrupt = Interrupt::listen();
    let source = input::one(&arguments.file)?;
    let inquiry = Inquiry::new(Question::new(arguments, &source))?;
    if let Some(runs) = arguments.swarm {
        return swarm::swarm(arguments, runs, format, &inquiry, &interrupt, language);
    }
    let limits = Limits {
        budget: Duration::from_micros(arguments.budget.micros()),
        memory: arguments.memory,
        threads: arguments.threads.map_or_else(processors, |threads| threads as usize),
        interrupt,
        language,
    };
    let output = Output::to(arguments.output.as_deref())?;
    match arguments.shard {
        Some(shard) => explore_shard(&inquiry, shard, &limits, output),
        None => explore_whole(&inquiry, format, &limits, output),
    }
}

/// Searches everything, and tells of each lock as soon as it is done with it.
fn explore_whole(inquiry: &Inquiry, format: ListFormat, limits: &Limits, output: Output) -> Result<Ending, Failure> {
    let mut report = Report { format, language: limits.language, output, all: Vec::new() };
    for lock in &inquiry.locks {
        let Some(mut search) = inquiry.search(lock, limits.language)? else { continue };
        let Searched { before, parts, stopped, .. } =
            timed(limits, || searched(&mut search, inquiry.question.divide_after, Shard::WHOLE, limits));
        let parts: Vec<_> = parts.into_iter().map(|(_, summary)| summary).collect();
        report.tell(Found::new(inquiry, lock, &search, before.joined(&parts), stopped)?)?;
        if stopped == Some(Stop::Interrupted) {
            break;
        }
    }
    report.end()
}

/// Searches a share of every lock, and writes what `locklab merge` joins with the others' shares. All well means: the share was searched to its end.
fn explore_shard(inquiry: &Inquiry, shard: Shard, limits: &Limits, output: Output) -> Result<Ending, Failure> {
    let mut found = Vec::new();
    for lock in &inquiry.locks {
        let Some(mut search) = inquiry.search(lock, limits.language)? else { continue };
        let searched = timed(limits, || searched(&mut search, inquiry.question.divide_after, shard, limits));
        found.push(LockPartial::new(inquiry, lock, &search, &searched));
        if searched.stopped == Some(Stop::Interrupted) {
            break;
        }
    }
    Partial::new(Work::Explore, shard, inquiry.question.clone(), found).write(output)
}

/// Puts the shards of a search together, and reports what one run would have reported.
pub fn merged(
    shards: &[Partial<Question, Vec<LockPartial>>],
    format: ListFormat,
    output: Output,
    language: Language,
) -> Result<Ending, Failure> {
    let inquiry = Inquiry::new(shards[0].question.clone())?;
    let mut report = Report { format, language, output, all: Vec::new() };
    for lock in &inquiry.locks {
        let Some(search) = inquiry.search(lock, language)? else { continue };
        let mut found: Vec<&LockPartial> = Vec::new();
        for shard in shards {
            let own = shard.found.iter().find(|partial| partial.lock == *lock.name);
            let own = own.filter(|partial| !partial.is_without_share());
            found.push(own.ok_or_else(|| missing(&[shard.shard], shard.of))?);
        }
        let (summary, stopped) = LockPartial::joined(&found, &inquiry, lock)?;
        report.tell(Found::new(&inquiry, lock, &search, summary, stopped)?)?;
    }
    report.end()
}

/// A report of all locks, told one by one.
#[derive(Debug)]
struct Report {
    format: ListFormat,
    language: Language,
    output: Output,
    all: Vec<Found>,
}

impl Report {
    /// Tells of the next lock.
    fn tell(&mut self, found: Found) -> Result<(), Failure> {
        if self.format == ListFormat::Text {
            let gap = if self.all.is_empty() { "" } else { "\n" };
            self.output.write(&format!("{gap}{}", text::page(&found, self.language)))?;
        }
        self.all.push(found);
        Ok(())
    }

    /// Ends it. All well means: everything in question holds.
    fn end(mut self) -> Result<Ending, Failure> {
        if self.format == ListFormat::Json {
            self.output.write(&json::document(&self.all))?;
        }
        self.output.finish()?;
        let holds = !self.all.is_empty() && self.all.iter().all(|found| found.verdict == Overall::Holds);
        Ok(if holds { Ending::AsExpected } else { Ending::NotAsExpected })
    }
}

/// Searches, and says on a terminal how quick it was: a report is the same, however long it took.
fn timed(limits: &Limits, search: impl FnOnce() -> Searched) -> Searched {
    let start = Instant::now();
    let searched = search();
    let millis = start.elapsed().as_millis() as u64;
    if std::io::stderr().is_terminal() {
        let words = say!(
            "{states} states in {took}, {rate} a second",
            "{took} 内 {states} 个状态，每秒 {rate}",
            states = searched.states,
            took = Span::from_millis(millis),
            rate = searched.states * 1_000 / millis.max(1)
        );
        crate::note::note(&words, limits.language);
    }
    searched
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
