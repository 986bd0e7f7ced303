//! A PostgreSQL server of a test's own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use super::connection::Connection;
use super::install::{as_user, programs};
use super::login::Login;

/// No two servers of this process try one port: the one that answers there would be the other.
static NEXT: AtomicU16 = AtomicU16::new(0);

/// A server on a loopback port with its data in a temporary folder; killed when dropped.
pub struct Server {
    process: Child,
    port: u16,
    folder: tempfile::TempDir,
}

impl Server {
    /// Starts a server that looks for deadlocks after `deadlock_timeout`.
    pub fn start(deadlock_timeout: Duration) -> Server {
        let programs = programs().expect("PostgreSQL is not here; install it with: apt-get install -y postgresql");
        let folder = tempfile::tempdir().expect("a temporary folder");
        // The server's user is another one where the tests are root's.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("the folder is ours");
        let data = folder.path().join("data");
        let made = as_user(&programs.join("initdb"))
            .args(["--auth=trust", "--username=locklab", "--no-sync", "--encoding=UTF8", "--locale=C", "--pgdata"])
            .arg(&data)
            .output()
            .expect("initdb starts");
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        let first = 20_000 + (std::process::id() % 10_000) as u16;
        for _ in 0..20 {
            let port = first + NEXT.fetch_add(1, Ordering::Relaxed);
            let process = as_user(&programs.join("postgres"))
                .args(["-p", &port.to_string(), "-h", "127.0.0.1", "-c", "fsync=off"])
                .args(["-c", &format!("deadlock_timeout={}", deadlock_timeout.as_millis())])
                .arg("-k")
                .arg(folder.path())
                .arg("-D")
                .arg(&data)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("postgres starts");
            let mut server = Server { process, port, folder: tempfile::tempdir().expect("a temporary folder") };
            if server.is_ready() {
                server.folder = folder;
                return server;
            }
        }
        panic!("none of twenty ports from {first} is free");
    }

    /// The port on which it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Says who is let in, as `pg_hba.conf` says it.
    pub fn let_in(&self, lines: &str) {
        fs::write(self.folder.path().join("data/pg_hba.conf"), lines).expect("the folder is ours");
        self.connect().rows("SELECT pg_reload_conf()", Duration::from_secs(5)).expect("an administrator may");
        // The server reads the file when its main process gets to it.
        std::thread::sleep(Duration::from_millis(300));
    }

    /// A new connection.
    pub fn connect(&self) -> Connection {
        Connection::open(&Login::own(self.port)).expect("the server accepts connections")
    }

    fn is_ready(&mut self) -> bool {
        let limit = Instant::now() + Duration::from_secs(30);
        while Instant::now() < limit && matches!(self.process.try_wait(), Ok(None)) {
            if Connection::open(&Login::own(self.port)).is_ok() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
