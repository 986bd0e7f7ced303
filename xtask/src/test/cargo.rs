//! Commands of cargo whose output is both shown and counted.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::Context;
use xshell::Shell;

/// What a command printed, and whether it was content.
pub struct Outcome {
    /// What it wrote to both its outputs, in no order between the two.
    pub output: String,
    /// Whether its exit code was 0.
    pub succeeded: bool,
}

/// Runs cargo with these arguments; shows what it prints as it comes, and keeps it.
pub fn cargo(shell: &Shell, arguments: &[&str]) -> anyhow::Result<Outcome> {
    println!("$ cargo {}", arguments.join(" "));
    let mut child = Command::new("cargo")
        .args(arguments)
        .current_dir(shell.current_dir())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("cannot start cargo")?;
    let stderr = child.stderr.take().context("cargo's errors are piped")?;
    let stdout = child.stdout.take().context("cargo's output is piped")?;
    let errors = thread::spawn(move || show_and_keep(stderr));
    let mut output = show_and_keep(stdout)?;
    output.push_str(&errors.join().expect("the reader does not panic")?);
    let succeeded = child.wait()?.success();
    Ok(Outcome { output, succeeded })
}

/// Bytes that are not UTF-8 are shown as a test printed them as well as they can be.
fn show_and_keep(source: impl Read) -> std::io::Result<String> {
    let mut kept = String::new();
    let mut reader = BufReader::new(source);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        std::io::stdout().write_all(text.as_bytes())?;
        kept.push_str(&text);
        line.clear();
    }
    Ok(kept)
}
