//! One run: a scenario's text, a lock and choices in; what happened, its judgement and its address out.

use std::sync::Arc;

use locklab_core::address::{Address, Change, Check, ChoicesAddress, ScenarioAddress};
use locklab_core::check::{self, Report};
use locklab_core::history::History;
use locklab_core::i18n::{Language, Text};
use locklab_core::locks::{self, Kind};
use locklab_core::say;
use locklab_core::scenario::{self, Comparison, Expectation, Scenario};
use locklab_core::sim::{self, Model, NotApplicable, Plan};

use crate::failure::Failure;
use crate::input::Source;
use crate::live::{self, LiveError};
use crate::options::{ClockName, LiveArguments};

/// A scenario that has been read, with the changes that were asked for.
#[derive(Clone, Debug)]
pub struct Stage {
    /// What it is.
    pub scenario: Scenario,
    /// How an address names it, before the changes.
    pub address: ScenarioAddress,
    /// The changes.
    pub changes: Vec<Change>,
    /// Its text with the changes.
    text: String,
}

/// Where runs are played.
#[derive(Clone, Debug)]
pub enum Ground {
    /// On models, in this process.
    Models,
    /// On real servers, with a real process a client.
    Live(Box<live::Setting>),
}

impl Ground {
    /// As the arguments say.
    pub fn of(arguments: &LiveArguments, language: Language) -> Result<Ground, Failure> {
        let LiveArguments { live, clock, time_scale, redis, postgres } = arguments;
        let redis = redis.as_deref().map(live::Access::parse).transpose()?;
        let postgres = postgres.as_deref().map(live::Login::parse).transpose()?;
        let named = live::Named { redis, postgres };
        if !live && !named.is_any() {
            return Ok(Ground::Models);
        }
        let wall = named.is_any() || time_scale.is_some() || *clock == Some(ClockName::Wall);
        if wall && *clock == Some(ClockName::Virtual) {
            return Err(Failure::input(say!(
                "--redis, --postgres and --time-scale are for the wall clock: the virtual clock takes no time, and moves only servers of the run's own",
                "--redis、--postgres 和 --time-scale 用于真实时钟：虚拟时钟不花时间，而且只能拨动本次运行自己的服务器"
            )));
        }
        let wall = wall.then(|| live::Clock::Wall { scale: time_scale.unwrap_or(1) });
        let clock = wall.or_else(|| clock.map(|_| live::Clock::Virtual));
        Ok(Ground::Live(Box::new(live::Setting { clock, named, language })))
    }

    /// Says, where nothing could be played, that it can be simulated.
    pub fn check_played(&self, played: usize) -> Result<(), Failure> {
        match self {
            Ground::Live(_) if played == 0 => {
                let what = say!("nothing could be played live", "没有任何一次运行能在真实服务器上进行");
                Err(Failure::input(what).hint(say!("without --live it is simulated", "去掉 --live 就是模拟运行")))
            }
            _ => Ok(()),
        }
    }

    /// Whether the same run gives the same history here, to the microsecond.
    fn is_exact(&self, plan: &Plan) -> bool {
        match self {
            Ground::Models => true,
            Ground::Live(setting) => setting.clock(plan) == live::Clock::Virtual,
        }
    }
}

/// A run that was played, or could not be.
#[derive(Clone, Debug)]
pub struct Played {
    /// The scenario's name.
    pub scenario: String,
    /// The scenario's title.
    pub title: Text,
    /// What to take home.
    pub lesson: Text,
    /// The lock's canonical name.
    pub lock: String,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was played and judged.
    Judged(Box<Judged>),
    /// It cannot be told with this lock, or not here.
    NotApplicable {
        /// Why.
        why: Text,
        /// Whether the scenario says that it can.
        was_expected: bool,
    },
}

/// A run that was judged.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What happened.
    pub history: History,
    /// What is to be said about it.
    pub report: Report,
    /// How it differs from what was expected; `None`: nothing was.
    pub comparison: Option<Comparison>,
    /// From where it can be played again; `None`: from nowhere.
    pub address: Option<Address>,
}

impl Stage {
    /// Reads a scenario and makes the changes.
    pub fn new(source: &Source, changes: Vec<Change>) -> Result<Stage, Failure> {
        let scenario = Scenario::parse_bytes(&source.name, &source.bytes).map_err(|errors| named(errors, source))?;
        let mut text = String::from_utf8_lossy(&source.bytes).into_owned();
        let address = source.address(&text);
        if changes.is_empty() {
            return Ok(Stage { scenario, address, changes, text });
        }
        for Change { key, value } in &changes {
            text = scenario::set(&text, &format!("{key}={value}")).map_err(|error| {
                let failure = Failure::input(error.message);
                error.hint.into_iter().fold(failure, Failure::hint)
            })?;
        }
        let set: Vec<String> = changes.iter().map(|Change { key, value }| format!("--set {key}={value}")).collect();
        let changed = Source { shown: format!("{} ({})", source.shown, set.join(" ")), ..source.clone() };
        let scenario = Scenario::parse(&source.name, &text).map_err(|errors| named(errors, &changed))?;
        Ok(Stage { scenario, address, changes, text })
    }

    /// Its text, with the changes.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The locks to play: those that were asked for, else those of which the scenario expects something.
    pub fn locks(&self, asked: &[String]) -> Result<Vec<Kind>, Failure> {
        if !asked.is_empty() {
            return asked.iter().map(|name| self.lock(name)).collect();
        }
        let mut expected: Vec<&str> = self.scenario.expectations.iter().map(|expectation| &*expectation.lock).collect();
        let place = |name: &str| locks::kinds().iter().position(|kind| *kind.name == *name);
        // The lock that the scenario is about comes first, the others as a reader should meet them.
        expected.sort_by_key(|name| (**name != *self.scenario.lock.kind, place(name)));
        expected.into_iter().map(|name| self.lock(name)).collect()
    }

    /// The lock of a name: the scenario's own listing, or one that Locklab brings.
    pub fn lock(&self, name: &str) -> Result<Kind, Failure> {
        let setting = &self.scenario.lock;
        match &setting.listing {
            Some(listing) if *setting.kind == *name => {
                Kind::from_listing(name, listing).map_err(|error| Failure::input(error.message()))
            }
            _ => locks::find(name).cloned().map_err(|unknown| {
                let failure = Failure::input(unknown.message());
                unknown.hint().into_iter().fold(failure, Failure::hint)
            }),
        }
    }

    /// The choices of a run: the seed that was asked for, or the scenario's, or every default.
    pub fn choices(&self, seed: Option<u64>) -> ChoicesAddress {
        seed.or(self.scenario.seed).map_or(ChoicesAddress::Defaults, ChoicesAddress::Seed)
    }

    /// Plays a run and judges it.
    ///
    /// Fails only where a server that is needed cannot be reached or started.
    pub fn play(&self, lock: &Kind, choices: ChoicesAddress, ground: &Ground) -> Result<Played, Failure> {
        let outcome = match Plan::new(&self.scenario, lock) {
            Err(NotApplicable { why }) => {
                Outcome::NotApplicable { why, was_expected: self.expectation(lock).is_some() }
            }
            Ok(plan) => {
                // Where the order of simultaneous events was chosen, it is chosen again; elsewhere it is the file's.
                let plan = Plan { order_is_chosen: matches!(choices, ChoicesAddress::Taken(_)), ..plan };
                match self.history(lock, plan.clone(), &choices, ground)? {
                    Ok(history) => {
                        // On the wall clock no two runs are alike; what can be played again is the run that was meant.
                        let is_exact = ground.is_exact(&plan);
                        let check = if is_exact { check_of(&history) } else { check_of(&simulated(plan, &choices)) };
                        self.judge(lock, history, choices, check, is_exact)
                    }
                    Err(why) => Outcome::NotApplicable { why, was_expected: false },
                }
            }
        };
        Ok(self.played(lock, outcome))
    }

    /// What happens; or why it cannot happen on this ground.
    fn history(
        &self,
        lock: &Kind,
        plan: Plan,
        choices: &ChoicesAddress,
        ground: &Ground,
    ) -> Result<Result<History, Text>, Failure> {
        match ground {
            Ground::Models => Ok(Ok(simulated(plan, choices))),
            Ground::Live(setting) => {
                let order_is_chosen = plan.order_is_chosen;
                let piece = live::Piece { source: &self.text, scenario: &self.scenario, lock, order_is_chosen };
                match live::play(piece, setting, choices.choices()) {
                    Ok(run) => Ok(Ok(run.history)),
                    Err(LiveError::NotApplicable(why)) => Ok(Err(why)),
                    Err(error) => Err(error.into()),
                }
            }
        }
    }

    fn played(&self, lock: &Kind, outcome: Outcome) -> Played {
        Played {
            scenario: self.scenario.name.to_string(),
            title: self.scenario.title.clone(),
            lesson: self.scenario.lesson.clone(),
            lock: lock.name.to_string(),
            outcome,
        }
    }

    fn judge(&self, lock: &Kind, history: History, choices: ChoicesAddress, check: Check, is_exact: bool) -> Outcome {
        let report = check::check(&history);
        let comparison = self.expectation(lock).map(|expectation| {
            // Totals are exact, and real seconds are not.
            let totals = if is_exact { expectation.totals.clone() } else { Vec::new() };
            Expectation { totals, ..expectation.clone() }.compare(&report, &history)
        });
        let address = Address {
            scenario: self.address.clone(),
            lock: lock.name.to_string(),
            changes: self.changes.clone(),
            choices,
            check,
        };
        Outcome::Judged(Box::new(Judged { history, report, comparison, address: Some(address) }))
    }

    /// What is expected of a lock. A changed scenario is judged against nothing.
    fn expectation(&self, lock: &Kind) -> Option<&Expectation> {
        let of_lock = |expectation: &&Expectation| *expectation.lock == *lock.name;
        self.scenario.expectations.iter().find(of_lock).filter(|_| self.changes.is_empty())
    }
}

impl Played {
    /// A history from elsewhere, judged against nothing.
    pub fn recorded(history: History) -> Played {
        Played {
            scenario: history.header.scenario.clone(),
            title: history.header.title.clone(),
            lesson: Text::default(),
            lock: history.header.lock.clone(),
            outcome: Outcome::Judged(Box::new(Judged {
                report: check::check(&history),
                history,
                comparison: None,
                address: None,
            })),
        }
    }

    /// Whether it came out as expected; `None`: nothing was expected.
    pub fn as_expected(&self) -> Option<bool> {
        match &self.outcome {
            Outcome::Judged(judged) => judged.comparison.as_ref().map(Comparison::as_expected),
            Outcome::NotApplicable { was_expected, .. } => was_expected.then_some(false),
        }
    }

    /// From where it can be played again, if it can.
    pub fn address(&self) -> Option<Address> {
        self.judged()?.address.clone()
    }

    /// The judgement, where there is one.
    pub fn judged(&self) -> Option<&Judged> {
        match &self.outcome {
            Outcome::Judged(judged) => Some(judged),
            Outcome::NotApplicable { .. } => None,
        }
    }
}

fn simulated(plan: Plan, choices: &ChoicesAddress) -> History {
    let plan = Arc::new(plan);
    let Ok(run) = sim::run_with(plan.clone(), Model::new(plan), choices.choices());
    run.history
}

/// The check of a history in an address. Where it was played does not count.
pub fn check_of(history: &History) -> Check {
    Check::of(history.story_digest().to_string())
}

/// A change as it is typed, `KEY=VALUE`.
pub fn change(setting: &str) -> Result<Change, Failure> {
    match setting.split_once('=') {
        Some((key, value)) => Ok(Change { key: key.trim().to_owned(), value: value.trim().to_owned() }),
        None => Err(Failure::input(say!(
            "\"{setting}\" is not KEY=VALUE",
            "\"{setting}\" 不是 KEY=VALUE",
            setting = setting
        ))
        .hint(say!("for example --set ttl=5s", "例如 --set ttl=5s"))),
    }
}

/// The errors of a scenario under the name by which its reader knows the file.
fn named(errors: scenario::ScenarioErrors, source: &Source) -> Failure {
    Failure::Scenario(scenario::ScenarioErrors { name: source.shown.clone(), ..errors })
}
