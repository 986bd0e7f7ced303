//! Where each lane's column stands.

use unicode_width::UnicodeWidthStr;

use super::wrap::cut_name;
use crate::i18n::Language;
use crate::view::{LaneId, Scene, Whose};

/// The narrowest column for words that is still a pleasure to read; with less, the lanes give way.
const NARROWEST_WORDS: usize = 30;

/// The columns of a timeline, from left to right: time, gutter, lanes, words.
pub(super) struct Columns {
    /// How wide the times are.
    pub time: usize,
    /// The lanes; empty where the width is too small for them.
    pub lanes: Vec<Column>,
    /// How wide all lanes are together.
    pub lanes_width: usize,
    /// How wide the words may be.
    pub words: usize,
}

/// One lane's column, in columns from the left edge of the lanes.
pub(super) struct Column {
    /// Whose it is.
    pub lane: LaneId,
    /// What stands at its head.
    pub name: String,
    /// Where its name begins.
    pub name_at: usize,
    /// Where its lifeline stands.
    pub center: usize,
    /// How much room there is beside its lifeline, to the right.
    pub beside: usize,
}

/// Lays out the columns for a scene whose longest time takes `time` columns.
pub(super) fn columns(scene: &Scene, language: Language, width: usize, time: usize) -> Columns {
    let shown: Vec<LaneId> = (0..scene.lanes.len() as u16)
        .map(LaneId)
        .filter(|lane| match scene.lanes[usize::from(lane.0)].whose {
            Whose::Faults => false,
            Whose::Client(_) => true,
            Whose::Lock(_) | Whose::Node(_) | Whose::Resource => scene.is_used(*lane),
        })
        .collect();
    let names: Vec<&str> =
        shown.iter().map(|lane| scene.lanes[usize::from(lane.0)].name.in_language(language)).collect();
    let ends_with_resource = shown.last().is_some_and(|lane| scene.lanes[usize::from(lane.0)].whose == Whose::Resource);
    // Time, two spaces, the gutter, one space; then the lanes, two spaces, the words.
    let around = time + 4 + 2;
    let room = width.saturating_sub(around);
    let most = (width * 9 / 20).min(room.saturating_sub(NARROWEST_WORDS));
    let layout = [4, 3, 2].into_iter().flat_map(|gap| [(gap, usize::MAX), (gap, 9), (gap, 7)]).chain([(2, 5), (1, 4)]);
    let widths = layout
        .map(|(gap, longest)| {
            let mut widths: Vec<usize> = names.iter().map(|name| name.width().clamp(2, longest) + gap).collect();
            // Beside a server's lifeline stands who holds the lock; beside the resource's, nothing.
            if ends_with_resource {
                widths.last_mut().into_iter().for_each(|last| *last -= gap - 1);
            }
            widths
        })
        .find(|widths| widths.iter().sum::<usize>() <= most);
    let Some(widths) = widths else {
        return Columns { time, lanes: Vec::new(), lanes_width: 0, words: width.saturating_sub(time + 4) };
    };
    let count = shown.len();
    let mut lanes = Vec::new();
    let mut left = 0;
    for ((lane, name), width) in shown.into_iter().zip(names).zip(widths) {
        let name = cut_name(name, width - usize::from(width > 2));
        let center = left + (width - 1) / 2;
        let centered = center.saturating_sub((name.width().max(1) - 1) / 2);
        // A space stays free before the next name.
        let end = left + width - usize::from(lanes.len() + 1 < count);
        let name_at = centered.min(end.saturating_sub(name.width())).max(left);
        lanes.push(Column { lane, name, name_at, center, beside: left + width - center - 1 });
        left += width;
    }
    Columns { time, lanes, lanes_width: left, words: room - left }
}
