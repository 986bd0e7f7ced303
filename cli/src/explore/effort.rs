//! What a search may take, and how far it has come: shared by all its threads.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use locklab_core::explore::Search;
use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use locklab_core::time::Span;

use crate::interrupt::{Interrupt, Stop};
use crate::progress::ProgressLine;

/// What a search may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The longest time for each lock.
    pub budget: Duration,
    /// How many bytes all threads take together.
    pub memory: usize,
    /// How many threads search.
    pub threads: usize,
    /// Whether the end was asked for.
    pub interrupt: Interrupt,
    /// The language of the progress line.
    pub language: Language,
}

/// The effort on one lock so far.
#[derive(Debug)]
pub struct Effort<'a> {
    limits: &'a Limits,
    stopped: OnceLock<Stop>,
    /// For each thread, what its search takes now. The first is the search before the division.
    bytes: Vec<AtomicUsize>,
    states: AtomicU64,
    parts_done: AtomicUsize,
    line: Mutex<ProgressLine>,
}

impl<'a> Effort<'a> {
    /// An effort that begins now.
    pub fn new(limits: &'a Limits) -> Effort<'a> {
        Effort {
            limits,
            stopped: OnceLock::new(),
            bytes: (0..=limits.threads).map(|_| AtomicUsize::new(0)).collect(),
            states: AtomicU64::new(0),
            parts_done: AtomicUsize::new(0),
            line: Mutex::new(ProgressLine::new(limits.language)),
        }
    }

    /// Why it stopped before its end, if it did.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped.get().copied()
    }

    /// How many states were met.
    pub fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    /// Takes note that so many states more were met.
    pub fn met(&self, states: usize) {
        self.states.fetch_add(states as u64, Ordering::Relaxed);
    }

    /// Whether a thread's search may go on.
    pub fn goes_on(&self, thread: usize, search: &Search) -> bool {
        self.bytes[thread].store(search.bytes(), Ordering::Relaxed);
        let bytes: usize = self.bytes.iter().map(|bytes| bytes.load(Ordering::Relaxed)).sum();
        let mut line = self.line.lock().expect("no thread panics");
        let elapsed = line.elapsed();
        let stop = match () {
            () if self.limits.interrupt.is_asked() => Some(Stop::Interrupted),
            () if elapsed >= self.limits.budget => Some(Stop::Time),
            () if bytes >= self.limits.memory => Some(Stop::Memory),
            () => None,
        };
        if let Some(stop) = stop {
            self.stopped.get_or_init(|| stop);
        }
        line.show(|| self.words(elapsed, search));
        self.stopped().is_none()
    }

    /// Takes note that a thread is done with a part.
    pub fn part_done(&self, thread: usize) {
        self.bytes[thread].store(0, Ordering::Relaxed);
        self.parts_done.fetch_add(1, Ordering::Relaxed);
    }

    fn words(&self, elapsed: Duration, search: &Search) -> Text {
        let states = self.states();
        let rate = states * 1_000 / (elapsed.as_millis() as u64).max(1);
        say!(
            "{states} states, {rate} a second, faults up to {faults}, {waiting} waiting, parts done {parts}, at most {left} left",
            "{states} 个状态，每秒 {rate}，故障数到 {faults}，待查 {waiting}，已完成 {parts} 份，最多还需 {left}",
            states = states,
            rate = rate,
            faults = search.reached().faults(),
            waiting = search.waiting() as u64,
            parts = self.parts_done.load(Ordering::Relaxed) as u64,
            left = Span::from_secs(self.limits.budget.saturating_sub(elapsed).as_secs())
        )
    }
}
