//! The benchmarks, in a package of their own that nothing else builds.

use std::ffi::OsString;
use std::path::{Path, absolute};

use anyhow::bail;
use xshell::{Shell, cmd};

use crate::web;
use crate::workspace::{self, FEATURES};

/// Measures what was asked for.
pub fn run(shell: &Shell, what: Option<&str>, json: Option<&Path>) -> anyhow::Result<()> {
    match what {
        None => measure(shell, "simulator", json),
        Some(part @ ("simulator" | "search")) => measure(shell, part, json),
        Some("web") => page(shell),
        Some(other) => bail!("nothing called \"{other}\" can be measured: there are simulator, search and web"),
    }
}

/// The page in a real browser: first drawing, edits, frames while scrubbing and panning.
fn page(shell: &Shell) -> anyhow::Result<()> {
    in_browser(shell, "speed::measured")
}

/// Builds the page as readers get it, and does one of the browser's tests that are no part of the tests.
pub fn in_browser(shell: &Shell, test: &str) -> anyhow::Result<()> {
    web::build(shell, web::Mode::Smallest)?;
    let features = ["--workspace", "--features", FEATURES];
    cmd!(shell, "cargo build {features...} --bin locklab").run()?;
    let only = ["--test", "browser", "--", "--ignored", "--nocapture", "--exact", test];
    Ok(cmd!(shell, "cargo test {features...} {only...}").run()?)
}

/// The simulator or the search; the figures go to the terminal and, if asked for, to a file.
fn measure(shell: &Shell, part: &str, json: Option<&Path>) -> anyhow::Result<()> {
    let mut arguments: Vec<OsString> = vec![part.into()];
    if let Some(file) = json {
        // The file is meant from where the command was typed, not from the workspace's root.
        arguments.extend(["--json".into(), absolute(file)?.into_os_string()]);
    }
    benchmark(shell, &arguments)
}

/// Simulator and search, written into docs/performance.md and its Chinese twin.
pub fn write(shell: &Shell) -> anyhow::Result<()> {
    let docs = workspace::root().join("docs");
    benchmark(shell, &["--docs".into(), docs.into_os_string()])
}

fn benchmark(shell: &Shell, arguments: &[OsString]) -> anyhow::Result<()> {
    Ok(cmd!(shell, "cargo run --quiet --profile race --package locklab-bench -- {arguments...}").run()?)
}
