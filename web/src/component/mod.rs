//! The components: each draws a part of the state and says what its reader asked for.

mod app;
mod header;

pub use app::{App, AppProperties};
