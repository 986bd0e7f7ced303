//! A server process of the run's own, whatever it serves.

use std::env;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::super::error::LiveError;
use super::super::process::{die_with_parent, last_lines};
use super::super::server::PATIENCE;

/// How often a server that starts is asked whether it answers.
const PAUSE: Duration = Duration::from_millis(2);

/// Where a program lies on the PATH.
pub fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// A server process, running or crashed. Dropping it kills it.
#[derive(Debug)]
pub struct ServerProcess {
    /// What it is called in an error.
    title: &'static str,
    log: PathBuf,
    process: Option<Child>,
}

impl ServerProcess {
    /// A process that is not running yet, whose output goes to a file.
    pub fn new(title: &'static str, log: PathBuf) -> ServerProcess {
        ServerProcess { title, log, process: None }
    }

    /// Its number, while it runs.
    pub fn id(&self) -> Option<u32> {
        self.process.as_ref().map(Child::id)
    }

    /// Starts it and waits until it `answers`. What ran before is killed.
    pub fn launch(&mut self, command: &mut Command, mut answers: impl FnMut() -> bool) -> Result<(), LiveError> {
        self.crash();
        let output = File::create(&self.log).map_err(LiveError::system("write a server's log", "写服务器的日志"))?;
        let errors = output.try_clone().map_err(LiveError::system("write a server's log", "写服务器的日志"))?;
        // Whatever it leaves where it runs goes with the run's folder.
        if let Some(folder) = self.log.parent() {
            command.current_dir(folder);
        }
        command.stdin(Stdio::null()).stdout(output).stderr(errors);
        die_with_parent(command);
        let process = command.spawn().map_err(LiveError::system("start a server", "启动服务器"))?;
        let process = self.process.insert(process);
        let deadline = Instant::now() + PATIENCE;
        loop {
            let why = match process.try_wait() {
                Ok(Some(status)) => status.to_string(),
                _ if answers() => return Ok(()),
                _ if Instant::now() > deadline => format!("no answer in {PATIENCE:?}"),
                _ => {
                    thread::sleep(PAUSE);
                    continue;
                }
            };
            self.crash();
            let reason = format!("{why}; its log ends: {}", last_lines(&self.log));
            return Err(LiveError::NotStarted { server: self.title, reason });
        }
    }

    /// Waits until it has ended by itself, for at most so long.
    pub fn await_end(&mut self, patience: Duration) {
        let deadline = Instant::now() + patience;
        let lives = |process: &mut Child| matches!(process.try_wait(), Ok(None));
        while self.process.as_mut().is_some_and(lives) && Instant::now() < deadline {
            thread::sleep(PAUSE);
        }
    }

    /// Kills it as a crash does: at once, without a word.
    pub fn crash(&mut self) {
        if let Some(mut process) = self.process.take() {
            // The process may have died by itself; either way it is gone after the wait.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.crash();
    }
}
