//! A PostgreSQL, of the run's own or one that a user names.
//!
//! Every client has a connection, and the driver one of its own, from which it looks at rows and locks. Whether a statement waits is what `pg_locks`
//! says: whoever frees a lock marks it as granted there before it is answered itself, so there is no moment at which nobody knows.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use locklab_core::servers::database::sql::{Advisory, AdvisoryKey, Statement};
use locklab_core::servers::database::{Access, Settings};
use locklab_core::servers::{Delivery, Outcome};
use locklab_core::time::{Span, Time};
use locklab_core::wire::{ClientId, Command, Records, Reply};

use super::super::super::error::LiveError;
use super::super::super::server::PATIENCE;
use super::super::super::shim::ServerClock;
use super::super::RealService;
use super::admission::Admission;
use super::connection::Connection;
use super::login::Login;
use super::look::{Looker, Sessions};
use super::own::OwnServer;
use super::pooler::{self, Pooler};
use super::schema::Schema;
use super::session::Session;
use super::text_of;

/// How long an answer is waited for before the server is asked whether the statement waits for a lock.
const SOON: Duration = Duration::from_millis(2);
/// How often a service that may do something by itself is looked at.
const AGAIN: Span = Span(3_000);

/// Where a server is from.
#[derive(Debug)]
enum Home {
    /// The run has started it.
    Own(OwnServer),
    /// A user has named it, and the run has a schema there.
    Named(Schema, Admission),
}

/// A connection that was cut without a word.
#[derive(Debug)]
struct Cut {
    /// When the server finds out.
    until: Instant,
    /// It stays open until then, and silent.
    _connection: Connection,
    /// The server process at its other end, if one works for it.
    process: Option<u32>,
}

/// A PostgreSQL server with its clients' sessions.
#[derive(Debug)]
pub struct PostgreSql {
    home: Home,
    /// What stands between the clients and the server; `None`: nothing.
    pooler: Option<Pooler>,
    settings: Settings,
    /// How many microseconds its clock is ahead.
    clock_error: i64,
    version: String,
    /// `None`: the server is down.
    observer: Option<Connection>,
    sessions: BTreeMap<Option<ClientId>, Session>,
    /// Connections that stand ready, so that no client waits for one while time goes on.
    spare: BTreeMap<Option<ClientId>, Connection>,
    /// How many clients there are.
    clients: usize,
    cut: Vec<Cut>,
    /// Server processes whose client went away while they waited for a lock: they notice when they get it, and give it back.
    forsaken: BTreeSet<u32>,
    opened: u32,
    looker: Looker,
    deliveries: Vec<Delivery>,
}

impl PostgreSql {
    /// A server with an empty database in a folder of the run's own.
    pub fn start(
        folder: &Path,
        settings: Settings,
        clock: Option<ServerClock>,
        clients: usize,
    ) -> Result<PostgreSql, LiveError> {
        let server = OwnServer::start(folder, settings, clock)?;
        let pooler = match settings.access {
            Access::Direct => None,
            Access::Pooled { lifetime } => Some(Pooler::start(folder, server.login(), lifetime, clients)?),
        };
        PostgreSql::open(Home::Own(server), pooler, settings, clients)
    }

    /// A schema of the run's own on a server that a user names; the names of its locks begin with the prefix.
    pub fn within(schema: Schema, prefix: &str, settings: Settings, clients: usize) -> Result<PostgreSql, LiveError> {
        schema.create()?;
        PostgreSql::open(Home::Named(schema, Admission::new(prefix)), None, settings, clients)
    }

    fn open(home: Home, pooler: Option<Pooler>, settings: Settings, clients: usize) -> Result<PostgreSql, LiveError> {
        let mut server = PostgreSql {
            home,
            pooler,
            settings,
            clock_error: 0,
            version: String::new(),
            observer: None,
            sessions: BTreeMap::new(),
            spare: BTreeMap::new(),
            clients,
            cut: Vec::new(),
            forsaken: BTreeSet::new(),
            opened: 0,
            looker: Looker::default(),
            deliveries: Vec::new(),
        };
        server.connect()?;
        Ok(server)
    }

    /// Connects to a server that runs.
    fn connect(&mut self) -> Result<(), LiveError> {
        self.observer = Some(self.fresh(self.login())?);
        let clients = (0..self.clients).filter_map(|id| u16::try_from(id).ok()).map(|id| Some(ClientId(id)));
        let spare = clients.chain([None]).map(|client| Ok((client, self.of_client(client)?)));
        self.spare = spare.collect::<Result<_, LiveError>>()?;
        let mut shown = |setting: &str| -> Result<String, LiveError> {
            let rows = self.ask(&format!("SELECT setting FROM pg_settings WHERE name = '{setting}'"))?;
            Ok(rows.first().and_then(|row| row.first()).and_then(Reply::text).unwrap_or_default())
        };
        let (version, deadlock) = (shown("server_version")?, shown("deadlock_timeout")?);
        self.version = version.split(' ').next().unwrap_or_default().to_owned();
        // A server that a user names may have another.
        self.settings.deadlock_timeout = deadlock.parse().map_or(self.settings.deadlock_timeout, Span::from_millis);
        // As with the clients' connections: whatever is asked for the first time takes longer, and time has not begun.
        self.ask("SELECT hashtext('')")?;
        self.records(Time::START).map(drop)
    }

    /// How one logs in at the server itself.
    fn login(&self) -> &Login {
        match &self.home {
            Home::Own(server) => server.login(),
            Home::Named(schema, _) => schema.login(),
        }
    }

    /// A connection of a client, or of an operator.
    fn of_client(&self, client: Option<ClientId>) -> Result<Connection, LiveError> {
        match &self.pooler {
            Some(pooler) => self.fresh(&pooler.login(client)),
            None => self.fresh(self.login()),
        }
    }

    /// A connection whose server process has run a statement: the first one takes longer than all others.
    fn fresh(&self, login: &Login) -> Result<Connection, LiveError> {
        let greeting = match &self.home {
            Home::Own(_) => None,
            Home::Named(schema, _) => Some(schema.greeting()),
        };
        let mut connection = Connection::open(login).map_err(io::Error::from).map_err(unreachable())?;
        for first in greeting.as_deref().into_iter().chain(["SELECT count(*) FROM pg_locks"]) {
            connection.rows(first, PATIENCE).map_err(unreachable())?;
        }
        Ok(connection)
    }

    /// The rows of a question of the driver's own.
    fn ask(&mut self, question: &str) -> Result<Vec<Vec<Reply>>, LiveError> {
        let observer = self.observer.as_mut().ok_or_else(|| LiveError::Broken("PostgreSQL is down".into()))?;
        observer.rows(question, PATIENCE).map_err(unreachable())
    }

    /// The server processes whose statements wait for a lock.
    fn waiting(&mut self) -> Result<BTreeSet<u32>, LiveError> {
        let rows = self.ask("SELECT pid FROM pg_locks WHERE NOT granted")?;
        Ok(rows.iter().filter_map(|row| row.first()?.integer()).filter_map(|pid| u32::try_from(pid).ok()).collect())
    }

    /// Whose the server's processes are.
    fn owners(&mut self) -> Result<Sessions, LiveError> {
        if self.pooler.is_some() {
            let rows = self.ask(pooler::SESSIONS)?;
            return Ok(self.pooler.as_mut().map(|pooler| pooler.sessions(&rows)).unwrap_or_default());
        }
        let sessions = self.sessions.iter();
        Ok(sessions.map(|(client, session)| (session.connection.process(), (*client, session.number))).collect())
    }

    /// The clients whose statements wait for a lock; `None` among them: an operator.
    fn waiting_clients(&mut self) -> Result<BTreeSet<Option<ClientId>>, LiveError> {
        let waiting = self.waiting()?;
        let owners = self.owners()?;
        Ok(waiting.iter().filter_map(|process| owners.get(process)).map(|(client, _)| *client).collect())
    }

    /// The server process that works for a client. Behind a pooler there is none outside a transaction.
    fn process_of(&mut self, client: ClientId) -> Result<Option<u32>, LiveError> {
        let Some(session) = self.sessions.get(&Some(client)) else { return Ok(None) };
        if self.pooler.is_none() {
            return Ok(Some(session.connection.process()));
        }
        let rows = self.ask(&pooler::busy(client))?;
        let process = rows.first().and_then(|row| row.first()).and_then(Reply::integer);
        Ok(process.and_then(|process| u32::try_from(process).ok()))
    }

    /// The session of a client, opened now where it has none.
    fn session(&mut self, client: Option<ClientId>) -> Result<&mut Session, LiveError> {
        if !self.sessions.contains_key(&client) {
            self.opened += 1;
            let connection = self.spare.remove(&client).map_or_else(|| self.of_client(client), Ok)?;
            self.sessions.insert(client, Session::new(connection, self.opened));
        }
        self.sessions.get_mut(&client).ok_or_else(|| LiveError::Broken("a session is lost".into()))
    }

    /// Sends a statement; its answer, unless it waits for a lock.
    fn run(&mut self, client: Option<ClientId>, text: &str) -> Result<Option<Reply>, LiveError> {
        let session = self.session(client)?;
        if session.ended.is_none() && session.connection.has_unasked() {
            session.ended = Some(last_words(&mut session.connection));
        }
        if let Some(reply) = session.ended.take() {
            self.sessions.remove(&client);
            return Ok(Some(reply));
        }
        session.connection.send(text).map_err(unreachable())?;
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let session = self.session(client)?;
            if let Some(reply) = session.connection.receive(SOON).map_err(unreachable())? {
                session.answered();
                return Ok(Some(reply));
            }
            if self.waiting_clients()?.contains(&client) {
                self.session(client)?.waiting = Some(Instant::now());
                return Ok(None);
            }
        }
        Err(LiveError::Broken(format!("PostgreSQL does not answer: {text}")))
    }

    /// Lets everything happen that is certain to: whoever no longer waits for a lock is answered.
    fn settle(&mut self) -> Result<(), LiveError> {
        self.cut.retain(|cut| cut.until > Instant::now());
        let deadline = Instant::now() + PATIENCE;
        let mut is_quiet = false;
        while !is_quiet && Instant::now() < deadline {
            is_quiet = true;
            if self.sessions.values().all(|session| session.waiting.is_none()) {
                break;
            }
            let waiting = self.waiting_clients()?;
            for (client, session) in &mut self.sessions {
                if session.waiting.is_none() || waiting.contains(client) {
                    continue;
                }
                is_quiet = false;
                let Some(reply) = session.connection.receive(SOON).map_err(unreachable())? else { continue };
                session.answered();
                if let Some(client) = *client {
                    self.deliveries.push(Delivery { client, message: reply, answers: true });
                }
            }
        }
        for session in self.sessions.values_mut().filter(|session| session.waiting.is_none()) {
            if session.ended.is_none() && session.connection.has_unasked() {
                session.ended = Some(last_words(&mut session.connection));
            }
        }
        std::mem::take(&mut self.forsaken).into_iter().try_for_each(|process| self.await_end(process))
    }

    /// Waits until the server has noticed that a connection is gone; while it waits for a lock it does not notice.
    fn await_end(&mut self, process: u32) -> Result<(), LiveError> {
        let deadline = Instant::now() + PATIENCE;
        let lives = format!("SELECT pid FROM pg_stat_activity WHERE pid = {process}");
        while Instant::now() < deadline && !self.ask(&lives)?.is_empty() {
            if self.waiting()?.contains(&process) {
                self.forsaken.insert(process);
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }
}

impl RealService for PostgreSql {
    fn name(&self) -> String {
        let server = format!("PostgreSQL {}", self.version);
        match &self.pooler {
            Some(pooler) => format!("{server} behind {}", pooler.version()),
            None => server,
        }
    }

    fn process_ids(&self) -> Vec<u32> {
        let server = match &self.home {
            Home::Own(server) => server.process_id(),
            Home::Named(..) => None,
        };
        server.into_iter().chain(self.pooler.as_ref().and_then(Pooler::process_id)).collect()
    }

    fn execute(&mut self, _now: Time, client: Option<ClientId>, command: &Command) -> Result<Outcome, LiveError> {
        let text = text_of(command);
        if let Home::Named(_, admission) = &mut self.home {
            admission.admit(&text)?;
        }
        if let Ok(statement) = Statement::parse(&text) {
            self.session(client)?.notice(&statement);
            self.looker.notice(&statement);
            match &statement {
                Statement::Advisory(Advisory::Call(_, AdvisoryKey::Text(name))) => {
                    let question = format!("SELECT hashtext('{}')", name.replace('\'', "''"));
                    let number = self.ask(&question)?.first().and_then(|row| row.first()).and_then(Reply::integer);
                    self.looker.name(number.unwrap_or_default(), name);
                }
                Statement::Advisory(Advisory::Call(_, AdvisoryKey::Number(number))) => {
                    self.looker.name(*number, &number.to_string().into());
                }
                _ => {}
            }
        }
        let reply = self.run(client, &text)?;
        self.settle()?;
        Ok(reply.map_or(Outcome::Blocked { timeout: None }, Outcome::Reply))
    }

    fn set_clock(&mut self, error: i64) {
        if let Home::Own(server) = &self.home
            && error != self.clock_error
        {
            self.clock_error = error;
            server.set_clock(error);
            self.looker.doubt_ends();
        }
    }

    /// A row goes by a statement that changes rows, or at the end of the transaction that did.
    fn may_remove(&self, command: &Command, key: &str) -> bool {
        key.ends_with(" FOR UPDATE")
            || key.starts_with("advisory/")
            || matches!(command.name().as_str(), "UPDATE" | "DELETE" | "COMMIT")
    }

    fn deliveries(&mut self) -> Result<Vec<Delivery>, LiveError> {
        Ok(std::mem::take(&mut self.deliveries))
    }

    /// No statement asks for it: its time-outs are the server's own.
    fn time_out(&mut self, _client: ClientId) -> Result<Reply, LiveError> {
        Err(LiveError::Broken("a statement of a database ends at the database".into()))
    }

    fn disconnect(&mut self, client: ClientId) -> Result<(), LiveError> {
        let process = self.process_of(client)?;
        drop(self.sessions.remove(&Some(client)));
        process.map_or(Ok(()), |process| self.await_end(process))?;
        self.settle()
    }

    /// The server keeps the session for as long as its keep-alive time: the connection stays open so long, and silent.
    fn cut_off(&mut self, client: ClientId) -> Result<(), LiveError> {
        let keep_alive = Duration::from_micros(self.settings.keep_alive.micros());
        if keep_alive.is_zero() {
            return self.disconnect(client);
        }
        let process = self.process_of(client)?;
        if let Some(session) = self.sessions.remove(&Some(client)) {
            self.cut.push(Cut { until: Instant::now() + keep_alive, _connection: session.connection, process });
        }
        self.settle()
    }

    fn records(&mut self, now: Time) -> Result<Records, LiveError> {
        let found_out = self.cut.iter().filter(|cut| cut.until <= Instant::now());
        let found_out: Vec<u32> = found_out.filter_map(|cut| cut.process).collect();
        self.settle()?;
        for process in found_out {
            self.await_end(process)?;
        }
        self.settle()?;
        if self.observer.is_none() {
            return Ok(Records::new());
        }
        let owners = self.owners()?;
        let Some(observer) = &mut self.observer else { return Ok(Records::new()) };
        self.looker.look(observer, &owners, now).map_err(unreachable())
    }

    fn due(&self, now: Time) -> Option<Time> {
        let deadlock = Duration::from_micros(self.settings.deadlock_timeout.micros());
        let of_sessions = self.sessions.values().filter_map(|session| session.due(deadlock));
        // With a session that the pooler closes the locks go that were left on it.
        let closes = self.pooler.as_ref().filter(|_| self.looker.sees_advisory()).and_then(Pooler::closes);
        let next = of_sessions.chain(self.cut.iter().map(|cut| cut.until)).chain(closes).min();
        let next = next.map(|at| {
            let left = at.saturating_duration_since(Instant::now()).as_micros();
            now + Span(u64::try_from(left).unwrap_or(u64::MAX)).max(AGAIN)
        });
        next.into_iter().chain(self.looker.next_end().map(|end| end.max(now + AGAIN))).min()
    }

    fn crash(&mut self) {
        self.observer = None;
        self.sessions.clear();
        self.spare.clear();
        self.cut.clear();
        self.forsaken.clear();
        self.deliveries.clear();
        self.pooler.iter_mut().for_each(Pooler::crash);
        if let Home::Own(server) = &mut self.home {
            server.crash();
        }
    }

    /// It has its tables even without its data, as in the model.
    fn restart(&mut self, data_kept: bool) -> Result<(), LiveError> {
        let Home::Own(server) = &mut self.home else {
            return Err(LiveError::Broken("a server that a user names was to be started".into()));
        };
        server.launch()?;
        self.pooler.iter_mut().try_for_each(Pooler::launch)?;
        self.connect()?;
        if !data_kept {
            for table in self.looker.tables() {
                self.ask(&format!("DELETE FROM {table}"))?;
            }
        }
        Ok(())
    }
}

impl Drop for PostgreSql {
    fn drop(&mut self) {
        self.crash();
    }
}

/// Why the server has ended a connection.
fn last_words(connection: &mut Connection) -> Reply {
    let words = connection.receive(PATIENCE).ok().flatten();
    words.unwrap_or_else(|| Reply::Error("57P01 terminating connection".into()))
}

fn unreachable() -> impl FnOnce(std::io::Error) -> LiveError {
    LiveError::unreachable("PostgreSQL")
}
