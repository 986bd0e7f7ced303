//! Every file is formatted.

use xshell::Shell;

use super::cargo::cargo;
use super::section::{Job, Section};
use super::tally::Tally;
use crate::setup::Need;

pub const SECTION: Section =
    Section { name: "format", title: "every file is formatted", needs: &[Need::Rustfmt], job: Job::Call(run) };

fn run(shell: &Shell) -> anyhow::Result<Tally> {
    Ok(Tally::one(cargo(shell, &["fmt", "--all", "--check"])?.succeeded))
}
