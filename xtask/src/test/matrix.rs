//! The matrix that readers are shown is the one that the program finds.

use xshell::Shell;

use super::section::{Job, Section};
use super::tally::Tally;
use crate::matrix;

pub const SECTION: Section = Section {
    name: "matrix",
    title: "the matrix of the docs is what locklab compare finds",
    needs: &[],
    job: Job::Call(run),
};

fn run(shell: &Shell) -> anyhow::Result<Tally> {
    let stale = matrix::stale(shell)?;
    for (page, _) in &stale {
        println!("{page} shows another comparison: cargo xtask matrix, then read the difference");
    }
    Ok(Tally::one(stale.is_empty()))
}
