//! The page in a real browser.

use anyhow::ensure;
use xshell::Shell;

use super::cargo::cargo;
use super::section::{Job, Section};
use super::tally::Tally;
use crate::setup::Need;
use crate::web;
use crate::workspace::FEATURES;

pub const SECTION: Section = Section {
    name: "browser",
    title: "the page in a real browser",
    needs: &[Need::WasmTarget, Need::Chromium, Need::ChromeDriver, Need::ChineseFont],
    job: Job::Call(run),
};

fn run(shell: &Shell) -> anyhow::Result<Tally> {
    web::build(shell, web::Mode::Small)?;
    let workspace = ["--workspace", "--features", FEATURES];
    let served = cargo(shell, &[["build"].as_slice(), &workspace, &["--bin", "locklab"]].concat())?;
    ensure!(served.succeeded, "the program that serves the page does not build");
    // One browser at a time: two would starve each other on a small machine.
    let one = ["--test", "browser", "--", "--test-threads", "1"];
    let outcome = cargo(shell, &[["test"].as_slice(), &workspace, &one].concat())?;
    let tally = Tally::of_cargo_output(&outcome.output);
    ensure!(outcome.succeeded || tally.failed > 0, "the browser tests did not run to their end");
    Ok(tally)
}
