//! Where an instant lies on the page, and back.
//!
//! Real runs are bursts of microseconds between long silences. The *linear* axis is true to scale; the *readable* one gives every turn
//! of the story room, keeps the order of simultaneous events, and lets a silence grow with its logarithm only. Both are integers,
//! monotone, and can be asked in both directions.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{BarKind, Element, Point, Scene, Weight};
use crate::time::Time;

/// How time is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AxisMode {
    /// Bursts spread, silences compressed.
    #[default]
    Readable,
    /// True to scale.
    Linear,
}

/// A monotone mapping between the run's time and pixels from 0 to a width. Cheap to clone and to resize.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    knots: Arc<[Knot]>,
    times: Arc<[Time]>,
    /// The greatest `x` of the knots, at least 1.
    whole: i64,
    width: i64,
}

/// A fixed point of the mapping; between two of them time runs evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Knot {
    event: u32,
    at: Time,
    /// Its place in units that are stretched to the axis' width.
    x: i64,
}

impl Axis {
    /// An axis for a scene, `width` pixels long (at least 1).
    pub fn new(scene: &Scene, mode: AxisMode, width: u32) -> Axis {
        match mode {
            AxisMode::Readable => Axis::readable(scene, width),
            AxisMode::Linear => Axis::linear(scene, scene.end, width),
        }
    }

    /// An axis true to scale that ends at an instant, such as the end of a longer run beside this one.
    pub fn linear(scene: &Scene, end: Time, width: u32) -> Axis {
        let first = Knot { event: 0, at: Time::START, x: 0 };
        let last = Knot { event: scene.times.len() as u32, at: end, x: 1 };
        Axis {
            knots: [first, last].into(),
            times: scene.times.as_slice().into(),
            whole: 1,
            width: i64::from(width.max(1)),
        }
    }

    fn readable(scene: &Scene, width: u32) -> Axis {
        let events = scene.times.len() as u32;
        let mut knots = vec![Knot { event: 0, at: Time::START, x: 0 }];
        let mut raw = 0;
        let mut room = 0;
        for (event, needs) in turns(scene) {
            let last = knots[knots.len() - 1];
            let at = scene.times[event as usize];
            raw += room + silence(at.since(last.at).micros());
            room = needs;
            match event {
                0 => knots[0] = Knot { event, at, x: raw },
                _ => knots.push(Knot { event, at, x: raw }),
            }
        }
        let last = knots[knots.len() - 1];
        let whole = (raw + room + silence(scene.end.since(last.at).micros())).max(1);
        knots.push(Knot { event: events, at: scene.end, x: whole });
        let times = scene.times.as_slice().into();
        Axis { knots: knots.into(), times, whole, width: i64::from(width.max(1)) }
    }

    /// The same axis, `width` pixels long (at least 1).
    pub fn resized(&self, width: u32) -> Axis {
        Axis { width: i64::from(width.max(1)), ..self.clone() }
    }

    /// The instant at which the axis ends.
    pub fn end(&self) -> Time {
        self.knots.last().map_or(Time::START, |knot| knot.at)
    }

    /// How long the axis would have to be for every turn of the story to have all the room that it asks for, in pixels.
    pub fn comfortable(&self) -> i64 {
        self.whole
    }

    fn place(&self, knot: Knot) -> i64 {
        knot.x * self.width / self.whole
    }

    /// The length of the axis in pixels.
    pub fn width(&self) -> i64 {
        self.width
    }

    /// Where a point lies.
    pub fn x(&self, point: Point) -> i64 {
        let next = self.knots.partition_point(|knot| knot.event <= point.event).max(1);
        let knot = self.knots[next - 1];
        match self.knots.get(next) {
            Some(_) if knot.event == point.event && self.knots.len() > 2 => self.place(knot),
            Some(following) => self.between(point.at, knot, *following),
            None => self.place(knot),
        }
    }

    /// Where an event lies; the end of the axis for an index past the last event.
    pub fn x_of_event(&self, event: u32) -> i64 {
        match self.times.get(event as usize) {
            Some(at) => self.x(Point { at: *at, event }),
            None => self.width,
        }
    }

    /// Where an instant lies, after all that happens in it.
    pub fn x_of_time(&self, at: Time) -> i64 {
        let next = self.knots.partition_point(|knot| knot.at <= at).max(1);
        let knot = self.knots[next - 1];
        self.knots.get(next).map_or(self.place(knot), |following| self.between(at, knot, *following))
    }

    /// Where an instant begins: before all that happens in it.
    pub fn start_of_time(&self, at: Time) -> i64 {
        let first = self.knots.partition_point(|knot| knot.at < at);
        match self.knots.get(first) {
            Some(knot) if knot.at == at => self.place(*knot),
            _ => self.x_of_time(at),
        }
    }

    /// The instant at a pixel; the inverse of [`Axis::x_of_time`] as far as pixels can tell instants apart.
    pub fn time_at(&self, x: i64) -> Time {
        let next = self.knots.partition_point(|knot| self.place(*knot) <= x).max(1);
        let knot = self.knots[next - 1];
        let Some(following) = self.knots.get(next) else { return knot.at };
        let from = self.place(knot);
        let (span, length) = (following.at.0 - knot.at.0, (self.place(*following) - from).max(1));
        // Rounded up: the first instant that is drawn at this pixel.
        let part = (u128::from(span) * (x - from).max(0) as u128).div_ceil(length as u128);
        Time(knot.at.0 + part as u64)
    }

    /// The last event drawn at or before a pixel; `None` before the first.
    pub fn event_at(&self, x: i64) -> Option<u32> {
        let (mut low, mut high) = (0, self.times.len() as u32);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.x_of_event(middle) <= x {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low.checked_sub(1)
    }

    /// Where an instant between two knots lies.
    fn between(&self, at: Time, before: Knot, after: Knot) -> i64 {
        let (from, to) = (self.place(before), self.place(after));
        let span = after.at.0.saturating_sub(before.at.0);
        if span == 0 {
            return from;
        }
        let part = at.0.saturating_sub(before.at.0).min(span);
        from + (i128::from(to - from) * i128::from(part) / i128::from(span)) as i64
    }
}

/// How much room a silence gets: more for a longer one, but only by its logarithm.
fn silence(micros: u64) -> i64 {
    match micros {
        0 => 0,
        1..1_000 => 8,
        _ => 16 + 11 * i64::from((micros / 1_000 + 1).ilog2()),
    }
}

/// The events that get room of their own, in order, each with how much it needs after it.
fn turns(scene: &Scene) -> Vec<(u32, i64)> {
    let mut turns: Vec<(u32, i64)> = Vec::new();
    let mut attached = BTreeSet::new();
    for (index, exchange) in scene.exchanges.iter().enumerate() {
        // What it brings about at once is drawn at the same place; the room comes after that.
        let settled = scene.settled(Element::Exchange(index as u32), exchange.told_at());
        attached.extend(exchange.told_at().event + 1..=settled);
        turns.push((settled, 26));
        turns.push((exchange.told_at().event, 0));
        turns.extend(
            [Some(exchange.sent), exchange.heard, exchange.missed.map(|(at, _)| at)]
                .into_iter()
                .flatten()
                .map(|at| (at.event, 0)),
        );
    }
    turns.extend(scene.folds.iter().flat_map(|fold| [(fold.from.event, 30), (fold.until.event, 6)]));
    turns.extend(scene.marks.iter().map(|mark| {
        let room = match mark.weight {
            Weight::Quiet => 0,
            Weight::Plain => 8,
            Weight::Loud => 16,
        };
        (mark.at.event, room)
    }));
    for bar in &scene.bars {
        let room = |event| if attached.contains(&event) { 0 } else { 4 };
        turns.push((bar.from.event, if bar.kind == BarKind::Work { 24 } else { room(bar.from.event) }));
        turns.push((bar.until.event, room(bar.until.event)));
    }
    let events = scene.times.len() as u32;
    turns.retain(|(event, _)| *event < events && !is_inside_fold(scene, *event));
    turns.sort_unstable();
    // Of several needs at one event the greatest counts.
    turns.reverse();
    turns.dedup_by_key(|(event, _)| *event);
    turns.reverse();
    turns
}

/// Whether an event is a repetition that its fold tells, other than the first and the last.
fn is_inside_fold(scene: &Scene, event: u32) -> bool {
    match scene.owners.get(event as usize) {
        Some(Element::Fold(index)) => {
            let fold = &scene.folds[*index as usize];
            event != fold.from.event && event != fold.until.event
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::view::examples::{failover, gc_pause};
    use crate::view::scene;

    fn axes(width: u32) -> Vec<Axis> {
        let scenes = [scene(&gc_pause(), Vec::new()), scene(&failover(), Vec::new())];
        let modes = [AxisMode::Readable, AxisMode::Linear];
        scenes.iter().flat_map(|scene| modes.map(|mode| Axis::new(scene, mode, width))).collect()
    }

    #[test]
    fn simultaneous_turns_keep_their_order_and_a_silence_does_not_swallow_the_page() {
        let scene = scene(&gc_pause(), Vec::new());
        let axis = Axis::new(&scene, AxisMode::Readable, 1_000);
        let entered = scene.marks.iter().find(|mark| mark.label.en == "enters").expect("A enters");
        assert!(axis.x(entered.at) > axis.x(scene.exchanges[0].told_at()));
        let silence = axis.x_of_time(Time(16_000_000)) - axis.x_of_time(Time(13_000_000));
        assert!(silence < 150, "{silence} pixels for 3 s in which nothing happens");
    }

    proptest! {
        #[test]
        fn later_is_never_further_left(width in 1_u32..3_000, times in prop::collection::vec(0_u64..18_000_000, 2)) {
            for axis in axes(width) {
                let (early, late) = (Time(times[0].min(times[1])), Time(times[0].max(times[1])));
                prop_assert!(axis.x_of_time(early) <= axis.x_of_time(late));
                let places: Vec<i64> = (0..axis.times.len() as u32).map(|event| axis.x_of_event(event)).collect();
                prop_assert!(places.is_sorted());
                prop_assert!(places.iter().all(|x| (0..=axis.width()).contains(x)));
            }
        }

        #[test]
        fn a_pixel_leads_back_to_what_is_drawn_there(width in 1_u32..3_000, part in 0_u32..1_000) {
            for axis in axes(width) {
                let x = i64::from(part) * axis.width() / 1_000;
                let time = axis.time_at(x);
                prop_assert!(axis.time_at(x + 1) >= time);
                prop_assert!(axis.start_of_time(time) <= x + 1);
                prop_assert!(axis.x_of_time(time) >= x);
                for event in 0..axis.times.len() as u32 {
                    let found = axis.event_at(axis.x_of_event(event)).expect("an event is drawn here");
                    prop_assert!(found >= event);
                    prop_assert_eq!(axis.x_of_event(found), axis.x_of_event(event));
                }
            }
        }
    }
}
