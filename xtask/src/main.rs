//! `cargo xtask`: everything around the code.

mod flags;
mod web;

use std::path::PathBuf;
use std::process::ExitCode;

use xshell::Shell;

use crate::flags::{Xtask, XtaskCmd};

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<ExitCode> {
    let arguments = Xtask::from_env_or_exit();
    let shell = Shell::new()?;
    shell.change_dir(root());
    match arguments.subcommand {
        XtaskCmd::Web(web) => web::build(&shell, if web.quick { web::Mode::Quick } else { web::Mode::Small })?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The folder of the workspace: commands mean the same from wherever they are typed.
fn root() -> PathBuf {
    let mut folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    folder.pop();
    folder
}
