//! What is broken: a wash over the lanes concerned, a bracket above them, and words.

use super::Pen;
use super::labels::Rect;
use super::layout::{ROW, label_width};
use crate::view::{Highlight, Whose};

impl Pen<'_> {
    pub(super) fn highlights(&mut self) {
        self.out.open("g", &[("class", &"highlights")]);
        let scene = self.scene;
        for (index, highlight) in scene.highlights.iter().enumerate() {
            self.highlight(index, highlight);
        }
        self.out.close();
    }

    fn highlight(&mut self, index: usize, highlight: &Highlight) {
        let begins = highlight.begins(self.scene);
        let from = self.x(begins);
        let until = self.x_at(highlight.until_in(self.scene));
        let until = until.max(from);
        if !self.is_visible(from, until) {
            return;
        }
        let concerned = |whose: Whose| match whose {
            Whose::Client(client) => highlight.clients.contains(&client),
            Whose::Resource => highlight.resource,
            Whose::Faults | Whose::Lock(_) | Whose::Node(_) => false,
        };
        let places: Vec<_> = self
            .layout
            .places
            .iter()
            .filter(|place| concerned(self.scene.lanes[usize::from(place.lane.0)].whose))
            .copied()
            .collect();
        let id = format!("{}highlight-{index}", self.options.prefix);
        let (at, x) = (highlight.from.0, from - self.layout.left);
        let (from, until) = self.within_reach(from, until);
        self.out.open(
            "g",
            &[
                ("id", &id),
                ("class", &"element highlight broken"),
                ("data-x", &x),
                ("data-at", &at),
                ("data-first", &begins.event),
                ("data-until", &highlight.until_in(self.scene).0),
            ],
        );
        let words = self.say(&highlight.words).to_owned();
        self.title(&words);
        let width = (until - from).max(2);
        for place in &places {
            let height = place.bottom - place.top;
            self.out.leaf(
                "rect",
                &[("class", &"wash"), ("x", &from), ("y", &place.top), ("width", &width), ("height", &height)],
            );
        }
        self.words_above(highlight, from, until);
        self.out.close();
    }

    /// The words in the band above all lanes, with a bracket as long as it lasts.
    fn words_above(&mut self, highlight: &Highlight, from: i64, until: i64) {
        let band = self.layout.broken;
        let width = label_width(highlight, self.options);
        let (seen, _) = self.in_sight(from, until);
        let (first, edge) = self.room_at(seen);
        let first = if self.options.zoom.is_none() { 2 } else { first };
        let left = seen.min(edge - width).max(first);
        let rows = (0..band.rows).map(|row| {
            let top = band.top + row * ROW;
            Rect { left, top, right: (left + width).max(until), bottom: top + ROW - 1 }
        });
        let Some(rect) = self.labels.first_free(rows.collect::<Vec<_>>()) else { return };
        let y = rect.top;
        self.out.leaf("path", &[("class", &"sign"), ("d", &format!("M{},{} l6,10 h-12 Z", left + 7, y + 2))]);
        let words = self.say(&highlight.label).to_owned();
        self.out.text("text", &[("x", &(left + 16)), ("y", &(y + 11))], &words);
        let bottom = self.layout.places.first().map_or(y, |place| place.top);
        let path = format!("M{from},{bottom} V{} H{until} V{}", y + ROW - 2, (y + ROW + 2).min(bottom));
        self.out.leaf("path", &[("d", &path)]);
    }
}
