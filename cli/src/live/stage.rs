//! The servers of a run's own.

use std::path::{Path, PathBuf};

use locklab_core::history::{Machine, NodeRole};
use locklab_core::say;
use locklab_core::scenario::FaultKind;
use locklab_core::servers::redis::Memory;
use locklab_core::sim::Plan;
use locklab_core::time::Time;
use locklab_core::wire::NodeId;

use super::error::LiveError;
use super::node::Node;
use super::pace::{Clock, Pace};
use super::server::{Persistence, RedisProgram, RedisServer};
use super::shim::{ServerClock, Shim};
use super::supervisor::{Belonging, Supervisor};

/// The calendar instant that clocks call 0 when one of them may be set back before it, in microseconds: the year 2026.
/// Otherwise it is 1970 itself, so that a server answers TIME as the model does.
const LATER_EPOCH: i64 = 1_767_225_600_000_000;

/// Servers that are up, replicas following their master, ready for the run to begin.
#[derive(Debug)]
pub struct Stage {
    /// The servers.
    pub nodes: Vec<Node>,
    /// Where time comes from.
    pub pace: Pace,
    /// What the servers are, such as `redis 7.0.15`.
    pub servers: String,
}

impl Stage {
    /// Starts a plan's servers in a folder of the run's own.
    pub fn set(plan: &Plan, clock: Clock, supervisor: &mut Supervisor) -> Result<Stage, LiveError> {
        let redis = RedisProgram::find()?;
        let folder = folder(supervisor)?;
        let shim = Shim::install(&folder).map_err(LiveError::system("write the virtual clock", "写出虚拟时钟"))?;
        let pace = match clock {
            Clock::Virtual => Pace::Virtual { epoch: if may_go_back(plan) { LATER_EPOCH } else { 0 } },
            Clock::Wall { .. } => Pace::wall(),
        };
        if shim.is_none() && (clock == Clock::Virtual || moves_clocks(plan)) {
            return Err(immovable());
        }
        let mut nodes = start(&redis, &folder, plan, shim.as_ref(), &pace)?;
        for id in nodes.iter().filter_map(Node::process_id) {
            supervisor.entrust(&Belonging::process(id))?;
        }
        replicate(plan, &mut nodes)?;
        if plan.redis_settings.memory == Memory::Full {
            for node in &mut nodes {
                node.command(&["CONFIG", "SET", "maxmemory", "1"])?;
            }
        }
        Ok(Stage { nodes, pace, servers: redis.version()? })
    }
}

/// A temporary folder of the run's own.
pub fn folder(supervisor: &mut Supervisor) -> Result<PathBuf, LiveError> {
    let folder = tempfile::Builder::new().prefix("locklab-").tempdir();
    let folder = folder.map_err(LiveError::system("create a folder", "创建文件夹"))?.keep();
    supervisor.entrust(&Belonging::Folder(folder.clone()))?;
    Ok(folder)
}

fn start(
    redis: &RedisProgram,
    folder: &Path,
    plan: &Plan,
    shim: Option<&Shim>,
    pace: &Pace,
) -> Result<Vec<Node>, LiveError> {
    let restarts = plan.faults.iter().any(|fault| matches!(fault.kind, FaultKind::Down { restart: Some(_), .. }));
    let persistence = if restarts { Persistence::AppendOnly } else { Persistence::Nothing };
    let servers = plan.nodes.iter().enumerate().map(|(index, server)| {
        let name = format!("node-{index}");
        let error = server.clock.error(Time::START);
        let clock = shim.map(|shim| clock(shim, &name, pace, error)).transpose();
        let clock = clock.map_err(LiveError::system("create a server's clock", "创建服务器的时钟"))?;
        Node::own(RedisServer::start(redis, folder.join(&name), persistence, Vec::new(), clock)?, pace)
    });
    servers.collect()
}

/// A clock that runs with real time and can be moved, for a server of the run's own.
pub fn movable_clock(folder: &Path) -> Result<ServerClock, LiveError> {
    let shim = Shim::install(folder).map_err(LiveError::system("write the virtual clock", "写出虚拟时钟"))?;
    let clock = shim.ok_or_else(immovable)?.clock("server", 0);
    let clock = clock.map_err(LiveError::system("create a server's clock", "创建服务器的时钟"))?;
    clock.run();
    Ok(clock)
}

fn immovable() -> LiveError {
    LiveError::NotApplicable(say!(
        "a server's clock can be moved only on Linux, on x86-64 or aarch64; other scenarios are played with --clock wall",
        "只有在 x86-64 或 aarch64 的 Linux 上才能拨动服务器的时钟；其他场景可以用 --clock wall 运行"
    ))
}

/// A server's clock as it is at the start: `error` microseconds ahead.
fn clock(shim: &Shim, name: &str, pace: &Pace, error: i64) -> std::io::Result<ServerClock> {
    match pace {
        Pace::Virtual { epoch } => shim.clock(name, epoch + error),
        Pace::Wall { .. } => {
            let clock = shim.clock(name, 0)?;
            clock.set_offset(error);
            clock.run();
            Ok(clock)
        }
    }
}

fn replicate(plan: &Plan, nodes: &mut [Node]) -> Result<(), LiveError> {
    let Some((master, others)) = nodes.split_first_mut() else { return Ok(()) };
    if !plan.is_replicated {
        return Ok(());
    }
    master.count_from(0)?;
    let roles = plan.header.nodes.iter().skip(1).map(|info| info.role);
    for (replica, _) in others.iter_mut().zip(roles).filter(|(_, role)| *role == NodeRole::Replica) {
        replica.follow(NodeId(0), master)?;
    }
    Ok(())
}

/// Whether the run moves a server's clock.
pub fn moves_clocks(plan: &Plan) -> bool {
    let moves = |kind: &FaultKind| {
        let (FaultKind::Step { machine, .. } | FaultKind::Drift { machine, .. }) = kind else { return false };
        matches!(machine, Machine::Node(_))
    };
    let wrong = plan.wrong_clocks().iter().any(|(machine, _)| matches!(machine, Machine::Node(_)));
    wrong || plan.faults.iter().any(|fault| moves(&fault.kind))
}

/// Whether some server's clock may show an instant before the run's beginning.
fn may_go_back(plan: &Plan) -> bool {
    let steps_back = |kind: &FaultKind| matches!(kind, FaultKind::Step { machine: Machine::Node(_), by } if *by < 0);
    plan.faults.iter().any(|fault| steps_back(&fault.kind)) || plan.wrong_clocks().iter().any(|(_, error)| *error < 0)
}
