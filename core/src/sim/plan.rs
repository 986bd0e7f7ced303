//! A scenario made ready for one lock: every name resolved, every default filled in.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::history::{
    CellId, ClientInfo, Guard, Header, LockInfo, Machine, NodeInfo, NodeRole, Place, ResourceInfo, VERSION,
};
use crate::i18n::Text;
use crate::locks::{self, Client, Identity, Kind, Needs, Params, Reading, Value};
use crate::resource::{DatabaseHome, Home, RedisHome, Statements};
use crate::scenario::{
    ClientSetting, Fault, FaultKind, LinkSetting, Memory, NetworkSetting, Persistence, ResourceHome, Scenario,
    Topology, Trigger,
};
use crate::servers::{database, redis};
use crate::time::{LocalClock, Span, Time};
use crate::wire::{ClientId, Command, NodeId};
use crate::worker::{self, Worker};

/// Tokens set aside for one life of a client: the second life starts at 1001.
const TOKENS_A_LIFE: u32 = 1_000;

/// Why a scenario cannot be told with a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotApplicable {
    /// The reason.
    pub why: Text,
}

/// A scenario, ready to be played with one lock.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What opens the history.
    pub header: Header,
    /// The lock.
    pub kind: Kind,
    /// Its clients' parameters, by lock.
    pub params: Vec<Params>,
    /// How to read who holds it, by lock.
    pub readings: Vec<Reading>,
    /// The clients.
    pub clients: Vec<Player>,
    /// The clients' names, for readings.
    pub names: Vec<Arc<str>>,
    /// What the servers are.
    pub topology: Topology,
    /// The servers.
    pub nodes: Vec<Server>,
    /// Whether the servers are a master and its replicas.
    pub is_replicated: bool,
    /// How each Redis is configured.
    pub redis_settings: redis::Settings,
    /// Where scripts run; all runs of the plan share what it remembers.
    pub scripting: redis::Scripting,
    /// Whether a restarted server has its data again.
    pub data_kept: bool,
    /// How long a restarted server stays out of use.
    pub delayed_restart: Span,
    /// Counts the versions of a resource that lives in the lock's own service.
    pub home: Option<Home>,
    /// How a database is set up.
    pub database_settings: database::Settings,
    /// Commands that an operator runs before the run.
    pub set_up: Vec<Arc<Command>>,
    /// The network.
    pub network: NetworkSetting,
    /// The faults.
    pub faults: Vec<Fault>,
    /// When the run ends at the latest.
    pub until: Option<Time>,
    /// Whether the order of simultaneous events is a choice (a search, a seed) or the file's.
    pub order_is_chosen: bool,
}

/// A client, ready to be played.
#[derive(Clone, Debug)]
pub struct Player {
    /// When it starts.
    pub starts: Time,
    /// Its clock at the start.
    pub clock: LocalClock,
    /// The cell it works on.
    pub cell: CellId,
    /// Its steps and reactions.
    pub worker: Arc<worker::Plan>,
    /// Its process at the beginning of its first life: all worlds share it, each until the client moves.
    pub newborn: Arc<Worker<Client>>,
}

/// A server, ready to be played.
#[derive(Clone, Copy, Debug)]
pub struct Server {
    /// Its clock at the start.
    pub clock: LocalClock,
    /// Whether it is a replica.
    pub is_replica: bool,
    /// Its replication lag.
    pub lag: Span,
}

impl Plan {
    /// Makes a scenario ready for a lock.
    ///
    /// # Errors
    ///
    /// [`NotApplicable`] where a fault names a server that the lock's servers do not have, or a command that it never sends.
    pub fn new(scenario: &Scenario, kind: &Kind) -> Result<Plan, NotApplicable> {
        let topology = topology(scenario, kind)?;
        let names = topology.names();
        check_faults(scenario, kind, &topology)?;
        let params = params(scenario, kind, &topology);
        for params in &params {
            kind.check(params).map_err(|error| NotApplicable { why: error.message() })?;
        }
        let readings = params.iter().map(|params| kind.reading(params)).collect();
        let replica_lags = match &topology {
            Topology::Replicated { lags } => lags.clone(),
            _ => Vec::new(),
        };
        let nodes = (0..names.len())
            .map(|index| Server {
                clock: clock(scenario, Machine::Node(NodeId(index as u8))),
                is_replica: index > 0 && !replica_lags.is_empty(),
                lag: index.checked_sub(1).and_then(|replica| replica_lags.get(replica)).copied().unwrap_or(Span::ZERO),
            })
            .collect();
        let home = home(scenario, kind, &topology)?;
        let tables = if kind.needs == Needs::Database { locks::tables(&scenario.lock.keys) } else { Vec::new() };
        let cells = home.iter().flat_map(|home| home.set_up(&scenario.resource.cells));
        let set_up = tables.into_iter().chain(cells).map(Arc::new).collect();
        let memory = match scenario.servers.memory {
            Memory::Enough => redis::Memory::Enough,
            Memory::Full => redis::Memory::Full,
        };
        Ok(Plan {
            header: header(scenario, kind, &topology, &names),
            kind: kind.clone(),
            readings,
            clients: scenario
                .clients
                .iter()
                .enumerate()
                .map(|(id, client)| player(scenario, kind, client, id, &params))
                .collect(),
            names: scenario.clients.iter().map(|client| client.name.clone()).collect(),
            nodes,
            is_replicated: !replica_lags.is_empty(),
            redis_settings: redis::Settings { memory, ..redis::Settings::default() },
            scripting: redis::Scripting::default(),
            data_kept: scenario.servers.persistence == Persistence::Always || !topology.is_redis(),
            delayed_restart: scenario.servers.delayed_restart,
            home,
            database_settings: database_settings(scenario),
            set_up,
            network: scenario.network.clone(),
            faults: scenario.faults.clone(),
            until: scenario.until,
            order_is_chosen: false,
            params,
            topology,
        })
    }

    /// A worker for one life of a client.
    pub fn worker(&self, client: ClientId, life: u32, holds: u32) -> Arc<Worker<Client>> {
        let player = &self.clients[usize::from(client.0)];
        if (life, holds) == (1, 0) {
            return player.newborn.clone();
        }
        Arc::new(worker(&self.kind, &self.params, player.worker.clone(), life, holds))
    }

    /// Whether somebody reads a wall clock to tell it, write it down or compare it with another: then it matters what the clock shows, and not only how time
    /// passes on it. A Redis by itself only counts by its clock, unless it is asked for it.
    pub fn wall_clocks_are_told(&self) -> bool {
        let counts = matches!(self.topology, Topology::Single | Topology::Independent { .. });
        let asks = |player: &Player| player.newborn.locks().any(Client::tells_wall_clock);
        !counts
            || self.faults.iter().any(|fault| matches!(fault.kind, FaultKind::Operator { .. }))
            || self.clients.iter().any(asks)
    }

    /// The link between two machines.
    pub fn link(&self, from: Machine, to: Machine) -> LinkSetting {
        let named = self.network.links.iter().find(|(a, b, _)| (*a, *b) == (from, to) || (*b, *a) == (from, to));
        named.map_or(self.network.default, |(_, _, link)| *link)
    }

    /// The machines whose clocks are wrong from the start, and by how much.
    pub fn wrong_clocks(&self) -> Vec<(Machine, i64)> {
        let clients =
            self.clients.iter().enumerate().map(|(id, client)| (Machine::Client(ClientId(id as u16)), client.clock));
        let nodes = self.nodes.iter().enumerate().map(|(id, node)| (Machine::Node(NodeId(id as u8)), node.clock));
        clients
            .chain(nodes)
            .map(|(machine, clock)| (machine, clock.error(Time::START)))
            .filter(|(_, error)| *error != 0)
            .collect()
    }
}

/// The scenario's servers, or the lock's own where the scenario names none that can host it.
fn topology(scenario: &Scenario, kind: &Kind) -> Result<Topology, NotApplicable> {
    let wanted = match kind.needs {
        Needs::Redis => Topology::Single,
        Needs::IndependentRedis { nodes } => Topology::Independent { nodes },
        Needs::ZooKeeper => Topology::ZooKeeper,
        Needs::Etcd => Topology::Etcd,
        Needs::Kubernetes => Topology::Kubernetes,
        Needs::Consul => Topology::Consul,
        Needs::Database => Topology::Database,
    };
    let Some(given) = &scenario.servers.topology else { return Ok(wanted) };
    if kind.asks_nobody() {
        return Ok(given.clone());
    }
    let hosts = match kind.needs {
        Needs::Redis => matches!(given, Topology::Single | Topology::Replicated { .. } | Topology::Independent { .. }),
        Needs::IndependentRedis { .. } => {
            matches!(given, Topology::Single | Topology::Replicated { .. } | Topology::Independent { .. })
        }
        _ => std::mem::discriminant(given) == std::mem::discriminant(&wanted),
    };
    Ok(if hosts && !brings_its_own(given, kind) { given.clone() } else { wanted })
}

/// The resource's home in the lock's own service, if it lives there.
fn home(scenario: &Scenario, kind: &Kind, topology: &Topology) -> Result<Option<Home>, NotApplicable> {
    let resource = &scenario.resource;
    let cells = resource.cells.len();
    match resource.home {
        ResourceHome::Own => Ok(None),
        ResourceHome::Redis if topology.is_redis() => {
            Ok(Some(Home::Redis(RedisHome::new(resource.kind, resource.initial, cells))))
        }
        ResourceHome::Database if *topology == Topology::Database => {
            let statements = statements(scenario, kind);
            Ok(Some(Home::Database(DatabaseHome::new(statements, resource.initial, cells))))
        }
        ResourceHome::Redis | ResourceHome::Database => Err(NotApplicable {
            why: Text::new(
                "the resource lives in a service that this lock's servers are not",
                "资源所在的服务，不是这种锁的服务器",
            ),
        }),
    }
}

fn statements(scenario: &Scenario, kind: &Kind) -> Statements {
    let resolution = scenario.resource.resolution.as_millis() as u32;
    Statements { kind: scenario.resource.kind, guard: guard(scenario, kind), resolution }
}

fn guard(scenario: &Scenario, kind: &Kind) -> Guard {
    scenario.resource.guard.unwrap_or(if kind.promises.fencing { Guard::Fencing } else { Guard::None })
}

fn database_settings(scenario: &Scenario) -> database::Settings {
    let setting = scenario.servers.database;
    let access = match setting.pool_lifetime {
        Some(lifetime) => database::Access::Pooled { lifetime },
        None => database::Access::Direct,
    };
    database::Settings { access, keep_alive: setting.keep_alive, ..database::Settings::default() }
}

/// A lock for several nodes on a scenario with a single Redis plays on its own nodes: that is what it is for.
fn brings_its_own(given: &Topology, kind: &Kind) -> bool {
    matches!((given, kind.needs), (Topology::Single, Needs::IndependentRedis { .. }))
}

/// Faults that this lock's run cannot have.
fn check_faults(scenario: &Scenario, kind: &Kind, topology: &Topology) -> Result<(), NotApplicable> {
    let nodes = topology.names().len();
    let missing_node = |node: NodeId| usize::from(node.0) >= nodes;
    for fault in &scenario.faults {
        let needs_redis = matches!(fault.kind, FaultKind::Evict { .. } | FaultKind::FlushScripts { .. });
        if needs_redis && !topology.is_redis() {
            return Err(NotApplicable {
                why: Text::new(
                    "a fault evicts keys or scripts, which only a Redis does",
                    "故障要驱逐键或清空脚本缓存，只有 Redis 才会这样",
                ),
            });
        }
        let machines = match &fault.kind {
            FaultKind::Down { node, .. }
            | FaultKind::Failover { to: node, .. }
            | FaultKind::Promote { to: node }
            | FaultKind::Slow { node, .. }
            | FaultKind::Evict { node, .. }
            | FaultKind::FlushScripts { node }
            | FaultKind::Operator { node, .. } => vec![Machine::Node(*node)],
            FaultKind::Cut { from, to, .. } => vec![*from, *to],
            FaultKind::Step { machine, .. } | FaultKind::Drift { machine, .. } => vec![*machine],
            FaultKind::Pause { .. } | FaultKind::Crash { .. } | FaultKind::Message { .. } => Vec::new(),
        };
        if machines.iter().any(|machine| matches!(machine, Machine::Node(node) if missing_node(*node))) {
            return Err(NotApplicable {
                why: Text::new(
                    "a fault strikes a server that this lock's servers do not have",
                    "故障所指的服务器，这种锁的部署里没有",
                ),
            });
        }
        let named = match &fault.at.trigger {
            Trigger::Sent { command, .. } | Trigger::Got { command, .. } => Some(command),
            Trigger::Executed { command, .. } => Some(command),
            Trigger::Start | Trigger::Client { .. } => None,
        };
        if let Some(command) = named
            && !sends(kind, command)
            && scenario.resource.home == ResourceHome::Own
        {
            return Err(NotApplicable {
                why: Text::new(
                    format!("a fault waits for {command}, which the lock {} never sends", kind.name),
                    format!("故障要等 {command} 命令，而锁 {} 从不发送它", kind.name),
                ),
            });
        }
    }
    Ok(())
}

/// Whether the lock's code mentions a command.
fn sends(kind: &Kind, command: &str) -> bool {
    let words = kind.code.split(|char: char| !char.is_ascii_alphanumeric() && char != '-' && char != '_');
    let mut words = words.filter(|word| !word.is_empty());
    words.any(|word| word.eq_ignore_ascii_case(command))
}

fn params(scenario: &Scenario, kind: &Kind, topology: &Topology) -> Vec<Params> {
    let nodes: Vec<NodeId> = match (kind.needs, topology) {
        (Needs::IndependentRedis { .. }, Topology::Independent { nodes }) => (0..*nodes).map(NodeId).collect(),
        (Needs::IndependentRedis { .. }, Topology::Replicated { lags }) => (0..=lags.len() as u8).map(NodeId).collect(),
        _ => vec![NodeId(0)],
    };
    let lock = &scenario.lock;
    let known: BTreeMap<String, Value> = lock
        .extra
        .iter()
        .filter(|(name, _)| kind.parameter(name).is_ok())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    lock.keys
        .iter()
        .map(|key| Params {
            key: key.clone(),
            ttl: lock.ttl,
            retry: lock.retry,
            backoff: lock.backoff,
            jitter: lock.jitter,
            timeout: lock.timeout,
            token: lock.token,
            nodes: nodes.clone(),
            extra: known.clone(),
        })
        .collect()
}

fn clock(scenario: &Scenario, machine: Machine) -> LocalClock {
    let mut clock = LocalClock::default();
    for (of, ahead, ppm) in &scenario.servers.clocks {
        if *of == machine {
            clock.step(*ahead);
            clock.set_drift(Time::START, *ppm);
        }
    }
    clock
}

fn header(scenario: &Scenario, kind: &Kind, topology: &Topology, names: &[Arc<str>]) -> Header {
    let role = |index: usize| match topology {
        Topology::Replicated { .. } if index > 0 => NodeRole::Replica,
        Topology::Independent { .. } => NodeRole::Independent,
        _ => NodeRole::Master,
    };
    let ttl = kind.has_lease.then_some(scenario.lock.ttl);
    Header {
        version: VERSION,
        scenario: scenario.name.to_string(),
        title: scenario.title.clone(),
        question: scenario.question.clone(),
        lock: kind.name.to_string(),
        listing: kind.code.to_string(),
        ttl,
        promises: kind.promises,
        within: scenario.within.unwrap_or(Span(scenario.lock.ttl.0.saturating_mul(3))),
        clients: scenario.clients.iter().map(client_info).collect(),
        nodes: names
            .iter()
            .enumerate()
            .map(|(index, name)| NodeInfo { name: name.to_string(), role: role(index) })
            .collect(),
        locks: scenario.lock.keys.iter().map(|key| LockInfo { key: key.to_string() }).collect(),
        resource: ResourceInfo {
            kind: scenario.resource.kind,
            guard: guard(scenario, kind),
            initial: scenario.resource.initial,
            cells: scenario.resource.cells.iter().map(ToString::to_string).collect(),
        },
        played_on: Place::Simulator,
    }
}

fn client_info(client: &ClientSetting) -> ClientInfo {
    ClientInfo { name: client.name.to_string(), cell: (client.cell != CellId(0)).then_some(client.cell) }
}

fn player(scenario: &Scenario, kind: &Kind, client: &ClientSetting, id: usize, params: &[Params]) -> Player {
    let first = client.locks.first().and_then(|(lock, _)| params.get(usize::from(lock.0)));
    let cell_name = scenario.resource.cells[usize::from(client.cell.0)].clone();
    let plan = worker::Plan {
        name: client.name.clone(),
        labels: client.steps.iter().map(|step| Arc::from(step.to_string())).collect(),
        steps: client.steps.clone(),
        runs: client.runs,
        every: client.every,
        locks: client.locks.clone(),
        wait: client.wait,
        retry: scenario.lock.retry,
        timeout: scenario.lock.timeout,
        cell: (client.cell, cell_name),
        kind: scenario.resource.kind,
        amount: client.amount,
        home: match scenario.resource.home {
            ResourceHome::Own => worker::Home::Own,
            ResourceHome::Redis => worker::Home::Redis(first.map_or(NodeId(0), |params| params.nodes[0])),
            ResourceHome::Database => worker::Home::Database(NodeId(0), statements(scenario, kind)),
        },
        when_refused: client.when_refused,
        when_lost: client.when_lost,
        when_rejected: client.when_rejected,
        attempts: client.attempts,
        when_unanswered: client.when_unanswered,
    };
    let clock = clock(scenario, Machine::Client(ClientId(id as u16)));
    let plan = Arc::new(plan);
    let newborn = Arc::new(worker(kind, params, plan.clone(), 1, 0));
    Player { starts: client.starts, clock, cell: client.cell, worker: plan, newborn }
}

fn worker(kind: &Kind, params: &[Params], plan: Arc<worker::Plan>, life: u32, holds: u32) -> Worker<Client> {
    // A process that starts again must not make the tokens of its earlier life again.
    let acquisitions = (life - 1) * TOKENS_A_LIFE;
    let locks = plan.locks.iter().map(|(lock, mode)| {
        let identity = Identity { name: plan.name.clone(), acquisitions, mode: *mode };
        kind.build(&params[usize::from(lock.0)], identity)
    });
    let locks = locks.collect();
    Worker::new(plan, locks, holds)
}
