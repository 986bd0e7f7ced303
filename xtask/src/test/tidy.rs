//! The project's own lints.

use xshell::Shell;

use super::section::{Job, Section};
use super::tally::Tally;
use crate::tidy;

pub const SECTION: Section =
    Section { name: "tidy", title: "the project's own lints", needs: &[], job: Job::Call(run) };

fn run(shell: &Shell) -> anyhow::Result<Tally> {
    Ok(Tally::one(tidy::report(&shell.current_dir())?))
}
