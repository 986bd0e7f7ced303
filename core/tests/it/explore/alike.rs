//! Whether worlds that a search takes for one go on alike: each is followed from every way in which it is met, and must come to the same worlds whatever the answers.
//!
//! A search follows a world only once. So it may overlook something wherever two worlds write the same into its fingerprint and go on otherwise. Nothing of
//! a search takes part here: every world is met in the order of its steps, and no world is left out.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use locklab_core::check::{Judge, Property};
use locklab_core::choices::{ChoiceLabel, Choices};
use locklab_core::explore::parse_allowance;
use locklab_core::history::{EndReason, Event, What};
use locklab_core::i18n::Language;
use locklab_core::locks;
use locklab_core::scenario::Scenario;
use locklab_core::sim::{Lengths, Model, Plan, Progress, Sink, World};

/// Two clients; what begins with `@` is filled in.
const TWO: &str = r#"
title = "two clients"
@servers
[lock]
kind = "@lock"
ttl = "1s"
retry = "300ms"
[resource]
kind = "register"
[network]
latency = "@latency"
[[client]]
name = "A"
work = "400ms"
[[client]]
name = "B"
starts = "@starts"
work = "400ms"
[expect.@lock]
broken = []
happens = ["A.acquired"]
"#;

/// So many worlds are followed, the nearest to the start first.
const MOST: usize = 1_000;

/// Judges what happens, and keeps nothing else.
#[derive(Clone)]
struct Onlooker(Judge);

impl Sink for Onlooker {
    const LOOKS: bool = true;

    fn take(&mut self, event: Event) {
        self.0.step(&event);
    }
}

type Watched = World<Model, Onlooker>;

/// A world that has been met.
struct Met {
    fingerprint: u64,
    world: Watched,
    is_over: bool,
}

impl Met {
    fn new(mut world: Watched, is_over: bool) -> Met {
        let now = world.now();
        let judge = &mut world.sink_mut().0;
        if is_over {
            judge.step(&Event { at: now, what: What::End(EndReason::Quiet) });
        }
        judge.advance(now);
        let mut hasher = DefaultHasher::new();
        is_over.hash(&mut hasher);
        world.remember(&mut hasher);
        world.sink().0.remember(&mut hasher);
        Met { fingerprint: hasher.finish(), world, is_over }
    }

    /// Every world to which a step leads.
    fn successors(&self) -> BTreeMap<u64, Met> {
        let mut found = BTreeMap::new();
        let mut ways = if self.is_over { Vec::new() } else { vec![Vec::new()] };
        while let Some(answers) = ways.pop() {
            let mut world = self.world.clone();
            world.choices_mut().prepare(&answers);
            let Ok(progress) = world.stride();
            for (place, asked) in world.choices().asked().iter().enumerate().skip(answers.len()) {
                let first = match asked.label {
                    ChoiceLabel::Order | ChoiceLabel::NodeOrder | ChoiceLabel::Fault | ChoiceLabel::Length => 1,
                    _ => asked.count - 1,
                };
                for index in first..asked.count {
                    let mut way: Vec<u32> = answers.clone();
                    way.resize(place, 0);
                    way.push(index);
                    ways.push(way);
                }
            }
            world.choices_mut().prepare(&[]);
            let met = Met::new(world, progress != Progress::Going);
            found.insert(met.fingerprint, met);
        }
        found
    }
}

/// How often a world was met that had been followed before. Panics where it does not go on as it did then.
fn alike(text: &str, lock: &str, faults: &str) -> usize {
    let scenario = Scenario::parse("two", text).map_err(|errors| errors.render(Language::English));
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    let lock = locks::find(lock).expect("a lock");
    let plan = Arc::new(Plan { order_is_chosen: true, ..Plan::new(&scenario, lock).expect("they go together") });
    let onlooker = Onlooker(Judge::start(&plan.header, Property::ALL));
    let Ok(mut world) = World::new(plan.clone(), Model::new(plan.clone()), onlooker, Choices::enumerated());
    world.beset(parse_allowance(faults).expect("an allowance"), Lengths::default());
    let mut open = VecDeque::from([Met::new(world, false)]);
    let mut known: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    let mut again = 0;
    while let Some(met) = open.pop_front().filter(|_| known.len() < MOST) {
        let successors = met.successors();
        let led: BTreeSet<u64> = successors.keys().copied().collect();
        if let Some(before) = known.get(&met.fingerprint) {
            let at = met.world.now();
            assert_eq!(*before, led, "at {at}, after {:?}, in {text}", met.world.placed_faults());
            again += 1;
            continue;
        }
        known.insert(met.fingerprint, led);
        open.extend(successors.into_values());
    }
    again
}

fn all_alike(servers: &str, locks: &[&str], faults: &[&str]) {
    for lock in locks {
        let mut again = 0;
        for (latency, starts) in [("0ms", "0ms"), ("1ms", "2500us")] {
            let text = TWO.replace("@lock", lock).replace("@servers", servers).replace("@latency", latency);
            let text = text.replace("@starts", starts);
            again += faults.iter().map(|faults| alike(&text, lock, faults)).sum::<usize>();
        }
        assert!(again > 100, "{lock}: {again}");
    }
}

#[test]
fn worlds_that_are_taken_for_one_go_on_alike() {
    let faults = ["pause=1", "crash=1", "lost-reply=1", "restart-empty=1", "delay=1"];
    all_alike("", &["token-lua", "fenced", "watchdog"], &faults);
}

#[test]
fn worlds_of_several_servers_that_are_taken_for_one_go_on_alike() {
    let replicated = "[servers]\nredis = \"replicated\"\nreplicas = 1\nlag = \"5ms\"";
    all_alike(replicated, &["token-lua", "wait"], &["failover=1", "pause=1"]);
    let independent = "[servers]\nredis = \"independent\"\nnodes = 3";
    all_alike(independent, &["redlock", "redlock-py"], &["pause=1", "clock-step=1", "restart-empty=1"]);
}
