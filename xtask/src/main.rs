//! `cargo xtask`: everything around the code.

mod bench;
mod bless;
mod flags;
mod fuzz;
mod matrix;
mod setup;
mod test;
mod tidy;
mod web;
mod workspace;

use std::process::ExitCode;

use crate::flags::{Xtask, XtaskCmd};

fn main() -> ExitCode {
    match run(Xtask::from_env_or_exit().subcommand) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a command and answers whether it found everything right.
fn run(command: XtaskCmd) -> anyhow::Result<bool> {
    let shell = workspace::shell()?;
    match command {
        XtaskCmd::Setup(_) => setup::provide(&shell, &setup::Need::ALL)?,
        XtaskCmd::Test(test) => return test::run(&shell, test.only.as_deref()),
        XtaskCmd::Tidy(_) => return tidy::report(&workspace::root()),
        XtaskCmd::Bless(_) => bless::run(&shell)?,
        XtaskCmd::Matrix(_) => matrix::write(&shell)?,
        XtaskCmd::Performance(_) => bench::write(&shell)?,
        XtaskCmd::Web(web) => web::build(&shell, if web.quick { web::Mode::Quick } else { web::Mode::Smallest })?,
        XtaskCmd::Pictures(_) => bench::in_browser(&shell, "pictures::taken")?,
        XtaskCmd::Fuzz(fuzz) => fuzz::run(&shell, &fuzz)?,
        XtaskCmd::Bench(bench) => bench::run(&shell, bench.what.as_deref(), bench.json.as_deref())?,
    }
    Ok(true)
}
