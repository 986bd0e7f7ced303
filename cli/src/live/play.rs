//! A live run from beginning to end: sets the stage, plays, and leaves nothing behind.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use locklab_core::choices::Choices;
use locklab_core::history::EndReason;
use locklab_core::i18n::Language;
use locklab_core::locks::{self, Client as LockClient, Kind};
use locklab_core::say;
use locklab_core::scenario::Scenario;
use locklab_core::sim::{self, NotApplicable, Parts, Plan, Run, run_with};
use locklab_core::wire::ClientId;
use locklab_core::worker::Worker;

use super::access::Access;
use super::change::Changes;
use super::client::Setup;
use super::error::LiveError;
use super::margin::margin;
use super::named;
use super::node::Node;
use super::pace::{Lateness, Pace};
use super::parts::{Crew, LiveParts};
use super::service::{self, ServiceParts};
use super::stage::{Stage, folder, moves_clocks};
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
    /// The clock that was asked for; `None`: the exact one wherever the servers can follow it.
    pub clock: Option<Clock>,
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

impl Setting {
    /// The clock of a run of this plan. Only a Redis follows the simulator's.
    pub fn clock(&self, plan: &Plan) -> Clock {
        let fitting = if plan.topology.is_redis() { Clock::Virtual } else { Clock::Wall { scale: 1 } };
        self.clock.unwrap_or(fitting)
    }
}

/// Plays a scenario on real servers with real clients.
///
/// Before anything is done to a server that a user names, the standard error says how to clean up there by hand.
///
/// Errors: the scenario cannot be played so, a server cannot be started or reached, or this machine was too slow.
pub fn play(piece: Piece<'_>, setting: &Setting, choices: Choices) -> Result<Run, LiveError> {
    if let Some(reason) = &piece.scenario.not_live {
        return Err(LiveError::NotApplicable(reason.clone()));
    }
    let plan = Plan::new(piece.scenario, piece.lock).map_err(|refused| LiveError::NotApplicable(refused.why))?;
    let service = service::Kind::of(&plan)?;
    let clock = setting.clock(&plan);
    if service.is_some() {
        can_be_translated(&plan, setting, clock)?;
    }
    let scale = match clock {
        Clock::Virtual => 1,
        Clock::Wall { scale } => scale.max(1),
    };
    let prefix = setting.server.as_ref().map(|_| named::fresh_prefix());
    let changes = Changes { scale, prefix };
    let mut scenario = piece.scenario.clone();
    changes.apply(&mut scenario);
    if scale > 1 {
        can_be_hastened(&scenario, piece.lock, scale)?;
    }
    ends(&scenario, piece.lock, choices.clone())?;
    let margin = match clock {
        Clock::Virtual => Duration::MAX,
        Clock::Wall { .. } => margin(piece.scenario, &scenario, scale > 1, piece.lock, &choices)?,
    };
    let mut late = 0;
    for _ in 0..ATTEMPTS {
        let plan = Plan::new(&scenario, piece.lock).map_err(|refused| LiveError::NotApplicable(refused.why))?;
        let cue = Cue { changes: &changes, choices: choices.clone(), margin };
        let attempt = match service {
            Some(service) => on_service(service, piece, plan, cue),
            None => on_redis(piece, plan, &scenario, setting, clock, cue),
        };
        match attempt {
            Err(LiveError::Disturbed { millis }) => late = millis,
            ended => return ended,
        }
    }
    Err(LiveError::Disturbed { millis: late })
}

/// How an attempt is played.
struct Cue<'a> {
    changes: &'a Changes,
    choices: Choices,
    /// How late the world may be.
    margin: Duration,
}

fn on_redis(
    piece: Piece<'_>,
    plan: Plan,
    scenario: &Scenario,
    setting: &Setting,
    clock: Clock,
    cue: Cue<'_>,
) -> Result<Run, LiveError> {
    let program = this_program()?;
    let mut supervisor = Supervisor::start(&program)?;
    let (nodes, pace, servers) = match &setting.server {
        None => {
            let stage = Stage::set(&plan, clock, &mut supervisor)?;
            (stage.nodes, stage.pace, stage.servers)
        }
        Some(access) => somebodys(access, scenario, piece.lock, cue.changes, setting.language, &plan, &mut supervisor)?,
    };
    let setup = Setup::new(&scenario.name, piece.source, piece.lock, cue.changes.clone());
    let lateness = pace.lateness();
    let crew = Crew::new(&plan, program, setup, pace, supervisor)?;
    let mut parts = LiveParts { nodes, crew };
    parts.crew.begin()?;
    let clock = if clock == Clock::Virtual { "virtual clock" } else { "wall clock" };
    perform(plan, parts, cue, &lateness, format!("{servers}, {clock}"))
}

fn on_service(service: service::Kind, piece: Piece<'_>, plan: Plan, cue: Cue<'_>) -> Result<Run, LiveError> {
    let program = this_program()?;
    let mut supervisor = Supervisor::start(&program)?;
    let server = service.start(&folder(&mut supervisor)?, &plan)?;
    for id in server.process_ids() {
        supervisor.entrust(&Belonging::process(id))?;
    }
    let name = server.name();
    let setup = Setup::new(&piece.scenario.name, piece.source, piece.lock, cue.changes.clone());
    let pace = Pace::wall();
    let lateness = pace.lateness();
    let mut parts = ServiceParts::new(server, Crew::new(&plan, program, setup, pace, supervisor)?);
    parts.begin()?;
    perform(plan, parts, cue, &lateness, format!("{name}, wall clock"))
}

fn this_program() -> Result<PathBuf, LiveError> {
    env::current_exe().map_err(LiveError::system("find this program", "找到本程序"))
}

/// Plays a plan on parts whose time has begun.
fn perform(
    plan: Plan,
    parts: impl Parts<Error = LiveError>,
    cue: Cue<'_>,
    lateness: &Lateness,
    played_on: String,
) -> Result<Run, LiveError> {
    let mut run = run_with(Arc::new(plan), parts, cue.choices)?;
    run.history.header.played_on = played_on;
    match lateness.beyond(cue.margin) {
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

/// Refuses what only a Redis can be asked for.
fn can_be_translated(plan: &Plan, setting: &Setting, clock: Clock) -> Result<(), LiveError> {
    if setting.server.is_some() {
        return Err(LiveError::NotApplicable(say!(
            "--redis names a Redis, and this lock lives on another service",
            "--redis 指的是 Redis，而这把锁用的是别的服务"
        )));
    }
    if clock == Clock::Virtual {
        return Err(LiveError::NotPlayable(say!(
            "only a Redis follows the virtual clock: leave --clock out, or use --clock wall",
            "只有 Redis 能跟随虚拟时钟：请去掉 --clock，或使用 --clock wall"
        )));
    }
    if moves_clocks(plan) {
        return Err(LiveError::NotApplicable(say!(
            "the clock of this service's server cannot be moved, only that of a Redis",
            "这个服务的服务器时钟无法拨动，只有 Redis 的可以"
        )));
    }
    Ok(())
}
