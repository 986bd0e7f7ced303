//! The model beside a real PostgreSQL: what is answered, what waits, who goes on when.

use std::collections::BTreeMap;
use std::time::Duration;

use locklab_core::servers::database::{Database, Settings};
use locklab_core::servers::{Delivery, Outcome, Service};
use locklab_core::time::{LocalClock, LocalTime, Span, Time};
use locklab_core::wire::{ClientId, Command, Reply};

use super::connection::Connection;
use super::server::Server;
use super::stories::{STORIES, TABLES, random_story, sorted};

/// When a wait looks for a deadlock: soon, so that tests are short.
const DEADLOCK: Duration = Duration::from_millis(150);
/// How long a statement that waits must not be answered.
const SILENCE: Duration = Duration::from_millis(15);
/// How long an answer that must come may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Random stories in a normal run, and their statements; `LOCKLAB_DATABASE_STORIES` asks for more. The first 249 agree; story 249 meets
/// the order in which rows lie, which the model does not know (`docs/model.md`).
const STORIES_AT_RANDOM: u64 = 64;
const STATEMENTS: usize = 40;

#[test]
fn stories_about_locks_go_as_they_do_on_a_real_postgresql() {
    let server = Server::start(DEADLOCK);
    for story in STORIES {
        Stage::new(&server).play(story).unwrap_or_else(|difference| panic!("{story}\n\n{difference}"));
    }
}

#[test]
fn random_statements_are_answered_as_a_real_postgresql_answers_them() {
    let server = Server::start(DEADLOCK);
    let wanted = std::env::var("LOCKLAB_DATABASE_STORIES").ok().and_then(|text| text.parse().ok());
    for seed in 0..wanted.unwrap_or(STORIES_AT_RANDOM) {
        let story = random_story(seed, STATEMENTS);
        Stage::new(&server).play(&story).unwrap_or_else(|difference| panic!("story {seed}: {difference}"));
    }
}

/// The two of them, side by side.
struct Stage<'a> {
    server: &'a Server,
    model: Database,
    connections: BTreeMap<ClientId, Connection>,
    /// Who waits, and with which statement.
    waiting: BTreeMap<ClientId, String>,
    /// Whether chance decides on the real server what comes next.
    is_open: bool,
    now: i64,
    said: Vec<String>,
}

impl<'a> Stage<'a> {
    fn new(server: &'a Server) -> Stage<'a> {
        let mut stage = Stage {
            server,
            model: Database::new(Settings {
                deadlock_timeout: Span(DEADLOCK.as_micros() as u64),
                ..Settings::default()
            }),
            connections: BTreeMap::new(),
            waiting: BTreeMap::new(),
            is_open: false,
            now: 0,
            said: Vec::new(),
        };
        let mut operator = server.connect();
        let clean = ["DROP TABLE IF EXISTS stock", "DROP TABLE IF EXISTS locks"];
        for statement in clean.into_iter().chain(TABLES) {
            operator.send(statement).expect("the server takes statements");
            let reply = operator.receive(PATIENCE).expect("the server answers").expect("in time");
            assert!(reply.error_code().is_none(), "{statement}: {reply}");
        }
        for statement in TABLES {
            let reply = stage.model.execute(stage.clock(), None, &Command::sql(statement)).reply().cloned();
            assert!(reply.is_some_and(|reply| reply.error_code().is_none()), "{statement}");
        }
        stage
    }

    fn clock(&self) -> LocalTime {
        LocalTime { wall: self.now, monotonic: self.now }
    }

    fn play(&mut self, story: &str) -> Result<(), String> {
        for line in story.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let client = ClientId(u16::from(line.as_bytes()[0].wrapping_sub(b'A')));
            if line == "..." {
                self.pass()?;
            } else if line.ends_with('!') {
                self.hang_up(client)?;
            } else if !self.waiting.contains_key(&client) {
                // A session that waits says nothing.
                self.say(client, line)?;
            }
            if self.is_open {
                return Ok(());
            }
        }
        Ok(())
    }

    fn say(&mut self, client: ClientId, line: &str) -> Result<(), String> {
        self.said.push(line.to_owned());
        // Of two that wait, the one that came first looks for a deadlock first.
        self.now += 1;
        let statement = &line[3..];
        let execution = self.model.execute(self.clock(), Some(client), &Command::sql(statement));
        let server = self.server;
        let connection = self.connections.entry(client).or_insert_with(|| server.connect());
        connection.send(statement).map_err(|error| error.to_string())?;
        match execution.outcome {
            Outcome::Reply(reply) => self.expect(client, &reply)?,
            Outcome::Blocked { .. } => {
                if let Some(reply) = connection.receive(SILENCE).map_err(|error| error.to_string())? {
                    return Err(self.differ(&format!("the model waits, the server answers {reply}")));
                }
                self.waiting.insert(client, statement.to_owned());
            }
        }
        self.deliver(execution.deliveries)?;
        if self.waiting.len() == 3 { self.pass() } else { Ok(()) }
    }

    /// Time goes on until everything has happened that time alone brings about.
    fn pass(&mut self) -> Result<(), String> {
        while let Some(due) = self.model.due(&LocalClock::default(), Time(self.now as u64)) {
            self.now = self.now.max(due.0 as i64);
            let deliveries = self.model.expire(self.clock());
            self.deliver(deliveries)?;
        }
        // Time-outs without an answer of their own need to have struck on the server, too.
        std::thread::sleep(2 * DEADLOCK);
        Ok(())
    }

    fn hang_up(&mut self, client: ClientId) -> Result<(), String> {
        self.said.push(format!("{client:?} hangs up"));
        let deliveries = self.model.disconnect(self.clock(), client);
        drop(self.connections.remove(&client));
        self.waiting.remove(&client);
        // The server needs a moment to notice.
        std::thread::sleep(SILENCE);
        self.deliver(deliveries)
    }

    fn deliver(&mut self, deliveries: Vec<Delivery>) -> Result<(), String> {
        let races = self.waiting.len() > 1 && self.waiting.values().any(|statement| wants_more_than_a_row(statement));
        if races && !deliveries.is_empty() {
            self.is_open = true;
            return Ok(());
        }
        for Delivery { client, message, .. } in deliveries {
            self.waiting.remove(&client);
            self.expect(client, &message)?;
        }
        Ok(())
    }

    fn expect(&mut self, client: ClientId, modelled: &Reply) -> Result<(), String> {
        let connection = self.connections.get_mut(&client).expect("whoever is answered has a connection");
        let real = connection.receive(PATIENCE).map_err(|error| error.to_string())?;
        match real {
            // Codes count; a message may name a process.
            Some(real) if real.error_code() == modelled.error_code() && real.error_code().is_some() => Ok(()),
            Some(real) if sorted(&real) == sorted(modelled) => Ok(()),
            Some(real) => Err(self.differ(&format!("PostgreSQL {real}\n  model      {modelled}"))),
            None => Err(self.differ(&format!("PostgreSQL waits, the model answers {modelled}"))),
        }
    }

    fn differ(&self, how: &str) -> String {
        format!("{}\n  {how}", self.said.join("\n"))
    }
}

/// Whether a statement that has waited may meet another one that was woken at the same time: it has further rows to visit, or waits for an
/// inserted key, for which PostgreSQL wakes everybody at once (`docs/model.md`).
fn wants_more_than_a_row(statement: &str) -> bool {
    statement.starts_with("INSERT") || !statement.contains("WHERE id = ")
}
