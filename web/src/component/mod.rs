//! The components: each draws a part of the state and says what its reader asked for.

mod app;
mod browse;
mod chip;
mod code;
mod editor;
mod effects;
mod figures;
mod header;
mod icon;
mod knowledge;
mod lock;
mod notice;
mod outcome;
mod player;
mod promises;
mod share;
mod story;
mod timeline;
mod tune;

pub use app::{App, AppProperties};
