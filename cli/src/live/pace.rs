//! Where a live run's time comes from.

use std::cell::Cell;
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use locklab_core::time::Time;

/// The clock of a live run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The simulator's: servers' clocks stand still until it moves them. Exact.
    Virtual,
    /// The machine's, so many times faster than the scenario says.
    Wall {
        /// At least 1.
        scale: u32,
    },
}

/// Where a live run's time comes from.
#[derive(Debug)]
pub enum Pace {
    /// From the world: servers' clocks stand still until it moves them.
    Virtual {
        /// The calendar instant, in microseconds since 1970, that the run's clocks call 0.
        epoch: i64,
    },
    /// From the machine: servers' clocks run, and the world waits.
    Wall {
        /// When the run began; `None`: it is still being set up, which takes the world no time.
        start: Option<Instant>,
        /// How late the world has been at worst.
        late: Lateness,
    },
}

/// How late the world has been at worst; still there when the run is over.
#[derive(Clone, Debug, Default)]
pub struct Lateness(Rc<Cell<Duration>>);

impl Lateness {
    /// By how many milliseconds the world has been too late for its verdict to count; `None`: it has been within the margin.
    pub fn beyond(&self, margin: Duration) -> Option<u64> {
        let late = self.0.get();
        (late > margin).then(|| u64::try_from(late.as_millis()).unwrap_or(u64::MAX))
    }
}

impl Pace {
    /// The wall clock, from the first instant on that is waited for.
    pub fn wall() -> Pace {
        Pace::Wall { start: None, late: Lateness::default() }
    }

    /// How late the world will have been.
    pub fn lateness(&self) -> Lateness {
        match self {
            Pace::Wall { late, .. } => late.clone(),
            Pace::Virtual { .. } => Lateness::default(),
        }
    }

    /// Waits for an instant; what time it is then.
    pub fn reach(&mut self, planned: Time) -> Time {
        let Pace::Wall { start, late } = self else { return planned };
        let due = Duration::from_micros(planned.0);
        let elapsed = start.get_or_insert_with(Instant::now).elapsed();
        match due.checked_sub(elapsed) {
            Some(left) => thread::sleep(left),
            None => late.0.set(late.0.get().max(elapsed - due)),
        }
        self.now(planned)
    }

    /// Leaves out so much real time: for the world it has not passed.
    pub fn leave_out(&mut self, length: Duration) {
        if let Pace::Wall { start: Some(start), .. } = self {
            *start += length;
        }
    }

    /// What time it is: never before the world's own time.
    pub fn now(&self, world: Time) -> Time {
        match self {
            Pace::Virtual { .. } | Pace::Wall { start: None, .. } => world,
            Pace::Wall { start: Some(start), .. } => {
                Time(u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX)).max(world)
            }
        }
    }
}
