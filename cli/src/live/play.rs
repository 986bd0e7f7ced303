//! A live run from beginning to end: sets the stage, plays, and leaves nothing behind.

use std::env;
use std::path::Path;
use std::sync::Arc;

use locklab_core::choices::Choices;
use locklab_core::history::{Machine, NodeRole};
use locklab_core::locks::{self, Client as LockClient, Kind, Needs};
use locklab_core::resource::Resource;
use locklab_core::scenario::{FaultKind, Scenario};
use locklab_core::servers::redis::Memory;
use locklab_core::sim::{Plan, Run, run_with};
use locklab_core::wire::{ClientId, NodeId};
use locklab_core::worker::Worker;

use super::client::Setup;
use super::error::LiveError;
use super::node::Node;
use super::parts::{Client, LiveParts};
use super::server::{Persistence, RedisProgram, RedisServer};
use super::shim::Shim;
use super::supervisor::{Belonging, Supervisor};

/// The calendar instant that clocks call 0 when one of them may be set back before it, in microseconds: the year 2026.
/// Otherwise it is 1970 itself, so that a server answers TIME as the model does.
const LATER_EPOCH: i64 = 1_767_225_600_000_000;

/// What is played, as a client process needs to know it too.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The scenario's file, as text.
    pub source: &'a str,
    /// The scenario in it.
    pub scenario: &'a Scenario,
    /// The lock.
    pub lock: &'a Kind,
}

/// Plays a scenario on redis-servers of its own, under the virtual clock.
pub fn play(piece: Piece<'_>, plan: Plan, choices: Choices) -> Result<Run, LiveError> {
    can_be_played(piece.scenario, piece.lock)?;
    let program = env::current_exe().map_err(LiveError::system("find this program"))?;
    let redis = RedisProgram::find()?;
    let mut supervisor = Supervisor::start(&program)?;
    let folder = tempfile::Builder::new().prefix("locklab-").tempdir().map_err(LiveError::system("create a folder"))?;
    let folder = folder.keep();
    supervisor.entrust(&Belonging::Folder(folder.clone()))?;

    let nodes = servers(&redis, &folder, &plan, &mut supervisor)?;
    let clients = plan.clients.iter().map(|_| Client::new(nodes.len())).collect::<Result<_, _>>()?;
    let info = &plan.header.resource;
    let resource = Resource::new(info.kind, info.guard, info.initial, info.cells.len());
    let setup = Setup::new(&piece.scenario.name, piece.source, piece.lock);
    let names = plan.names.clone();
    let parts = LiveParts { program, setup, names, clients, nodes, resource, supervisor };
    let mut run = run_with(Arc::new(plan), parts, choices)?;
    run.history.header.played_on = format!("{}, virtual clock", redis.version()?);
    Ok(run)
}

/// The worker of a client process.
pub fn worker(setup: &Setup) -> Result<Worker<LockClient>, String> {
    let scenario = Scenario::parse(&setup.name, &setup.source).map_err(|errors| errors.to_string())?;
    let lock = match &setup.code {
        Some(code) => Kind::from_listing(&setup.lock, code).map_err(|error| error.to_string())?,
        None => locks::find(&setup.lock).map_err(|error| error.to_string())?.clone(),
    };
    let plan = Plan::new(&scenario, &lock).map_err(|refused| refused.why.en.to_string())?;
    Ok(plan.worker(ClientId(setup.client), setup.life, setup.holds))
}

fn can_be_played(scenario: &Scenario, lock: &Kind) -> Result<(), LiveError> {
    if let Some(reason) = &scenario.not_live {
        return Err(LiveError::NotPlayable { reason: format!("this scenario cannot be played live: {}", reason.en) });
    }
    match lock.needs {
        Needs::Redis | Needs::IndependentRedis { .. } => Ok(()),
        _ => {
            Err(LiveError::NotPlayable { reason: "live runs play on Redis; this lock lives on another service".into() })
        }
    }
}

/// Starts the plan's servers, replicas following their master.
fn servers(
    redis: &RedisProgram,
    folder: &Path,
    plan: &Plan,
    supervisor: &mut Supervisor,
) -> Result<Vec<Node>, LiveError> {
    let shim = Shim::install(folder).map_err(LiveError::system("write the virtual clock"))?;
    let no_shim = || LiveError::NotPlayable {
        reason: "the virtual clock needs Linux on x86-64 or aarch64; use --clock wall".into(),
    };
    let shim = shim.ok_or_else(no_shim)?;
    let epoch = if may_go_back(plan) { LATER_EPOCH } else { 0 };
    let restarts = plan.faults.iter().any(|fault| matches!(fault.kind, FaultKind::Down { restart: Some(_), .. }));
    let persistence = if restarts { Persistence::AppendOnly } else { Persistence::Nothing };
    let mut nodes = Vec::new();
    for (index, server) in plan.nodes.iter().enumerate() {
        let name = format!("node-{index}");
        let now = epoch + server.clock.read(locklab_core::time::Time::START).wall;
        let clock = shim.clock(&name, now).map_err(LiveError::system("create a server's clock"))?;
        let server = RedisServer::start(redis, folder.join(&name), persistence, Vec::new(), Some(clock))?;
        if let Some(id) = server.process_id() {
            supervisor.entrust(&Belonging::process(id))?;
        }
        nodes.push(Node::new(server, epoch)?);
    }
    if let Some((master, replicas)) = nodes.split_first_mut() {
        master.count_from(0)?;
        let followers =
            replicas.iter_mut().zip(&plan.header.nodes[1..]).filter(|(_, info)| info.role == NodeRole::Replica);
        for (replica, _) in followers {
            replica.follow(NodeId(0), master)?;
        }
    }
    if plan.redis_settings.memory == Memory::Full {
        for node in &mut nodes {
            node.command(&["CONFIG", "SET", "maxmemory", "1"])?;
        }
    }
    Ok(nodes)
}

/// Whether some clock may show an instant before the run's beginning.
fn may_go_back(plan: &Plan) -> bool {
    let steps_back = plan
        .faults
        .iter()
        .any(|fault| matches!(fault.kind, FaultKind::Step { machine: Machine::Node(_), by } if by < 0));
    steps_back || plan.wrong_clocks().iter().any(|(_, error)| *error < 0)
}
