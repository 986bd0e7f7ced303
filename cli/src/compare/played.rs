//! Playing a comparison: as many cells at once as there are processors, with a bar on a terminal.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use locklab_core::address::{Change, ChoicesAddress};
use locklab_core::compare::{Cell, Cost, Found, Witness};
use locklab_core::i18n::Language;
use locklab_core::say;
use locklab_core::scenario::library;

use super::inquiry::Inquiry;
use super::matrix::{Entry, Matrix, Opened, Row};
use crate::failure::Failure;
use crate::input::Source;
use crate::interrupt::{Interrupt, Stop};
use crate::play::{Ground, Stage};
use crate::progress::ProgressLine;
use crate::report;
use crate::shard::Shard;

/// Plays a share of the cells; each comes with its place, and with nothing where the end was asked for before. What is found does not depend on the number of processors.
pub fn play(cells: &[Cell], shard: Shard, interrupt: &Interrupt, language: Language) -> Vec<(usize, Option<Found>)> {
    let places: Vec<usize> = shard.pieces(cells.len()).collect();
    let line = ProgressLine::counting(places.len() as u64, &say!("cells", "格"), language);
    let found = at_once(&places, |place| {
        let found = (!interrupt.is_asked()).then(|| cells[*place].play());
        line.advance(1);
        found
    });
    places.into_iter().zip(found).collect()
}

/// What was found in rows and columns, with the witnesses played again where they are wanted.
pub fn matrix(
    inquiry: &Inquiry,
    found: Vec<Option<Found>>,
    stopped: Option<Stop>,
    witnesses: bool,
    language: Language,
) -> Result<Matrix, Failure> {
    let opened = at_once(&found, |found| {
        let witness = found.as_ref().filter(|_| witnesses).and_then(|found| found.witness.as_ref());
        witness.map(|witness| open(witness, language)).transpose()
    });
    let threats = inquiry.threats.iter().cycle();
    let entries = threats
        .zip(found)
        .zip(opened)
        .map(|((threat, found), opened)| Ok(Entry { threat: *threat, found, opened: opened? }));
    let mut entries = entries.collect::<Result<Vec<_>, Failure>>()?.into_iter();
    let rows = inquiry.mechanisms.iter().map(|mechanism| Row {
        mechanism: *mechanism,
        cost: Cost::of(mechanism).ok(),
        entries: entries.by_ref().take(inquiry.threats.len()).collect(),
    });
    Ok(Matrix { rows: rows.collect(), threats: inquiry.threats.clone(), stopped })
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

/// Does something with each, on all processors. The last come first: the cells with many servers, which take longest.
fn at_once<T: Sync, U: Send>(all: &[T], act: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let left = AtomicUsize::new(all.len());
    let done: Mutex<Vec<Option<U>>> = Mutex::new(all.iter().map(|_| None).collect());
    let work = || {
        while let Some(index) = take(&left) {
            let result = act(&all[index]);
            done.lock().expect("no thread panics")[index] = Some(result);
        }
    };
    thread::scope(|scope| {
        let processors = thread::available_parallelism().map_or(1, usize::from).min(all.len());
        (1..processors).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    let done = done.into_inner().expect("no thread panics");
    done.into_iter().map(|result| result.expect("all were taken")).collect()
}

/// The next that nobody has taken, from the end.
fn take(left: &AtomicUsize) -> Option<usize> {
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).ok().map(|left| left - 1)
}
