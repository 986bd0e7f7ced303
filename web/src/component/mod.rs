//! The components: each draws a part of the state and says what its reader asked for.

mod app;
mod browse;
mod chip;
mod code;
mod effects;
mod figures;
mod header;
mod icon;
mod knowledge;
mod lock;
mod notice;
mod player;
mod promises;
mod share;
mod story;
mod timeline;

pub use app::{App, AppProperties};
