//! Child processes that never outlive the run, and the last words of one that ends too early.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Lets the kernel kill the child when the thread that starts it ends, however it ends.
///
/// Outside Linux there is no such thing, and the supervisor alone cleans up.
pub fn die_with_parent(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;

        use rustix::process::{Signal, set_parent_process_death_signal};

        #[expect(unsafe_code, reason = "between fork and exec only one system call is made, which is safe there")]
        unsafe {
            command.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::KILL))?));
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// The end of a process's log on one line.
pub fn last_lines(log: &Path) -> String {
    let text = fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let mut lines: Vec<&str> = text.lines().rev().take(3).collect();
    lines.reverse();
    lines.join(" / ")
}
