//! `locklab`: see what a distributed lock really promises.

mod args;
mod live;
mod serve;

use std::env;
use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};

fn main() -> ExitCode {
    if let Some(code) = live::helper_process(env::args().skip(1)) {
        return code;
    }
    match Arguments::parse().command {
        Command::Serve { port } => serve(port),
    }
}

/// Serves the page until the process is stopped. The address is the first line of the output, for people and programs.
fn serve(port: u16) -> ExitCode {
    match serve::PageServer::bind(port) {
        Ok(server) => {
            println!("{}", server.url());
            server.serve()
        }
        Err(error) => {
            eprintln!("error: {error}\nhint: {}", error.hint());
            ExitCode::from(3)
        }
    }
}
