//! A part of the axis, as large as the plot.

use super::Pen;

/// A part of the axis, drawn as large as the plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zoom {
    /// How long the whole axis is in pixels: at least as long as the plot.
    pub axis: u32,
    /// Which pixel of the axis lies at the plot's left edge.
    pub from: i64,
    /// How many pixels beyond either edge of the plot are drawn too, for a page that moves the plot before it draws anew.
    pub margin: i64,
}

/// How far beyond its edge a drawing may reach without anybody seeing it, in pixels: round corners, signs.
const RIM: i64 = 16;

impl Pen<'_> {
    /// Which pixel of the axis lies at the plot's left edge.
    pub(super) fn shift(&self) -> i64 {
        self.options.zoom.map_or(0, |zoom| zoom.from)
    }

    /// The first and the last pixel that are drawn at all.
    pub(super) fn reach(&self) -> (i64, i64) {
        let margin = self.options.zoom.map_or(0, |zoom| zoom.margin) + RIM;
        (self.layout.left - margin, self.layout.left + self.layout.width + margin)
    }

    /// Whether a stretch of the drawing is to be drawn at all.
    pub(super) fn is_visible(&self, from: i64, until: i64) -> bool {
        let (first, last) = self.reach();
        from <= last && until >= first
    }

    /// What there is to draw of something that lasts: a bar of an hour is not longer than the drawing.
    pub(super) fn within_reach(&self, from: i64, until: i64) -> (i64, i64) {
        let (first, last) = self.reach();
        (from.max(first), until.min(last).max(from.max(first)))
    }

    /// The part of a stretch that a reader sees, for its label; all of it where nothing is seen yet.
    pub(super) fn in_sight(&self, from: i64, until: i64) -> (i64, i64) {
        let (left, right) = (self.layout.left, self.layout.left + self.layout.width);
        match from < right && until > left {
            true => (from.max(left), until.min(right)),
            false => (from, until),
        }
    }

    /// The edges that a label beside a place must keep to.
    pub(super) fn room_at(&self, x: i64) -> (i64, i64) {
        let left = if self.layout.narrow { 2 } else { self.layout.left - 4 };
        let right = i64::from(self.options.width) - 2;
        match self.options.zoom {
            Some(zoom) if x < left || x > right => (left - zoom.margin, right + zoom.margin),
            _ => (left, right),
        }
    }

    /// Begins what moves with the axis, cut to the plot.
    pub(super) fn open_plot(&mut self) {
        if self.options.zoom.is_some() {
            let plot = format!("url(#{}plot)", self.options.prefix);
            self.out.open("g", &[("clip-path", &plot)]);
            self.out.open("g", &[("class", &"moving")]);
        }
    }

    pub(super) fn close_plot(&mut self) {
        if self.options.zoom.is_some() {
            self.out.close();
            self.out.close();
        }
    }

    /// The shape to which the plot is cut: bars and signs may reach a little over its left edge, never over the lanes' names.
    pub(super) fn plot_shape(&mut self, height: i64) {
        if self.options.zoom.is_some() {
            let (id, x) = (format!("{}plot", self.options.prefix), (self.layout.left - 8).max(0));
            let width = i64::from(self.options.width) - x;
            self.out.open("clipPath", &[("id", &id)]);
            self.out.leaf("rect", &[("x", &x), ("y", &0), ("width", &width), ("height", &height)]);
            self.out.close();
        }
    }
}
