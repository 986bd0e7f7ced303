//! The command line read, its help and its mistakes told in the reader's language.

mod chinese;
mod mistake;

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Command, CommandFactory, FromArgMatches};
use locklab_core::i18n::Language;

use crate::args::Arguments;
use crate::failure::harmless;

/// Reads the command line; help and version are told here, and so is what is wrong with it.
pub fn parse(language: Language) -> Result<Arguments, ExitCode> {
    let command = match language {
        Language::English => Arguments::command(),
        Language::Chinese => chinese::translated(Arguments::command()),
    };
    read(command.clone(), env::args_os()).map_err(|error| {
        let error = told_harmlessly(command, error);
        if error.use_stderr()
            && let Some(failure) = mistake::failure(&error, language)
        {
            return failure.tell(language);
        }
        // Nobody can be told when nobody listens.
        let _ = error.print();
        ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
    })
}

fn read(command: Command, arguments: impl Iterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    command.try_get_matches_from(arguments).and_then(|matches| Arguments::from_arg_matches(&matches))
}

/// The same mistake without what would colour a terminal or move its cursor: `clap` repeats what was typed.
fn told_harmlessly(command: Command, error: clap::Error) -> clap::Error {
    let arguments: Vec<String> = env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    if arguments.iter().all(|argument| harmless(argument) == *argument) {
        return error;
    }
    read(command, arguments.iter().map(|argument| harmless(argument).into())).err().unwrap_or(error)
}
