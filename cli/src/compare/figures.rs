//! The figures of a cell, as a report for programs and the file of a shard write them.

use locklab_core::compare::{Edge, Found};
use locklab_core::i18n::Text;
use locklab_core::time::Span;
use serde::{Deserialize, Serialize};

/// What was counted in the runs of a cell; all nothing where it was not played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// See [`Found::runs`].
    pub runs: u32,
    /// See [`Found::broken`].
    pub broken: u32,
    /// See [`Found::unavailable`].
    pub unavailable: u32,
    /// See [`Found::overlapped`].
    pub overlapped: u32,
    /// See [`Found::served`].
    pub served: u32,
    /// See [`Found::longest_wait`].
    pub longest_wait_micros: u64,
    /// See [`Found::tried`].
    pub tried: Words,
    /// See [`Found::edge`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub edge: Option<WrittenEdge>,
}

/// An [`Edge`], written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenEdge {
    held_micros: u64,
    broken_micros: u64,
}

/// A [`Text`], written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    en: String,
    zh: String,
}

impl Figures {
    /// The figures of a cell.
    pub fn of(found: &Found) -> Figures {
        Figures {
            runs: found.runs,
            broken: found.broken,
            unavailable: found.unavailable,
            overlapped: found.overlapped,
            served: found.served,
            longest_wait_micros: found.longest_wait.0,
            tried: Words::of(&found.tried),
            edge: found.edge.map(|edge| WrittenEdge { held_micros: edge.held.0, broken_micros: edge.broken.0 }),
        }
    }
}

impl WrittenEdge {
    /// The edge.
    pub fn edge(&self) -> Edge {
        Edge { held: Span(self.held_micros), broken: Span(self.broken_micros) }
    }
}

impl Words {
    /// A text.
    pub fn of(text: &Text) -> Words {
        Words { en: text.en.clone(), zh: text.zh.clone() }
    }

    /// The text.
    pub fn text(&self) -> Text {
        Text::new(self.en.clone(), self.zh.clone())
    }
}
