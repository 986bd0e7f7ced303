//! The program as its users meet it: what is typed, what comes out, the exit code.

mod bad_input;
mod compare;
mod envelope;
mod explore;
mod names;
mod readme;
mod replay;
mod report;
mod risk;
mod shards;
mod shrink;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a command said.
pub struct Said {
    /// The exit code; `None`: a signal ended it.
    pub code: Option<i32>,
    /// The standard output.
    pub out: String,
    /// The standard error.
    pub err: String,
}

/// The address of the run that a report tells.
pub fn address(said: &Said) -> String {
    let (_, address) = said.out.split_once("locklab replay ").expect("a report tells its address");
    address.split_whitespace().next().expect("an address is not empty").to_owned()
}

/// Runs `locklab` in the workspace's folder, in English, without a terminal.
pub fn locklab(arguments: &[&str]) -> Said {
    locklab_with(arguments, &[], b"")
}

/// Runs `locklab` with more environment, and something on its standard input.
pub fn locklab_with(arguments: &[&str], environment: &[(&str, &str)], input: &[u8]) -> Said {
    let mut child = command(arguments)
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("locklab starts");
    // A program that does not read its input may be gone before all of it is written.
    let _ = child.stdin.take().expect("it is piped").write_all(input);
    let output = child.wait_with_output().expect("locklab ends");
    Said {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("a report is text"),
        err: String::from_utf8(output.stderr).expect("an error is text"),
    }
}

/// `locklab` with a clean environment, not started yet.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_locklab"));
    command.args(arguments).current_dir(workspace());
    for variable in ["LOCKLAB_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

/// The root of the workspace.
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the workspace")
}

/// The scenario of the README.
pub const GC_PAUSE: &str = "scenarios/expiry/gc-pause.toml";
