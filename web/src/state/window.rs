//! Which part of the axis is shown, and how to show another.

use locklab_core::view::svg::Zoom;

use super::{Cursor, TRACK};

/// The part of the axis that is shown, in units of the track. It always lies within the track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its left edge.
    pub from: i64,
    /// Its length.
    pub length: i64,
}

/// A way to another part of the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Nearer, around the cursor.
    Nearer,
    /// Farther away, around the cursor.
    Farther,
    /// At everything.
    Whole,
    /// Nearer or farther, around a place that stays where it is.
    Around {
        /// The place on the track.
        x: i64,
        /// How long the window becomes, in percent of what it is.
        percent: u32,
    },
    /// Along the axis, by so many units of the track.
    Along(i64),
    /// Along the axis by so many percent of what is shown.
    Aside(i64),
}

/// The whole track.
const ALL: i64 = TRACK as i64;

/// The shortest window: a microsecond of most runs is then as long as a word.
const SHORTEST: i64 = ALL / 16_384;

impl Default for Window {
    fn default() -> Window {
        Window { from: 0, length: ALL }
    }
}

impl Window {
    /// Whether it shows everything.
    pub fn is_whole(self) -> bool {
        self.length == ALL
    }

    /// What is shown after a look elsewhere.
    pub fn after(self, look: Look, cursor: i64) -> Window {
        let around = if self.shows(cursor) { cursor } else { self.from + self.length / 2 };
        match look {
            Look::Nearer => self.stretched(around, 50),
            Look::Farther => self.stretched(around, 200),
            Look::Whole => Window::default(),
            Look::Around { x, percent } => self.stretched(x, percent),
            Look::Along(by) => Window { from: self.from.saturating_add(by), ..self }.within(),
            Look::Aside(percent) => Window { from: self.from + self.length * percent / 100, ..self }.within(),
        }
    }

    /// Whether a place of the track is seen.
    pub fn shows(self, x: i64) -> bool {
        (self.from..=self.from + self.length).contains(&x)
    }

    /// The window, moved so that a place is seen with what comes after it.
    pub fn showing(self, x: i64) -> Window {
        match self.shows(x) {
            true => self,
            false => Window { from: x - self.length / 5, ..self }.within(),
        }
    }

    /// What is drawn for a window: what was drawn when the reader last rested, as long as that reaches; else the nearest of a row of windows
    /// side by side. Each is drawn with as much again on either side, so that panning draws anew only once a window's length.
    pub fn drawn(self, rested: Window) -> Window {
        match rested.length == self.length && (rested.from - self.from).abs() <= self.length {
            true => rested,
            false => Window { from: self.from / self.length * self.length, ..self },
        }
    }

    /// The drawing's zoom, for a plot of so many pixels; `None`: everything is shown.
    pub fn zoom(self, plot: i64) -> Option<Zoom> {
        let axis = u32::try_from(plot * ALL / self.length).ok()?;
        (!self.is_whole()).then(|| Zoom { axis, from: self.pixels(self.from, plot), margin: plot })
    }

    /// How many pixels a length of the track takes, on a plot of so many.
    pub fn pixels(self, length: i64, plot: i64) -> i64 {
        length * plot / self.length
    }

    /// How much of the track lies under so many pixels of the plot.
    pub fn units(self, pixels: i64, plot: i64) -> i64 {
        pixels * self.length / plot.max(1)
    }

    fn stretched(self, x: i64, percent: u32) -> Window {
        let length = (self.length * i64::from(percent.clamp(1, 10_000)) / 100).clamp(SHORTEST, ALL);
        let before = (x - self.from) * length / self.length;
        Window { from: x - before, length }.within()
    }

    fn within(self) -> Window {
        Window { from: self.from.clamp(0, ALL - self.length), ..self }
    }
}

impl Cursor {
    /// Where it lies on an axis true to scale that ends at an instant, in units of the track.
    pub fn on_shared(&self, until: locklab_core::time::Time) -> i64 {
        (u128::from(self.at.0) * u128::from(TRACK) / u128::from(until.0.max(1))).min(u128::from(TRACK)) as i64
    }
}
