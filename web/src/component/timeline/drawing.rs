//! A drawing of a run, and where on it a reader points.

use locklab_core::i18n::Language;
use locklab_core::time::{Span, Time};
use locklab_core::view::Axis;
use locklab_core::view::svg::{Hover, Options, Signs, StyleSheet, Theme, plot_of, svg_on};
use locklab_core::view::{AxisMode, Difference, Element, Point, Whose};
use yew::AttrValue;

use crate::state::{Cursor, Move, Played, Run, Spotted, TRACK, Window};

/// Everything that changes what is drawn.
#[derive(Clone, PartialEq)]
pub struct Subject {
    pub language: Language,
    pub theme: Theme,
    pub width: u32,
    pub played: std::rc::Rc<Played>,
    /// When the common time axis of several drawings ends.
    pub until: Option<Time>,
    pub place: usize,
    /// What is marked as different from another drawing.
    pub differing: std::rc::Rc<[Difference]>,
    /// The signs that the legend explains.
    pub legend: Option<Signs>,
    /// The part of the axis that is drawn.
    pub window: Window,
}

/// A drawing, and where its plot lies.
pub struct Drawing {
    pub markup: AttrValue,
    prefix: String,
    /// Where the plot begins, in pixels from the left edge.
    pub left: i64,
    /// How long the plot is.
    pub plot: i64,
    window: Window,
    lanes: Vec<Whose>,
}

impl Drawing {
    pub fn of(subject: &Subject) -> Option<Drawing> {
        let Subject { language, theme, width, played, until, place, differing, legend, window } = subject;
        let run = played.run().ok()?;
        let prefix = if *place == 0 { String::new() } else { format!("beside-{place}-") };
        let options = Options {
            language: *language,
            theme: *theme,
            width: (*width).max(200),
            axis: if until.is_some() { AxisMode::Linear } else { AxisMode::Readable },
            style: StyleSheet::Outside,
            prefix: prefix.clone(),
            hover: Hover::Page,
            zoom: None,
            legend: *legend,
            differing: differing.to_vec(),
        };
        let (left, plot) = plot_of(&run.scene, &options);
        let axis = until.map_or_else(|| run.track.clone(), |until| Axis::linear(&run.scene, until, TRACK));
        let options = Options { zoom: window.zoom(plot), ..options };
        let markup = svg_on(&run.scene, &axis, &options).into();
        let lanes = run.scene.lanes.iter().map(|lane| lane.whose).collect();
        Some(Drawing { markup, prefix, left, plot, window: *window, lanes })
    }

    /// Where a place of the track lies in the drawing, from its left edge.
    pub fn x(&self, place: i64) -> i64 {
        self.left + self.window.pixels(place - self.window.from, self.plot)
    }

    /// How far what moves has to be moved for another window of the same length to be seen.
    pub fn shift(&self, window: Window) -> i64 {
        match window.length == self.window.length {
            true => self.window.pixels(self.window.from - window.from, self.plot),
            false => 0,
        }
    }

    /// What of this drawing an id in the document names.
    pub fn spotted(&self, id: &str) -> Option<Spotted> {
        let id = id.strip_prefix(&*self.prefix)?;
        match id.strip_prefix("lane-") {
            Some(index) => self.lanes.get(index.parse::<usize>().ok()?).copied().map(Spotted::Lane),
            None => id.parse().ok().map(Spotted::Element),
        }
    }

    /// The id of an element of this drawing.
    pub fn id(&self, element: Element) -> String {
        format!("{}{element}", self.prefix)
    }
}

/// Where a reader points, in units of the track: the plot as it is seen now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plane {
    pub left: i64,
    pub plot: i64,
    pub window: Window,
    pub until: Option<Time>,
}

impl Plane {
    /// The place of the track under a pixel, from the drawing's left edge.
    pub fn place(&self, x: i64) -> i64 {
        self.window.from + self.window.units(x - self.left, self.plot)
    }

    /// The instant under a pixel of a run's drawing.
    pub fn instant(&self, x: i64, run: &Run) -> Time {
        let place = self.place(x).clamp(0, i64::from(TRACK));
        match self.until {
            Some(until) => Time((u128::from(until.0) * place as u128 / u128::from(TRACK)) as u64),
            None => run.track.time_at(place),
        }
    }

    /// The instant under a pixel, also to the right of the axis: there each pixel is a hundredth of the run, so that what is pulled can
    /// become longer than the run is.
    pub fn instant_or_later(&self, x: i64, run: &Run) -> Time {
        let end = self.left + self.window.pixels(i64::from(TRACK) - self.window.from, self.plot);
        let beyond = (x - end).max(0) as u64;
        self.instant(x, run) + Span(run.scene.end.0 / 100 * beyond)
    }

    /// How much of a run lies under so many pixels, were it spread evenly.
    pub fn mean(&self, pixels: u64, run: &Run) -> Span {
        let units = u128::from(pixels) * self.window.length as u128 / self.plot.max(1) as u128;
        Span((u128::from(run.scene.end.0) * units / u128::from(TRACK)) as u64)
    }

    /// The pixel of a point of a run's drawing, which several points of one instant have each for itself.
    pub fn x_of_point(&self, point: Point, run: &Run) -> i64 {
        match self.until {
            Some(_) => self.x_of(point.at, run),
            None => self.left + self.window.pixels(run.track.x(point) - self.window.from, self.plot),
        }
    }

    /// The pixel of an instant of a run's drawing.
    pub fn x_of(&self, at: Time, run: &Run) -> i64 {
        let place = match self.until {
            Some(until) => (u128::from(at.0) * u128::from(TRACK) / u128::from(until.0.max(1))) as i64,
            None => run.track.x_of_time(at),
        };
        self.left + self.window.pixels(place - self.window.from, self.plot)
    }

    /// The way to what is under a pixel.
    pub fn to(&self, x: i64) -> Move {
        let place = self.place(x).clamp(0, i64::from(TRACK));
        match self.until {
            Some(until) => Move::At(Time((u128::from(until.0) * place as u128 / u128::from(TRACK)) as u64)),
            None => Move::Scrub(place),
        }
    }
}

/// Where a cursor lies on the track of a drawing.
pub fn place_of(cursor: &Cursor, until: Option<Time>) -> i64 {
    until.map_or(cursor.x, |until| cursor.on_shared(until))
}
