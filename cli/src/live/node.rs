//! A real server as the driver sees it: its process, its clock, the observer beside it, and its place in replication.

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant as RealInstant};

use locklab_core::history::KeyChange;
use locklab_core::sim::{Change, Instant};
use locklab_core::wire::{ClientId, Command, NodeId, Records, Reply};

use super::error::LiveError;
use super::observer::Observer;
use super::relay::{Gate, Relay};
use super::resp::Connection;
use super::server::{PATIENCE, RedisServer, follow};

/// A real server.
#[derive(Debug)]
pub struct Node {
    server: RedisServer,
    /// The observer's connection; `None` while the server is down.
    connection: Option<Connection>,
    observer: Observer,
    /// The calendar instant, in microseconds since 1970, that the run's clocks call 0.
    epoch: i64,
    /// What its own count of the replication stream is ahead of the run's.
    base: i64,
    /// How far its stream was when it was last asked, as the run counts it.
    offset: u64,
    /// What its stream has carried: the offset after each change, the key, how it changed, and who did it.
    journal: Vec<Carried>,
    following: Option<Following>,
}

/// A change on its way to the replicas.
#[derive(Clone, Debug)]
struct Carried {
    upto: u64,
    key: Arc<str>,
    change: KeyChange,
    by: Option<ClientId>,
}

/// A replica's link to its master.
#[derive(Debug)]
struct Following {
    master: NodeId,
    relay: Relay,
    /// What the relay's count of bytes is ahead of the run's count of the stream.
    zero: i64,
    /// How far it has been let, and how far its journal has been read.
    applied: u64,
}

impl Node {
    /// A running server, observed.
    pub fn new(server: RedisServer, epoch: i64) -> Result<Node, LiveError> {
        let connection = Some(server.connect()?);
        let (observer, journal) = (Observer::default(), Vec::new());
        Ok(Node { server, connection, observer, epoch, base: 0, offset: 0, journal, following: None })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Sets its clock to what it shows at this instant.
    pub fn turn(&self, at: Instant<'_>) {
        if let Some(clock) = self.server.clock() {
            clock.freeze(self.epoch + at.local().wall);
        }
    }

    /// Runs a command of an operator, or of the driver itself.
    pub fn command(&mut self, words: &[&str]) -> Result<Reply, LiveError> {
        self.run(&Command::new(words))
    }

    /// Runs a command of an operator.
    pub fn run(&mut self, command: &Command) -> Result<Reply, LiveError> {
        let server = self.server.address();
        self.connection()?
            .call(command, PATIENCE)
            .map_err(|source| LiveError::Unreachable { server: server.to_string(), source })
    }

    /// Looks at its keys; what has changed was done by `by`, and what is gone went by `lost`.
    pub fn look(&mut self, at: Instant<'_>, by: Option<ClientId>, lost: KeyChange) -> Result<Vec<Change>, LiveError> {
        let server = self.server.address().to_string();
        let connection = self.connection.as_mut().ok_or_else(|| down(&server))?;
        let looked = self.observer.look(connection, at, by, lost);
        looked.map_err(|source| LiveError::Unreachable { server, source })
    }

    /// All its records.
    pub fn records(&mut self, at: Instant<'_>) -> Result<Records, LiveError> {
        self.look(at, None, KeyChange::Vanished)?;
        Ok(self.observer.records(at))
    }

    /// Counts its replication stream from here on as the run does: so far it is at `offset`.
    pub fn count_from(&mut self, offset: u64) -> Result<(), LiveError> {
        self.base = self.stream_offset()? - signed(offset);
        Ok(())
    }

    /// How far its replication stream is, as the run counts it.
    pub fn offset(&mut self) -> Result<u64, LiveError> {
        self.offset = u64::try_from(self.stream_offset()? - self.base).unwrap_or(0);
        Ok(self.offset)
    }

    /// Notes what its stream carries up to an offset.
    pub fn carry(&mut self, upto: u64, changes: &[Change], by: Option<ClientId>) {
        let carried =
            changes.iter().map(|Change { key, change, .. }| Carried { upto, key: key.clone(), change: *change, by });
        self.journal.extend(carried);
    }

    /// Becomes a replica of `master` and waits until it has all that the master has. The gate is open afterwards.
    pub fn follow(&mut self, id: NodeId, master: &mut Node) -> Result<(), LiveError> {
        let relay = Relay::open(master.address()).map_err(LiveError::system("open a replication link"))?;
        follow(&self.server, relay.address(), &master.server)?;
        let applied = master.offset()?;
        self.base = master.base;
        self.await_offset(applied)?;
        self.observer.adopt(&master.observer);
        let zero = signed(relay.passed()) - signed(applied);
        self.following = Some(Following { master: id, relay, zero, applied });
        Ok(())
    }

    /// Whose replica it is.
    pub fn master(&self) -> Option<NodeId> {
        self.following.as_ref().map(|following| following.master)
    }

    /// Holds back all that its master will send beyond this offset.
    pub fn hold_beyond(&self, offset: u64) {
        if let Some(following) = &self.following {
            following.hold(following.applied.min(offset));
        }
    }

    /// Applies its master's stream up to an offset, and tells what changed.
    pub fn apply(&mut self, at: Instant<'_>, master: &mut Node, upto: u64) -> Result<Vec<Change>, LiveError> {
        let latest = master.offset()?;
        let Some(following) = &mut self.following else { return Ok(Vec::new()) };
        let carried: Vec<Carried> = master
            .journal
            .iter()
            .filter(|carried| carried.upto > following.applied && carried.upto <= upto)
            .cloned()
            .collect();
        following.applied = upto;
        // With nothing left to hold back the gate is open, so that the master's questions for acknowledgements pass.
        if upto >= latest {
            following.relay.set_gate(Gate::Open);
        } else {
            following.hold(upto);
        }
        self.await_offset(upto)?;
        for carried in carried {
            match carried.change {
                KeyChange::Created => self.observer.expect(&carried.key, carried.by),
                KeyChange::Changed => {}
                KeyChange::Deleted | KeyChange::Expired | KeyChange::Evicted | KeyChange::Vanished => {
                    self.observer.forget(&carried.key);
                }
            }
        }
        self.look(at, None, KeyChange::Deleted)
    }

    /// Opens the gate again where nothing is held back: a command that wrote nothing has passed.
    pub fn open_if_caught_up(&self, offset: u64) {
        if let Some(following) = &self.following
            && following.applied >= offset
        {
            following.relay.set_gate(Gate::Open);
        }
    }

    /// Loses a key as by an eviction. A server chooses by itself what it evicts, so the driver removes the key in its place.
    pub fn evict(&mut self, key: &str) -> Result<(), LiveError> {
        self.command(&["DEL", key])?;
        Ok(())
    }

    /// Becomes a master.
    pub fn promote(&mut self) -> Result<(), LiveError> {
        self.command(&["REPLICAOF", "NO", "ONE"])?;
        self.following = None;
        Ok(())
    }

    /// Dies, and its link to a master with it.
    pub fn crash(&mut self) {
        self.connection = None;
        self.following = None;
        self.server.crash();
    }

    /// Starts again, with what it had on disk or without.
    pub fn restart(&mut self, data_kept: bool) -> Result<(), LiveError> {
        if !data_kept {
            self.server.lose_data()?;
        }
        self.server.restart()?;
        self.connection = Some(self.server.connect()?);
        // A new process counts its stream anew; for the run it goes on.
        self.count_from(self.offset)
    }

    fn stream_offset(&mut self) -> Result<i64, LiveError> {
        let role = self.command(&["INFO", "replication"])?.text().unwrap_or_default();
        let name = if role.contains("role:master") { "master_repl_offset:" } else { "slave_repl_offset:" };
        let offset =
            role.lines().find_map(|line| line.strip_prefix(name)).and_then(|offset| offset.trim().parse().ok());
        Ok(offset.unwrap_or(0))
    }

    fn await_offset(&mut self, offset: u64) -> Result<(), LiveError> {
        let deadline = RealInstant::now() + PATIENCE;
        while self.offset()? < offset {
            if RealInstant::now() > deadline {
                return Err(LiveError::NotPlayable { reason: "a replica did not take in what its master sent".into() });
            }
            thread::sleep(Duration::from_micros(200));
        }
        Ok(())
    }

    fn connection(&mut self) -> Result<&mut Connection, LiveError> {
        let server = self.server.address().to_string();
        self.connection.as_mut().ok_or_else(|| down(&server))
    }
}

impl Following {
    fn hold(&self, upto: u64) {
        self.relay.set_gate(Gate::UpTo(u64::try_from(self.zero + signed(upto)).unwrap_or(0)));
    }
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).expect("no stream of a run is that long")
}

fn down(server: &str) -> LiveError {
    LiveError::NotPlayable { reason: format!("{server} is down, but the driver still asks it") }
}
