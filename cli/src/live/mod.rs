//! Live runs: the same scenario on real servers, with real processes and real faults.

mod access;
mod change;
mod checkup;
mod client;
mod error;
mod link;
mod margin;
mod named;
mod node;
mod observer;
mod pace;
mod parts;
mod play;
mod ports;
mod process;
mod relay;
mod resource;
mod resp;
mod server;
mod service;
mod shim;
mod stage;
mod supervisor;
mod url;

use std::io;
use std::process::ExitCode;

pub use access::Access;
pub use checkup::{Checkup, checkup};
pub use error::LiveError;
pub use pace::Clock;
pub use play::{Named, Piece, Setting, play};
pub use service::Login;

/// Runs this program as one of a live run's helper processes, when its first argument says so.
///
/// Call it before the command line is parsed: these subcommands are no part of it.
pub fn helper_process(mut arguments: impl Iterator<Item = String>) -> Option<ExitCode> {
    match arguments.next()?.as_str() {
        supervisor::SUBCOMMAND => supervisor::supervise(io::stdin()),
        client::SUBCOMMAND => client::run(io::stdin().lock(), io::stdout().lock()),
        _ => return None,
    }
    Some(ExitCode::SUCCESS)
}
