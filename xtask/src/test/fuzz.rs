//! A brief run of every fuzz target.

use anyhow::ensure;
use xshell::{Shell, cmd};

use super::cargo::cargo;
use super::section::{Job, Section};
use super::tally::Tally;
use crate::workspace::{self, FEATURES};

pub const SECTION: Section =
    Section { name: "fuzz", title: "no input makes a parser panic or hang", needs: &[], job: Job::Call(run) };

const SECONDS: &str = "5";

fn run(shell: &Shell) -> anyhow::Result<Tally> {
    let built = cargo(shell, &["build", "--workspace", "--features", FEATURES, "--bin", "locklab-fuzz"])?;
    ensure!(built.succeeded, "the fuzz targets do not build");
    let fuzz = workspace::target()?.join("debug/locklab-fuzz");
    let targets = cmd!(shell, "{fuzz} --list").quiet().read()?;
    let mut tally = Tally::default();
    for target in targets.lines() {
        let outcome = cmd!(shell, "{fuzz} {target} --seconds {SECONDS}").quiet().run();
        tally = tally + Tally::one(outcome.is_ok());
    }
    Ok(tally)
}
