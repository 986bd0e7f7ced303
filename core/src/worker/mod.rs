//! The application: a client's steps on top of its lock clients. The same code runs simulated and live.

mod io;
mod machine;
mod plan;
mod remember;
mod resource;
mod slot;
mod step;

pub use io::{Input, Output};
pub use machine::Worker;
pub use plan::{Home, Plan, Reaction};
pub use step::Step;
