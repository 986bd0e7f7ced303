//! What fingers and a mouse do on a drawing, and what that means.

use super::drawing::Plane;
use crate::state::{Action, Look};

/// How far a pointer may move and still be a click, in pixels.
pub const STILL: i64 = 4;

/// The pointers that are down on a drawing.
#[derive(Debug, Default)]
pub struct Gesture {
    /// Each with its place, in pixels from the drawing's left edge.
    pointers: Vec<(i32, i64)>,
    /// How far the first has moved since it went down, at most.
    moved: i64,
    /// Where the first went down.
    start: i64,
}

impl Gesture {
    /// A pointer goes down.
    pub fn down(&mut self, id: i32, x: i64, plane: &Plane) -> Option<Action> {
        self.pointers.retain(|(other, _)| *other != id);
        self.pointers.push((id, x));
        if self.pointers.len() > 1 {
            self.moved = i64::MAX;
            return None;
        }
        (self.start, self.moved) = (x, 0);
        // Where everything is seen a drag moves the cursor, from the first moment on.
        plane.window.is_whole().then(|| Action::Go(plane.to(x)))
    }

    /// A pointer moves.
    pub fn moved(&mut self, id: i32, x: i64, plane: &Plane) -> Option<Action> {
        let index = self.pointers.iter().position(|(other, _)| *other == id)?;
        let before = self.pointers[index].1;
        match self.pointers[..] {
            [_] => {
                let far = (x - self.start).abs();
                // A first move that is no click any more moves by the whole way.
                let from = if self.moved < STILL { self.start } else { before };
                self.moved = self.moved.max(far);
                if self.moved < STILL {
                    return None;
                }
                self.pointers[index].1 = x;
                Some(match plane.window.is_whole() {
                    true => Action::Go(plane.to(x)),
                    false => Action::Look(Look::Along(plane.window.units(from - x, plane.plot))),
                })
            }
            [_, _] => {
                let other = self.pointers[1 - index].1;
                let (was, is) = ((before - other).abs().max(1), (x - other).abs().max(1));
                // A pixel more or less is no wish to zoom, and percents cannot tell it.
                let percent = (was * 100 / is).clamp(20, 500) as u32;
                if percent == 100 {
                    return None;
                }
                self.pointers[index].1 = x;
                Some(Action::Look(Look::Around { x: plane.place((before + other) / 2), percent }))
            }
            _ => None,
        }
    }

    /// A pointer goes up; whether it was a click.
    pub fn up(&mut self, id: i32) -> bool {
        let was_alone = self.pointers.len() == 1;
        let count = self.pointers.len();
        self.pointers.retain(|(other, _)| *other != id);
        was_alone && self.pointers.len() < count && self.moved < STILL
    }

    /// Whether any pointer is down.
    pub fn is_going_on(&self) -> bool {
        !self.pointers.is_empty()
    }
}

/// What a turn of the wheel means: with Ctrl (or a pinch on a touch pad) nearer and farther, sideways along the axis; `None`: the page scrolls.
pub fn wheeled(x: i64, (sideways, down): (i64, i64), with_control: bool, plane: &Plane) -> Option<Action> {
    if with_control && down != 0 {
        let percent = (100 + down.clamp(-100, 100) / 2).clamp(40, 250) as u32;
        return Some(Action::Look(Look::Around { x: plane.place(x), percent }));
    }
    let is_along = sideways.abs() > down.abs() && !plane.window.is_whole();
    is_along.then(|| Action::Look(Look::Along(plane.window.units(sideways, plane.plot))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Move, TRACK, Window};

    const WHOLE: Plane =
        Plane { left: 100, plot: 1_000, window: Window { from: 0, length: TRACK as i64 }, until: None };
    const NEAR: Plane = Plane { window: Window { from: 1_000_000, length: 1_000_000 }, ..WHOLE };

    #[test]
    fn where_everything_is_seen_a_drag_moves_the_cursor() {
        let mut gesture = Gesture::default();
        let half = i64::from(TRACK) / 2;
        assert_eq!(gesture.down(1, 600, &WHOLE), Some(Action::Go(Move::Scrub(half))));
        assert_eq!(gesture.moved(1, 5_000, &WHOLE), Some(Action::Go(Move::Scrub(i64::from(TRACK)))));
        assert!(!gesture.up(1) && !gesture.is_going_on());
    }

    #[test]
    fn near_a_drag_moves_the_view_and_a_click_the_cursor() {
        let mut gesture = Gesture::default();
        assert_eq!(gesture.down(1, 600, &NEAR), None);
        assert_eq!(gesture.moved(1, 602, &NEAR), None, "a hand is never quite still");
        assert!(gesture.up(1));
        gesture.down(1, 600, &NEAR);
        assert_eq!(gesture.moved(1, 500, &NEAR), Some(Action::Look(Look::Along(100_000))));
        assert_eq!(gesture.moved(1, 490, &NEAR), Some(Action::Look(Look::Along(10_000))));
        assert!(!gesture.up(1));
    }

    #[test]
    fn two_fingers_that_part_look_nearer() {
        let mut gesture = Gesture::default();
        gesture.down(1, 500, &NEAR);
        assert_eq!(gesture.down(2, 600, &NEAR), None);
        let Some(Action::Look(Look::Around { percent, .. })) = gesture.moved(2, 700, &NEAR) else { panic!("a pinch") };
        assert_eq!(percent, 50);
        assert!(!gesture.up(1) && !gesture.up(2));
        assert_eq!(gesture.moved(7, 1, &NEAR), None, "a pointer that is not down is none of ours");
    }

    #[test]
    fn the_wheel_zooms_with_control_goes_along_sideways_and_else_scrolls_the_page() {
        assert!(matches!(wheeled(600, (0, -100), true, &WHOLE), Some(Action::Look(Look::Around { percent: 50, .. }))));
        assert!(matches!(wheeled(600, (0, 100), true, &WHOLE), Some(Action::Look(Look::Around { percent: 150, .. }))));
        assert_eq!(wheeled(600, (0, 100), false, &NEAR), None);
        assert_eq!(wheeled(600, (10, 1), false, &NEAR), Some(Action::Look(Look::Along(10_000))));
    }
}
