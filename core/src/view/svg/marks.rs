//! What happens at an instant, and what is folded.

use super::labels::{Rect, text_width};
use super::layout::{BAR, BAR_STEP, Band, SMALL};
use super::{Pen, tone_class};
use crate::view::{Element, LaneId, Mark, MarkKind, Weight};

impl Pen<'_> {
    pub(super) fn marks(&mut self) {
        self.out.open("g", &[("class", &"marks")]);
        let scene = self.scene;
        self.reserve_faults();
        for loud in [true, false] {
            for (index, mark) in scene.marks.iter().enumerate() {
                if (mark.weight == Weight::Loud) == loud && mark.weight > Weight::Quiet {
                    self.mark(Element::Mark(index as u32), mark);
                }
            }
        }
        self.out.close();
    }

    fn mark(&mut self, element: Element, mark: &Mark) {
        let Some(place) = self.layout.place(mark.lane) else { return };
        let x = self.x(mark.at);
        if !self.is_visible(x, x) || self.is_merged(kind_name(mark.kind), (mark.lane, mark.lane), x, 4) {
            return;
        }
        let class = tone_class(mark.tone);
        self.group(element, &format!("mark {class}"), mark.at, mark.at);
        let top = place.bars + i64::from(mark.row) * BAR_STEP;
        let (bottom, middle) = (top + BAR, top + BAR / 2);
        if mark.lane == LaneId(0) {
            let y = place.middle;
            self.sign_at(mark.kind, x, y, y - 5, y + 5);
            let label = self.say(&mark.label).to_owned();
            let band = self.layout.faults;
            self.label_in(band, &class, x + 4, &label);
        } else {
            self.sign_at(mark.kind, x, middle, top - 3, bottom + 3);
            let label = self.say(&mark.label).to_owned();
            let above = Band { top: place.bars - 16, rows: 1 };
            let below = Band { top: place.bottom - 14, rows: 1 };
            let band = if matches!(mark.kind, MarkKind::Expired | MarkKind::Removed | MarkKind::Vanished) {
                below
            } else {
                above
            };
            self.label_in(band, &class, x, &label);
        }
        self.out.close();
    }

    /// Keeps labels off the signs of faults.
    fn reserve_faults(&mut self) {
        let Some(place) = self.layout.place(LaneId(0)) else { return };
        for mark in self.scene.marks.iter().filter(|mark| mark.lane == LaneId(0) && mark.weight > Weight::Quiet) {
            let x = self.x(mark.at);
            self.labels.take(Rect { left: x - 7, top: place.middle - 8, right: x + 7, bottom: place.middle + 8 });
        }
    }

    fn sign_at(&mut self, kind: MarkKind, x: i64, y: i64, top: i64, bottom: i64) {
        let mut path = |class: &str, d: String| self.out.leaf("path", &[("class", &class), ("d", &d)]);
        match kind {
            MarkKind::Note | MarkKind::End => self.out.leaf("circle", &[("cx", &x), ("cy", &y), ("r", &3)]),
            MarkKind::Entered => path("", format!("M{x},{} l-5,-7 h10 Z", top + 1)),
            MarkKind::Left => path("", format!("M{x},{} l-4,6 h8 Z", bottom - 1)),
            MarkKind::Refused => path("line", format!("M{},{} l8,8 m0,-8 l-8,8", x - 4, y - 4)),
            MarkKind::Renewed => path("line", format!("M{},{} l3,4 l6,-8", x - 4, y + 1)),
            MarkKind::Expired => path("line", format!("M{x},{top} V{bottom}")),
            MarkKind::Removed => path("line", format!("M{x},{top} V{bottom} M{},{} l8,8 m0,-8 l-8,8", x - 4, y - 4)),
            MarkKind::Vanished => path("line", format!("M{x},{top} l-3,6 l6,6 l-6,6 l3,6")),
            MarkKind::Strikes => path("", format!("M{},{} l-6,8 h4 l-3,8 l9,-10 h-5 l4,-6 Z", x + 2, y - 8)),
            MarkKind::Heals => self.out.leaf("circle", &[("cx", &x), ("cy", &y), ("r", &4)]),
            MarkKind::ClockStep => {
                path("line", format!("M{x},{} m-6,0 a6,6 0 1,0 12,0 a6,6 0 1,0 -12,0 M{x},{} v-4 M{x},{y} h3", y, y))
            }
            MarkKind::Promoted => path("", format!("M{},{} l4,-6 l3,5 l3,-5 l4,6 v4 h-14 Z", x - 7, y + 2)),
        }
    }

    /// Folded stretches: a dotted line along the client's lane and how often.
    pub(super) fn folds(&mut self) {
        self.out.open("g", &[("class", &"folds")]);
        let scene = self.scene;
        for (index, fold) in scene.folds.iter().enumerate() {
            let Some(place) = self.layout.place(fold.client) else { continue };
            let (from, until) = (self.x(fold.from), self.x(fold.until));
            if !self.is_visible(from, until) || self.is_merged("fold", (fold.client, fold.server), until, 2) {
                continue;
            }
            let (from, until) = self.within_reach(from, until);
            let tone = match scene.lanes[usize::from(fold.client.0)].whose {
                crate::view::Whose::Client(client) => tone_class(crate::view::Tone::Client(client)),
                _ => "plain".into(),
            };
            self.group(Element::Fold(index as u32), &format!("fold {tone}"), fold.from, fold.until);
            let y = place.bars + BAR + 4;
            self.out.leaf("line", &[("x1", &from), ("x2", &until), ("y1", &y), ("y2", &y)]);
            let label = self.say(&fold.label).to_owned();
            let width = text_width(&label, SMALL);
            let left = self.in_sight(from, until).0 + 4;
            let top = place.bars - 16;
            if self.labels.take(Rect { left, top, right: left + width, bottom: top + 14 }) {
                self.words.push((tone.clone(), left, top + 11, label));
            }
            self.out.close();
        }
        self.out.close();
    }
}

fn kind_name(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Note => "note",
        MarkKind::Entered => "entered",
        MarkKind::Left => "left",
        MarkKind::Refused => "refused",
        MarkKind::Renewed => "renewed",
        MarkKind::Expired => "expired",
        MarkKind::Removed => "removed",
        MarkKind::Vanished => "vanished",
        MarkKind::Strikes => "strikes",
        MarkKind::Heals => "heals",
        MarkKind::ClockStep => "clock-step",
        MarkKind::Promoted => "promoted",
        MarkKind::End => "end",
    }
}
