//! The command line read, its help and its mistakes told in the reader's language.

mod chinese;
mod mistake;

use std::env;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use locklab_core::i18n::Language;

use crate::args::Arguments;

/// Reads the command line; help and version are told here, and so is what is wrong with it.
pub fn parse(language: Language) -> Result<Arguments, ExitCode> {
    let command = match language {
        Language::English => Arguments::command(),
        Language::Chinese => chinese::translated(Arguments::command()),
    };
    let read = command.try_get_matches_from(env::args_os());
    read.and_then(|matches| Arguments::from_arg_matches(&matches)).map_err(|error| {
        if error.use_stderr() && language == Language::Chinese {
            return mistake::failure(&error).tell(language);
        }
        // Nobody can be told when nobody listens.
        let _ = error.print();
        ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
    })
}
