//! Fuzzing for as long as one likes.

use anyhow::ensure;
use xshell::{Shell, cmd};

use crate::flags::Fuzz;

/// Runs every target, or the one that is named.
pub fn run(shell: &Shell, fuzz: &Fuzz) -> anyhow::Result<()> {
    let listed = cmd!(shell, "cargo run --quiet --release --package locklab-fuzz -- --list").quiet().read()?;
    let targets: Vec<&str> =
        listed.lines().filter(|name| fuzz.target.as_deref().is_none_or(|only| only == *name)).collect();
    ensure!(!targets.is_empty(), "no such target; there are: {}", listed.replace('\n', ", "));
    let seconds = fuzz.seconds.unwrap_or(60).to_string();
    let seed = fuzz.seed.unwrap_or(0).to_string();
    for target in targets {
        cmd!(shell, "cargo run --quiet --release --package locklab-fuzz -- {target} --seconds {seconds} --seed {seed}")
            .quiet()
            .run()?;
    }
    Ok(())
}
