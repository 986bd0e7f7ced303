//! Where in a run a reader is, and how to get elsewhere.

use locklab_core::time::Time;
use locklab_core::view::Step;

use super::{Played, Run};

/// The length of the track that a cursor moves on, in units of its own: finer than any screen, however near a reader looks.
pub const TRACK: u32 = 1 << 24;

/// How long a step is shown while the cursor moves by itself, in milliseconds.
const PACE: u64 = 900;

/// The shortest and the longest time in which a whole run passes by, in milliseconds.
const PASSAGE: (u64, u64) = (8_000, 60_000);

/// A place in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The step that was told last.
    pub step: usize,
    /// How many events have happened.
    pub events: usize,
    /// The instant.
    pub at: Time,
    /// Where that is on the track, 0 to [`TRACK`].
    pub x: i64,
}

/// A way to another place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// To the first step.
    First,
    /// To the step before; to the beginning of this one, when the cursor has left it behind.
    Back,
    /// To the next step.
    Next,
    /// To the last step.
    Last,
    /// To a step.
    To(usize),
    /// To a place on the track.
    Scrub(i64),
    /// To an instant.
    At(Time),
    /// On, as far as the cursor moves by itself in this time.
    On {
        /// Milliseconds.
        millis: u32,
    },
}

/// How fast the cursor moves by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speed {
    /// A quarter as fast.
    Quarter,
    /// Half as fast.
    Half,
    /// So that every step can be read.
    #[default]
    Plain,
    /// Twice as fast.
    Double,
    /// Four times as fast.
    Fourfold,
}

impl Speed {
    /// Every speed, the slowest first.
    pub const ALL: [Speed; 5] = [Speed::Quarter, Speed::Half, Speed::Plain, Speed::Double, Speed::Fourfold];

    /// How it is written: `¼×`, `2×`.
    pub fn sign(self) -> &'static str {
        match self {
            Speed::Quarter => "¼×",
            Speed::Half => "½×",
            Speed::Plain => "1×",
            Speed::Double => "2×",
            Speed::Fourfold => "4×",
        }
    }

    /// How much of the usual time passes in so many milliseconds.
    pub fn passed(self, millis: u32) -> u32 {
        match self {
            Speed::Quarter => millis / 4,
            Speed::Half => millis / 2,
            Speed::Plain => millis,
            Speed::Double => millis.saturating_mul(2),
            Speed::Fourfold => millis.saturating_mul(4),
        }
    }
}

impl Cursor {
    /// Where a promise is broken first; the beginning where none is.
    pub fn where_it_breaks(played: &Played) -> Cursor {
        let Ok(run) = played.run() else { return Cursor::default() };
        at_step(run, run.steps.iter().position(|step| step.is_violation).unwrap_or(0))
    }

    /// The place to which a move leads.
    pub fn moved(&self, played: &Played, to: Move) -> Cursor {
        let Ok(run) = played.run() else { return Cursor::default() };
        let last = run.steps.len().saturating_sub(1);
        let has_left = run.steps.get(self.step).is_some_and(|step| self.at > step.at.at);
        match to {
            Move::First => at_step(run, 0),
            Move::Back if has_left => at_step(run, self.step),
            Move::Back => at_step(run, self.step.saturating_sub(1)),
            Move::Next => at_step(run, (self.step + 1).min(last)),
            Move::Last => at_step(run, last),
            Move::To(step) => at_step(run, step.min(last)),
            Move::Scrub(x) => at_place(run, x),
            Move::At(at) => at_instant(run, at),
            Move::On { millis } => at_place(run, self.x + pace(run, millis)),
        }
    }

    /// Whether nothing comes after it.
    pub fn is_at_end(&self, played: &Played) -> bool {
        played.run().is_ok_and(|run| self.step + 1 >= run.steps.len())
    }
}

impl Cursor {
    /// A track is coarser than time: what happened by the instant is counted by the instant itself.
    fn after_all_of_its_instant(self, run: &Run) -> Cursor {
        let passed = run.scene.times.partition_point(|time| *time <= self.at);
        let step = run.steps.partition_point(|step| step.at.at <= self.at).saturating_sub(1);
        Cursor { step, events: passed, ..self }
    }
}

fn at_step(run: &Run, index: usize) -> Cursor {
    let Some(Step { at, events, .. }) = run.steps.get(index) else { return Cursor::default() };
    Cursor { step: index, events: *events, at: at.at, x: run.track.x(*at) }
}

fn at_place(run: &Run, x: i64) -> Cursor {
    let x = x.clamp(0, i64::from(TRACK));
    let passed = run.track.event_at(x).map_or(0, |event| event as usize + 1);
    let step = run.steps.partition_point(|step| (step.at.event as usize) < passed).saturating_sub(1);
    let events = run.steps.get(step).map_or(passed, |step| step.events.max(passed));
    // Pixels are coarser than instants: the instant never lies before what has happened by then.
    let happened = events.checked_sub(1).and_then(|last| run.scene.times.get(last)).copied().unwrap_or_default();
    Cursor { step, events, at: run.track.time_at(x).max(happened), x }
}

fn at_instant(run: &Run, at: Time) -> Cursor {
    let at = at.min(run.scene.end);
    Cursor { at, ..at_place(run, run.track.x_of_time(at)) }.after_all_of_its_instant(run)
}

/// How far the cursor moves in a time, at least one unit.
fn pace(run: &Run, millis: u32) -> i64 {
    let passage = (run.steps.len() as u64 * PACE).clamp(PASSAGE.0, PASSAGE.1);
    (u64::from(millis) * u64::from(TRACK) / passage).max(1) as i64
}
