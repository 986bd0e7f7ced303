//! How long something takes.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Measures the time that this program has had on a core, all its threads together: unlike the time on the wall, it does not depend on what else the
/// machine does.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    processor: Duration,
    wall: Instant,
}

impl Stopwatch {
    /// Begins.
    pub fn start() -> Stopwatch {
        Stopwatch { processor: processor_time(), wall: Instant::now() }
    }

    /// Seconds on a core so far.
    pub fn seconds(&self) -> f64 {
        (processor_time() - self.processor).as_secs_f64()
    }

    /// Seconds on the wall so far.
    pub fn wall_seconds(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
