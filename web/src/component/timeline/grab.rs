//! A fault that a reader has taken hold of, by its end or as a whole.

use std::rc::Rc;

use locklab_core::time::{Span, Time};
use locklab_core::view::{Element, Point};

use super::drawing::Plane;
use super::gesture::STILL;
use crate::state::{Hold, Played, Run, Struck, Turn};

/// How near to its end a fault is taken by its end, in pixels.
const NEAR_END: i64 = 10;

/// A fault that a reader has taken hold of. Where its pointer is in time is told by the drawing as it was then: a run that is played anew may
/// have another axis.
pub struct Grab {
    struck: Struck,
    hold: Hold,
    /// The pointer that holds it.
    pointer: i32,
    plane: Plane,
    run: Rc<Run>,
    /// Where the pointer went down.
    start: i64,
    /// Where what is held was drawn then.
    held_at: i64,
    is_moving: bool,
}

impl Grab {
    /// Takes hold of what lies under a pointer: of the topmost fault whose end is near, else of the topmost fault; `None`: there is none.
    pub fn of(played: &Played, under: &[Element], plane: Plane, (pointer, x): (i32, i64)) -> Option<Grab> {
        let run = played.run().ok()?.clone();
        let faults = || under.iter().filter_map(|element| Some((*element, played.fault_of(*element)?)));
        let by_its_end = |(element, struck): (Element, Struck)| {
            let end = plane.x_of_point(struck.until.and(drawn_end(&run, element))?, &run);
            // What is short can still be taken as a whole.
            let before = ((end - plane.x_of(struck.at, &run)) / 3).clamp(2, NEAR_END);
            (-before..=NEAR_END).contains(&(x - end)).then_some((struck, Hold::End, end))
        };
        let whole = |(element, struck): (Element, Struck)| {
            let start = drawn_start(&run, element).map(|point| plane.x_of_point(point, &run));
            (struck, Hold::All, start.unwrap_or_else(|| plane.x_of(struck.at, &run)))
        };
        let (struck, hold, held_at) = faults().find_map(by_its_end).or_else(|| faults().next().map(whole))?;
        Some(Grab { struck, hold, pointer, plane, run, start: x, held_at, is_moving: false })
    }

    /// The pointer that holds it, and where that went down.
    pub fn pointer(&self) -> (i32, i64) {
        (self.pointer, self.start)
    }

    /// By what it is held.
    pub fn hold(&self) -> Hold {
        self.hold
    }

    /// What a move of the pointer does to the fault.
    pub fn moved(&mut self, played: &Played, x: i64) -> Option<(usize, Turn)> {
        self.is_moving |= (x - self.start).abs() >= STILL;
        if !self.is_moving {
            return None;
        }
        // What is held stays under the pointer, also where the axis gives a second here more room than there.
        let under = self.plane.instant_or_later(self.held_at + x - self.start, &self.run);
        // Where many events of one instant lie side by side, time goes on all the same.
        let least = Span(self.plane.mean(x.abs_diff(self.start), &self.run).0 / 2);
        let (held, is_later) = (self.held(), x > self.start);
        let to = if is_later { under.max(held + least) } else { under.min(Time(held.0.saturating_sub(least.0))) };
        let to = played.rounded(to);
        let turn = match self.hold {
            Hold::End => Turn::Until(to),
            Hold::All => Turn::At(to),
        };
        Some((self.struck.number, turn))
    }

    /// When that was which is held.
    fn held(&self) -> Time {
        match self.hold {
            Hold::End => self.struck.until.unwrap_or(self.struck.at),
            Hold::All => self.struck.at,
        }
    }

    /// Whether it has been moved: else it was a click.
    pub fn is_moving(&self) -> bool {
        self.is_moving
    }
}

/// Where something is drawn to begin: of many events of one instant, which one it is.
fn drawn_start(run: &Run, element: Element) -> Option<Point> {
    match element {
        Element::Bar(index) => run.scene.bars.get(index as usize).map(|bar| bar.from),
        Element::Mark(index) => run.scene.marks.get(index as usize).map(|mark| mark.at),
        Element::Exchange(_) | Element::Fold(_) => None,
    }
}

/// Where what lasts is drawn to end.
fn drawn_end(run: &Run, element: Element) -> Option<Point> {
    match element {
        Element::Bar(index) => run.scene.bars.get(index as usize).map(|bar| bar.until),
        Element::Mark(_) | Element::Exchange(_) | Element::Fold(_) => None,
    }
}
