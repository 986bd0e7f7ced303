//! Every scenario ends as it says: the command of the README on all of them.

use anyhow::ensure;
use xshell::{Shell, cmd};

use super::cargo::cargo;
use super::section::{Job, Section};
use super::tally::Tally;
use crate::workspace::{self, FEATURES};

pub const SECTION: Section =
    Section { name: "scenarios", title: "every scenario ends as it says", needs: &[], job: Job::Call(run) };

fn run(shell: &Shell) -> anyhow::Result<Tally> {
    let built = cargo(shell, &["build", "--workspace", "--features", FEATURES, "--bin", "locklab"])?;
    ensure!(built.succeeded, "the program does not build");
    let files = workspace::scenarios()?;
    ensure!(!files.is_empty(), "there is no scenario in scenarios/");
    let locklab = workspace::target()?.join("debug/locklab");
    let mut tally = Tally::default();
    for file in files {
        let output = cmd!(shell, "{locklab} run {file}").quiet().ignore_status().output()?;
        if !output.status.success() {
            println!("locklab run {}: {}", file.display(), output.status);
            println!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        }
        tally = tally + Tally::one(output.status.success());
    }
    Ok(tally)
}
