//! A curve with its uncertainty, over a scale that is logarithmic upwards: each line is a tenth of the one above.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use super::scale::Scale;
use super::{Unit, paper};
use crate::i18n::{Language, Text};
use crate::view::svg::StyleSheet;

/// One point of a curve; heights are in thousandths of a power of ten, so that -3,000 is a thousandth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurvePoint {
    /// Where on the axis.
    pub at: u64,
    /// The estimate; `None`: only an upper bound is known.
    pub height: Option<i64>,
    /// The lower bound; `None`: zero cannot be excluded.
    pub low: Option<i64>,
    /// The upper bound.
    pub high: i64,
    /// The estimate in words.
    pub words: String,
}

/// A curve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// What is shown.
    pub title: String,
    /// What the axis counts.
    pub axis: Text,
    /// In which unit.
    pub unit: Unit,
    /// The points, rising.
    pub points: Vec<CurvePoint>,
}

impl Curve {
    fn heights(&self) -> (i64, i64) {
        let lowest = self.points.iter().flat_map(|point| [point.height, point.low, Some(point.high)]).flatten().min();
        let highest = self.points.iter().map(|point| point.high).max();
        let low = lowest.unwrap_or(-1_000).div_euclid(1_000) * 1_000;
        (low, (highest.unwrap_or(0).div_euclid(1_000) + 1).saturating_mul(1_000).max(low + 1_000))
    }

    /// The curve for a terminal: a line a point, with a bar from the lower to the upper bound.
    pub fn text(&self, columns: usize) -> String {
        let (low, high) = self.heights();
        let shown: Vec<String> = self.points.iter().map(|point| self.unit.show(point.at)).collect();
        let label = shown.iter().map(|shown| shown.width()).max().unwrap_or(0);
        let words = self.points.iter().map(|point| point.words.width()).max().unwrap_or(0);
        let size = columns.saturating_sub(label + words + 6).clamp(10, 60) as i64;
        let place = |height: i64| ((height.clamp(low, high) - low) * (size - 1) / (high - low)) as usize;
        let mut page = String::new();
        for (point, shown) in self.points.iter().zip(shown) {
            let mut bar = vec![' '; size as usize];
            let from = point.low.map_or(0, place);
            bar[from..=place(point.high)].fill('─');
            match point.height {
                Some(height) => bar[place(height)] = '●',
                None => bar[place(point.high)] = '◁',
            }
            let bar: String = bar.into_iter().collect();
            let _ = writeln!(page, "{shown:>label$}  {bar}  {}", point.words);
        }
        let _ = writeln!(
            page,
            "{}  1e{}{}1e{}",
            " ".repeat(label),
            low / 1_000,
            " ".repeat((size as usize).saturating_sub(8)),
            high / 1_000
        );
        page
    }

    /// The curve as one SVG element, `width` pixels wide.
    pub fn svg(&self, language: Language, width: u64, style: StyleSheet) -> String {
        const TOP: i64 = 40;
        const LEFT: u64 = 80;
        const TALL: i64 = 320;
        let (low, high) = self.heights();
        let from = self.points.first().map_or(0, |point| point.at);
        let to = self.points.last().map_or(1, |point| point.at);
        let scale = Scale { from, to, size: width.saturating_sub(LEFT + 60).max(100) };
        let x = |at: u64| LEFT + 20 + scale.place(at);
        let y = |height: i64| TOP + (high - height) * TALL / (high - low);
        let height = TOP + TALL + 60;
        let mut out = paper(&self.title, (width, height as u64), style);
        for decade in (low / 1_000)..=(high / 1_000) {
            let at = y(decade * 1_000);
            let right = x(to) + 10;
            out.leaf("line", &[("class", &"grid"), ("x1", &LEFT), ("x2", &right), ("y1", &at), ("y2", &at)]);
            out.text("text", &[("class", &"label"), ("x", &(LEFT - 8)), ("y", &(at + 4))], &format!("1e{decade}"));
        }
        let line: Vec<String> =
            self.points.iter().filter_map(|point| Some(format!("{},{}", x(point.at), y(point.height?)))).collect();
        out.leaf("polyline", &[("class", &"curve"), ("points", &line.join(" "))]);
        for point in &self.points {
            let at = x(point.at);
            let foot = point.low.map_or(TOP + TALL, y);
            out.leaf("line", &[("class", &"band"), ("x1", &at), ("x2", &at), ("y1", &y(point.high)), ("y2", &foot)]);
            let (class, centre) = point.height.map_or(("bound", y(point.high)), |height| ("point", y(height)));
            out.open("circle", &[("class", &class), ("cx", &at), ("cy", &centre), ("r", &4)]);
            out.text("title", &[], &format!("{}: {}", self.unit.show(point.at), point.words));
            out.close();
        }
        out.close();
        out.open("g", &[("class", &"axis")]);
        for point in &self.points {
            out.text("text", &[("x", &x(point.at)), ("y", &(TOP + TALL + 18))], &self.unit.show(point.at));
        }
        let middle = LEFT + 20 + scale.size / 2;
        out.text("text", &[("x", &middle), ("y", &(TOP + TALL + 40))], self.axis.in_language(language));
        out.close();
        out.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::say;

    fn curve() -> Curve {
        let point = |at, height, low, high, words: &str| CurvePoint { at, height, low, high, words: words.into() };
        Curve {
            title: "risk".into(),
            axis: say!("ttl", "租约时长"),
            unit: Unit::Micros,
            points: vec![
                point(1_000_000, Some(-2_000), Some(-2_100), -1_900, "1e-2"),
                point(10_000_000, None, None, -5_500, "< 3e-6"),
            ],
        }
    }

    #[test]
    fn what_was_not_seen_is_drawn_as_a_bound() {
        let text = curve().text(60);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].contains('●') && lines[0].ends_with("1e-2"), "{text}");
        assert!(lines[1].contains("─◁") && lines[1].ends_with("< 3e-6"), "{text}");
        let svg = curve().svg(Language::English, 700, StyleSheet::Inside);
        assert!(svg.contains("class=\"bound\"") && svg.contains("1s: 1e-2"), "{svg}");
    }
}
