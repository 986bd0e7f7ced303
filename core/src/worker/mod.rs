//! The application: a client's steps on top of its lock clients. The same code runs simulated and live.

mod io;
mod step;

pub use io::{Input, Output};
pub use step::Step;
