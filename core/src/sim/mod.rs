//! The simulator: a scenario and its choices in, a history out.

mod adversary;
mod client;
mod fault;
mod independence;
mod lengths;
mod model;
mod network;
mod parts;
mod plan;
mod queue;
mod remember;
mod run;
mod server;
mod service;
mod sink;
mod state;
mod trigger;
mod world;

pub use adversary::{Allowance, FaultClass, Placed};
pub use lengths::Lengths;
pub use model::Model;
pub use parts::{Answer, Call, Change, Delivery, Executed, Instant, Parts};
pub use plan::{NotApplicable, Plan, Player};
pub use run::{MAX_STEPS, Run, run, run_with};
pub use sink::{Nobody, Recorder, Sink};
pub use trigger::{moment, occurrences};
pub use world::{Progress, World};
