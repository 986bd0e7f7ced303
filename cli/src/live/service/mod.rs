//! Real servers that are no Redis: what a live run needs of one, and which there are.
//!
//! # Idea
//!
//! A Redis shows its clock and takes its commands as they cross the wire; other services do neither. They run on the *wall clock*, and a
//! command is *translated*: client processes send the words that the model knows (`lease grant 10`, `BEGIN`), over their own loopback
//! connection into the driver, which takes them to the real server in the server's own language and brings the answer back in the words
//! of the model. Between the two the world holds, loses or doubles a message as in every run. That is all that a service has to do; clients,
//! faults, the resource, time, order and the judgement are there already.
//!
//! # How to add one
//!
//! 1. A file or folder here with a type that implements [`RealService`], and a function that starts it: find the program, else
//!    [`LiveError::NotInstalled`] with the packages (exit code 3, never a silent skip); start it as a [`ServerProcess`](process::ServerProcess)
//!    in the run's temporary folder on ports from [`free_port`](super::ports::free_port), and wait until it answers. Nothing else is to be cleaned up:
//!    processes die with the run, folder and processes are entrusted to the supervisor by whoever calls you.
//! 2. Its line in [`Kind`], and in the check-up for `locklab doctor`. The wall clock is chosen by itself.
//!
//! # What is asked of an implementation
//!
//! - A command comes at the instant at which it arrives at the server. [`execute`](RealService::execute) returns when the server has
//!   answered, or when it is certain that it will not answer yet (`Outcome::Blocked`): a lock is waited for, a watch is set.
//! - The answer has the form that the model gives (`core::servers`): same shapes, same error codes. Where the two differ, one is wrong.
//! - Each client has its own connections; a command of nobody (`None`) is an operator's or the set-up's.
//! - After every command the driver looks at [`records`](RealService::records) and compares: what appeared was created by the command's client;
//!   what went was removed by it if it [`may_remove`](RealService::may_remove) that record, and else ended by itself, which the world is told
//!   apart. Then it takes the [`deliveries`](RealService::deliveries): whatever the command has set free must be among them, so wait for it,
//!   as long as it is certain to come.
//! - A record that ends says *by when it is gone at the latest*: a real server is late. One that still stands has its end ahead. From the
//!   moment at which it may go the service is [`due`](RealService::due) again and again, a few milliseconds apart, until it has gone.
//! - Nothing sleeps longer than a server needs; a guard against waiting for ever is `PATIENCE`.

mod database;
mod etcd;
mod parts;
mod process;
mod zookeeper;

use std::fmt;
use std::path::Path;

use locklab_core::say;
use locklab_core::scenario::Topology;
use locklab_core::servers::{Delivery, Outcome};
use locklab_core::sim::Plan;
use locklab_core::time::Time;
use locklab_core::wire::{ClientId, Command, Records, Reply};

use super::error::LiveError;
use super::stage::{movable_clock, moves_clocks};
pub use database::{
    Login, NOT_INSTALLED, PgBouncerProgram, PostgreSql, Schema, check_plan, check_statements, programs,
};
pub use etcd::EtcdProgram;
pub use parts::ServiceParts;
pub use zookeeper::ZooKeeperProgram;

/// A real server of a service that is no Redis. See the module for what is asked of it.
pub trait RealService: fmt::Debug {
    /// What it is, such as `etcd 3.4.23`.
    fn name(&self) -> String;

    /// The numbers of its processes, while they run.
    fn process_ids(&self) -> Vec<u32>;

    /// Runs a command of a client, or of an operator, that arrives at `now`.
    fn execute(&mut self, now: Time, client: Option<ClientId>, command: &Command) -> Result<Outcome, LiveError>;

    /// So many microseconds its clock is ahead from now on, where it can be moved.
    fn set_clock(&mut self, _error: i64) {}

    /// Whether this command, which has just run, may have removed a record that was there at the last look.
    fn may_remove(&self, _command: &Command, _key: &str) -> bool {
        true
    }

    /// Whether a record may go with the connections of a client; else it outlives them, and ends by itself.
    fn ends_with_connection(&self, _key: &str) -> bool {
        true
    }

    /// What others have got since they were last asked: answers to commands that had blocked, messages.
    fn deliveries(&mut self) -> Result<Vec<Delivery>, LiveError>;

    /// Ends a client's command that had blocked for as long as it said: its reply.
    fn time_out(&mut self, client: ClientId) -> Result<Reply, LiveError>;

    /// A client's process has died: its connections close as the operating system closes them.
    fn disconnect(&mut self, client: ClientId) -> Result<(), LiveError>;

    /// A client's connections are cut, and nobody tells the server. Unless the service says otherwise that is the same to it.
    fn cut_off(&mut self, client: ClientId) -> Result<(), LiveError> {
        self.disconnect(client)
    }

    /// All records, as the model's `records` shows them; who created what is known to the caller.
    fn records(&mut self, now: Time) -> Result<Records, LiveError>;

    /// When to look again because something may have ended by itself.
    fn due(&self, now: Time) -> Option<Time>;

    /// It is killed at once, without a word, and every connection to it with it.
    fn crash(&mut self);

    /// It starts again, with what it had on disk or without, and answers. The world's time stands still meanwhile.
    fn restart(&mut self, data_kept: bool) -> Result<(), LiveError>;
}

/// A service that is no Redis and can be played live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An etcd of one member.
    Etcd,
    /// A ZooKeeper of one member.
    ZooKeeper,
    /// An SQLite database, which is a part of this program.
    Sqlite,
    /// A PostgreSQL server.
    PostgreSql,
}

impl Kind {
    /// Whether it is a database.
    pub fn is_database(self) -> bool {
        matches!(self, Kind::Sqlite | Kind::PostgreSql)
    }

    /// The service that a plan's servers are; `None`: Redis. Errors where that service is only ever simulated.
    pub fn of(plan: &Plan) -> Result<Option<Kind>, LiveError> {
        match plan.topology {
            Topology::Single | Topology::Replicated { .. } | Topology::Independent { .. } => Ok(None),
            Topology::Kubernetes | Topology::Consul => Err(LiveError::NotApplicable(say!(
                "Kubernetes and Consul are simulated only",
                "Kubernetes 和 Consul 只能模拟"
            ))),
            Topology::Etcd => Ok(Some(Kind::Etcd)),
            Topology::ZooKeeper => Ok(Some(Kind::ZooKeeper)),
            Topology::Database => Ok(Some(database::which(plan))),
        }
    }

    /// Whether the clock of a server of the run's own can be moved.
    pub fn has_movable_clock(self) -> bool {
        self == Kind::PostgreSql
    }

    /// Starts it in a folder of the run's own.
    pub fn start(self, folder: &Path, plan: &Plan) -> Result<Box<dyn RealService>, LiveError> {
        Ok(match self {
            Kind::Etcd => Box::new(etcd::Etcd::start(folder)?),
            Kind::ZooKeeper => Box::new(zookeeper::ZooKeeper::start(folder)?),
            Kind::Sqlite => Box::new(database::Sqlite::start(folder, plan.clients.len())?),
            Kind::PostgreSql => {
                let clock = moves_clocks(plan).then(|| movable_clock(folder)).transpose()?;
                Box::new(database::PostgreSql::start(folder, plan.database_settings, clock, plan.clients.len())?)
            }
        })
    }
}
