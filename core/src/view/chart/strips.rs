//! Strips: what holds and what breaks along a figure, one strip a property, or a value of a second figure.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use super::scale::Scale;
use super::{Unit, paper};
use crate::i18n::{Language, Text};
use crate::say;
use crate::view::svg::{Markup, StyleSheet};

/// What a piece of a strip says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// It holds.
    Held,
    /// It breaks.
    Broken,
    /// Nobody knows.
    Unknown,
}

/// A piece of a strip, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its first value.
    pub from: u64,
    /// Its last value.
    pub to: u64,
    /// What it says.
    pub tone: Tone,
}

/// One line of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strip {
    /// What it is about.
    pub label: String,
    /// Its pieces, rising.
    pub pieces: Vec<Piece>,
}

/// Strips above one another, over one axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strips {
    /// What is shown.
    pub title: String,
    /// What the axis counts.
    pub axis: Text,
    /// In which unit.
    pub unit: Unit,
    /// Its least value.
    pub from: u64,
    /// Its greatest value.
    pub to: u64,
    /// The strips, the topmost first.
    pub strips: Vec<Strip>,
}

impl Tone {
    fn sign(self) -> char {
        match self {
            Tone::Held => '·',
            Tone::Broken => '█',
            Tone::Unknown => '?',
        }
    }

    fn class(self) -> &'static str {
        match self {
            Tone::Held => "held",
            Tone::Broken => "broken",
            Tone::Unknown => "unknown",
        }
    }

    fn title(self) -> Text {
        match self {
            Tone::Held => say!("holds", "成立"),
            Tone::Broken => say!("broken", "被破坏"),
            Tone::Unknown => say!("unknown", "无法判定"),
        }
    }
}

impl Strips {
    /// The chart for a terminal of so many columns.
    pub fn text(&self, language: Language, columns: usize) -> String {
        let label = self.strips.iter().map(|strip| strip.label.width()).max().unwrap_or(0);
        let scale = Scale { from: self.from, to: self.to, size: columns.saturating_sub(label + 3).max(10) as u64 };
        let mut page = String::new();
        for strip in &self.strips {
            let gap = " ".repeat(label - strip.label.width());
            let cells: String = (0..scale.size).map(|column| self.sign(strip, scale, column)).collect();
            let _ = writeln!(page, "{gap}{}  {cells}", strip.label);
        }
        let mut ruler = String::new();
        for tick in scale.ticks(scale.size / 12) {
            let words = self.unit.show(tick);
            let place = scale.place(tick) as usize;
            if place >= ruler.width() && place + words.width() <= scale.size as usize + 1 {
                let _ = write!(ruler, "{}{words} ", " ".repeat(place - ruler.width()));
            }
        }
        let _ = writeln!(page, "{}  {}", " ".repeat(label), ruler.trim_end());
        let legend: Vec<String> = self
            .tones()
            .into_iter()
            .map(|tone| format!("{} {}", tone.sign(), tone.title().in_language(language)))
            .collect();
        let _ = writeln!(page, "{}  {}: {}", " ".repeat(label), self.axis.in_language(language), legend.join("  "));
        page
    }

    /// The worst of what a column of the terminal stands for.
    fn sign(&self, strip: &Strip, scale: Scale, column: u64) -> char {
        let touches = |piece: &&Piece| (scale.place(piece.from)..=scale.place(piece.to)).contains(&column);
        let tones = || strip.pieces.iter().filter(touches).map(|piece| piece.tone);
        let worst = [Tone::Broken, Tone::Unknown, Tone::Held].into_iter().find(|tone| tones().any(|one| one == *tone));
        // Between two samples that lie columns apart, the one before decides.
        let before =
            || strip.pieces.iter().rev().find(|piece| scale.place(piece.from) <= column).map(|piece| piece.tone);
        worst.or_else(before).map_or(' ', Tone::sign)
    }

    fn tones(&self) -> Vec<Tone> {
        let all = [Tone::Held, Tone::Broken, Tone::Unknown];
        let has = |tone: &Tone| self.strips.iter().any(|strip| strip.pieces.iter().any(|piece| piece.tone == *tone));
        all.into_iter().filter(has).collect()
    }

    /// The chart as one SVG element, `width` pixels wide.
    pub fn svg(&self, language: Language, width: u64, style: StyleSheet) -> String {
        const ROW: u64 = 34;
        const TOP: u64 = 40;
        let widest = self.strips.iter().map(|strip| strip.label.width()).max().unwrap_or(0) as u64;
        let left = widest * 7 + 24;
        let scale = Scale { from: self.from, to: self.to, size: width.saturating_sub(left + 30).max(100) };
        let bottom = TOP + ROW * self.strips.len() as u64;
        let height = bottom + 56;
        let mut out = paper(&self.title, (width, height), style);
        for (index, strip) in self.strips.iter().enumerate() {
            let top = TOP + ROW * index as u64;
            self.strip(&mut out, strip, scale, (left, top));
        }
        out.close();
        out.open("g", &[("class", &"axis")]);
        for tick in scale.ticks(scale.size / 90) {
            let x = left + scale.place(tick);
            out.leaf("line", &[("x1", &x), ("x2", &x), ("y1", &bottom), ("y2", &(bottom + 5))]);
            out.text("text", &[("x", &x), ("y", &(bottom + 18))], &self.unit.show(tick));
        }
        let legend: Vec<&str> = self.tones().into_iter().map(Tone::class).collect();
        let words = self.tones().into_iter().map(|tone| tone.title().in_language(language).to_owned());
        out.text("text", &[("x", &(left + scale.size / 2)), ("y", &(bottom + 36))], self.axis.in_language(language));
        out.close();
        out.open("g", &[("class", &"chart legend")]);
        for (index, (class, words)) in legend.into_iter().zip(words).enumerate() {
            let x = left + index as u64 * 90;
            out.leaf("rect", &[("class", &class), ("x", &x), ("y", &(bottom + 42)), ("width", &10), ("height", &10)]);
            out.text("text", &[("x", &(x + 14)), ("y", &(bottom + 51))], &words);
        }
        out.close();
        out.finish()
    }

    fn strip(&self, out: &mut Markup, strip: &Strip, scale: Scale, (left, top): (u64, u64)) {
        out.text("text", &[("class", &"label"), ("x", &(left - 8)), ("y", &(top + 18))], &strip.label);
        let mut last_word = 0;
        for (index, piece) in strip.pieces.iter().enumerate() {
            let next = strip.pieces.get(index + 1);
            let x = left + scale.place(piece.from);
            let end = left + next.map_or(scale.size, |next| scale.place(next.from));
            let size = end.saturating_sub(x).max(1);
            out.leaf(
                "rect",
                &[("class", &piece.tone.class()), ("x", &x), ("y", &(top + 8)), ("width", &size), ("height", &16)],
            );
            // An edge is written above its place, unless its neighbour is there already.
            if index > 0 && x >= last_word + 60 {
                out.text("text", &[("class", &"edge"), ("x", &x), ("y", &(top + 5))], &self.unit.show(piece.from));
                last_word = x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strips() -> Strips {
        let piece = |from, to, tone| Piece { from, to, tone };
        Strips {
            title: "a <lock>".into(),
            axis: say!("a pause", "停顿"),
            unit: Unit::Micros,
            from: 0,
            to: 20_000_000,
            strips: vec![
                Strip {
                    label: "互斥".into(),
                    pieces: vec![
                        piece(0, 9_999_000, Tone::Held),
                        piece(10_000_000, 15_000_000, Tone::Broken),
                        piece(15_001_000, 20_000_000, Tone::Unknown),
                    ],
                },
                Strip { label: "no-overrun".into(), pieces: vec![piece(0, 20_000_000, Tone::Held)] },
            ],
        }
    }

    #[test]
    fn strips_stand_under_one_another_in_a_terminal() {
        let text = strips().text(Language::English, 60);
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with("      互斥  ··") && first.contains("·█") && first.contains("█?"), "{text}");
        assert!(text.contains("10s") && text.contains("a pause: · holds  █ broken  ? unknown"), "{text}");
    }

    #[test]
    fn a_drawing_escapes_its_words_and_writes_its_edges() {
        let svg = strips().svg(Language::Chinese, 800, StyleSheet::Inside);
        assert!(svg.contains("a &lt;lock&gt;") && svg.contains(">10s<") && svg.contains(">15.001s<"), "{svg}");
        assert!(svg.contains("停顿") && svg.ends_with("</svg>\n"));
    }
}
