//! A redis-server process of the run's own: started in a temporary folder, spoken to on loopback, gone with the run.

use std::env;
use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Program, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use locklab_core::wire::{Command, Reply};

use super::error::LiveError;
use super::ports::free_port;
use super::process::{die_with_parent, last_lines};
use super::resp::Connection;
use super::shim::ServerClock;

/// How long a server may take for anything that it answers at once; only a guard against waiting for ever.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// The redis-server program of this machine.
#[derive(Clone, Debug)]
pub struct RedisProgram {
    path: PathBuf,
}

impl RedisProgram {
    /// Looks for redis-server on the PATH, then for the same program under its other name in Debian's redis-tools.
    pub fn find() -> Result<RedisProgram, LiveError> {
        let folders: Vec<PathBuf> =
            env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
        let names = ["redis-server", "valkey-server", "redis-check-rdb"];
        let mut paths = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        paths.find(|path| path.is_file()).map(|path| RedisProgram { path }).ok_or(LiveError::NoRedis)
    }

    /// Where the program lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its name and version, such as `redis 7.0.15`.
    pub fn version(&self) -> Result<String, LiveError> {
        let output = self
            .command()
            .arg("--version")
            .output()
            .map_err(LiveError::system("start redis-server", "启动 redis-server"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        // `Redis server v=7.0.15 sha=00000000:0 ...`, and alike for Valkey.
        let name = text.split_whitespace().next().unwrap_or("redis").to_lowercase();
        let number = text.split_whitespace().find_map(|word| word.strip_prefix("v=")).unwrap_or("of unknown version");
        Ok(format!("{name} {number}"))
    }

    /// One binary serves several programs and looks at the name under which it was called.
    fn command(&self) -> Program {
        let mut command = Program::new(&self.path);
        if self.path.ends_with("redis-check-rdb") {
            command.arg0("redis-server");
        }
        command
    }
}

/// What a server keeps on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persistence {
    /// Nothing: a restart is empty.
    Nothing,
    /// Every command that it has answered, in an append-only file.
    AppendOnly,
}

/// A running (or crashed) redis-server.
#[derive(Debug)]
pub struct RedisServer {
    program: RedisProgram,
    folder: PathBuf,
    persistence: Persistence,
    settings: Vec<String>,
    clock: Option<ServerClock>,
    port: u16,
    process: Option<Child>,
}

impl RedisServer {
    /// Starts a server in `folder` (which is created) and waits until it answers.
    ///
    /// `settings` are further words of its command line, such as `--maxmemory 1mb`.
    pub fn start(
        program: &RedisProgram,
        folder: PathBuf,
        persistence: Persistence,
        settings: Vec<String>,
        clock: Option<ServerClock>,
    ) -> Result<RedisServer, LiveError> {
        fs::create_dir_all(&folder).map_err(LiveError::system("create a server's folder", "创建服务器的文件夹"))?;
        let port = free_port()?;
        let program = program.clone();
        let mut server = RedisServer { program, folder, persistence, settings, clock, port, process: None };
        server.launch()?;
        Ok(server)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    /// Its calendar clock, when it is a virtual one.
    pub fn clock(&self) -> Option<&ServerClock> {
        self.clock.as_ref()
    }

    /// Its process number, while it runs.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Child::id)
    }

    /// A new connection to it.
    pub fn connect(&self) -> Result<Connection, LiveError> {
        let address = self.address();
        Connection::connect(address, PATIENCE).map_err(LiveError::unreachable(address))
    }

    /// Kills it as a crash does: at once, without a word.
    pub fn crash(&mut self) {
        if let Some(mut process) = self.process.take() {
            // The process may have died by itself; either way it is gone after the wait.
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Starts it again on the same port, with what it had on disk.
    pub fn restart(&mut self) -> Result<(), LiveError> {
        self.crash();
        self.launch()
    }

    /// Removes what it has on disk. Only for a crashed server.
    pub fn lose_data(&self) -> Result<(), LiveError> {
        assert!(self.process.is_none(), "a running server keeps its files");
        let cannot = LiveError::system("remove a server's data", "删除服务器的数据");
        fs::remove_dir_all(&self.folder).and_then(|()| fs::create_dir_all(&self.folder)).map_err(cannot)
    }

    fn launch(&mut self) -> Result<(), LiveError> {
        let log = self.folder.join("log");
        let output = File::create(&log).map_err(LiveError::system("write a server's log", "写服务器的日志"))?;
        let mut command = self.program.command();
        command.current_dir(&self.folder).args(["--port", &self.port.to_string(), "--bind", "127.0.0.1"]);
        command.args(["--save", "", "--daemonize", "no", "--protected-mode", "no", "--hz", "100"]);
        command.args([
            "--repl-diskless-sync",
            "no",
            "--repl-timeout",
            "2147483",
            "--repl-ping-replica-period",
            "86400",
        ]);
        command.args(["--appendonly", if self.persistence == Persistence::AppendOnly { "yes" } else { "no" }]);
        command.args(&self.settings);
        if let Some(clock) = &self.clock {
            command.envs(clock.environment());
        }
        command.stdin(Stdio::null()).stderr(Stdio::null()).stdout(output);
        die_with_parent(&mut command);
        let process = command.spawn().map_err(LiveError::system("start redis-server", "启动 redis-server"))?;
        let process = self.process.insert(process);
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Ok(Some(status)) = process.try_wait() {
                self.process = None;
                return Err(not_started(format!("{status}; its log ends: {}", last_lines(&log))));
            }
            if answers(self.port, process.id()) {
                return Ok(());
            }
            if Instant::now() > deadline {
                let end = last_lines(&log);
                return Err(not_started(format!("no answer in {PATIENCE:?}; its log ends: {end}")));
            }
            thread::sleep(Duration::from_micros(500));
        }
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.crash();
    }
}

/// Lets `replica` follow a master at `address` and waits until a write has crossed.
pub fn follow(replica: &RedisServer, address: SocketAddr, master: &RedisServer) -> Result<(), LiveError> {
    let call = |connection: &mut Connection, words: &[&str]| {
        connection.call(&Command::new(words), PATIENCE).map_err(LiveError::unreachable(address))
    };
    let port = address.port().to_string();
    call(&mut replica.connect()?, &["REPLICAOF", "127.0.0.1", &port])?;
    let mut observer = replica.connect()?;
    let mut source = master.connect()?;
    let deadline = Instant::now() + PATIENCE;
    call(&mut source, &["SET", "locklab-warm", "1"])?;
    while call(&mut observer, &["EXISTS", "locklab-warm"])? != Reply::Integer(1) {
        if Instant::now() > deadline {
            return Err(not_started("the replica did not follow its master".into()));
        }
        thread::sleep(Duration::from_micros(500));
    }
    call(&mut source, &["DEL", "locklab-warm"])?;
    call(&mut source, &["WAIT", "1", "1000"])?;
    Ok(())
}

fn not_started(reason: String) -> LiveError {
    LiveError::NotStarted { server: "redis-server", reason }
}

/// Whether the process with this number, and no other, answers on the port and has loaded what it had on disk.
fn answers(port: u16, process_id: u32) -> bool {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let Ok(mut connection) = Connection::connect(address, PATIENCE) else { return false };
    let Ok(Reply::Bulk(info)) = connection.call(&Command::new(["INFO", "server"]), PATIENCE) else { return false };
    let expected = format!("process_id:{process_id}");
    // A server that still loads answers INFO, but not PING.
    let loaded = connection.call(&Command::new(["PING"]), PATIENCE).is_ok_and(|reply| reply.error_code().is_none());
    loaded && String::from_utf8_lossy(&info).lines().any(|line| line == expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_killed_server_keeps_what_it_had_answered_only_with_an_append_only_file() {
        let folder = tempfile::tempdir().unwrap();
        let program = RedisProgram::find().expect("redis-server is installed: apt-get install redis-server");
        for (persistence, lose, expected) in [
            (Persistence::Nothing, false, Reply::Nil),
            (Persistence::AppendOnly, false, Reply::bulk("A")),
            (Persistence::AppendOnly, true, Reply::Nil),
        ] {
            let place = folder.path().join(format!("{persistence:?}-{lose}"));
            let mut server = RedisServer::start(&program, place, persistence, Vec::new(), None).unwrap();
            let call = |server: &RedisServer, words: &[&str]| {
                server.connect().unwrap().call(&Command::new(words), PATIENCE).unwrap()
            };
            assert_eq!(call(&server, &["SET", "lock", "A"]), Reply::ok());
            server.crash();
            if lose {
                server.lose_data().unwrap();
            }
            server.restart().unwrap();
            assert_eq!(call(&server, &["GET", "lock"]), expected, "{persistence:?}, lost: {lose}");
        }
    }
}
