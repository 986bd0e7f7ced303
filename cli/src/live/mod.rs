//! Live runs: the same scenario on real servers, with real processes and real faults.

mod checkup;
mod error;
mod ports;
mod process;
mod relay;
mod resp;
mod server;
mod shim;
mod supervisor;

use std::io;
use std::process::ExitCode;

pub use checkup::{Checkup, checkup};
pub use error::LiveError;

/// Runs this program as one of a live run's helper processes, when its first argument says so.
///
/// Call it before the command line is parsed: these subcommands are no part of it.
pub fn helper_process(mut arguments: impl Iterator<Item = String>) -> Option<ExitCode> {
    match arguments.next()?.as_str() {
        supervisor::SUBCOMMAND => supervisor::supervise(io::stdin()),
        _ => return None,
    }
    Some(ExitCode::SUCCESS)
}
