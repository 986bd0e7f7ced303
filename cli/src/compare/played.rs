//! Playing a comparison: as many cells at once as there are processors, with a bar on a terminal.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use locklab_core::address::{Change, ChoicesAddress};
use locklab_core::compare::{Cell, Cost, Mechanism, Threat, Witness};
use locklab_core::i18n::Language;
use locklab_core::scenario::library;

use super::matrix::{Entry, Matrix, Opened, Row};
use crate::failure::Failure;
use crate::input::Source;
use crate::play::{Ground, Stage};
use crate::report;

/// How much of a comparison is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The answers.
    Answers,
    /// And the witnesses, played again and told.
    Witnesses,
}

/// Plays every cell. The result does not depend on the number of processors.
pub fn play(
    mechanisms: Vec<Mechanism>,
    threats: Vec<Threat>,
    wanted: Wanted,
    language: Language,
) -> Result<Matrix, Failure> {
    let cells: Vec<Cell> = mechanisms
        .iter()
        .flat_map(|mechanism| threats.iter().map(|threat| Cell { mechanism: *mechanism, threat: *threat }))
        .collect();
    let mut entries = at_once(&cells, language, |cell| entry(cell, wanted, language))?.into_iter();
    let rows = mechanisms.into_iter().map(|mechanism| Row {
        mechanism,
        cost: Cost::of(&mechanism).ok(),
        entries: entries.by_ref().take(threats.len()).collect(),
    });
    Ok(Matrix { rows: rows.collect(), threats })
}

fn entry(cell: &Cell, wanted: Wanted, language: Language) -> Result<Entry, Failure> {
    let found = cell.play();
    let witness = found.witness.as_ref().filter(|_| wanted == Wanted::Witnesses);
    let opened = witness.map(|witness| open(witness, language)).transpose()?;
    Ok(Entry { threat: cell.threat, found, opened })
}

/// Plays a witness again, as an ordinary run of a changed scenario.
fn open(witness: &Witness, language: Language) -> Result<Opened, Failure> {
    let scene = library::find(witness.scenario).expect("the scenes are built in");
    let changes = witness.changes.iter().map(|(key, value)| Change { key: key.clone(), value: value.clone() });
    let stage = Stage::new(&Source::built_in(scene.name, scene.text), changes.collect())?;
    let lock = stage.lock(&witness.lock)?;
    let played = stage.play(&lock, ChoicesAddress::Defaults, &Ground::Models)?;
    let cause = played.judged().map_or(Vec::new(), |judged| judged.report.cause.clone());
    let address = played.address().map(|address| address.to_string()).unwrap_or_default();
    Ok(Opened { address, cause, story: report::story(&played, language) })
}

/// Does something with every cell, on all processors. The last cells come first: they are the ones with many servers, which take longest.
fn at_once<T: Send>(
    cells: &[Cell],
    language: Language,
    act: impl Fn(&Cell) -> Result<T, Failure> + Sync,
) -> Result<Vec<T>, Failure> {
    let left = AtomicUsize::new(cells.len());
    let done: Mutex<Vec<Option<Result<T, Failure>>>> = Mutex::new(cells.iter().map(|_| None).collect());
    let bar = bar(cells.len(), language);
    let work = || {
        while let Some(index) = take(&left) {
            let result = act(&cells[index]);
            done.lock().expect("no cell panics")[index] = Some(result);
            bar.inc(1);
        }
    };
    thread::scope(|scope| {
        let processors = thread::available_parallelism().map_or(1, usize::from).min(cells.len());
        (1..processors).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    bar.finish_and_clear();
    let done = done.into_inner().expect("no cell panics");
    done.into_iter().map(|result| result.expect("every cell was taken")).collect()
}

/// The next cell that nobody has taken, from the end.
fn take(left: &AtomicUsize) -> Option<usize> {
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).ok().map(|left| left - 1)
}

fn bar(cells: usize, language: Language) -> ProgressBar {
    let target = match std::io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let template = match language {
        Language::English => "{bar:40} {pos} of {len} cells",
        Language::Chinese => "{bar:40} {pos}/{len} 格",
    };
    let style = ProgressStyle::with_template(template).expect("the template is sound");
    ProgressBar::with_draw_target(Some(cells as u64), target).with_style(style)
}
