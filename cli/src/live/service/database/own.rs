//! A PostgreSQL process of the run's own, with an empty database in the run's folder.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use locklab_core::servers::database::Settings;
use rustix::process::{Pid, Signal, kill_process};

use super::super::super::error::LiveError;
use super::super::super::ports::free_port;
use super::super::super::server::PATIENCE;
use super::super::super::shim::ServerClock;
use super::super::process::ServerProcess;
use super::connection::Connection;
use super::install::{as_user, other_user, programs};
use super::login::Login;

/// What is said where there is none.
pub const NOT_INSTALLED: LiveError = LiveError::NotInstalled { what: "PostgreSQL", packages: "postgresql" };

/// A PostgreSQL process of the run's own, running or crashed.
#[derive(Debug)]
pub struct OwnServer {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    login: Login,
    settings: Settings,
    /// Its calendar clock, where the run moves it.
    clock: Option<ServerClock>,
    process: ServerProcess,
}

impl OwnServer {
    /// Makes an empty database in a folder and starts a server on it.
    pub fn start(folder: &Path, settings: Settings, clock: Option<ServerClock>) -> Result<OwnServer, LiveError> {
        let programs = programs().ok_or(NOT_INSTALLED)?;
        let data = folder.join("data");
        prepare(folder).map_err(LiveError::system("prepare a server's folder", "准备服务器的文件夹"))?;
        let made = as_user(&programs.join("initdb"))
            .args(["--auth=trust", "--username=locklab", "--no-sync", "--encoding=UTF8", "--locale=C", "--pgdata"])
            .arg(&data)
            .current_dir(folder)
            .output()
            .map_err(LiveError::system("start initdb", "启动 initdb"))?;
        if !made.status.success() {
            let reason = format!("initdb: {}", String::from_utf8_lossy(&made.stderr).trim());
            return Err(LiveError::NotStarted { server: "PostgreSQL", reason });
        }
        let port = free_port()?;
        let mut server = OwnServer {
            programs,
            folder: folder.to_owned(),
            port,
            login: Login::own(port),
            settings,
            clock,
            process: ServerProcess::new("PostgreSQL", folder.join("postgres.log")),
        };
        server.launch()?;
        Ok(server)
    }

    /// Starts it and waits until it answers.
    pub fn launch(&mut self) -> Result<(), LiveError> {
        let mut command = as_user(&self.programs.join("postgres"));
        command.current_dir(&self.folder).arg("-D").arg(self.folder.join("data"));
        command.envs(self.clock.iter().flat_map(ServerClock::environment));
        command.args(["-p", &self.port.to_string(), "-h", "127.0.0.1"]);
        let deadlock = self.settings.deadlock_timeout.micros() / 1_000;
        for setting in [
            "unix_socket_directories=",
            "fsync=off",
            "autovacuum=off",
            "shared_buffers=8MB",
            // In its folder, which goes with the run, and not in the system's shared memory, which would outlive a server that is killed.
            "dynamic_shared_memory_type=mmap",
            &format!("deadlock_timeout={deadlock}"),
        ] {
            command.args(["-c", setting]);
        }
        let login = &self.login;
        self.process.launch(&mut command, || Connection::open(login).is_ok())
    }

    /// So many microseconds its clock is ahead from now on.
    pub fn set_clock(&self, error: i64) {
        if let Some(clock) = &self.clock {
            clock.set_offset(error);
        }
    }

    /// How its clients log in.
    pub fn login(&self) -> &Login {
        &self.login
    }

    /// The number of its process, while it runs.
    pub fn process_id(&self) -> Option<u32> {
        self.process.id()
    }

    /// It ends at once. Told to quit, it ends its children and writes nothing; killed, it would leave them behind for a moment.
    pub fn crash(&mut self) {
        let process = self.process.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        if process.is_some_and(|process| kill_process(process, Signal::QUIT).is_ok()) {
            self.process.await_end(PATIENCE);
        }
        self.process.crash();
    }
}

/// Lets the user that PostgreSQL runs as put its data into the folder.
fn prepare(folder: &Path) -> std::io::Result<()> {
    let data = folder.join("data");
    fs::create_dir_all(&data)?;
    if let Some((user, group)) = other_user() {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o711))?;
        std::os::unix::fs::chown(&data, Some(user), Some(group))?;
    }
    Ok(())
}
