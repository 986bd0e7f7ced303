//! No warning of compiler or linter, natively and for the browser.

use xshell::Shell;

use super::cargo::cargo;
use super::section::{Job, Section};
use super::tally::Tally;
use crate::setup::Need;
use crate::workspace::FEATURES;

pub const SECTION: Section = Section {
    name: "clippy",
    title: "no warnings, natively and for the browser",
    needs: &[Need::Clippy, Need::WasmTarget],
    job: Job::Call(run),
};

fn run(shell: &Shell) -> anyhow::Result<Tally> {
    let deny = ["--", "--deny", "warnings"];
    let native = ["clippy", "--workspace", "--all-targets", "--features", FEATURES];
    let browser = ["clippy", "--package", "locklab-web", "--target", "wasm32-unknown-unknown"];
    let native = cargo(shell, &[native.as_slice(), &deny].concat())?;
    let browser = cargo(shell, &[browser.as_slice(), &deny].concat())?;
    Ok(Tally::one(native.succeeded) + Tally::one(browser.succeeded))
}
