//! The examples in the documentation run.

use anyhow::ensure;
use xshell::Shell;

use super::cargo::cargo;
use super::section::{Job, Section};
use super::tally::Tally;
use crate::workspace::FEATURES;

pub const SECTION: Section =
    Section { name: "doctests", title: "the examples in the documentation", needs: &[], job: Job::Call(run) };

fn run(shell: &Shell) -> anyhow::Result<Tally> {
    let outcome = cargo(shell, &["test", "--workspace", "--features", FEATURES, "--doc", "--no-fail-fast"])?;
    let tally = Tally::of_cargo_output(&outcome.output);
    ensure!(outcome.succeeded || tally.failed > 0, "the examples did not run to their end");
    Ok(tally)
}
