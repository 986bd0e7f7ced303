//! `locklab`: see what a distributed lock really promises.

mod advise;
mod args;
mod catalog;
mod check_history;
mod compare;
mod completions;
mod doctor;
mod envelope;
mod explain;
mod explore;
mod failure;
mod form;
mod input;
mod interrupt;
mod language;
mod list;
mod live;
mod merge;
mod missed;
mod note;
mod options;
mod output;
mod page;
mod partial;
mod play;
mod progress;
mod question;
mod replay;
mod report;
mod risk;
mod run;
mod serve;
mod shard;
mod shrink;
mod terminal;
mod usage;

use std::env;
use std::process::ExitCode;

use crate::args::{Arguments, Command};

fn main() -> ExitCode {
    if let Some(code) = live::helper_process(env::args().skip(1)) {
        return code;
    }
    let Arguments { command, lang } = match usage::parse(language::language_at_first()) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    let language = language::language(lang);
    let ending = match &command {
        Command::Run(arguments) => run::run(arguments, language),
        Command::Replay(arguments) => replay::replay(arguments, language),
        Command::Advise(arguments) => advise::advise(arguments, language),
        Command::Compare(arguments) => compare::compare(arguments, language),
        Command::Explore(arguments) => explore::explore(arguments, language),
        Command::Merge(arguments) => merge::merge(arguments, language),
        Command::Envelope(arguments) => envelope::envelope(arguments, language),
        Command::Risk(arguments) => risk::risk(arguments, language),
        Command::Shrink(arguments) => shrink::shrink(arguments, language),
        Command::CheckHistory(arguments) => check_history::check_history(arguments, language),
        Command::List { what, format } => list::list(*what, *format, language),
        Command::Explain { name } => explain::explain(name, language),
        Command::Serve { port } => page::serve(*port),
        Command::Doctor => doctor::doctor(language),
        Command::Completions { shell } => completions::completions(*shell),
    };
    match ending {
        Ok(ending) => ending.into(),
        Err(failure) => failure.tell(language),
    }
}
