//! The signs of what differs from another drawing: a ring with ≠ in it, in nobody's colour.

use super::Pen;
use super::labels::Rect;
use super::layout::{BAR, BAR_STEP};
use crate::view::{Difference, Element, Exchange, LaneId};

/// How far a ring reaches from its centre, in pixels.
const RING: i64 = 8;

impl Pen<'_> {
    /// Finds a place for each sign, before labels take it.
    pub(super) fn place_differences(&mut self) {
        let options = self.options;
        for difference in &options.differing {
            let Some((lane, x, y)) = self.place_of(*difference) else { continue };
            let right = self.layout.left + self.layout.width + RING;
            if !self.is_visible(x, x) || self.is_merged("differs", (lane, lane), x, 2 * RING + 2) {
                continue;
            }
            let x = if self.options.zoom.is_none() { x.min(right) } else { x };
            self.labels.take(Rect { left: x - RING, top: y - RING, right: x + RING, bottom: y + RING });
            self.unequal.push((x, y));
        }
    }

    /// The signs, above everything else.
    pub(super) fn differences(&mut self) {
        self.out.open("g", &[("class", &"differs"), ("aria-hidden", &"true")]);
        for (x, y) in std::mem::take(&mut self.unequal) {
            self.unequal(x, y);
        }
        self.out.close();
    }

    /// One sign around a centre.
    pub(super) fn unequal(&mut self, x: i64, y: i64) {
        self.out.leaf("circle", &[("cx", &x), ("cy", &y), ("r", &(RING - 1))]);
        self.out.leaf("path", &[("d", &format!("M{},{} h8 m0,4 h-8 m1,4 l6,-12", x - 4, y - 2))]);
    }

    /// On what lasts: in its middle, or where the runs part; beside what happens at an instant.
    fn place_of(&self, difference: Difference) -> Option<(LaneId, i64, i64)> {
        let at = self.x_at(difference.at);
        let beside = |x: i64| if x + 3 * RING > i64::from(self.options.width) { x - 2 * RING } else { x + 2 * RING };
        match difference.element {
            Element::Bar(index) => {
                let bar = self.scene.bars.get(index as usize)?;
                let place = self.layout.place(bar.lane)?;
                let (from, until) = self.in_sight(self.x(bar.from), self.x(bar.until));
                let x = if difference.at == bar.from.at { from + (until - from) / 2 } else { at.clamp(from, until) };
                Some((bar.lane, x, place.bars + i64::from(bar.row) * BAR_STEP + BAR / 2))
            }
            Element::Exchange(index) => {
                let exchange: &Exchange = self.scene.exchanges.get(index as usize)?;
                let place = self.layout.place(exchange.server)?;
                Some((exchange.server, beside(self.x(exchange.told_at())), place.middle))
            }
            Element::Mark(index) => {
                let mark = self.scene.marks.get(index as usize)?;
                let place = self.layout.place(mark.lane)?;
                Some((mark.lane, beside(self.x(mark.at)), place.bars + i64::from(mark.row) * BAR_STEP + BAR / 2))
            }
            Element::Fold(_) => None,
        }
    }
}
