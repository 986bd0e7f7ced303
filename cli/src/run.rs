//! `locklab run`: plays scenarios and reports.

use locklab_core::i18n::Language;
use unicode_width::UnicodeWidthStr;

use crate::args::RunArguments;
use crate::failure::{Ending, Failure};
use crate::input;
use crate::missed::Missed;
use crate::options::OutputArguments;
use crate::output::Output;
use crate::page;
use crate::play::{self, Ground, Played, Stage};
use crate::report::{Agenda, Reporter};

/// Plays every scenario with every lock and reports.
pub fn run(arguments: &RunArguments, language: Language) -> Result<Ending, Failure> {
    let mut output = Output::new(&arguments.output)?;
    let changes: Vec<_> = arguments.settings.iter().map(|setting| play::change(setting)).collect::<Result<_, _>>()?;
    if arguments.open {
        page::check()?;
    }
    let ground = Ground::of(&arguments.live, language)?;
    let sources = input::sources(&arguments.files)?;
    let stages = each(&sources, |source| Stage::new(source, changes.clone()))?;
    let locks = each(&stages, |stage| stage.locks(&arguments.locks))?;
    let agenda = Agenda {
        scenarios: stages.len(),
        runs: locks.iter().map(Vec::len).sum::<usize>() * arguments.runs as usize,
        scenario_width: stages.iter().map(|stage| stage.scenario.name.width()).max().unwrap_or(0),
        lock_width: locks.iter().flatten().map(|lock| lock.name.width()).max().unwrap_or(0),
    };
    let mut missed = Missed::default();
    let mut reporter = Reporter::new(&arguments.output, language, agenda)?;
    let mut last = None;
    let mut judged = 0;
    for (stage, locks) in stages.iter().zip(&locks) {
        for lock in locks {
            for round in 0..u64::from(arguments.runs) {
                let seed = arguments.seed.map(|seed| seed.wrapping_add(round));
                let played = match stage.play(lock, stage.choices(seed), &ground) {
                    Ok(played) => played,
                    Err(failure) => {
                        missed.note(format!("{} ({})", stage.scenario.name, lock.name), failure)?;
                        continue;
                    }
                };
                last = played.address();
                judged += usize::from(played.judged().is_some());
                reporter.take(&played, &mut output)?;
            }
        }
    }
    let ending = match missed.failure(judged) {
        // Where nothing was played there is nothing to sum up.
        Some(failure) if judged == 0 => return Err(failure),
        missed => {
            let ending = reporter.finish(output)?;
            missed.map_or(Ok(ending), Err)?
        }
    };
    ground.check_played(judged)?;
    if arguments.open { page::open(last.as_ref(), language) } else { Ok(ending) }
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
    let mut reporter = Reporter::new(arguments, language, Agenda::ONE)?;
    reporter.take(&played, &mut output)?;
    reporter.finish(output)
}
