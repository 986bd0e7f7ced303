//! `locklab`: see what a distributed lock really promises.

mod args;
mod catalog;
mod check_history;
mod completions;
mod doctor;
mod explain;
mod failure;
mod input;
mod language;
mod list;
mod live;
mod note;
mod output;
mod play;
mod replay;
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
        Command::Replay(arguments) => replay::replay(arguments, language),
        Command::CheckHistory(arguments) => check_history::check_history(arguments, language),
        Command::List { what, format } => list::list(*what, *format, language),
        Command::Explain { name } => explain::explain(name, language),
        Command::Serve { port } => return serve(*port),
        Command::Doctor => doctor::doctor(language),
        Command::Completions { shell } => completions::completions(*shell),
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
