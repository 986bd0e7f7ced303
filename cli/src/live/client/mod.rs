//! A client of a live run: an operating-system process of its own that runs the same worker as the simulator.
//!
//! *Idea.* The process knows its steps and its lock, and speaks to servers through its links. The driver tells it over a pipe
//! what its clock shows and which of its connections has something for it, and takes off what the worker wants, one output at a
//! time. Between two outputs the process waits: a pause stops it, and a crash kills it, exactly there.

mod lines;
mod process;
mod protocol;
mod remote;

pub use process::run;
pub use protocol::{Setup, Told, Want};
pub use remote::RemoteClient;

/// The hidden subcommand under which this program is a client.
pub const SUBCOMMAND: &str = "live-client";
