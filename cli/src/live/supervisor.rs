//! The supervisor: a process beside the run that leaves nothing behind, however the run ends.
//!
//! *Idea.* The run tells it, through a pipe, what it is about to create: processes, its folder, keys or a schema on a server of the user's.
//! When the pipe closes (the run has finished, was interrupted, or was killed) the supervisor removes all of that and ends.
//! It is in a process group of its own, so that Ctrl-C does not reach it.

use std::fs;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};

use super::access::Access;
use super::error::LiveError;
use super::named::remove_keys;
use super::service::Schema;

/// The hidden subcommand under which this program is a supervisor.
pub const SUBCOMMAND: &str = "live-supervisor";

/// Something that must not outlive the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Belonging {
    /// A folder with all that is in it.
    Folder(PathBuf),
    /// Keys on a server that a user names.
    Keys {
        /// The server.
        access: Access,
        /// What they begin with.
        prefix: String,
    },
    /// A schema on a PostgreSQL that a user names.
    Schema(Schema),
    /// A process.
    Process {
        /// Its number.
        id: u32,
        /// When it started, in the kernel's own count: a later process may have the same number.
        started: Option<u64>,
    },
}

impl Belonging {
    /// A process of this number that runs now.
    pub fn process(id: u32) -> Belonging {
        Belonging::Process { id, started: start_of(id) }
    }

    fn remove(&self) {
        match self {
            // The run may have removed it already.
            Belonging::Folder(folder) => drop(fs::remove_dir_all(folder)),
            // A server that is gone keeps what it has; the user was told how to remove it by hand.
            Belonging::Keys { access, prefix } => drop(remove_keys(access, prefix)),
            Belonging::Schema(schema) => drop(schema.remove()),
            Belonging::Process { id, started } => {
                let process = i32::try_from(*id).ok().and_then(Pid::from_raw);
                if let Some(process) = process.filter(|_| start_of(*id) == *started) {
                    // It may have ended just now.
                    let _ = kill_process(process, Signal::KILL);
                }
            }
        }
    }
}

/// The run's end of the pipe. Dropping it lets the supervisor clean up, and waits for that.
#[derive(Debug)]
pub struct Supervisor {
    process: Child,
    pipe: Option<ChildStdin>,
}

impl Supervisor {
    /// Starts a supervisor; `program` is this program.
    pub fn start(program: &Path) -> Result<Supervisor, LiveError> {
        let mut command = Command::new(program);
        command.arg(SUBCOMMAND).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = command.spawn().map_err(LiveError::system("start the supervisor", "启动监护进程"))?;
        let pipe = process.stdin.take();
        Ok(Supervisor { process, pipe })
    }

    /// Entrusts something to the supervisor, before or right after it comes to be.
    pub fn entrust(&mut self, belonging: &Belonging) -> Result<(), LiveError> {
        let mut line = serde_json::to_string(belonging).expect("belongings are plain data");
        line.push('\n');
        let pipe = self.pipe.as_mut().expect("the pipe is open until the drop");
        pipe.write_all(line.as_bytes()).map_err(LiveError::system("speak to the supervisor", "与监护进程通信"))
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        drop(self.pipe.take());
        // Its exit code says nothing: it does what can be done.
        let _ = self.process.wait();
    }
}

/// The supervisor's own life: listens until the pipe closes, then removes everything, last things first.
pub fn supervise(pipe: impl io::Read) {
    let lines = io::BufReader::new(pipe).lines().map_while(Result::ok);
    let belongings: Vec<Belonging> = lines.filter_map(|line| serde_json::from_str(&line).ok()).collect();
    belongings.iter().rev().for_each(Belonging::remove);
}

/// When a process started, in clock ticks since boot; `None` when there is no such process, or no way to know.
fn start_of(id: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The second field, the program's name, is in parentheses and may hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_was_entrusted_is_gone_when_the_pipe_closes() {
        let folder = tempfile::tempdir().unwrap().keep();
        fs::write(folder.join("file"), "content").unwrap();
        let mut sleeper = Command::new("sleep").arg("600").spawn().unwrap();
        let mut bystander = Command::new("sleep").arg("600").spawn().unwrap();
        let wrong_start = Belonging::Process { id: bystander.id(), started: Some(1) };
        let belongings = [Belonging::Folder(folder.clone()), Belonging::process(sleeper.id()), wrong_start];
        let lines: Vec<String> = belongings.iter().map(|belonging| serde_json::to_string(belonging).unwrap()).collect();

        supervise(lines.join("\n").as_bytes());

        assert!(!folder.exists());
        assert!(!sleeper.wait().unwrap().success(), "the process was killed");
        assert!(bystander.try_wait().unwrap().is_none(), "another process with a reused number is left alone");
        bystander.kill().unwrap();
        bystander.wait().unwrap();
    }
}
