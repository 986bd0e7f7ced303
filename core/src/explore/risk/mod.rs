//! How likely a lock breaks, on somebody's own figures: a sample of runs, stratified by what strikes them.
//!
//! A [`Model`] says how often a client stops and for how long, how long messages take, how often servers fail. A run of a scenario is then a random thing; most runs
//! meet nothing at all, so sampling blindly would show nothing. Instead runs are cut into [strata](Stratum): nothing strikes, one pause between two percentiles, one failover,
//! several things at once. The chance of each stratum is computed, runs within it are sampled, and the sum is weighted.
//!
//! Where no message's delay is a matter of chance, a stratum that [the search](super::Search) shows to be harmless (nothing strikes; one pause of at most so long) counts as nothing, not as "not seen".
//!
//! Run `i` belongs to stratum `i` modulo their number and draws from a generator made of the seed and `i` alone: the result does not depend on threads or order.
//!
//! # Limits
//!
//! Faults strike by the clock, at instants that are even over the run: a program that is stopped between two lines takes no time there, so a pause just between a lock's last look at its
//! clock and its caller is a matter for [the search](super::Search). Strikes are independent of each other and of what the clients do.

mod model;
mod quantiles;
mod statistics;
mod strata;
mod words;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

pub use model::{Model, ModelError, YEAR};
pub use quantiles::{Band, Quantiles};
pub use statistics::{Count, Estimate, decades, wilson};
pub use strata::{Kind, Stratum, Strike};
pub use words::shown;

use super::onlooker::Onlooker;
use super::{Adversity, Answer, Search};
use crate::check::{Judge, Property};
use crate::choices::{Choices, Taken};
use crate::history::{EndReason, Event, GrantEvent, What};
use crate::i18n::Text;
use crate::locks;
use crate::say;
use crate::scenario::{Fault, LinkSetting, Scenario};
use crate::sim::{self, Allowance, FaultClass, Lengths, Plan, Recorder, World};
use crate::time::{Span, Time};
use strata::Strikes;

/// A run that has not ended by then is not judged.
const MOST_STEPS: u64 = 50_000;

/// A search for what a stratum excludes looks at so many states.
const MOST_STATES: usize = 100_000;

/// The most strikes that are expected in a run: more is no model of rare things.
const MOST_STRIKES: f64 = 500.0;

/// Why a scenario and a model do not go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoRisk {
    /// Why.
    pub why: Text,
}

/// A scenario, a lock and a model, ready to be sampled.
#[derive(Clone, Debug)]
pub struct Risk {
    plan: Plan,
    model: Model,
    properties: Vec<Property>,
    strikes: Strikes,
    strata: Vec<Stratum>,
    scenario: Scenario,
    lock: locks::Kind,
    /// For each stratum and each property, whether a search has excluded that it breaks there. Searched for when it is first asked for: who only samples needs it not.
    excluded: OnceLock<Vec<Vec<bool>>>,
    delays: Option<Arc<[(u32, u32)]>>,
    seeds: u64,
    window: Span,
    acquisitions: u64,
}

/// What was seen, stratum by stratum. Tallies of different runs add up, in any order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Runs of each stratum.
    pub runs: Vec<u64>,
    /// Of these, how many broke each property.
    pub broken: Vec<Vec<u64>>,
    /// Of each property the first run that broke it.
    pub first: Vec<Option<u64>>,
    /// Runs that did not come to an end.
    pub endless: u64,
}

/// A run of the sample, as a scenario would tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Its faults.
    pub faults: Vec<Fault>,
    /// Its choices.
    pub taken: Vec<Taken>,
    /// The latency range from which its delays are chosen; `None`: the scenario's.
    pub latency: Option<(Span, Span)>,
}

impl Risk {
    /// A scenario with a lock, under a model. The scenario's own faults are not played: what strikes is what the model says.
    ///
    /// # Errors
    ///
    /// They cannot be told together, nobody gets the lock, or too much strikes.
    pub fn new(
        scenario: &Scenario,
        lock: &locks::Kind,
        model: Model,
        properties: &[Property],
        seed: u64,
    ) -> Result<Risk, NoRisk> {
        let scenario = Scenario { faults: Vec::new(), ..scenario.clone() };
        let mut plan = Plan::new(&scenario, lock).map_err(|error| NoRisk { why: error.why })?;
        plan.order_is_chosen = true;
        if let Some(latency) = &model.latency {
            let whole = latency.whole();
            plan.network.default =
                LinkSetting { latency: whole.least, latency_max: whole.most, ..plan.network.default };
        }
        let delays = model.latency.as_ref().map(|latency| Arc::from(latency.table()));
        let (acquisitions, window) = plain_run(&plan);
        if acquisitions == 0 || window == Span::ZERO {
            return Err(NoRisk {
                why: say!("nobody gets the lock in this scenario without faults", "这个场景没有故障时也没有人拿到锁"),
            });
        }
        let strikes = Strikes::new(&model, &plan, window);
        if strikes.mean() > MOST_STRIKES {
            return Err(NoRisk {
                why: say!(
                    "the model lets more than 500 faults strike in a run of {window}",
                    "按这个模型，一次 {window} 的运行里会有 500 次以上的故障",
                    window = window
                ),
            });
        }
        let strata = strikes.strata();
        let seeds = Xoshiro256PlusPlus::seed_from_u64(seed).next_u64();
        let properties = properties.to_vec();
        let (lock, excluded) = (lock.clone(), OnceLock::new());
        Ok(Risk {
            plan,
            model,
            properties,
            strikes,
            strata,
            scenario,
            lock,
            excluded,
            delays,
            seeds,
            window,
            acquisitions,
        })
    }

    /// The strata.
    pub fn strata(&self) -> &[Stratum] {
        &self.strata
    }

    /// Whether a search has excluded that a property, given by its place, breaks in a stratum.
    pub fn is_excluded(&self, stratum: usize, place: usize) -> bool {
        self.excluded()[stratum][place]
    }

    fn excluded(&self) -> &[Vec<bool>] {
        self.excluded.get_or_init(|| {
            let is_fixed = !has_chances(&self.plan);
            let of_one = |stratum: &Stratum| match is_fixed {
                true => excluded(&self.scenario, &self.lock, &stratum.kind, &self.properties),
                false => vec![false; self.properties.len()],
            };
            self.strata.iter().map(of_one).collect()
        })
    }

    /// The properties in question.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// What is played: the scenario without faults, under the model's latency.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How many acquisitions a run without faults has.
    pub fn acquisitions(&self) -> u64 {
        self.acquisitions
    }

    /// How long a run without faults is: what strikes, strikes within.
    pub fn window(&self) -> Span {
        self.window
    }

    /// An empty tally.
    pub fn tally(&self) -> Tally {
        let strata = self.strata.len();
        Tally {
            runs: vec![0; strata],
            broken: vec![vec![0; self.properties.len()]; strata],
            first: vec![None; self.properties.len()],
            endless: 0,
        }
    }

    /// Whether a tally has this risk's strata and properties, as one that was read from a file may not have.
    pub fn has_tally(&self, tally: &Tally) -> bool {
        let (strata, properties) = (self.strata.len(), self.properties.len());
        tally.runs.len() == strata
            && tally.broken.len() == strata
            && tally.broken.iter().all(|broken| broken.len() == properties)
            && tally.first.len() == properties
    }

    /// Plays some runs and adds up what they came to.
    pub fn sample(&self, runs: Range<u64>) -> Tally {
        let mut tally = self.tally();
        for index in runs {
            let (_, mut world) = self.world(index, Onlooker { judge: self.judge() });
            let Ok(end) = world.play(MOST_STEPS);
            let stratum = self.stratum(index);
            tally.runs[stratum] += 1;
            tally.endless += u64::from(end == EndReason::Bound);
            let judge = &world.sink().judge;
            for (place, property) in self.properties.iter().enumerate() {
                if judge.broken().any(|broken| broken == *property) {
                    tally.broken[stratum][place] += 1;
                    tally.first[place].get_or_insert(index);
                }
            }
        }
        tally
    }

    /// One run of the sample, in full.
    pub fn drawn(&self, index: u64) -> Drawn {
        let (faults, mut world) = self.world(index, Onlooker { judge: self.judge() });
        let Ok(_) = world.play(MOST_STEPS);
        let latency = self.model.latency.as_ref().map(|latency| (latency.whole().least, latency.whole().most));
        Drawn { faults, taken: world.choices().taken().to_vec(), latency }
    }

    /// The chance that a run breaks a property, given by its place.
    pub fn of_a_run(&self, tally: &Tally, place: usize) -> Estimate {
        let counts: Vec<Count> = self
            .strata
            .iter()
            .enumerate()
            .map(|(stratum, known)| Count {
                weight: known.weight,
                runs: tally.runs[stratum],
                seen: tally.broken[stratum][place],
                excluded: self.is_excluded(stratum, place),
            })
            .collect();
        statistics::stratified(&counts)
    }

    /// The chance for each acquisition: a run's, shared among its acquisitions.
    pub fn of_an_acquisition(&self, tally: &Tally, place: usize) -> Estimate {
        self.of_a_run(tally, place).times(1.0 / self.acquisitions as f64)
    }

    /// How many violations are expected in a year.
    pub fn of_a_year(&self, tally: &Tally, place: usize) -> Estimate {
        self.of_an_acquisition(tally, place).times(self.model.acquisitions * YEAR)
    }

    fn stratum(&self, index: u64) -> usize {
        (index % self.strata.len() as u64) as usize
    }

    fn judge(&self) -> Judge {
        Judge::start(&self.plan.header, self.properties.iter().copied())
    }

    fn world<S: sim::Sink>(&self, index: u64, sink: S) -> (Vec<Fault>, World<sim::Model, S>) {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(self.seeds.wrapping_add(index));
        let kind = &self.strata[self.stratum(index)].kind;
        let faults = self.strikes.draw(kind, &self.model, &self.plan, self.window, &mut generator);
        let seed = generator.next_u64();
        let choices = match &self.delays {
            Some(delays) => Choices::sampled(seed, delays.clone()),
            None => Choices::seeded(seed),
        };
        let plan = Arc::new(Plan { faults: faults.clone(), ..self.plan.clone() });
        let Ok(world) = World::new(plan.clone(), sim::Model::new(plan), sink, choices);
        (faults, world)
    }
}

impl Tally {
    /// Adds another tally of the same risk.
    pub fn add(&mut self, other: &Tally) {
        self.runs.iter_mut().zip(&other.runs).for_each(|(runs, more)| *runs = runs.saturating_add(*more));
        let pairs = self.broken.iter_mut().flatten().zip(other.broken.iter().flatten());
        pairs.for_each(|(broken, more)| *broken = broken.saturating_add(*more));
        for (first, other) in self.first.iter_mut().zip(&other.first) {
            *first = [*first, *other].into_iter().flatten().min();
        }
        self.endless = self.endless.saturating_add(other.endless);
    }
}

/// Whether a run without faults can go in more ways than the order of simultaneous events: a search tries only the ends of a range.
fn has_chances(plan: &Plan) -> bool {
    let links = std::iter::once(&plan.network.default).chain(plan.network.links.iter().map(|(_, _, link)| link));
    let mut chances = links.map(|link| link.latency_max > link.latency || link.loss_ppm + link.duplicate_ppm > 0);
    chances.any(|chance| chance) || plan.params.iter().any(|params| params.jitter > Span::ZERO)
}

/// Which properties cannot break in a stratum, as far as a short search shows: in no order, and with no pause of the band anywhere.
fn excluded(scenario: &Scenario, lock: &locks::Kind, kind: &Kind, properties: &[Property]) -> Vec<bool> {
    let adversity = match kind {
        Kind::Nothing => Adversity::Placed(Allowance::default(), Lengths::default()),
        Kind::One(Strike::Pause(band)) => Adversity::Placed(
            Allowance::default().with(FaultClass::Pause, 1),
            Lengths::default().between(FaultClass::Pause, band.least, band.most),
        ),
        Kind::One(_) | Kind::Several(_) => return vec![false; properties.len()],
    };
    let Ok(mut search) = Search::against(scenario, lock, adversity, properties) else {
        return vec![false; properties.len()];
    };
    let _ = search.advance(MOST_STATES);
    search.answers().map(|(_, answer)| matches!(answer, Answer::Holds | Answer::NotApplicable)).collect()
}

/// How many grants a run without faults has, and how long it is.
fn plain_run(plan: &Plan) -> (u64, Span) {
    let plan = Arc::new(plan.clone());
    let Ok(mut world) = World::new(plan.clone(), sim::Model::new(plan), Recorder::default(), Choices::scripted());
    let Ok(_) = world.play(MOST_STEPS);
    let events = world.into_sink().events;
    let is_grant = |event: &&Event| matches!(event.what, What::Grant { event: GrantEvent::Granted { .. }, .. });
    let grants = events.iter().filter(is_grant).count();
    (grants as u64, events.last().map_or(Span::ZERO, |event| event.at.since(Time::START)))
}
