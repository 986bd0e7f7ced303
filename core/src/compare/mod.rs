//! The comparison: what does each mechanism keep, and against what?
//!
//! A [`Cell`] is one mechanism against one fault. [`Cell::play`] plays a small scenario with the fault at *every* moment of the struck client's
//! fault-free run, and judges what happened to the *resource*: [`Answer`]. What it says is never more than what was tried; a broken cell brings a
//! [`Witness`], the run that broke it, which anybody can play again.
//!
//! # How it goes
//!
//! ```text
//! scene (a built-in scenario, `compare/update`) + settings  ->  the fault-free run  ->  its moments  ->  a run for each fault at each moment
//! ```
//!
//! Cells know nothing of each other and a cell is a pure function, so threads and a progress bar belong to the caller.
//!
//! # Limits
//!
//! One fault strikes in a run (some on several servers at once), and it strikes at moments that a scenario can name. `locklab explore` searches further.

pub mod advice;
mod answer;
mod cell;
mod cost;
mod edge;
mod judgement;
mod mechanism;
mod moments;
mod placement;
mod scene;
mod threat;

pub use answer::{Answer, Found, Witness};
pub use cell::Cell;
pub use cost::{Cost, ROUND_TRIP};
pub use edge::{Edge, UNIT as EDGE_UNIT};
pub use mechanism::{Means, Mechanism, UnknownMechanism, mechanisms, mechanisms_named};
pub use scene::Scene;
pub use threat::Threat;
