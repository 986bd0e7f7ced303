//! The page builds.

use xshell::Shell;

use super::section::{Job, Section};
use super::tally::Tally;
use crate::setup::Need;
use crate::web;

pub const SECTION: Section =
    Section { name: "page", title: "the page builds", needs: &[Need::WasmTarget], job: Job::Call(run) };

fn run(shell: &Shell) -> anyhow::Result<Tally> {
    web::build(shell, web::Mode::Small)?;
    Ok(Tally::PASSED)
}
