//! Accepting the present drawings and messages as the expected ones.

use xshell::{Shell, cmd};

use crate::matrix;

/// The tests that compare with files: the package, and the modules of its one test binary.
const GOLDEN: [(&str, &[&str]); 2] =
    [("locklab-core", &["scenarios::", "scenario_errors::"]), ("locklab", &["command::readme::", "command::report::"])];

/// Rewrites the files that differ: the timelines beside the scenarios, the messages about bad files, what the readme and the docs show.
pub fn run(shell: &Shell) -> anyhow::Result<()> {
    let _update = shell.push_env("UPDATE_EXPECT", "1");
    for (package, modules) in GOLDEN {
        cmd!(shell, "cargo test --quiet --package {package} --test it -- {modules...}").run()?;
    }
    matrix::write(shell)?;
    println!("Read the difference before you commit it: git diff");
    Ok(())
}
