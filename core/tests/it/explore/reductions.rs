//! The search with its reductions against the same search without: the same verdicts, and attacks of the same cost, on many small scenarios.

use locklab_core::check::Property;
use locklab_core::explore::{Adversity, Answer, Cost, Progress, Reductions, Search, parse_allowance};
use locklab_core::i18n::Language;
use locklab_core::locks;
use locklab_core::scenario::Scenario;
use locklab_core::sim::Lengths;

/// Two clients of one Redis; what begins with `@` is filled in.
const SINGLE: &str = r#"
title = "one node"
[lock]
kind = "@lock"
ttl = "6ms"
retry = "3ms"
[resource]
kind = "register"
[network]
latency = "@latency"
[[client]]
name = "A"
work = "4ms"
[[client]]
name = "B"
starts = "@starts"
work = "2ms"
[expect.@lock]
broken = []
happens = ["A.acquired"]
"#;

/// Two clients of three Redis.
const THREE: &str = r#"
title = "three nodes"
[servers]
redis = "independent"
nodes = 3
[lock]
kind = "redlock"
ttl = "6ms"
retry = "3ms"
drift = "1ms"
timeout = "2ms"
@sends
@clocks
[[client]]
name = "A"
work = "4ms"
[[client]]
name = "B"
starts = "@starts"
work = "2ms"
[expect.redlock]
broken = []
happens = ["A.acquired"]
"#;

/// A search that has met so many states is not followed to its end.
const MOST: usize = 60_000;

/// The states that were met, and for each property what it came to: the cost of its simplest attack, or which other answer.
fn searched(text: &str, lock: &str, faults: &str, reductions: Reductions) -> (usize, Vec<(Property, Found)>) {
    let scenario = Scenario::parse("small", text).map_err(|errors| errors.render(Language::English));
    let scenario = scenario.expect("the scenario is right");
    let lock = locks::find(lock).expect("a lock");
    let adversity = Adversity::Placed(parse_allowance(faults).expect("an allowance"), Lengths::default());
    let mut search = Search::with(&scenario, lock, adversity, &Property::ALL, reductions).expect("they go together");
    while search.advance(1_000) == Progress::Going {
        assert!(search.states() < MOST, "too large for a test: {faults} in {text}");
    }
    let found = search.answers().map(|(property, answer)| match answer {
        Answer::Broken(attack) => (property, Found::Broken(attack.cost)),
        Answer::Holds => (property, Found::Holds),
        Answer::NotApplicable => (property, Found::NotApplicable),
        Answer::Unknown => (property, Found::Unknown),
    });
    (search.states(), found.collect())
}

#[derive(Debug, PartialEq, Eq)]
enum Found {
    Broken(Cost),
    Holds,
    NotApplicable,
    Unknown,
}

/// Compares both searches; gives how many states each has met, and how many properties are broken.
fn compare(text: &str, lock: &str, faults: &str) -> [usize; 3] {
    let (all, plain) = searched(text, lock, faults, Reductions::Off);
    let (few, reduced) = searched(text, lock, faults, Reductions::On);
    assert_eq!(plain, reduced, "{faults} in {text}");
    assert!(few <= all, "{few} of {all} with {faults} in {text}");
    [all, few, plain.iter().filter(|(_, found)| matches!(found, Found::Broken(_))).count()]
}

#[test]
fn reductions_change_no_answer_on_one_node() {
    let (mut all, mut few, mut broken) = (0, 0, 0);
    for (lock, latency) in [("token-lua", "0ms"), ("token-lua", "1ms"), ("fenced", "1ms")] {
        for starts in ["0ms", "2500us"] {
            for faults in ["none", "pause=1", "crash=1", "clock-step=1", "lost-reply=1", "restart-empty=1"] {
                let text = SINGLE.replace("@lock", lock).replace("@latency", latency).replace("@starts", starts);
                let [unreduced, reduced, violations] = compare(&text, lock, faults);
                (all, few, broken) = (all + unreduced, few + reduced, broken + violations);
            }
        }
    }
    assert!(few < all && broken > 0, "{few} of {all} states, {broken} broken");
}

#[test]
fn reductions_change_no_answer_on_three_nodes() {
    let sequential = "sends = \"sequential\"";
    let (mut all, mut few, mut broken) = (0, 0, 0);
    let wrong_clock = "[clocks]\nnode-2 = \"+1s\"";
    for (sends, clocks) in [("", ""), (sequential, ""), ("", wrong_clock)] {
        for faults in ["none", "clock-step=1", "crash=1"] {
            let text = THREE.replace("@sends", sends).replace("@clocks", clocks).replace("@starts", "0ms");
            let [unreduced, reduced, violations] = compare(&text, "redlock", faults);
            (all, few, broken) = (all + unreduced, few + reduced, broken + violations);
        }
    }
    assert!(few < all && broken > 0, "{few} of {all} states, {broken} broken");
}
