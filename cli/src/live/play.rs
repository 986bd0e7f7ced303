//! A live run from beginning to end: sets the stage, plays, and leaves nothing behind.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use locklab_core::choices::Choices;
use locklab_core::history::EndReason;
use locklab_core::i18n::Language;
use locklab_core::locks::{self, Client as LockClient, Kind, Needs};
use locklab_core::resource::Resource;
use locklab_core::say;
use locklab_core::scenario::{Scenario, Topology};
use locklab_core::sim::{self, NotApplicable, Plan, Run, run_with};
use locklab_core::wire::ClientId;
use locklab_core::worker::Worker;

use super::access::Access;
use super::change::Changes;
use super::client::Setup;
use super::error::LiveError;
use super::margin::margin;
use super::named;
use super::node::Node;
use super::pace::Pace;
use super::parts::{LiveClient, LiveParts};
use super::stage::Stage;
use super::supervisor::{Belonging, Supervisor};

/// How often a run that this machine was too slow for is tried.
const ATTEMPTS: u32 = 3;

/// What is played.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The scenario's file, as text, with all changes made: client processes read it again.
    pub source: &'a str,
    /// The scenario in it.
    pub scenario: &'a Scenario,
    /// The lock.
    pub lock: &'a Kind,
}

/// Where and by which clock.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The clock.
    pub clock: Clock,
    /// The server that a user names; `None`: servers of the run's own. Only on the wall clock.
    pub server: Option<Access>,
    /// The language in which the user is told how to clean up there by hand.
    pub language: Language,
}

/// The clock of a live run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The simulator's: servers' clocks stand still until it moves them. Exact.
    Virtual,
    /// The machine's, so many times faster than the scenario says.
    Wall {
        /// At least 1.
        scale: u32,
    },
}

/// Plays a scenario on real servers with real clients.
///
/// Before anything is done to a server that a user names, the standard error says how to clean up there by hand.
///
/// Errors: the scenario cannot be played so, a server cannot be started or reached, or this machine was too slow.
pub fn play(piece: Piece<'_>, setting: &Setting, choices: Choices) -> Result<Run, LiveError> {
    let scale = match setting.clock {
        Clock::Virtual => 1,
        Clock::Wall { scale } => scale.max(1),
    };
    let prefix = setting.server.as_ref().map(|_| named::fresh_prefix());
    let changes = Changes { scale, prefix };
    let mut scenario = piece.scenario.clone();
    changes.apply(&mut scenario);
    can_be_played(&scenario, piece.lock)?;
    if scale > 1 {
        can_be_hastened(&scenario, piece.lock, scale)?;
    }
    ends(&scenario, piece.lock, choices.clone())?;
    let margin = match setting.clock {
        Clock::Virtual => Duration::MAX,
        Clock::Wall { .. } => margin(piece.scenario, &scenario, scale > 1, piece.lock, &choices)?,
    };
    let mut late = 0;
    for _ in 0..ATTEMPTS {
        match attempt(piece, &scenario, &changes, setting, choices.clone(), margin) {
            Err(LiveError::Disturbed { millis }) => late = millis,
            ended => return ended,
        }
    }
    Err(LiveError::Disturbed { millis: late })
}

fn attempt(
    piece: Piece<'_>,
    scenario: &Scenario,
    changes: &Changes,
    setting: &Setting,
    choices: Choices,
    margin: Duration,
) -> Result<Run, LiveError> {
    let plan = Plan::new(scenario, piece.lock).map_err(|refused| LiveError::NotApplicable(refused.why))?;
    let program = env::current_exe().map_err(LiveError::system("find this program", "找到本程序"))?;
    let mut supervisor = Supervisor::start(&program)?;
    let (nodes, pace, servers) = match &setting.server {
        None => {
            let stage = Stage::set(&plan, setting.clock, &mut supervisor)?;
            (stage.nodes, stage.pace, stage.servers)
        }
        Some(access) => somebodys(access, scenario, piece.lock, changes, setting.language, &plan, &mut supervisor)?,
    };
    let setup = Setup::new(&scenario.name, piece.source, piece.lock, changes.clone());
    let clock = if matches!(pace, Pace::Virtual { .. }) { "virtual clock" } else { "wall clock" };
    let mut run = perform(plan, LiveStage { program, nodes, pace, setup, supervisor }, choices, margin)?;
    run.history.header.played_on = format!("{servers}, {clock}");
    Ok(run)
}

/// All that a run needs beside its plan.
struct LiveStage {
    program: PathBuf,
    nodes: Vec<Node>,
    pace: Pace,
    setup: Setup,
    supervisor: Supervisor,
}

fn perform(plan: Plan, stage: LiveStage, choices: Choices, margin: Duration) -> Result<Run, LiveError> {
    let LiveStage { program, nodes, pace, setup, supervisor } = stage;
    let clients = plan.clients.iter().map(|_| LiveClient::new(nodes.len())).collect::<Result<_, _>>()?;
    let info = &plan.header.resource;
    let resource = Resource::new(info.kind, info.guard, info.initial, info.cells.len());
    let names = plan.names.clone();
    let lateness = pace.lateness();
    let mut parts = LiveParts { program, setup, names, clients, nodes, resource, pace, supervisor };
    parts.begin()?;
    let run = run_with(Arc::new(plan), parts, choices)?;
    match lateness.beyond(margin) {
        Some(millis) => Err(LiveError::Disturbed { millis }),
        None => Ok(run),
    }
}

/// A server that a user names, once the run is known to keep to its own keys there.
fn somebodys(
    access: &Access,
    scenario: &Scenario,
    lock: &Kind,
    changes: &Changes,
    language: Language,
    plan: &Plan,
    supervisor: &mut Supervisor,
) -> Result<(Vec<Node>, Pace, String), LiveError> {
    let prefix = changes.prefix.clone().unwrap_or_default();
    named::check_plan(plan)?;
    let simulated = sim::run(scenario, lock, Choices::scripted());
    let simulated = simulated.map_err(|refused| LiveError::NotApplicable(refused.why))?;
    let keys = named::keys(&simulated.history, &prefix)?;
    let version = named::look_at(access)?;
    let how_to_clean_up = say!(
        "should anything be left on {server}, this removes it: {command}",
        "万一 {server} 上有残留，用这条命令清除：{command}",
        server = access.to_string(),
        command = named::clean_up_command(access, &prefix)
    );
    eprintln!("{}", how_to_clean_up.in_language(language));
    supervisor.entrust(&Belonging::Keys { access: access.clone(), prefix: prefix.clone() })?;
    Ok((vec![Node::named(access.clone(), prefix, keys)?], Pace::wall(), version))
}

/// Refuses a scenario whose lengths of time do not divide so far: what a command says is never rounded.
fn can_be_hastened(hastened: &Scenario, lock: &Kind, scale: u32) -> Result<(), LiveError> {
    let refuse = |refused: NotApplicable| {
        LiveError::NotPlayable(say!(
            "this scenario cannot be played {scale} times faster: {why}; use another --time-scale",
            "这个场景不能快 {scale} 倍：{why}；请换一个 --time-scale",
            scale = scale,
            why = refused.why
        ))
    };
    Plan::new(hastened, lock).map(drop).map_err(refuse)
}

/// Refuses a run that would not end by itself: real servers take their time.
fn ends(scenario: &Scenario, lock: &Kind, choices: Choices) -> Result<(), LiveError> {
    let simulated = sim::run(scenario, lock, choices).map_err(|refused| LiveError::NotApplicable(refused.why))?;
    if simulated.end == EndReason::Bound {
        return Err(LiveError::NotPlayable(say!(
            "this run would never end: somebody waits for ever; write `until` in the scenario",
            "这次运行不会结束：有人会一直等下去；请在场景里写 `until`"
        )));
    }
    Ok(())
}

/// The worker of a client process.
pub fn worker(setup: &Setup) -> Result<Worker<LockClient>, String> {
    let mut scenario = Scenario::parse(&setup.name, &setup.source).map_err(|errors| errors.to_string())?;
    setup.changes.apply(&mut scenario);
    let lock = match &setup.code {
        Some(code) => Kind::from_listing(&setup.lock, code).map_err(|error| error.to_string())?,
        None => locks::find(&setup.lock).map_err(|error| error.to_string())?.clone(),
    };
    let plan = Plan::new(&scenario, &lock).map_err(|refused| refused.why.en)?;
    Ok(plan.worker(ClientId(setup.client), setup.life, setup.holds))
}

fn can_be_played(scenario: &Scenario, lock: &Kind) -> Result<(), LiveError> {
    if let Some(reason) = &scenario.not_live {
        return Err(LiveError::NotApplicable(reason.clone()));
    }
    let redis = scenario.servers.topology.as_ref().is_none_or(Topology::is_redis);
    match lock.needs {
        Needs::Redis | Needs::IndependentRedis { .. } if redis => Ok(()),
        Needs::Redis if lock.asks_nobody() => Err(LiveError::NotApplicable(say!(
            "live runs are played on Redis, and this scenario's resource lives in another service",
            "真实运行只在 Redis 上进行，而这个场景的资源放在别的服务里"
        ))),
        Needs::Redis | Needs::IndependentRedis { .. } => Ok(()),
        Needs::Kubernetes | Needs::Consul => Err(LiveError::NotApplicable(say!(
            "Kubernetes and Consul are simulated only",
            "Kubernetes 和 Consul 只能模拟"
        ))),
        _ => Err(LiveError::NotApplicable(say!(
            "live runs are played on Redis, and this lock lives on another service",
            "真实运行只在 Redis 上进行，而这把锁用的是别的服务"
        ))),
    }
}
