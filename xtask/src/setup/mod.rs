//! What the tests need beside Rust, and how it gets here.
//!
//! On Debian, as root, what is missing is installed. Everywhere else nothing is touched: the missing things are named, with
//! the commands that install them.

mod debian;
mod need;

use anyhow::{Context, bail};
use xshell::{Shell, cmd};

pub use need::Need;

/// Brings what is missing, or says how.
pub fn provide(shell: &Shell, needs: &[Need]) -> anyhow::Result<()> {
    let missing = missing(shell, needs);
    if missing.is_empty() {
        return Ok(());
    }
    if !debian::may_install(shell) {
        let lines: Vec<String> = missing.iter().map(|need| need.advice()).collect();
        bail!("not everything is installed:\n{}", lines.join("\n"));
    }
    for need in missing.iter().filter(|need| need.debian_packages().is_empty()) {
        add_to_toolchain(shell, *need)?;
    }
    debian::install(shell, missing.iter().flat_map(|need| need.debian_packages()).copied())?;
    match self::missing(shell, needs).first() {
        Some(need) => bail!("this was installed and is still not found:\n{}", need.advice()),
        None => Ok(()),
    }
}

fn missing(shell: &Shell, needs: &[Need]) -> Vec<Need> {
    let mut missing: Vec<Need> = needs.iter().copied().filter(|need| !need.is_met(shell)).collect();
    missing.sort();
    missing.dedup();
    missing
}

fn add_to_toolchain(shell: &Shell, need: Need) -> anyhow::Result<()> {
    let (kind, name) = match need {
        Need::Rustfmt => ("component", "rustfmt"),
        Need::Clippy => ("component", "clippy"),
        Need::WasmTarget => ("target", "wasm32-unknown-unknown"),
        _ => return Ok(()),
    };
    cmd!(shell, "rustup {kind} add {name}").run().with_context(|| need.advice())
}
