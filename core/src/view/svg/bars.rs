//! What lasts: sections, leases, pauses, and the like.

use std::collections::BTreeMap;

use super::labels::{Rect, text_width};
use super::layout::{BAR, BAR_STEP, SMALL};
use super::{Pen, tone_class};
use crate::view::{Bar, BarKind, Element, LaneId, Point, Scene};

impl Pen<'_> {
    /// Draws bars from the back to the front: what a client believes, then what happens to it.
    pub(super) fn bars(&mut self) {
        self.out.open("g", &[("class", &"bars")]);
        let scene = self.scene;
        let sections = Sections::of(scene);
        for depth in 0..4 {
            for (index, bar) in scene.bars.iter().enumerate().filter(|(_, bar)| depth_of(bar.kind) == depth) {
                self.bar(Element::Bar(index as u32), bar, &sections);
            }
        }
        self.out.close();
    }

    fn bar(&mut self, element: Element, bar: &Bar, sections: &Sections) {
        let Some(place) = self.layout.place(bar.lane) else { return };
        let (from, until) = (self.x(bar.from), self.x(bar.until));
        // What is too narrow to see is drawn once for all its neighbours.
        let gap = if until - from < 2 { 3 } else { i64::MIN / 4 };
        let empty = bar.from.at == bar.until.at && !matches!(bar.kind, BarKind::Section);
        if empty || !self.is_visible(from, until) || self.is_merged(class(bar.kind), (bar.lane, bar.lane), until, gap) {
            return;
        }
        let (from, until) = self.within_reach(from, until);
        let seen = self.in_sight(from, until);
        let width = (until - from).max(2);
        let row = i64::from(bar.row);
        let top = place.bars + row * BAR_STEP;
        let mut classes = format!("{} {}", class(bar.kind), tone_class(bar.tone));
        if bar.kind == BarKind::Work && !sections.contain(bar) {
            classes.push_str(" outside");
        }
        self.group(element, &classes, bar.from, bar.until);
        let label = self.say(&bar.label).to_owned();
        match bar.kind {
            BarKind::Section | BarKind::Lease | BarKind::Record => {
                self.rect(from, top, width, BAR, 4);
                self.inside(seen, top, &label);
            }
            BarKind::Waiting | BarKind::ClockOff => {
                let y = if bar.kind == BarKind::Waiting { top + BAR / 2 } else { place.bottom - 3 };
                self.out.leaf("line", &[("x1", &from), ("x2", &until), ("y1", &y), ("y2", &y)]);
                if bar.kind == BarKind::ClockOff {
                    self.beside_line(seen, y - 4, &label);
                }
            }
            BarKind::Work => {
                let y = top + BAR - 4;
                self.out
                    .leaf("line", &[("x1", &(from + 2)), ("x2", &(until - 2).max(from + 3)), ("y1", &y), ("y2", &y)]);
                self.work_label(seen, y - 3, &label);
            }
            BarKind::Paused | BarKind::Down => {
                let hatch = format!("url(#{}hatch)", self.options.prefix);
                let (top, height) = (place.bars - 4, place.bottom - place.bars);
                self.out.leaf(
                    "rect",
                    &[("x", &from), ("y", &top), ("width", &width), ("height", &height), ("rx", &4), ("fill", &hatch)],
                );
                self.pill(seen, place.middle, &label);
            }
            BarKind::Dead => {
                let y = place.middle;
                let (top, height) = (y - 6, 12);
                self.out.leaf("rect", &[("x", &from), ("y", &top), ("width", &width), ("height", &height)]);
                self.out.leaf("line", &[("x1", &from), ("x2", &until), ("y1", &y), ("y2", &y)]);
            }
            BarKind::Cut | BarKind::Slow => {
                let top = place.bars + row * 18;
                self.rect(from, top, width, 15, 3);
                self.inside(seen, top - 4, &label);
            }
        }
        self.out.close();
    }

    fn rect(&mut self, x: i64, y: i64, width: i64, height: i64, round: i64) {
        self.out.leaf("rect", &[("x", &x), ("y", &y), ("width", &width), ("height", &height), ("rx", &round)]);
    }

    /// A label inside a bar, if it fits.
    fn inside(&mut self, (from, until): (i64, i64), top: i64, label: &str) {
        let width = text_width(label, SMALL);
        let rect = Rect { left: from + 2, top: top + 4, right: from + 10 + width, bottom: top + 18 };
        if rect.right <= until + 2 && self.labels.take(rect) {
            self.out.text("text", &[("x", &(from + 6)), ("y", &(top + 15))], label);
        }
    }

    /// A label in the middle above a thin line, if it fits.
    fn beside_line(&mut self, (from, until): (i64, i64), y: i64, label: &str) {
        let width = text_width(label, SMALL);
        let left = from + (until - from - width) / 2;
        let rect = Rect { left, top: y - 11, right: left + width, bottom: y + 2 };
        if width + 4 <= until - from && self.labels.take(rect) {
            self.out.text("text", &[("x", &left), ("y", &y)], label);
        }
    }

    /// How long it works, where it begins.
    fn work_label(&mut self, (from, until): (i64, i64), y: i64, label: &str) {
        let width = text_width(label, SMALL);
        let rect = Rect { left: from + 3, top: y - 11, right: from + 3 + width, bottom: y + 2 };
        if rect.right <= until && self.labels.take(rect) {
            self.out.text("text", &[("x", &rect.left), ("y", &y)], label);
        }
    }

    /// A label on paper where a hatched bar begins, if it fits.
    fn pill(&mut self, (from, until): (i64, i64), middle: i64, label: &str) {
        let width = text_width(label, SMALL);
        let left = from + 16;
        let rect = Rect { left: left - 7, top: middle - 9, right: left + width + 7, bottom: middle + 9 };
        if width + 20 <= until - from && self.labels.take(rect) {
            let (x, y) = (rect.left, rect.top);
            self.out.leaf(
                "rect",
                &[("class", &"pill"), ("x", &x), ("y", &y), ("width", &(width + 14)), ("height", &18), ("rx", &9)],
            );
            self.out.text("text", &[("x", &left), ("y", &(middle + 4))], label);
        }
    }
}

/// The sections of each lane by their beginning, each with the latest end of it and those before: what is inside one is found at once.
struct Sections(BTreeMap<LaneId, Vec<(Point, Point)>>);

impl Sections {
    fn of(scene: &Scene) -> Sections {
        let mut sections: BTreeMap<LaneId, Vec<(Point, Point)>> = BTreeMap::new();
        for bar in scene.bars.iter().filter(|bar| bar.kind == BarKind::Section) {
            let lane = sections.entry(bar.lane).or_default();
            let latest = lane.last().map_or(bar.until, |(_, latest)| bar.until.max(*latest));
            lane.push((bar.from, latest));
        }
        Sections(sections)
    }

    /// Whether a client works inside its section.
    fn contain(&self, work: &Bar) -> bool {
        let Some(lane) = self.0.get(&work.lane) else { return false };
        let begun = lane.partition_point(|(from, _)| *from <= work.from);
        begun.checked_sub(1).is_some_and(|last| work.from < lane[last].1)
    }
}

fn depth_of(kind: BarKind) -> u8 {
    match kind {
        BarKind::Waiting => 0,
        BarKind::Record | BarKind::Lease | BarKind::Section => 1,
        BarKind::Paused | BarKind::Down | BarKind::Dead | BarKind::Cut | BarKind::Slow => 2,
        BarKind::Work | BarKind::ClockOff => 3,
    }
}

/// The class of what lasts.
pub(super) fn class(kind: BarKind) -> &'static str {
    match kind {
        BarKind::Waiting => "waiting",
        BarKind::Section => "section",
        BarKind::Work => "work",
        BarKind::Paused => "paused",
        BarKind::Dead => "dead",
        BarKind::Lease => "lease",
        BarKind::Record => "record",
        BarKind::Down => "down",
        BarKind::Slow => "slow",
        BarKind::Cut => "cut",
        BarKind::ClockOff => "clock-off",
    }
}
