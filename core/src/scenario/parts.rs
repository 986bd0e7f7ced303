//! The parts of a scenario: servers, lock, resource, clients, network.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::history::{CellId, Guard, Machine, Mode, ResourceKind};
use crate::locks::{TokenForm, Value};
use crate::time::{Span, Time};
use crate::wire::LockId;
use crate::worker::{Reaction, Step};

/// The servers that a scenario sets up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerSetting {
    /// Which servers there are; `None`: whatever the lock needs (Redlock five nodes, etcd one, otherwise one Redis).
    pub topology: Option<Topology>,
    /// What a server keeps over a restart.
    pub persistence: Persistence,
    /// What a server does when its memory is full.
    pub memory: Memory,
    /// Clocks that are wrong from the start: machine, microseconds ahead, parts per million too fast.
    pub clocks: Vec<(Machine, i64, i64)>,
    /// How a database is set up.
    pub database: DatabaseSetting,
    /// How long a node that restarted stays out of use (delayed restart).
    pub delayed_restart: Span,
}

/// How a database is set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DatabaseSetting {
    /// A connection pooler in transaction mode stands before it, and closes sessions of this age; `None`: every client has a session of its own.
    pub pool_lifetime: Option<Span>,
    /// How long the server keeps the session of a client that was cut off; zero: it knows at once.
    pub keep_alive: Span,
}

/// Which servers there are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Topology {
    /// One Redis, `redis`.
    Single,
    /// A master, `redis`, and its replicas, `replica-1` and so on, each with its replication lag.
    Replicated {
        /// The lag of each replica.
        lags: Vec<Span>,
    },
    /// Redis nodes that know nothing of each other: `node-1` and so on.
    Independent {
        /// How many, 1 to 15.
        nodes: u8,
    },
    /// A ZooKeeper ensemble, seen as one service: `zookeeper`.
    ZooKeeper,
    /// An etcd cluster, seen as one service: `etcd`.
    Etcd,
    /// A Kubernetes API server: `kubernetes`.
    Kubernetes,
    /// A Consul cluster: `consul`.
    Consul,
    /// A relational database: `database`.
    Database,
}

impl Topology {
    /// Whether the servers are Redis. The other services write what they answer to a majority or to a log first, and keep it over a restart.
    pub fn is_redis(&self) -> bool {
        matches!(self, Topology::Single | Topology::Replicated { .. } | Topology::Independent { .. })
    }

    /// The names of the servers, by [`NodeId`](crate::wire::NodeId).
    pub fn names(&self) -> Vec<Arc<str>> {
        let numbered =
            |role: &str, count: usize| (1..=count).map(|number| Arc::from(format!("{role}-{number}"))).collect();
        match self {
            Topology::Single => vec![Arc::from("redis")],
            Topology::Replicated { lags } => {
                let replicas: Vec<Arc<str>> = numbered("replica", lags.len());
                [Arc::from("redis")].into_iter().chain(replicas).collect()
            }
            Topology::Independent { nodes } => numbered("node", usize::from(*nodes)),
            Topology::ZooKeeper => vec![Arc::from("zookeeper")],
            Topology::Etcd => vec![Arc::from("etcd")],
            Topology::Kubernetes => vec![Arc::from("kubernetes")],
            Topology::Consul => vec![Arc::from("consul")],
            Topology::Database => vec![Arc::from("database")],
        }
    }
}

/// What a Redis server keeps over a restart. Every other service keeps everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Persistence {
    /// Nothing: a restarted server is empty.
    #[default]
    None,
    /// Everything (append-only file, fsync always).
    Always,
}

/// What a Redis server does when its memory is full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Memory {
    /// There is enough.
    #[default]
    Enough,
    /// Writes that need memory are refused (`noeviction`).
    Full,
}

/// The lock and its parameters, for whichever lock is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockSetting {
    /// The canonical name of the lock that the scenario is about.
    pub kind: Arc<str>,
    /// The scenario's own listing, played when the lock's name is `kind`.
    pub listing: Option<Arc<str>>,
    /// The keys, by [`LockId`]: one, or one a cell (`per_cell`), or those that the clients' steps name.
    pub keys: Vec<Arc<str>>,
    /// The lease.
    pub ttl: Span,
    /// The delay between two tries.
    pub retry: Span,
    /// The greatest delay where each failed try doubles it; zero: it does not grow.
    pub backoff: Span,
    /// The greatest random addition to `retry`.
    pub jitter: Span,
    /// How long to wait for a reply; `None`: until the connection breaks.
    pub timeout: Option<Span>,
    /// How a client marks the lock as its own.
    pub token: TokenForm,
    /// What only some locks know.
    pub extra: BTreeMap<String, Value>,
}

/// The protected resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceSetting {
    /// What it is.
    pub kind: ResourceKind,
    /// Its guard; `None`: fencing where the lock hands out a growing token, else nothing.
    pub guard: Option<Guard>,
    /// The stock or balance at the start.
    pub initial: i64,
    /// Its cells by [`CellId`]; at least one.
    pub cells: Vec<Arc<str>>,
    /// Where it lives.
    pub home: ResourceHome,
    /// To what a guard by time stamp shortens the stamps that it is shown.
    pub resolution: Span,
}

/// Where the resource lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResourceHome {
    /// On a server of its own, with links of its own.
    #[default]
    Own,
    /// In the lock's Redis, as string keys named like the cells; `atomic` is one Lua script.
    Redis,
    /// In the lock's database, as one row a cell; the guard is a part of the statements.
    Database,
}

/// A client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientSetting {
    /// Its name.
    pub name: Arc<str>,
    /// When it starts.
    pub starts: Time,
    /// How often it does its steps.
    pub runs: u32,
    /// The time from one start to the next (a scheduled job); zero: at once after the one before.
    pub every: Span,
    /// Its steps.
    pub steps: Vec<Step>,
    /// The locks that its steps name by slot, each with whether the client excludes all others there or only writers; one per slot.
    pub locks: Vec<(LockId, Mode)>,
    /// How long it waits for a lock; `None`: for ever; zero: one try.
    pub wait: Option<Span>,
    /// The cell it works on.
    pub cell: CellId,
    /// What it adds to a ledger.
    pub amount: i64,
    /// What it does when it does not get the lock. [`Reaction::Stop`] unless said.
    pub when_refused: Reaction,
    /// What it does when its lock client tells it that the lock is lost. [`Reaction::GoOn`] unless said: most libraries tell nobody.
    pub when_lost: Reaction,
    /// What it does when the resource's guard refuses its write. [`Reaction::Stop`] unless said.
    pub when_rejected: Reaction,
    /// How many writes it tries at most, where a refused one is tried again; `None`: for ever.
    pub attempts: Option<u32>,
    /// What it does when the resource does not answer. [`Reaction::Stop`] unless said.
    pub when_unanswered: Reaction,
}

/// The network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetworkSetting {
    /// What holds for every link that is not named.
    pub default: LinkSetting,
    /// Named links: between these two machines, in both directions.
    pub links: Vec<(Machine, Machine, LinkSetting)>,
}

/// One link, the same in both directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LinkSetting {
    /// The shortest time a message takes, one way.
    pub latency: Span,
    /// The longest; chosen anew for each message.
    pub latency_max: Span,
    /// Messages lost, in a million.
    pub loss_ppm: u32,
    /// Messages doubled, in a million.
    pub duplicate_ppm: u32,
}
