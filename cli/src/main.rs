//! `locklab`: see what a distributed lock really promises.

mod args;
mod failure;
mod input;
mod language;
mod library;
mod live;
mod output;
mod play;
mod report;
mod run;
mod serve;
mod terminal;

use std::env;
use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command};

fn main() -> ExitCode {
    if let Some(code) = live::helper_process(env::args().skip(1)) {
        return code;
    }
    let Arguments { command, lang } = Arguments::parse();
    let language = language::language(lang);
    let ending = match &command {
        Command::Run(arguments) => run::run(arguments, language),
        Command::Serve { port } => return serve(*port),
        _ => return ExitCode::from(2),
    };
    match ending {
        Ok(ending) => ending.into(),
        Err(failure) => failure.tell(language),
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
