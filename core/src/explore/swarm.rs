//! Seeded random search, for spaces that are too large to exhaust.
//!
//! Each run lets an adversary strike at random, within an allowance. How often it does, how soon it lets a fault end and how often it turns the order of simultaneous events
//! are drawn from the seed as well: a swarm of runs that are careless in different ways finds more than many runs of one kind. A run is a pure function of the seed and its number.

use std::sync::Arc;

use super::onlooker::Onlooker;
use super::{Attack, Cost};
use crate::check::{Judge, Property};
use crate::choices::Choices;
use crate::history::{EndReason, Event, What};
use crate::locks::Kind;
use crate::scenario::Scenario;
use crate::sim::{Allowance, Lengths, Model, NotApplicable, Plan, Progress, World};

/// A run that has not ended by then is left.
const MOST_STRIDES: u32 = 5_000;

/// A random search.
#[derive(Clone, Debug)]
pub struct Swarm {
    plan: Plan,
    allowance: Allowance,
    seed: u64,
}

impl Swarm {
    /// A random search of a scenario with a lock. The scenario's own faults are not played: faults are what the allowance says.
    ///
    /// # Errors
    ///
    /// [`NotApplicable`] where the scenario cannot be told with this lock.
    pub fn new(scenario: &Scenario, lock: &Kind, allowance: Allowance, seed: u64) -> Result<Swarm, NotApplicable> {
        let scenario = Scenario { faults: Vec::new(), until: None, ..scenario.clone() };
        let plan = Plan { order_is_chosen: true, ..Plan::new(&scenario, lock)? };
        Ok(Swarm { plan, allowance, seed })
    }

    /// What is played, without faults: an [`Attack`] is played on it.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Plays one run: an attack for each of these properties that it breaks, each confirmed by an ordinary run.
    pub fn run(&self, number: u64, properties: &[Property]) -> Vec<Attack> {
        let plan = Arc::new(self.plan.clone());
        let judge = Judge::start(&plan.header, properties.iter().copied());
        let choices = Choices::swarm(self.seed, number);
        let Ok(mut world) = World::new(plan.clone(), Model::new(plan.clone()), Onlooker { judge }, choices);
        world.beset(self.allowance, Lengths::default());
        let mut attacks = Vec::new();
        for _ in 0..MOST_STRIDES {
            let Ok(progress) = world.stride();
            let is_over = progress != Progress::Going;
            if is_over {
                let end = Event { at: world.now(), what: What::End(EndReason::Quiet) };
                world.sink_mut().judge.step(&end);
            }
            let now = world.now();
            world.sink_mut().judge.advance(now);
            // A lost update can come back while the run goes on.
            let is_final = |property: &Property| is_over || *property != Property::NoLostUpdate;
            let broken: Vec<Property> = world.sink().judge.broken().filter(is_final).collect();
            for property in broken {
                let (placed, taken) = (world.placed_faults(), world.choices().taken());
                let cost = Cost::new(placed.len() as u32, taken.len() as u32, now);
                attacks.extend(Attack::new(&self.plan, property, cost, placed, taken));
                world.sink_mut().judge.forget(property);
            }
            if is_over || attacks.len() == properties.len() {
                break;
            }
        }
        attacks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::parse_allowance;
    use crate::locks;

    /// A works for less than half its lease: only a pause that strikes early enough and ends late enough, while B waits, breaks anything.
    const RARE: &str = r#"
title = "rare"
[lock]
kind = "token-lua"
ttl = "1s"
retry = "600ms"
[resource]
kind = "register"
[[client]]
name = "A"
work = "400ms"
[[client]]
name = "B"
starts = "100ms"
work = "100ms"
[expect.token-lua]
broken = []
happens = ["A.acquired"]
"#;

    fn swarm(seed: u64) -> Swarm {
        let scenario = Scenario::parse("rare", RARE).expect("it is right");
        let lock = locks::find("token-lua").expect("a lock");
        let allowance = parse_allowance("pause=1,crash=1").expect("an allowance");
        Swarm::new(&scenario, lock, allowance, seed).expect("they go together")
    }

    /// The first run that breaks mutual exclusion.
    fn first(swarm: &Swarm) -> (u64, Attack) {
        let broken = |run| swarm.run(run, &[Property::MutualExclusion]).into_iter().next().map(|attack| (run, attack));
        (0..10_000).find_map(broken).expect("it is found")
    }

    #[test]
    fn a_rare_break_is_found_by_a_seed_and_the_same_seed_finds_the_same() {
        let (run, attack) = first(&swarm(1));
        assert!(run > 0, "it is not rare");
        assert_eq!(first(&swarm(1)), (run, attack.clone()));
        // A run depends on the seed and its number, not on what was played before.
        assert_eq!(swarm(1).run(run, &[Property::MutualExclusion]), std::slice::from_ref(&attack));
        let firsts: Vec<u64> = (2..6).map(|seed| first(&swarm(seed)).0).collect();
        assert!(firsts.iter().any(|other| *other != run), "{run} {firsts:?}");
        // What was found breaks as an ordinary run.
        let history = attack.play(swarm(1).plan());
        let mut judge = Judge::start(&history.header, [Property::MutualExclusion]);
        history.events.iter().for_each(|event| judge.step(event));
        assert!(judge.verdict(Property::MutualExclusion).is_broken());
    }
}
