//! Searching one lock: as a whole at first, then its parts, on all threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use locklab_core::explore::{PARTS, Progress, Search, Summary};

use super::effort::{Effort, Limits};
use crate::interrupt::Stop;
use crate::shard::Shard;

/// How many states are looked at between two looks at the clock: with many faults each has hundreds of successors, and Ctrl-C is not to wait for long.
const AT_ONCE: usize = 16;

/// What was found of one lock.
#[derive(Clone, Debug)]
pub struct Searched {
    /// What was found before the search was divided; all of it, where it never was.
    pub before: Summary,
    /// What was found in the parts that were searched here.
    pub parts: Vec<(u32, Summary)>,
    /// Why it ended before its end, if it did.
    pub stopped: Option<Stop>,
    /// How many states were met here.
    pub states: u64,
}

/// Searches this shard, dividing after so many states. What is found does not depend on the number of threads.
pub fn searched(search: &mut Search, divide_after: u64, shard: Shard, limits: &Limits) -> Searched {
    let effort = Effort::new(limits);
    let mut met = 0;
    let is_over = loop {
        let left = divide_after.saturating_sub(search.taken());
        let progress = search.advance(AT_ONCE.min(left as usize));
        effort.met(search.states() - met);
        met = search.states();
        match progress {
            Progress::Over => break true,
            Progress::Going if !effort.goes_on(0, search) => break true,
            Progress::Going if search.taken() >= divide_after => break false,
            Progress::Going => {}
        }
    };
    if effort.stopped().is_some() {
        search.give_up();
    }
    let before = search.summary();
    let wanted: Vec<u32> = shard.pieces(PARTS as usize).map(|part| part as u32).collect();
    let parts = if is_over { Vec::new() } else { parts(search, &wanted, limits.threads, &effort) };
    Searched { before, parts, stopped: effort.stopped(), states: effort.states() }
}

/// Searches these parts, each by one thread.
fn parts(whole: &Search, wanted: &[u32], threads: usize, effort: &Effort<'_>) -> Vec<(u32, Summary)> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = |thread: usize| {
        while let Some(index) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
            let summary = part(whole.part(*index, PARTS), thread, effort);
            done.lock().expect("no thread panics").push((*index, summary));
        }
    };
    thread::scope(|scope| {
        let work = &work;
        (2..=threads.min(wanted.len())).for_each(|thread| drop(scope.spawn(move || work(thread))));
        work(1);
    });
    let mut done = done.into_inner().expect("no thread panics");
    done.sort_unstable_by_key(|(index, _)| *index);
    done
}

/// Searches a part to its end, unless there is a reason to stop: then it is left as it is.
fn part(mut part: Search, thread: usize, effort: &Effort<'_>) -> Summary {
    let mut progress = Progress::Going;
    while progress == Progress::Going && effort.goes_on(thread, &part) {
        let met = part.states();
        progress = part.advance(AT_ONCE);
        effort.met(part.states() - met);
    }
    effort.part_done(thread);
    part.give_up();
    part.summary()
}
