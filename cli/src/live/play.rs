//! A live run from beginning to end: sets the stage, plays, and leaves nothing behind.

use std::env;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;

use locklab_core::choices::Choices;
use locklab_core::history::{EndReason, History, Place, PlaceClock};
use locklab_core::i18n::Language;
use locklab_core::locks::{self, Client as LockClient, Kind};
use locklab_core::say;
use locklab_core::scenario::Scenario;
use locklab_core::sim::{self, Model, NotApplicable, Parts, Plan, Run, run_with};
use locklab_core::wire::ClientId;
use locklab_core::worker::Worker;

use super::access::Access;
use super::change::Changes;
use super::client::Setup;
use super::error::LiveError;
use super::margin::{Margin, margin};
use super::named;
use super::node::Node;
use super::pace::{Clock, Lateness, Pace};
use super::parts::{Crew, LiveParts};
use super::service::{self, Login, PostgreSql, RealService, Schema, ServiceParts};
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
    /// Whether the choices say which of several simultaneous events comes first; else it is the file's order.
    pub order_is_chosen: bool,
}

impl Piece<'_> {
    /// The plan of a scenario, which is the piece's or a changed form of it.
    fn plan(&self, scenario: &Scenario) -> Result<Plan, LiveError> {
        let plan = Plan::new(scenario, self.lock).map_err(|refused| LiveError::NotApplicable(refused.why))?;
        Ok(Plan { order_is_chosen: self.order_is_chosen, ..plan })
    }
}

/// Where and by which clock.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The clock that was asked for; `None`: the exact one wherever the servers can follow it.
    pub clock: Option<Clock>,
    /// The servers that a user names; where there are none, the run starts its own. Only on the wall clock.
    pub named: Named,
    /// The language in which the user is told how to clean up there by hand.
    pub language: Language,
}

/// The servers that a user names.
#[derive(Clone, Debug, Default)]
pub struct Named {
    /// For locks on one Redis.
    pub redis: Option<Access>,
    /// For locks in a database.
    pub postgres: Option<Login>,
}

impl Named {
    /// Whether there is one.
    pub fn is_any(&self) -> bool {
        self.redis.is_some() || self.postgres.is_some()
    }

    /// Refuses a run that would harm a server that the user names, and one on a service of which the user names no server, while naming one of
    /// another.
    fn check(&self, service: Option<service::Kind>, plan: &Plan) -> Result<(), LiveError> {
        match service {
            _ if !self.is_any() => return Ok(()),
            None if self.redis.is_some() => return named::check_plan(plan),
            Some(service) if service.is_database() && self.postgres.is_some() => return service::check_plan(plan),
            _ => {}
        }
        Err(LiveError::NotApplicable(match self {
            Named { redis: Some(_), postgres: None } => say!(
                "--redis names a Redis, and this lock lives on another service",
                "--redis 指的是 Redis，而这把锁用的是别的服务"
            ),
            Named { redis: None, .. } => say!(
                "--postgres names a PostgreSQL, and this lock lives on another service",
                "--postgres 指的是 PostgreSQL，而这把锁用的是别的服务"
            ),
            Named { .. } => say!(
                "--redis and --postgres name a Redis and a PostgreSQL, and this lock lives on another service",
                "--redis 和 --postgres 指的是 Redis 和 PostgreSQL，而这把锁用的是别的服务"
            ),
        }))
    }
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
    if let Some(reason) = piece.scenario.not_live(&piece.lock.name) {
        return Err(LiveError::NotApplicable(reason.clone()));
    }
    let plan = piece.plan(piece.scenario)?;
    let service = service::Kind::of(&plan)?;
    let clock = setting.clock(&plan);
    setting.named.check(service, &plan)?;
    if let Some(service) = service {
        can_be_translated(service, &plan, setting, clock)?;
    }
    if piece.order_is_chosen && clock != Clock::Virtual {
        return Err(LiveError::NotApplicable(say!(
            "the run's choices say which of several simultaneous events comes first, and only the virtual clock can follow them",
            "这次运行的选择规定了同时发生的事件谁先谁后，只有虚拟时钟能照做"
        )));
    }
    let scale = match clock {
        Clock::Virtual => 1,
        Clock::Wall { scale } => scale.max(1),
    };
    let prefix = setting.named.is_any().then(named::fresh_prefix);
    let changes = Changes { scale, prefix };
    let mut scenario = piece.scenario.clone();
    changes.apply(&mut scenario);
    if scale > 1 {
        can_be_hastened(&scenario, piece.lock, scale)?;
    }
    ends(piece.plan(&scenario)?, choices.clone())?;
    let margin = match clock {
        Clock::Virtual => Margin::UNLIMITED,
        Clock::Wall { .. } => margin(piece.scenario, scale, piece.lock, &choices)?,
    };
    let can_be_exact = service.is_none() && !setting.named.is_any();
    if margin.bears.is_zero() && can_be_exact {
        return Err(LiveError::NotApplicable(say!(
            "on the wall clock chance would decide: a message that is 1 ms late changes the outcome; without --clock and --time-scale the \
             virtual clock plays it, exactly",
            "在真实时钟上，结果全凭运气：消息晚到 1 毫秒，结局就变了；不写 --clock 和 --time-scale，由虚拟时钟精确重放"
        )));
    }
    let mut late = 0;
    let bears = u64::try_from(margin.bears.as_millis()).unwrap_or(u64::MAX);
    for _ in 0..ATTEMPTS {
        let plan = piece.plan(&scenario)?;
        let cue =
            Cue { changes: &changes, scenario: &scenario, lock: piece.lock, choices: choices.clone(), margin: &margin };
        let attempt = match service {
            Some(service) => on_service(service, piece, plan, setting, cue)?,
            None => on_redis(piece, plan, setting, clock, cue)?,
        };
        match attempt {
            Attempt::Late { millis } => late = millis,
            Attempt::Played(run) => return Ok(*run),
        }
    }
    Err(LiveError::Disturbed { millis: late, bears, is_hastened: scale > 1, can_be_exact })
}

/// How an attempt is played.
struct Cue<'a> {
    changes: &'a Changes,
    /// With the changes made.
    scenario: &'a Scenario,
    lock: &'a Kind,
    choices: Choices,
    margin: &'a Margin,
}

impl Cue<'_> {
    /// What the run does when it is simulated.
    fn simulated(&self) -> Result<History, LiveError> {
        let run = sim::run(self.scenario, self.lock, Choices::scripted());
        run.map(|run| run.history).map_err(|refused| LiveError::NotApplicable(refused.why))
    }
}

/// What came of an attempt.
enum Attempt {
    /// A run that counts.
    Played(Box<Run>),
    /// The machine was later than the verdict bears, and the verdict is another than the simulation's: nobody knows by what.
    Late {
        /// By how many milliseconds.
        millis: u64,
    },
}

fn on_redis(piece: Piece<'_>, plan: Plan, setting: &Setting, clock: Clock, cue: Cue<'_>) -> Result<Attempt, LiveError> {
    let program = this_program()?;
    let mut supervisor = Supervisor::start(&program)?;
    let (nodes, pace, servers) = match &setting.named.redis {
        None => {
            let stage = Stage::set(&plan, clock, &mut supervisor)?;
            (stage.nodes, stage.pace, stage.servers)
        }
        Some(access) => somebodys(access, &cue, setting.language, &mut supervisor)?,
    };
    let setup = Setup::new(&piece.scenario.name, piece.source, piece.lock, cue.changes.clone());
    let lateness = pace.lateness();
    let crew = Crew::new(&plan, program, setup, pace, supervisor)?;
    let mut parts = LiveParts { nodes, crew };
    parts.crew.begin()?;
    let clock = if clock == Clock::Virtual { PlaceClock::Virtual } else { PlaceClock::Wall };
    perform(plan, parts, cue, &lateness, Place::Servers { servers, clock })
}

fn on_service(
    service: service::Kind,
    piece: Piece<'_>,
    plan: Plan,
    setting: &Setting,
    cue: Cue<'_>,
) -> Result<Attempt, LiveError> {
    let program = this_program()?;
    let mut supervisor = Supervisor::start(&program)?;
    let server = match &setting.named.postgres {
        Some(login) => somebodys_database(login, &cue, setting.language, &plan, &mut supervisor)?,
        None => service.start(&folder(&mut supervisor)?, &plan)?,
    };
    for id in server.process_ids() {
        supervisor.entrust(&Belonging::process(id))?;
    }
    let name = server.name();
    let setup = Setup::new(&piece.scenario.name, piece.source, piece.lock, cue.changes.clone());
    let pace = Pace::wall();
    let lateness = pace.lateness();
    let mut parts = ServiceParts::new(server, Crew::new(&plan, program, setup, pace, supervisor)?);
    parts.begin()?;
    perform(plan, parts, cue, &lateness, Place::Servers { servers: name, clock: PlaceClock::Wall })
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
    played_on: Place,
) -> Result<Attempt, LiveError> {
    let mut run = run_with(Arc::new(plan), parts, cue.choices)?;
    run.history.header.played_on = played_on;
    Ok(match lateness.beyond(cue.margin.bears) {
        Some(millis) if !cue.margin.agrees(cue.scenario, cue.lock, &run) => Attempt::Late { millis },
        _ => Attempt::Played(Box::new(run)),
    })
}

/// A server that a user names, once the run is known to keep to its own keys there.
fn somebodys(
    access: &Access,
    cue: &Cue<'_>,
    language: Language,
    supervisor: &mut Supervisor,
) -> Result<(Vec<Node>, Pace, String), LiveError> {
    let prefix = cue.changes.prefix.clone().unwrap_or_default();
    let keys = named::keys(&cue.simulated()?, &prefix)?;
    let version = named::look_at(access)?;
    tell_how_to_clean_up(access, &named::clean_up_command(access, &prefix), language);
    supervisor.entrust(&Belonging::Keys { access: access.clone(), prefix: prefix.clone() })?;
    Ok((vec![Node::named(access.clone(), prefix, keys)?], Pace::wall(), version))
}

/// A schema on a PostgreSQL that a user names, once the run is known to keep to it.
fn somebodys_database(
    login: &Login,
    cue: &Cue<'_>,
    language: Language,
    plan: &Plan,
    supervisor: &mut Supervisor,
) -> Result<Box<dyn RealService>, LiveError> {
    let prefix = cue.changes.prefix.as_deref().unwrap_or_default();
    service::check_statements(plan, &cue.simulated()?, prefix)?;
    let schema = Schema::new(login, prefix);
    schema.look()?;
    tell_how_to_clean_up(login, &schema.clean_up_command(), language);
    supervisor.entrust(&Belonging::Schema(schema.clone()))?;
    let server = PostgreSql::within(schema, prefix, plan.database_settings, plan.clients.len())?;
    Ok(Box::new(server))
}

fn tell_how_to_clean_up(server: impl Display, command: &str, language: Language) {
    let words = say!(
        "should anything be left on {server}, this removes it: {command}",
        "万一 {server} 上有残留，用这条命令清除：{command}",
        server = server.to_string(),
        command = command
    );
    eprintln!("{}", words.in_language(language));
}

/// Refuses a scenario whose lengths of time do not divide so far: what a command says is never rounded.
fn can_be_hastened(hastened: &Scenario, lock: &Kind, scale: u32) -> Result<(), LiveError> {
    let refuse = |refused: NotApplicable| {
        LiveError::NotApplicable(say!(
            "this scenario cannot be played {scale} times faster: {why}; use another --time-scale",
            "这个场景不能快 {scale} 倍：{why}；请换一个 --time-scale",
            scale = scale,
            why = refused.why
        ))
    };
    Plan::new(hastened, lock).map(drop).map_err(refuse)
}

/// Refuses a run that would not end by itself: real servers take their time.
fn ends(plan: Plan, choices: Choices) -> Result<(), LiveError> {
    let plan = Arc::new(plan);
    let Ok(simulated) = run_with(plan.clone(), Model::new(plan), choices);
    if simulated.end == EndReason::Bound {
        return Err(LiveError::NotApplicable(say!(
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
    Ok(Arc::unwrap_or_clone(plan.worker(ClientId(setup.client), setup.life, setup.holds)))
}

/// Refuses what only a Redis can be asked for.
fn can_be_translated(service: service::Kind, plan: &Plan, setting: &Setting, clock: Clock) -> Result<(), LiveError> {
    if clock == Clock::Virtual {
        return Err(LiveError::NotApplicable(say!(
            "only a Redis follows the virtual clock: leave --clock out, or use --clock wall",
            "只有 Redis 能跟随虚拟时钟：请去掉 --clock，或使用 --clock wall"
        )));
    }
    if moves_clocks(plan) && (setting.named.is_any() || !service.has_movable_clock()) {
        return Err(LiveError::NotApplicable(say!(
            "the clock of this server cannot be moved, only that of a Redis or a PostgreSQL of the run's own",
            "这个服务器的时钟无法拨动，只有本次运行自己启动的 Redis 和 PostgreSQL 可以"
        )));
    }
    Ok(())
}
