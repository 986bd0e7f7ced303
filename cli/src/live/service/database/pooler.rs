//! A PgBouncer in transaction mode, in front of a PostgreSQL of the run's own.
//!
//! A client's connection ends at the pooler, and which of the server's sessions gets its next statement is the pooler's choice. But the pooler tells each session
//! the application name of the client that it is given to. By these names the driver knows whose statement waits, and whose session holds a lock.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use locklab_core::time::Span;
use locklab_core::wire::{ClientId, Reply};

use super::super::super::error::LiveError;
use super::super::super::ports::free_port;
use super::super::process::{ServerProcess, on_path};
use super::connection::Connection;
use super::install::as_user;
use super::login::Login;
use super::look::Sessions;

/// What the application names of clients begin with; their number follows.
const CLIENT: &str = "locklab-client-";
/// The application name of operators and of the set-up.
const OPERATOR: &str = "locklab-operator";

/// The sessions that the pooler has opened, each with the application name of the client that it was given to last.
pub const SESSIONS: &str =
    "SELECT pid, application_name FROM pg_stat_activity WHERE application_name LIKE 'locklab-%' ORDER BY backend_start";

/// Names PgBouncer's program where it is not found.
const PROGRAM: &str = "LOCKLAB_PGBOUNCER";
/// Where Debian puts it, which is not on everybody's PATH.
const DEBIAN: &str = "/usr/sbin/pgbouncer";

/// What is said where there is no PgBouncer.
const NO_POOLER: LiveError = LiveError::NotInstalled { what: "PgBouncer", packages: "pgbouncer" };

/// The PgBouncer program of this machine.
#[derive(Clone, Debug)]
pub struct PgBouncerProgram {
    path: PathBuf,
}

impl PgBouncerProgram {
    /// Looks for it where the environment says, else on the PATH and where Debian puts it.
    pub fn find() -> Result<PgBouncerProgram, LiveError> {
        let named = env::var_os(PROGRAM).map(PathBuf::from);
        let path = named.or_else(|| on_path("pgbouncer")).unwrap_or_else(|| DEBIAN.into());
        if path.is_file() { Ok(PgBouncerProgram { path }) } else { Err(NO_POOLER) }
    }

    /// Its name and version, such as `PgBouncer 1.18.0`.
    pub fn version(&self) -> Result<String, LiveError> {
        let output = Command::new(&self.path).arg("--version").output();
        let output = output.map_err(LiveError::system("start pgbouncer", "启动 pgbouncer"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(text.lines().next().unwrap_or("PgBouncer").trim().to_owned())
    }
}

/// A pooler, running or crashed.
#[derive(Debug)]
pub struct Pooler {
    program: PgBouncerProgram,
    version: String,
    configuration: PathBuf,
    /// How its clients log in, but for their names.
    login: Login,
    /// How old a session becomes.
    lifetime: Duration,
    process: ServerProcess,
    /// The server's sessions: since when each is known, and as the how-manieth it was opened.
    sessions: BTreeMap<u32, (Instant, u32)>,
    /// How many there have been.
    opened: u32,
}

impl Pooler {
    /// Starts one before a server, for so many clients.
    pub fn start(folder: &Path, server: &Login, lifetime: Span, clients: usize) -> Result<Pooler, LiveError> {
        let program = PgBouncerProgram::find()?;
        let version = program.version()?;
        let configuration = folder.join("pgbouncer.ini");
        let port = free_port()?;
        let lifetime = Duration::from_micros(lifetime.micros());
        write(&configuration, &settings(server, port, lifetime, clients))
            .map_err(LiveError::system("write a pooler's configuration", "写连接池的配置"))?;
        let login = Login { shown: "PgBouncer".into(), ..Login::own(port) };
        let process = ServerProcess::new("PgBouncer", folder.join("pgbouncer.log"));
        let (sessions, opened) = (BTreeMap::new(), 0);
        let mut pooler = Pooler { program, version, configuration, login, lifetime, process, sessions, opened };
        pooler.launch()?;
        Ok(pooler)
    }

    /// Starts it and waits until it lets somebody in.
    pub fn launch(&mut self) -> Result<(), LiveError> {
        self.sessions.clear();
        let mut command = as_user(&self.program.path);
        command.arg("--quiet").arg(&self.configuration);
        let operator = self.login(None);
        self.process.launch(&mut command, || Connection::open(&operator).is_ok())
    }

    /// What it is, such as `PgBouncer 1.18.0`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The number of its process, while it runs.
    pub fn process_id(&self) -> Option<u32> {
        self.process.id()
    }

    /// How a client logs in, or an operator.
    pub fn login(&self, client: Option<ClientId>) -> Login {
        Login { application: name(client), ..self.login.clone() }
    }

    /// Whose the server's sessions are, from the answer to [`SESSIONS`].
    pub fn sessions(&mut self, rows: &[Vec<Reply>]) -> Sessions {
        let mut sessions = Sessions::new();
        for row in rows {
            let [process, name] = &row[..] else { continue };
            let process = process.integer().and_then(|process| u32::try_from(process).ok());
            let Some((process, client)) = process.zip(name.text().as_deref().and_then(client_of)) else { continue };
            let (_, number) = *self.sessions.entry(process).or_insert_with(|| {
                self.opened += 1;
                (Instant::now(), self.opened)
            });
            sessions.insert(process, (client, number));
        }
        self.sessions.retain(|process, _| sessions.contains_key(process));
        sessions
    }

    /// When it closes the next session for its age, at the soonest.
    pub fn closes(&self) -> Option<Instant> {
        self.sessions.values().map(|(since, _)| *since + self.lifetime).min()
    }

    /// Dies with all of its connections.
    pub fn crash(&mut self) {
        self.process.crash();
    }
}

/// A question for the session that works for a client now: one that waits or is in a transaction.
pub fn busy(client: ClientId) -> String {
    let name = name(Some(client));
    format!("SELECT pid FROM pg_stat_activity WHERE application_name = '{name}' AND state <> 'idle'")
}

/// Whoever comes is let in and is one user to the server. There is always one more session; the one used last is used first.
fn settings(server: &Login, port: u16, lifetime: Duration, clients: usize) -> String {
    let Login { address, user, database, .. } = server;
    format!(
        "[databases]\n{database} = host={host} port={server_port} user={user}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
         unix_socket_dir =\nauth_type = any\npool_mode = transaction\nserver_round_robin = 0\ndefault_pool_size = {pool}\n\
         max_client_conn = {most}\nserver_lifetime = {lifetime}\nserver_idle_timeout = 0\nserver_check_delay = 86400\nlogfile =\npidfile =\n",
        host = address.ip(),
        server_port = address.port(),
        pool = clients + 1,
        most = 2 * clients + 8,
        lifetime = lifetime.as_secs_f64(),
    )
}

/// Writes a file that the user can read whom the pooler runs as.
fn write(file: &Path, text: &str) -> std::io::Result<()> {
    fs::write(file, text)?;
    fs::set_permissions(file, fs::Permissions::from_mode(0o644))
}

fn name(client: Option<ClientId>) -> String {
    client.map_or_else(|| OPERATOR.into(), |client| format!("{CLIENT}{}", client.0))
}

fn client_of(name: &str) -> Option<Option<ClientId>> {
    match name.strip_prefix(CLIENT) {
        Some(number) => Some(Some(ClientId(number.parse().ok()?))),
        None => (name == OPERATOR).then_some(None),
    }
}
