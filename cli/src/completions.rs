//! `locklab completions`: what a shell needs to complete a command line.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Arguments;
use crate::failure::{Ending, Failure};
use crate::output::Output;

/// Prints the completions of a shell.
pub fn completions(shell: Shell) -> Result<Ending, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "locklab", &mut script);
    Output::standard().write(&String::from_utf8_lossy(&script))?;
    Ok(Ending::AsExpected)
}
