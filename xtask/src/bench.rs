//! The benchmark, in a package of its own that nothing else builds.

use std::path::{Path, absolute};

use xshell::{Shell, cmd};

/// Runs it; the figures go to the terminal and, if asked for, to a file.
pub fn run(shell: &Shell, json: Option<&Path>) -> anyhow::Result<()> {
    let mut arguments = Vec::new();
    if let Some(file) = json {
        // The file is meant from where the command was typed, not from the workspace's root.
        arguments.extend(["--json".into(), absolute(file)?.into_os_string()]);
    }
    Ok(cmd!(shell, "cargo run --quiet --profile race --package locklab-bench -- {arguments...}").run()?)
}
