//! Playing the runs of a sample, on every core, with looks at how the estimates settle.

use std::ops::Range;

use locklab_core::explore::risk::{Estimate, Risk, Tally};
use locklab_core::say;

use crate::progress::ProgressLine;

/// How many runs a thread plays between two looks at the clock.
const AT_ONCE: u64 = 2_000;

/// A sample.
#[derive(Debug)]
pub struct Sampled {
    /// What was sampled.
    pub risk: Risk,
    /// What was seen.
    pub tally: Tally,
    /// After so many runs, the chance for each acquisition, property by property.
    pub steps: Vec<(u64, Vec<Estimate>)>,
}

/// Plays so many runs, with a look after a sixteenth, an eighth, a quarter and a half.
pub fn sampled(risk: Risk, runs: u64, threads: Option<usize>, line: &mut ProgressLine) -> Sampled {
    let mut tally = risk.tally();
    let mut steps = Vec::new();
    let mut played = 0;
    for parts in [16, 8, 4, 2, 1] {
        let upto = runs / parts;
        tally.add(&self::tally(&risk, played..upto, threads, line));
        played = upto;
        let places = 0..risk.properties().len();
        steps.push((upto, places.map(|place| risk.of_an_acquisition(&tally, place)).collect()));
    }
    Sampled { risk, tally, steps }
}

/// Plays these runs.
pub fn tally(risk: &Risk, runs: Range<u64>, threads: Option<usize>, line: &mut ProgressLine) -> Tally {
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or_else(available).max(1) as u64;
    let mut tally = risk.tally();
    let mut next = runs.start;
    while next < runs.end {
        let piece = |thread: u64| {
            let from = (next + thread * AT_ONCE).min(runs.end);
            from..(from + AT_ONCE).min(runs.end)
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (1..threads).map(|thread| scope.spawn(move || risk.sample(piece(thread)))).collect();
            tally.add(&risk.sample(piece(0)));
            workers.into_iter().for_each(|worker| tally.add(&worker.join().expect("a run does not panic")));
        });
        next = piece(threads - 1).end;
        line.show(|| say!("{next} of {all} runs", "{all} 次运行中的第 {next} 次", next = next, all = runs.end));
    }
    tally
}
