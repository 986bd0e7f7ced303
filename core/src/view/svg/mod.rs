//! The drawing as SVG: lanes from top to bottom, time from left to right.
//!
//! One hue a client, one for what is broken, grey for faults; every meaning also has a shape of its own (solid: belief, outlined: record, hatched:
//! stopped, cross: refused or lost). Colours are CSS custom properties of the root's class `locklab`: they follow `prefers-color-scheme` and are overridden by the
//! classes `light` and `dark`, or by a page's own sheet. There is no `style` attribute, so a strict content security policy can keep the
//! drawing and bring [`STYLE`] as a file.
//!
//! For scripts: every element is a group with `id` (`bar-3`, after [`super::Element`]), the class `element`, `data-x` (pixels from the plot's left edge), `data-at`
//! (microseconds), `data-first` and `data-last` (indices of events); the root has `data-left` and `data-width` of the plot, and a hidden line of class
//! `cursor`, drawn at the plot's left edge. In a drawing with a [`Zoom`], what lies on the axis stands in groups of class `moving`, cut to the plot.

mod bars;
mod differs;
mod exchanges;
mod frame;
mod highlights;
mod labels;
mod layout;
mod legend;
mod marks;
mod markup;
#[cfg(test)]
mod tests;
mod zoom;

use std::collections::BTreeMap;

use self::labels::{Labels, Rect, text_width};
use self::layout::{Band, Layout, ROW, SMALL};
pub use self::legend::Signs;
pub(in crate::view) use self::markup::Markup;
pub use self::zoom::Zoom;
use crate::i18n::{Language, Text};
use crate::time::Time;
use crate::view::{Axis, AxisMode, Difference, Element, Exchange, LaneId, Point, Scene, Tone};

/// The style sheet of the drawing.
pub const STYLE: &str = include_str!("style.css");

/// How a drawing is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The language of its labels.
    pub language: Language,
    /// Its width in pixels, at least 200. Below 640 the names of the lanes stand above them.
    pub width: u32,
    /// How time is laid out.
    pub axis: AxisMode,
    /// Which theme it keeps to.
    pub theme: Theme,
    /// Whether [`STYLE`] is part of it.
    pub style: StyleSheet,
    /// What is put before every id, so that several drawings share a page.
    pub prefix: String,
    /// The part of the axis that is drawn; `None`: all of it.
    pub zoom: Option<Zoom>,
    /// Who explains the element under the pointer.
    pub hover: Hover,
    /// The signs that its legend explains; `None`: those that it uses.
    pub legend: Option<Signs>,
    /// What is marked as different from another drawing.
    pub differing: Vec<Difference>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            language: Language::English,
            width: 1_200,
            axis: AxisMode::Readable,
            theme: Theme::Auto,
            style: StyleSheet::Inside,
            prefix: String::new(),
            zoom: None,
            hover: Hover::Title,
            legend: None,
            differing: Vec::new(),
        }
    }
}

/// The colours of a drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// As the reader's system prefers.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// Where the style sheet is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StyleSheet {
    /// In the drawing.
    #[default]
    Inside,
    /// In the page around it.
    Outside,
}

/// Who explains the element under the pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hover {
    /// Each element brings its sentence as a title.
    #[default]
    Title,
    /// The page around the drawing.
    Page,
}

/// Draws a scene as one SVG element.
pub fn svg(scene: &Scene, options: &Options) -> String {
    svg_on(scene, &Axis::new(scene, options.axis, 1), options)
}

/// Draws a scene on an axis that a page keeps, of whatever length: it is stretched as the options say.
pub fn svg_on(scene: &Scene, axis: &Axis, options: &Options) -> String {
    let (_, width, _) = layout::plot(scene, options);
    let layout = layout::layout(scene, options, &axis.resized(width as u32));
    let axis = axis.resized(options.zoom.map_or(width as u32, |zoom| zoom.axis));
    let mut pen = Pen {
        scene,
        options,
        axis,
        layout,
        out: Markup::default(),
        labels: Labels::default(),
        words: Vec::new(),
        unequal: Vec::new(),
        dense: false,
        last_drawn: BTreeMap::new(),
    };
    pen.draw();
    pen.out.finish()
}

/// The axis of a drawing with these options: what a page asks to turn a pixel of the plot into an instant, and back.
pub fn axis_of(scene: &Scene, options: &Options) -> Axis {
    let (_, width, _) = layout::plot(scene, options);
    Axis::new(scene, options.axis, width as u32)
}

/// Where the plot of a drawing with these options begins, in pixels from its left edge, and how long it is.
pub fn plot_of(scene: &Scene, options: &Options) -> (i64, i64) {
    let (left, width, _) = layout::plot(scene, options);
    (left, width)
}

/// A drawing under way.
struct Pen<'s> {
    scene: &'s Scene,
    options: &'s Options,
    axis: Axis,
    layout: Layout,
    out: Markup,
    labels: Labels,
    /// Labels that found a place: class, position, text.
    words: Vec<(String, i64, i64, String)>,
    /// The centres of the signs of what differs from another drawing.
    unequal: Vec<(i64, i64)>,
    /// Whether arrows and marks go without words.
    dense: bool,
    /// The rightmost pixel of each kind of thing on each pair of lanes, to merge what would lie on top of each other.
    last_drawn: BTreeMap<(&'static str, LaneId, LaneId), i64>,
}

impl Pen<'_> {
    fn draw(&mut self) {
        self.dense = self.is_dense();
        self.begin();
        self.lanes();
        self.open_plot();
        self.ticks();
        self.highlights();
        self.place_differences();
        self.bars();
        self.folds();
        self.exchanges();
        self.marks();
        self.close_plot();
        self.names();
        self.open_plot();
        self.words();
        self.differences();
        self.cursor();
        self.close_plot();
        self.legend();
    }

    /// A pixel of the drawing.
    fn x(&self, point: Point) -> i64 {
        self.layout.left + self.axis.x(point) - self.shift()
    }

    /// The pixel at which an instant begins.
    fn x_at(&self, at: Time) -> i64 {
        self.layout.left + self.axis.start_of_time(at) - self.shift()
    }

    fn say<'t>(&self, text: &'t Text) -> &'t str {
        text.in_language(self.options.language)
    }

    /// Whether something of this kind was drawn on these lanes less than `gap` pixels before; if not, notes that it is now.
    fn is_merged(&mut self, kind: &'static str, lanes: (LaneId, LaneId), until: i64, gap: i64) -> bool {
        let last = self.last_drawn.entry((kind, lanes.0, lanes.1)).or_insert(i64::MIN / 2);
        let merged = until < *last + gap;
        if !merged {
            *last = until;
        }
        merged
    }

    /// Whether so much happens on what is visible that words would only be noise.
    fn is_dense(&self) -> bool {
        let visible = self.layout.left..=self.layout.left + self.layout.width;
        let seen = |exchange: &&Exchange| visible.contains(&self.x(exchange.told_at()));
        self.scene.exchanges.iter().filter(seen).count() as i64 * 10 > self.layout.width
    }

    /// Opens an element's group, with its sentence for hover and screen readers.
    fn group(&mut self, element: Element, class: &str, first: Point, last: Point) {
        let id = format!("{}{element}", self.options.prefix);
        let class = format!("element {class}");
        let x = self.x(first) - self.layout.left;
        let attributes: [(&str, &dyn std::fmt::Display); 6] = [
            ("id", &id),
            ("class", &class),
            ("data-x", &x),
            ("data-at", &first.at.0),
            ("data-first", &first.event),
            ("data-last", &last.event),
        ];
        self.out.open("g", &attributes);
        let words = self.say(self.scene.words(element));
        self.title(&format!("{}  {words}", first.at));
    }

    /// Explains the element that was opened last, unless the page does.
    fn title(&mut self, words: &str) {
        if self.options.hover == Hover::Title {
            self.out.text("title", &[], words);
        }
    }

    /// Writes a label into a band beside `x`, right of it or else left of it, in the first row with room; left out where there is none.
    fn label_in(&mut self, band: Band, class: &str, x: i64, label: &str) {
        if label.is_empty() || (self.dense && class != "fault") {
            return;
        }
        let width = text_width(label, SMALL);
        let rows = (0..band.rows).flat_map(|row| {
            let top = band.top + row * ROW;
            let right = Rect { left: x + 4, top, right: x + 4 + width, bottom: top + ROW - 2 };
            let left = Rect { left: x - 4 - width, top, right: x - 4, bottom: top + ROW - 2 };
            [right, left]
        });
        let (left_edge, right_edge) = self.room_at(x);
        let fitting = rows.filter(|rect| rect.right <= right_edge && rect.left >= left_edge).collect::<Vec<_>>();
        if let Some(rect) = self.labels.first_free(fitting) {
            self.words.push((class.to_owned(), rect.left, rect.top + 11, label.to_owned()));
        }
    }

    /// The labels of arrows and marks, above all lines, on a rim of paper.
    fn words(&mut self) {
        self.out.open("g", &[("class", &"words")]);
        for (class, x, y, label) in std::mem::take(&mut self.words) {
            self.out.text("text", &[("class", &class), ("x", &x), ("y", &y)], &label);
        }
        self.out.close();
    }
}

/// The class of a tone.
fn tone_class(tone: Tone) -> String {
    match tone {
        Tone::Plain => "plain".into(),
        Tone::Client(client) => format!("client-{}", client.0 % 6),
        Tone::Fault => "fault".into(),
        Tone::Broken => "broken".into(),
        Tone::Refused => "refused".into(),
    }
}

/// Cuts a label to a number of characters.
fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
