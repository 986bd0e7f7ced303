//! The benchmark, in a package of its own that nothing else builds.

use std::path::{Path, absolute};

use anyhow::bail;
use xshell::{Shell, cmd};

use crate::web;
use crate::workspace::FEATURES;

/// Measures what was asked for.
pub fn run(shell: &Shell, what: Option<&str>, json: Option<&Path>) -> anyhow::Result<()> {
    match what {
        None => simulator(shell, json),
        Some("web") => page(shell),
        Some(other) => bail!("nothing called \"{other}\" can be measured: leave it out, or say web"),
    }
}

/// The page in a real browser: first drawing, edits, frames while scrubbing and panning.
fn page(shell: &Shell) -> anyhow::Result<()> {
    web::build(shell, web::Mode::Small)?;
    let features = ["--workspace", "--features", FEATURES];
    cmd!(shell, "cargo build {features...} --bin locklab").run()?;
    let only = ["--test", "browser", "--", "--ignored", "--nocapture", "--exact", "speed::measured"];
    Ok(cmd!(shell, "cargo test {features...} {only...}").run()?)
}

/// The simulator; the figures go to the terminal and, if asked for, to a file.
fn simulator(shell: &Shell, json: Option<&Path>) -> anyhow::Result<()> {
    let mut arguments = Vec::new();
    if let Some(file) = json {
        // The file is meant from where the command was typed, not from the workspace's root.
        arguments.extend(["--json".into(), absolute(file)?.into_os_string()]);
    }
    Ok(cmd!(shell, "cargo run --quiet --profile race --package locklab-bench -- {arguments...}").run()?)
}
