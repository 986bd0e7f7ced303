//! The components: each draws a part of the state and says what its reader asked for.
//!
//! A view of the page is a component of its own (`run`, …), which [`app`] puts under the header; what several views use stands
//! beside them.

mod app;
mod chip;
mod effects;
mod embed;
mod game;
mod header;
mod icon;
mod lessons;
mod matrix;
mod player;
mod prose;
mod run;
mod search;
mod timeline;

pub use app::{App, AppProperties};
