//! A fault that a reader has taken hold of, by its end or as a whole.

use std::rc::Rc;

use locklab_core::time::Time;

use super::drawing::Plane;
use super::gesture::STILL;
use crate::state::{Hold, Played, Run, Spot, Struck, Turn};

/// How near to its end a fault is taken by its end, in pixels.
const NEAR_END: i64 = 10;

/// A fault that a reader has taken hold of. Where its pointer is in time is told by the drawing as it was then: a run that is played anew may
/// have another axis.
pub struct Grab {
    struck: Struck,
    hold: Hold,
    plane: Plane,
    run: Rc<Run>,
    start: i64,
    is_moving: bool,
}

impl Grab {
    /// Takes hold of what is at a spot; `None`: it is no fault.
    pub fn of(played: &Played, spot: Spot, plane: Plane, x: i64) -> Option<Grab> {
        let struck = played.fault_of(spot.element()?)?;
        let run = played.run().ok()?.clone();
        let near_end = |until: Time| {
            (plane.place(x) - run.track.x_of_time(until)).abs() <= plane.window.units(NEAR_END, plane.plot)
        };
        // On an axis that several share the end is where time says.
        let near_end = |until: Time| match plane.until {
            Some(end) => (plane.instant(x, &run).0.abs_diff(until.0)) * plane.plot as u64 <= NEAR_END as u64 * end.0,
            None => near_end(until),
        };
        let hold = if struck.until.is_some_and(near_end) { Hold::End } else { Hold::All };
        Some(Grab { struck, hold, plane, run, start: x, is_moving: false })
    }

    /// What a move of the pointer does to the fault.
    pub fn moved(&mut self, played: &Played, x: i64) -> Option<(usize, Turn)> {
        self.is_moving |= (x - self.start).abs() >= STILL;
        if !self.is_moving {
            return None;
        }
        // What is held stays under the pointer, also where the axis gives a second here more room than there.
        let moved =
            |at: Time| played.rounded(self.plane.instant(self.plane.x_of(at, &self.run) + x - self.start, &self.run));
        let turn = match (self.hold, self.struck.until) {
            (Hold::End, Some(until)) => Turn::Until(moved(until)),
            _ => Turn::At(moved(self.struck.at)),
        };
        Some((self.struck.number, turn))
    }

    /// Whether it has been moved: else it was a click.
    pub fn is_moving(&self) -> bool {
        self.is_moving
    }
}
