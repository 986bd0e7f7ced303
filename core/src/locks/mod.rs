//! Lock clients: state machines without I/O, and the contract that the simulator and the live driver both keep.

mod client;
mod params;
mod reading;

pub use client::{Input, LockClient, LockRequest, Output};
pub use params::{Params, TokenForm, Value};
pub use reading::{Holding, Reading};
