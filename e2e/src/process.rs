//! A process that ends with the test that started it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;

use anyhow::{Context, bail};

/// A running program that is killed when this value goes.
#[derive(Debug)]
pub struct Process {
    child: Child,
}

impl Process {
    /// Starts a program and waits for a line of its output from which `read` gets what it looks for: an address, say.
    pub fn start<T>(mut command: Command, read: impl Fn(&str) -> Option<T>) -> anyhow::Result<(Process, T)> {
        let name = command.get_program().to_string_lossy().into_owned();
        let spawned = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut process = Process { child: spawned.with_context(|| format!("cannot start {name}"))? };
        let output = process.child.stdout.take().context("the output is piped")?;
        let mut lines = BufReader::new(output).lines();
        while let Some(line) = lines.next().transpose()? {
            if let Some(found) = read(&line) {
                // A program that may not write any more would stop at a full pipe.
                thread::spawn(move || lines.for_each(drop));
                return Ok((process, found));
            }
        }
        bail!("{name} ended before it was ready: {}", process.child.wait()?)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself: that is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
