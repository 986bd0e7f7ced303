//! Where the lanes lie on the page.

use super::Options;
use super::labels::text_width;
use crate::view::{Axis, Highlight, LaneId, Scene, Whose};

/// The height of a row of labels.
pub(super) const ROW: i64 = 16;
/// The size of ordinary labels.
pub(super) const SMALL: i64 = 11;
/// The size of lane names.
pub(super) const LARGE: i64 = 13;
/// The height of a bar.
pub(super) const BAR: i64 = 22;
/// The distance between two rows of bars on one lane.
pub(super) const BAR_STEP: i64 = 26;

/// One lane's place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub lane: LaneId,
    /// The top edge of its background.
    pub top: i64,
    /// The bottom edge of its background.
    pub bottom: i64,
    /// The top of its first row of bars.
    pub bars: i64,
    /// Where arrows to it end: the middle of its bars, or of an empty lane.
    pub middle: i64,
}

/// Horizontal bands in which labels look for a place: their first row's top and their number of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Band {
    pub top: i64,
    pub rows: i64,
}

/// The page: lanes from top to bottom, bands of labels between them.
pub(super) struct Layout {
    pub places: Vec<Place>,
    /// Above all lanes: what is broken.
    pub broken: Band,
    /// On the faults' lane.
    pub faults: Band,
    /// Between clients and servers: requests.
    pub requests: Band,
    /// Above the resource: effects.
    pub effects: Band,
    /// Where the plot begins, right of the lanes' names.
    pub left: i64,
    /// How wide the plot is.
    pub width: i64,
    /// The top of the axis.
    pub axis: i64,
    /// The top of the legend.
    pub legend: i64,
    /// Names stand above their lanes, for want of room beside them.
    pub narrow: bool,
}

/// The room that the names and the margins leave for the plot, and where it begins.
pub(super) fn plot(scene: &Scene, options: &Options) -> (i64, i64, bool) {
    let narrow = options.width < 640;
    let longest =
        scene.lanes.iter().map(|lane| text_width(lane.name.in_language(options.language), LARGE)).max().unwrap_or(0);
    let left = if narrow { 8 } else { longest.clamp(56, 180) + 24 };
    let width = (i64::from(options.width) - left - 16).max(120);
    (left, width, narrow)
}

/// The layout of a drawing. `axis` is as long as the plot, also where only a part of it is drawn: a reader who zooms sees nothing jump.
pub(super) fn layout(scene: &Scene, options: &Options, axis: &Axis) -> Layout {
    let (left, width, narrow) = plot(scene, options);
    let name = if narrow { ROW } else { 0 };
    let mut y = 8;
    let band = |y: &mut i64, rows: i64| {
        let band = Band { top: *y, rows };
        *y += rows * ROW;
        band
    };
    let broken = band(&mut y, rows_needed(scene, options, axis));
    let has_faults = scene.is_used(LaneId(0));
    let mut faults = Band { top: y, rows: 0 };
    let mut requests = Band { top: y, rows: 0 };
    let mut effects = Band { top: y, rows: 0 };
    let mut places = Vec::new();
    let mut below_clients = false;
    for (index, lane) in scene.lanes.iter().enumerate() {
        let id = LaneId(index as u16);
        let rows = i64::from(lane.rows.max(1));
        match lane.whose {
            Whose::Faults if !has_faults => continue,
            Whose::Faults => {
                let top = y;
                y += name + 4;
                faults = band(&mut y, 2);
                let has_bars = scene.bars.iter().any(|bar| bar.lane == id);
                let bars = y + 2;
                y += if has_bars { 4 + rows * 18 } else { 4 };
                places.push(Place { lane: id, top, bottom: y, bars, middle: top + name + 12 });
                y += 6;
            }
            Whose::Client(_) => {
                let top = y;
                y += name + 15;
                let bars = y;
                y += rows * BAR_STEP + 8;
                places.push(Place { lane: id, top, bottom: y, bars, middle: bars + BAR / 2 });
                y += 6;
            }
            Whose::Lock(_) | Whose::Node(_) | Whose::Resource if !scene.is_used(id) => continue,
            Whose::Lock(_) | Whose::Node(_) => {
                if !below_clients {
                    requests = band(&mut y, 3);
                    y += 4;
                    below_clients = true;
                }
                let top = y;
                y += name + 6;
                let bars = y;
                y += rows * BAR_STEP + 12;
                places.push(Place { lane: id, top, bottom: y, bars, middle: bars + BAR / 2 });
                y += 6;
            }
            Whose::Resource => {
                effects = band(&mut y, 2);
                y += 2;
                let top = y;
                y += name + 34;
                places.push(Place { lane: id, top, bottom: y, bars: top + name + 6, middle: top + name + 17 });
                y += 6;
            }
        }
    }
    Layout { places, broken, faults, requests, effects, left, width, axis: y, legend: y + 34, narrow }
}

/// How many rows the labels of what is broken need: as many as there are at the busiest place, at most 5.
fn rows_needed(scene: &Scene, options: &Options, axis: &Axis) -> i64 {
    let mut free_from: Vec<i64> = Vec::new();
    for highlight in &scene.highlights {
        let left = axis.x(highlight.begins(scene));
        let right = left + label_width(highlight, options);
        match free_from.iter().position(|free| *free <= left) {
            Some(row) => free_from[row] = right,
            None => free_from.push(right),
        }
    }
    (free_from.len() as i64 + i64::from(!free_from.is_empty())).min(5)
}

pub(super) fn label_width(highlight: &Highlight, options: &Options) -> i64 {
    text_width(highlight.label.in_language(options.language), SMALL) + 22
}

impl Layout {
    /// The place of a lane, if it is shown.
    pub fn place(&self, lane: LaneId) -> Option<Place> {
        self.places.iter().copied().find(|place| place.lane == lane)
    }
}
