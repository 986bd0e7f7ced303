//! Accepting the present drawings as the expected ones.

use xshell::{Shell, cmd};

/// Rewrites every expected text of the core's and the command line's tests that differs, the timelines beside the scenarios
/// among them.
pub fn run(shell: &Shell) -> anyhow::Result<()> {
    let _update = shell.push_env("UPDATE_EXPECT", "1");
    cmd!(shell, "cargo test --quiet --package locklab-core --package locklab --test it").run()?;
    println!("Read the difference before you commit it: git diff");
    Ok(())
}
