//! The text timeline: one row a turn of the story, one column a lane, the words beside them.
//!
//! ```text
//!        time    A     B   redis  register
//!          0s    ├───────────▶█ A   │      A: SET lock A-1 NX PX 10000 → OK; A's lease, until 10.001s
//!                █     │      █ A   │      A ENTERS, sure of the lock for 10s
//! ```
//!
//! It is plain text first: it reads the same without colour, in a diff and in a golden file. Styles lie on top as a layer that the
//! caller may turn into ANSI colours. No line is wider than asked for, double-width characters counted as two columns.

mod columns;
mod paint;
pub(super) mod rows;
mod wrap;

use std::fmt;

use crate::i18n::Language;
use crate::wire::ClientId;

use super::Scene;

/// A text timeline: its lines from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The lines, without line ends.
    pub lines: Vec<Line>,
}

/// One line as fragments from left to right; no fragment holds a line end, and the last does not end in a space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The fragments.
    pub fragments: Vec<Fragment>,
}

/// A piece of a line in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The text.
    pub text: String,
    /// Its style.
    pub style: Style,
}

/// What a piece of text stands for; the text alone says the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Style {
    /// Ordinary text.
    #[default]
    Plain,
    /// What is there for orientation only: times that repeat, lifelines, folded stretches.
    Faint,
    /// The names of the lanes.
    Heading,
    /// Something of this client.
    Client(ClientId),
    /// A fault of real life.
    Fault,
    /// A broken promise.
    Broken,
    /// A guard that refused.
    Refused,
}

/// Draws a scene as text, at most `width` columns wide (at least 24 are used).
pub fn timeline(scene: &Scene, language: Language, width: usize) -> Timeline {
    paint::paint(scene, language, width.max(24))
}

/// The plain text: every line with its line end.
impl fmt::Display for Timeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fragments.iter().try_for_each(|fragment| f.write_str(&fragment.text))
    }
}
#[cfg(test)]
mod tests;
