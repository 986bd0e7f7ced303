//! `locklab`: see what a distributed lock really promises.

mod live;

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = live::helper_process(env::args().skip(1)) {
        return code;
    }
    ExitCode::SUCCESS
}
