//! Labels that never overlap: each looks for a free place among a few, or is left to the hover.

use unicode_width::UnicodeWidthStr;

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub left: i64,
    pub top: i64,
    pub right: i64,
    pub bottom: i64,
}

impl Rect {
    fn overlaps(&self, other: &Rect) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }
}

/// The places that are taken, by horizontal strips so that a search looks at neighbours only.
#[derive(Default)]
pub(super) struct Labels {
    taken: std::collections::BTreeMap<i64, Vec<Rect>>,
}

/// The width of a strip in pixels; no label is wider than a few of them.
const STRIP: i64 = 128;

impl Labels {
    /// Takes this place if it is free.
    pub fn take(&mut self, rect: Rect) -> bool {
        let strips = rect.left.div_euclid(STRIP)..=rect.right.div_euclid(STRIP);
        let free = strips
            .clone()
            .all(|strip| self.taken.get(&strip).is_none_or(|rects| rects.iter().all(|taken| !taken.overlaps(&rect))));
        if free {
            strips.for_each(|strip| self.taken.entry(strip).or_default().push(rect));
        }
        free
    }

    /// Takes the first free place of these.
    pub fn first_free(&mut self, places: impl IntoIterator<Item = Rect>) -> Option<Rect> {
        places.into_iter().find(|place| self.take(*place))
    }
}

/// How wide a text is at most at a font size, in pixels: without a font to ask, a safe guess.
pub(super) fn text_width(text: &str, size: i64) -> i64 {
    text.width() as i64 * size * 60 / 100 + 2
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn taken_places_never_overlap(places in prop::collection::vec((0_i64..900, 0_i64..60, 1_i64..400), 1..60)) {
            let mut labels = Labels::default();
            let mut taken: Vec<Rect> = Vec::new();
            for (left, top, width) in places {
                let rect = Rect { left, top, right: left + width, bottom: top + 12 };
                let free = taken.iter().all(|other| !other.overlaps(&rect));
                prop_assert_eq!(labels.take(rect), free);
                if free {
                    taken.push(rect);
                }
            }
        }
    }
}
