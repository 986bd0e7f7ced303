//! Charts of what a search or a sample has found: strips that say held or broken along a figure, and curves.
//!
//! Numbers only, with their words: who made them does not matter here. Drawn as text for a terminal and as SVG in the colours of the timeline.

mod curve;
mod scale;
mod strips;

pub use curve::{Curve, CurvePoint};
pub use scale::Unit;
pub use strips::{Piece, Strip, Strips, Tone};

use crate::view::svg::{Markup, STYLE, StyleSheet};

/// What charts need beyond the drawing's own style sheet.
const CHART: &str = include_str!("style.css");

/// A chart's paper with its title: what is drawn on it, and the end of its element, are still to come.
fn paper(title: &str, (width, height): (u64, u64), style: StyleSheet) -> Markup {
    let mut out = Markup::default();
    let view = format!("0 0 {width} {height}");
    out.open(
        "svg",
        &[
            ("xmlns", &"http://www.w3.org/2000/svg"),
            ("class", &"locklab"),
            ("viewBox", &view),
            ("width", &width),
            ("height", &height),
            ("role", &"img"),
        ],
    );
    out.text("title", &[], title);
    if style == StyleSheet::Inside {
        out.raw(&format!("<style>{STYLE}{CHART}</style>\n"));
    }
    out.leaf("rect", &[("class", &"paper"), ("width", &width), ("height", &height)]);
    out.open("g", &[("class", &"chart")]);
    out.text("text", &[("class", &"title"), ("x", &12), ("y", &22)], title);
    out
}
