//! A real server as the driver sees it: its process, its clock, the observer beside it, and its place in replication.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant as RealInstant};

use locklab_core::history::KeyChange;
use locklab_core::sim::{Change, Instant};
use locklab_core::wire::{ClientId, Command, NodeId, Records, Reply};

use super::access::Access;
use super::error::LiveError;
use super::named::keys_under;
use super::observer::{Observer, Scope};
use super::pace::Pace;
use super::relay::{Gate, Relay};
use super::resp::Connection;
use super::server::{PATIENCE, RedisServer, follow};

/// A real server.
#[derive(Debug)]
pub struct Node {
    access: Access,
    /// Its process, when it is the run's own.
    process: Option<RedisServer>,
    /// The observer's connection; `None` while the server is down.
    connection: Option<Connection>,
    observer: Observer,
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
    /// A server of the run's own, observed.
    pub fn own(server: RedisServer, pace: &Pace) -> Result<Node, LiveError> {
        let clock_runs = matches!(pace, Pace::Wall { .. });
        Node::new(Access::own(server.address()), Some(server), Observer::new(Scope::All, clock_runs))
    }

    /// A server that a user names, of which only keys under a prefix are looked at: these, and those that commands name.
    pub fn named(access: Access, prefix: String, keys: BTreeSet<String>) -> Result<Node, LiveError> {
        Node::new(access, None, Observer::new(Scope::Under { prefix, keys }, true))
    }

    /// Takes note of the keys of a command that is about to run; refuses it when one is nobody's business here.
    pub fn admit(&mut self, command: &Command) -> Result<(), LiveError> {
        let Scope::Under { prefix, keys } = &mut self.observer.scope else { return Ok(()) };
        keys.extend(keys_under(prefix, command)?);
        Ok(())
    }

    fn new(access: Access, process: Option<RedisServer>, observer: Observer) -> Result<Node, LiveError> {
        let connection = Some(access.connect()?);
        Ok(Node { access, process, connection, observer, base: 0, offset: 0, journal: Vec::new(), following: None })
    }

    /// Its process number, when it is the run's own and runs.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().and_then(RedisServer::process_id)
    }

    /// How to reach it.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// Sets its clock to what it shows at this instant, or by how much it is wrong.
    pub fn turn(&self, at: Instant<'_>, pace: &Pace) {
        let Some(clock) = self.process.as_ref().and_then(RedisServer::clock) else { return };
        match pace {
            Pace::Virtual { epoch } => clock.freeze(epoch + at.local().wall),
            Pace::Wall { .. } => clock.set_offset(at.clock.error(at.now)),
        }
    }

    /// Runs a command of an operator, or of the driver itself.
    pub fn command(&mut self, words: &[&str]) -> Result<Reply, LiveError> {
        self.run(&Command::new(words))
    }

    /// Runs a command of an operator.
    pub fn run(&mut self, command: &Command) -> Result<Reply, LiveError> {
        let reply = self.connection()?.call(command, PATIENCE);
        reply.map_err(LiveError::unreachable(&self.access))
    }

    /// Looks at its keys; what has changed was done by `by`, and what is gone went by `lost`.
    pub fn look(&mut self, at: Instant<'_>, by: Option<ClientId>, lost: KeyChange) -> Result<Vec<Change>, LiveError> {
        let access = &self.access;
        let connection = self.connection.as_mut().ok_or_else(|| down(access))?;
        self.observer.look(connection, at, by, lost).map_err(LiveError::unreachable(access))
    }

    /// Whether it still shows a key that is over by now.
    pub fn has_overdue(&self, at: Instant<'_>) -> bool {
        self.observer.has_overdue(at)
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
        let relay = Relay::open(master.access.address())
            .map_err(LiveError::system("open a replication link", "打开复制链路"))?;
        follow(self.own_process()?, relay.address(), master.own_process()?)?;
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
        if let Some(process) = &mut self.process {
            process.crash();
        }
    }

    /// Starts again, with what it had on disk or without.
    pub fn restart(&mut self, data_kept: bool) -> Result<(), LiveError> {
        let process = self.process.as_mut().ok_or_else(|| not_ours(&self.access))?;
        if !data_kept {
            process.lose_data()?;
        }
        process.restart()?;
        self.connection = Some(self.access.connect()?);
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
                return Err(LiveError::Broken("a replica did not take in what its master sent".into()));
            }
            thread::sleep(Duration::from_micros(200));
        }
        Ok(())
    }

    fn own_process(&self) -> Result<&RedisServer, LiveError> {
        self.process.as_ref().ok_or_else(|| not_ours(&self.access))
    }

    fn connection(&mut self) -> Result<&mut Connection, LiveError> {
        self.connection.as_mut().ok_or_else(|| down(&self.access))
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

fn not_ours(server: &Access) -> LiveError {
    LiveError::Broken(format!("{server} is not a server of the run's own"))
}

fn down(server: &Access) -> LiveError {
    LiveError::Broken(format!("{server} is down, but the driver still asks it"))
}
