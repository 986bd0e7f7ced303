//! The search against a naive one: every pause or crash at every tick, by the clock, each played as an ordinary run. No adversary, no states, no
//! fingerprints, no cost: only scenarios with one fault each.

use std::sync::Arc;

use locklab_core::check::{Judge, Property};
use locklab_core::choices::Choices;
use locklab_core::explore::{Adversity, Answer, Progress, Search, parse_allowance};
use locklab_core::history::{EndReason, Machine, What};
use locklab_core::locks::{self, Kind};
use locklab_core::scenario::{Fault, FaultKind, Moment, Scenario, Trigger};
use locklab_core::sim::{FaultClass, Lengths, Model, Plan, Recorder, World};
use locklab_core::time::{Span, Time};
use locklab_core::wire::{ClientId, NodeId};

/// A lease of six ticks of a millisecond, and a network that takes one. B starts between two ticks, so that nothing is simultaneous.
const TICKS: &str = r#"
title = "ticks"
[lock]
kind = "token-lua"
ttl = "6ms"
retry = "3ms"
[resource]
kind = "register"
[network]
latency = "1ms"
[[client]]
name = "A"
work = "1ms"
[[client]]
name = "B"
starts = "2500us"
work = "1ms"
[expect.token-lua]
broken = []
happens = ["A.acquired"]
"#;

/// The steps at which the naive search places things: half a tick, since the two clients' clocks are half a tick apart.
const TICK: Span = Span(500);

/// How many of them a run lasts, and a pause at most.
const RUN: u64 = 70;
const PAUSE: u64 = 30;

const PROPERTIES: [Property; 6] = [
    Property::MutualExclusion,
    Property::NoOverrun,
    Property::NoStaleWrite,
    Property::NoLostUpdate,
    Property::NoForeignRelease,
    Property::NoDeadlock,
];

/// For each property the earliest instant at which any of these runs shows that it is broken.
fn naive(scenario: &Scenario, lock: &Kind, faults: &[FaultKind]) -> Vec<Option<Time>> {
    let base = Plan::new(scenario, lock).expect("they go together");
    let mut earliest = vec![None; PROPERTIES.len()];
    // Just after each tick, too: a fault at the tick itself strikes before whatever happens then.
    let instants = (0..RUN / 2).flat_map(|tick| [TICK.0 * tick, TICK.0 * tick + 1]);
    for at in instants {
        for kind in faults {
            let at = Moment { trigger: Trigger::Start, occurrence: 1, plus: Span(at) };
            let faults = vec![Fault { kind: kind.clone(), at }];
            let until = Some(Time(TICK.0 * RUN));
            let plan = Arc::new(Plan { faults, until, ..base.clone() });
            let parts = Model::new(plan.clone());
            let Ok(mut world) = World::new(plan, parts, Recorder::default(), Choices::scripted());
            let Ok(end) = world.play(100_000);
            assert_ne!(end, EndReason::Bound);
            let mut judge = Judge::start(&base.header, PROPERTIES);
            for event in world.into_sink().events {
                judge.step(&event);
                let is_over = matches!(event.what, What::End(_));
                for broken in judge.broken().filter(|property| is_over || *property != Property::NoLostUpdate) {
                    let place = PROPERTIES.iter().position(|property| *property == broken).expect("it was asked for");
                    let known: &mut Option<Time> = &mut earliest[place];
                    *known = Some(known.map_or(event.at, |known| known.min(event.at)));
                }
            }
        }
    }
    earliest
}

fn searched(scenario: &Scenario, lock: &Kind, faults: &str, lengths: Lengths) -> Vec<Option<Time>> {
    let allowance = parse_allowance(faults).expect("an allowance");
    let adversity = Adversity::Placed(allowance, lengths);
    let mut search = Search::against(scenario, lock, adversity, &PROPERTIES).expect("they go together");
    while search.advance(10_000) == Progress::Going {}
    let answers = search.answers().map(|(_, answer)| match answer {
        Answer::Broken(attack) => Some(attack.cost.length()),
        Answer::Holds | Answer::NotApplicable => None,
        Answer::Unknown => panic!("the search came to its end"),
    });
    answers.collect()
}

fn compare(lock: &str, faults: &str, kinds: &[FaultKind]) {
    let scenario = Scenario::parse("ticks", TICKS).expect("the scenario is right");
    let lock = locks::find(lock).expect("a lock");
    let (naive, searched) = (naive(&scenario, lock, kinds), searched(&scenario, lock, faults, Lengths::default()));
    for ((property, naive), searched) in PROPERTIES.iter().zip(naive).zip(searched) {
        let both = format!("{} {property}: naive {naive:?}, searched {searched:?}", lock.name);
        assert_eq!(naive.is_some(), searched.is_some(), "{both}");
        // Where a property is judged when all is over, its length is the run's.
        if let (Some(naive), Some(searched)) = (naive, searched)
            && !matches!(property, Property::NoLostUpdate | Property::NoDeadlock)
        {
            let ticks = |time: Time| time.0.div_ceil(TICK.0);
            assert_eq!(ticks(naive), ticks(searched), "{both}");
        }
    }
}

fn pauses() -> Vec<FaultKind> {
    let each = (0..2).flat_map(|client| (1..PAUSE).map(move |ticks| (ClientId(client), ticks)));
    let pause =
        |(client, ticks): (ClientId, u64)| FaultKind::Pause { client, task: false, length: Some(Span(TICK.0 * ticks)) };
    each.map(pause).collect()
}

#[test]
fn a_naive_search_finds_the_same_pauses_and_the_same_shortest_lengths() {
    for lock in ["token-lua", "fenced"] {
        compare(lock, "pause=1", &pauses());
    }
}

#[test]
fn a_naive_search_finds_the_same_crashes() {
    let crashes = [0, 1].map(|client| FaultKind::Crash { client: ClientId(client), restart: None });
    for lock in ["token-lua", "fenced", "setnx-del", "setnx-unchecked"] {
        compare(lock, "crash=1", &crashes);
    }
}

#[test]
fn a_naive_search_finds_the_same_steps_of_a_clock_that_nobody_reads() {
    let machines = [Machine::Node(NodeId(0)), Machine::Client(ClientId(0))];
    let steps = (1..=12).flat_map(|ticks| [ticks * 1_000, ticks * -1_000]);
    let steps = steps.flat_map(|by| machines.map(|machine| FaultKind::Step { machine, by }));
    for lock in ["token-lua", "fenced"] {
        compare(lock, "clock-step=1", &steps.clone().collect::<Vec<_>>());
    }
}

#[test]
fn a_naive_search_agrees_on_which_pauses_of_one_length_break_what() {
    let scenario = Scenario::parse("ticks", TICKS).expect("the scenario is right");
    let mut broken = 0;
    for lock in ["token-lua", "fenced"].map(|name| locks::find(name).expect("a lock")) {
        for ticks in [3, 8, 9, 10, 12, 19] {
            let length = Span(TICK.0 * ticks);
            let breaks = |length| {
                let kinds = [0, 1].map(|client| FaultKind::Pause {
                    client: ClientId(client),
                    task: false,
                    length: Some(length),
                });
                naive(&scenario, lock, &kinds).into_iter().map(|broken| broken.is_some())
            };
            let lengths = Lengths::default().with(FaultClass::Pause, length);
            let searched = searched(&scenario, lock, "pause=1", lengths);
            // Where a pause ends just when something else happens, the naive search lets it end first; to let it end second, it takes a microsecond more.
            let naive = breaks(length).zip(breaks(length + Span(1)));
            for ((property, (first, second)), searched) in PROPERTIES.iter().zip(naive).zip(searched) {
                let both = format!("{} for {length}: {property} {first} {second} {searched:?}", lock.name);
                assert!(!first || searched.is_some(), "{both}");
                assert!(searched.is_none() || first || second, "{both}");
                broken += usize::from(first);
            }
        }
    }
    assert!(broken > 20, "{broken}");
}
