//! Throws inputs at everything that reads text from outside, and fails if anything panics or takes long.
//!
//! Good samples are bent and broken by a generator whose stream is fixed by its seed, so a run can be repeated; an input that
//! was too much is kept as a file and can be tried alone.

mod mutator;
mod runner;
mod targets;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};

use targets::{TARGETS, Target};

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!(
                "error: {error:#}\nusage: locklab-fuzz --list | TARGET [--seconds N] [--seed N] | TARGET --input FILE"
            );
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Vec<String>) -> anyhow::Result<bool> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["--list"] => {
            TARGETS.iter().for_each(|target| println!("{}", target.name));
            Ok(true)
        }
        [name, "--input", file] => {
            let input = std::fs::read(PathBuf::from(file)).with_context(|| format!("cannot read {file}"))?;
            Ok(runner::try_one(find(name)?, &input))
        }
        [name, options @ ..] => {
            let (mut seconds, mut seed) = (60, 0);
            for option in options.chunks(2) {
                match option {
                    ["--seconds", value] => seconds = value.parse().context("--seconds needs a number")?,
                    ["--seed", value] => seed = value.parse().context("--seed needs a number")?,
                    _ => bail!("unknown option {}", option.join(" ")),
                }
            }
            Ok(runner::run(find(name)?, Duration::from_secs(seconds), seed))
        }
        [] => bail!("no target"),
    }
}

fn find(name: &str) -> anyhow::Result<&'static Target> {
    TARGETS.iter().find(|target| target.name == name).with_context(|| format!("no target is called {name}"))
}
