//! The exhaustive search: known answers, witnesses that play again, counts of states.

mod alike;
mod envelope;
mod naive;
mod names;
mod reductions;
mod risk;

use locklab_core::check::{Property, check};
use locklab_core::explore::{Answer, Progress, Search, parse_allowance};
use locklab_core::locks;
use locklab_core::scenario::{self, Scenario};

/// For a lock whose lease is in whole seconds.
const SECONDS: &str = r#"
title = "seconds"
[lock]
kind = "setnx-expire"
ttl = "1s"
retry = "400ms"
[resource]
kind = "register"
[[client]]
name = "A"
work = "500ms"
[[client]]
name = "B"
starts = "100ms"
work = "300ms"
[expect.setnx-expire]
broken = []
happens = ["A.acquired"]
"#;

/// Two clients and a short lease: small enough to exhaust in a test.
const SMALL: &str = r#"
title = "small"
[lock]
kind = "token-lua"
ttl = "400ms"
retry = "100ms"
[resource]
kind = "register"
[[client]]
name = "A"
work = "150ms"
[[client]]
name = "B"
starts = "50ms"
work = "100ms"
[expect.token-lua]
broken = []
happens = ["A.acquired"]
"#;

fn search(lock: &str, faults: &str, properties: &[Property]) -> Search {
    search_in(SMALL, lock, faults, properties)
}

fn search_in(text: &str, lock: &str, faults: &str, properties: &[Property]) -> Search {
    let scenario = Scenario::parse("small", text).expect("the scenario is right");
    let lock = locks::find(lock).expect("a lock");
    let allowance = parse_allowance(faults).expect("an allowance");
    let mut search = Search::new(&scenario, lock, allowance, properties).expect("they go together");
    while search.advance(10_000) == Progress::Going {}
    search
}

/// The answers in words, and the simplest attack on each property as a scenario writes it.
fn told(search: &Search) -> String {
    let scenario = Scenario::parse("small", SMALL).expect("the scenario is right");
    let nodes: Vec<String> = search.plan().header.nodes.iter().map(|node| node.name.clone()).collect();
    let mut told = format!("{} states\n", search.states());
    for (property, answer) in search.answers() {
        let answer = match answer {
            Answer::Holds => "holds".into(),
            Answer::NotApplicable => "not applicable".into(),
            Answer::Unknown => "unknown".into(),
            Answer::Broken(attack) => {
                let faults = scenario::written_faults(&attack.faults, &scenario, &nodes);
                format!("broken at {} by {faults} {:?} until {:?}", attack.cost.length(), attack.taken, attack.until)
            }
        };
        told += &format!("{property}: {answer}\n");
    }
    told
}

#[test]
fn a_pause_breaks_a_lease_and_the_run_plays_again() {
    let search = search("token-lua", "pause=1", &Property::ALL);
    expect_test::expect![[r#"
        1552 states
        mutual-exclusion: broken at 0.450001s by [{ pause = "A", for = "450.001ms", at = "A.before-read" }] [] until None
        no-overrun: broken at 0.401001s by [{ pause = "A", for = "401.001ms", at = "A.before-read" }] [] until None
        no-stale-write: broken at 0.450001s by [{ pause = "A", for = "300.001ms", at = "A.before-write" }] [] until None
        no-lost-update: broken at 0.55s by [{ pause = "A", for = "350ms", at = "A.acquire-sent" }] [] until None
        no-foreign-release: holds
        no-false-success: broken at 0.401001s by [{ pause = "A", for = "401.001ms", at = "A.acquire-sent" }] [] until None
        continuity: holds
        no-deadlock: holds
        progress: holds
        available: not applicable
        fencing-monotonic: not applicable
        no-oversell: not applicable
        exactly-once: not applicable
        fairness: not applicable
    "#]].assert_eq(&told(&search));
    for (property, answer) in search.answers() {
        if let Answer::Broken(attack) = answer {
            assert!(check(&attack.play(search.plan())).verdict(property).is_broken());
        }
    }
}

#[test]
fn a_crash_alone_does_not_break_a_lock_with_a_lease() {
    expect_test::expect![[r#"
        378 states
        mutual-exclusion: holds
        no-overrun: holds
        no-stale-write: holds
        no-lost-update: holds
        no-foreign-release: holds
        no-false-success: holds
        continuity: not applicable
        no-deadlock: holds
        progress: holds
        available: not applicable
        fencing-monotonic: not applicable
        no-oversell: not applicable
        exactly-once: not applicable
        fairness: not applicable
    "#]]
    .assert_eq(&told(&search("token-lua", "crash=1", &Property::ALL)));
}

#[test]
fn a_crash_leaves_a_lock_without_a_lease_taken_for_ever() {
    expect_test::expect![[r#"
        94 states
        no-deadlock: broken at 0.15s by [{ crash = "B", at = "B.acquire-sent #2" }] [] until None
    "#]]
    .assert_eq(&told(&search("setnx-del", "crash=1", &[Property::NoDeadlock])));
    expect_test::expect![[r#"
        116 states
        no-deadlock: broken at 0.5s by [{ crash = "B", at = "B.acquire-sent #2" }] [] until None
    "#]]
    .assert_eq(&told(&search_in(SECONDS, "setnx-expire", "crash=1", &[Property::NoDeadlock])));
}

#[test]
fn a_fenced_resource_keeps_its_data_whatever_stops() {
    let data = [Property::NoStaleWrite, Property::NoLostUpdate, Property::MutualExclusion, Property::NoOverrun];
    expect_test::expect![[r#"
        10697 states
        no-stale-write: holds
        no-lost-update: holds
        mutual-exclusion: broken at 0.450001s by [{ pause = "A", for = "450.001ms", at = "A.before-read" }] [] until None
        no-overrun: broken at 0.401001s by [{ pause = "A", for = "401.001ms", at = "A.before-read" }] [] until None
    "#]].assert_eq(&told(&search("fenced", "pause=1,crash=1", &data)));
}

#[test]
fn a_fenced_resource_keeps_its_data_whatever_comes_late_or_by_a_wrong_clock() {
    let data = [Property::NoStaleWrite, Property::NoLostUpdate];
    for faults in ["delay=1", "clock-step=1", "lost-reply=1,lost-request=1"] {
        let search = search("fenced", faults, &data);
        assert!(search.answers().all(|(_, answer)| answer == Answer::Holds), "{faults}: {}", told(&search));
    }
}

#[test]
fn a_search_that_is_interrupted_or_repeated_says_the_same() {
    let whole = search("token-lua", "pause=1", &Property::ALL);
    let scenario = Scenario::parse("small", SMALL).expect("the scenario is right");
    let lock = locks::find("token-lua").expect("a lock");
    let allowance = parse_allowance("pause=1").expect("an allowance");
    let mut pieces = Search::new(&scenario, lock, allowance, &Property::ALL).expect("they go together");
    while pieces.advance(7) == Progress::Going {}
    assert_eq!(told(&whole), told(&pieces));
}

#[test]
fn a_question_that_is_asked_twice_has_the_same_answer_twice() {
    let search = search("token-lua", "pause=1", &[Property::MutualExclusion; 2]);
    let answers: Vec<_> = search.answers().map(|(_, answer)| answer).collect();
    assert!(matches!(answers[0], Answer::Broken(_)) && answers[0] == answers[1], "{}", told(&search));
}

#[test]
fn a_search_that_is_not_over_holds_nothing() {
    let scenario = Scenario::parse("small", SMALL).expect("the scenario is right");
    let lock = locks::find("fenced").expect("a lock");
    let allowance = parse_allowance("pause=1").expect("an allowance");
    let mut search = Search::new(&scenario, lock, allowance, &[Property::NoStaleWrite]).expect("they go together");
    assert_eq!(search.advance(10), Progress::Going);
    assert_eq!(search.answers().map(|(_, answer)| answer).collect::<Vec<_>>(), [Answer::Unknown]);
}
