//! Charts of what a search or a sample has found: strips that say held or broken along a figure, and curves.
//!
//! Numbers only, with their words: who made them does not matter here. Drawn as text for a terminal and as SVG in the colours of the timeline.

mod curve;
mod scale;
mod strips;

pub use curve::{Curve, CurvePoint};
pub use scale::Unit;
pub use strips::{Piece, Strip, Strips, Tone};

/// What charts need beyond the drawing's own style sheet.
const CHART: &str = include_str!("style.css");
