//! `locklab run`: plays scenarios and reports.

use locklab_core::i18n::Language;

use crate::args::{OutputArguments, RunArguments};
use crate::failure::{Ending, Failure};
use crate::input;
use crate::output::Output;
use crate::play::{self, Ground, Played, Stage};
use crate::report::Reporter;

/// Plays every scenario with every lock and reports.
pub fn run(arguments: &RunArguments, language: Language) -> Result<Ending, Failure> {
    let mut output = Output::new(&arguments.output)?;
    let changes: Vec<_> = arguments.settings.iter().map(|setting| play::change(setting)).collect::<Result<_, _>>()?;
    let ground = if arguments.live { Ground::OwnServers } else { Ground::Models };
    let sources = input::sources(&arguments.files)?;
    let stages = each(&sources, |source| Stage::new(source, changes.clone()))?;
    let locks = each(&stages, |stage| stage.locks(&arguments.locks))?;
    let count = locks.iter().map(Vec::len).sum::<usize>() * arguments.runs as usize;
    let mut reporter = Reporter::new(&arguments.output, language, stages.len(), count)?;
    for (stage, locks) in stages.iter().zip(&locks) {
        for lock in locks {
            for round in 0..u64::from(arguments.runs) {
                let seed = arguments.seed.map(|seed| seed.wrapping_add(round));
                let played = stage.play(lock, stage.choices(seed), ground)?;
                reporter.take(played, &mut output)?;
            }
        }
    }
    reporter.finish(output)
}

/// Does something with each, and tells everything that went wrong, not only the first.
fn each<T, U>(items: &[T], mut step: impl FnMut(&T) -> Result<U, Failure>) -> Result<Vec<U>, Failure> {
    let mut done = Vec::new();
    let mut failures = Vec::new();
    for item in items {
        match step(item) {
            Ok(one) => done.push(one),
            Err(failure) => failures.push(failure),
        }
    }
    if failures.is_empty() { Ok(done) } else { Err(Failure::Several(failures)) }
}

/// Reports runs that were played already.
pub fn report(arguments: &OutputArguments, language: Language, played: Played) -> Result<Ending, Failure> {
    let mut output = Output::new(arguments)?;
    let mut reporter = Reporter::new(arguments, language, 1, 1)?;
    reporter.take(played, &mut output)?;
    reporter.finish(output)
}
