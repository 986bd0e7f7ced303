//! The scenario file: what a good one means, and what is said about a bad one.

use expect_test::expect;
use locklab_core::check::{Amount, TotalInfo};
use locklab_core::history::Mode;
use locklab_core::scenario::{FaultKind, Milestone, Scenario, Trigger, fault_keys, file_keys, set};
use locklab_core::time::{Span, Time};
use locklab_core::wire::{ClientId, LockId};
use locklab_core::worker::Step;

const GC_PAUSE: &str = include_str!("../../../scenarios/expiry/gc-pause.toml");

#[test]
fn the_whiteboard_of_the_design_is_a_scenario() {
    let scenario = Scenario::parse("expiry/gc-pause", GC_PAUSE).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scenario.clients.iter().map(|client| &*client.name).collect::<Vec<_>>(), ["A", "B"]);
    let [fault] = &scenario.faults[..] else { panic!("one fault: {:?}", scenario.faults) };
    let pause = FaultKind::Pause { client: ClientId(0), task: false, length: Some(Span::from_secs(15)) };
    assert_eq!(fault.kind, pause);
    assert!(matches!(fault.at.trigger, Trigger::Client { client: ClientId(0), .. }));
    assert_eq!(scenario.expectations.len(), 2);
}

#[test]
fn figures_are_expected_by_any_of_their_names_and_one_stretch_needs_no_list() {
    let expected = |written: &str| {
        let text = GC_PAUSE.replacen("overlap = \"2s\"", written, 1);
        let scenario = Scenario::parse("expiry/gc-pause", &text).unwrap_or_else(|errors| panic!("{errors}"));
        let written = TotalInfo::find(written.split(' ').next().unwrap_or_default()).expect("a figure");
        scenario.expectations[0].totals.iter().find(|total| total.0 == written.name).cloned().expect("it is expected")
    };
    let stretch = |from: u64, until: Time| (Time(from * 1_000_000), until);
    let never = Amount::Intervals(vec![stretch(2, Time::NEVER)]);
    assert_eq!(expected("orphans = [\"2s\", \"never\"]"), ("orphan", never.clone()));
    assert_eq!(expected("orphan = [[\"2s\", \"never\"]]"), ("orphan", never));
    let two = Amount::Intervals(vec![stretch(1, Time(2_000_000)), stretch(5, Time(8_000_000))]);
    assert_eq!(expected("idle = [[\"1s\", \"2s\"], [\"5s\", \"8s\"]]"), ("idle", two));
    assert_eq!(expected("idle = []"), ("idle", Amount::Intervals(Vec::new())));
    assert_eq!(expected("overlap_conflicting = \"2s\"").0, "overlap");
}

#[test]
fn a_step_may_take_the_lock_in_another_mode_than_its_client() {
    let steps = |mode: &str, steps: &str| {
        let client = format!("steps = {steps}\nmode = \"{mode}\"");
        let text = GC_PAUSE.replacen("work = \"3s\"", &client, 1);
        Scenario::parse("expiry/gc-pause", &text).map(|scenario| scenario.clients[0].clone())
    };
    let (lock, exclusive, shared) = (LockId(0), Mode::Exclusive, Mode::Shared);
    let plain = steps("shared", r#"["lock", "read", "write", "unlock"]"#).expect("a reader");
    assert_eq!(plain.locks, [(lock, shared)]);
    let down = steps("exclusive", r#"["lock", "lock shared", "unlock", "read", "write", "unlock shared"]"#);
    let down = down.expect("a writer that becomes a reader");
    assert_eq!(down.locks, [(lock, exclusive), (lock, shared)]);
    assert_eq!((down.steps[1], down.steps[5]), (Step::Lock { slot: 1 }, Step::Unlock { slot: 1 }));
    let errors = steps("exclusive", r#"["lock", "unlock shared"]"#).expect_err("taken in another mode");
    assert!(errors.to_string().contains("unlocks what it has not locked"), "{errors}");
}

#[test]
fn every_mistake_is_shown_at_its_place() {
    let text = GC_PAUSE.replace("ttl  =", "tll  =").replace("\"3s\"", "\"3\"").replace("A.acquired", "A.aquired");
    let errors = Scenario::parse("wrong.toml", &text).expect_err("three mistakes");
    expect![[r#"
        error: the lock `token-lua` has no parameter `tll`
          --> wrong.toml:10:1
           |
        10 | tll  = "10s"
           | ^^^
           = allowed: kind, listing, key, keys, ttl, retry, backoff, jitter, timeout, wait, token
           = hint: did you mean "ttl"?

        error: "3" is not a length of time
          --> wrong.toml:17:8
           |
        17 | work = "3"
           |        ^^^
           = allowed: a number with a unit: us, ms, s, m, h or d, such as "250ms"
           = hint: say the unit: "3s" or "3ms"?

        error: "aquired" is not something that a client comes to
          --> wrong.toml:26:12
           |
        26 | at    = "A.aquired + 2s"
           |            ^^^^^^^
           = allowed: started, acquire-sent, acquire-executed, checked, acquired, refused, renew-sent, renew-executed, renewed, renew-failed, lost, looked, before-read, read, before-write, write-sent, wrote, before-unlock, release-sent, release-executed, released, finished, sent, got
           = hint: did you mean "acquired"?"#]].assert_eq(&errors.to_string());
}

#[test]
fn one_value_of_a_scenario_can_be_set() {
    for (setting, shows) in [
        ("ttl=30s", "ttl  = \"30s\""),
        ("lock.ttl=30s", "ttl  = \"30s\""),
        ("A.work=4s", "work = \"4s\""),
        ("B.wait=\"0s\"", "wait = \"0s\""),
        ("fault.1.for=20s", "for   = \"20s\""),
        ("network.latency=1ms..2ms", "[network]\nlatency = \"1ms..2ms\""),
        ("resource.guard=fencing", "guard = \"fencing\""),
        ("until=60s", "until = \"60s\""),
        ("B.steps=[\"lock\", \"unlock\"]", "steps = [\"lock\", \"unlock\"]"),
        ("A.runs=3", "runs = 3"),
    ] {
        let text = set(GC_PAUSE, setting).unwrap_or_else(|error| panic!("{setting}: {error}"));
        assert!(text.contains(shows), "{setting} shows as\n{text}");
    }
}

#[test]
fn what_cannot_be_set_is_explained() {
    let mut page = String::new();
    for setting in [
        "ttl",
        "lok.ttl=3s",
        "C.work=3s",
        "fault.2.for=1s",
        "fault.for=1s",
        "a.b.c=1",
        "client.1.work=3s",
        "expect.none=1",
        "tll=3s",
    ] {
        let said = match set(GC_PAUSE, setting) {
            Err(error) => format!("{error}; {}", error.hint.as_ref().map_or("", |hint| &hint.en)),
            // What the writer lets through, the parser explains.
            Ok(text) => Scenario::parse("x", &text)
                .map_or_else(|errors| errors.problems[0].message.en.clone(), |_| "fine".into()),
        };
        page.push_str(&format!("{setting}: {said}\n"));
    }
    expect![[r#"
        ttl: "ttl" is not KEY=VALUE; write, for example, ttl=5s
        lok.ttl=3s: nothing is called "lok.ttl" in this scenario; did you mean "lock.ttl"?
        C.work=3s: nothing is called "C.work" in this scenario; did you mean "A.work"?
        fault.2.for=1s: there is no fault "2"; faults are numbered 1 to 1 in file order: fault.1.for
        fault.for=1s: nothing is called "fault.for" in this scenario; did you mean "fault.1.for"?
        a.b.c=1: nothing is called "a.b.c" in this scenario; a key is written ttl, lock.ttl, A.work for the client A, or fault.1.for
        client.1.work=3s: nothing is called "client.1.work" in this scenario; did you mean "A.work"?
        expect.none=1: what is expected cannot be set: a changed scenario is judged against nothing; write `[expect]` in the scenario's file
        tll=3s: the lock `token-lua` has no parameter `tll`
    "#]]
    .assert_eq(&page);
}

#[test]
fn the_documentation_shows_a_scenario_and_names_everything_that_a_file_can_say() {
    for page in [include_str!("../../../docs/scenario.md"), include_str!("../../../docs/zh/scenario.md")] {
        let example = page.split("```toml").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
        Scenario::parse("docs", example).unwrap_or_else(|errors| panic!("{errors}"));
        let names = Milestone::ALL.iter().map(|(name, _)| *name).chain(fault_keys()).chain(file_keys());
        for name in names {
            let written = [
                format!("`{name}`"),
                format!("`{name} = "),
                format!("`{name}="),
                format!("[{name}]"),
                format!(".{name}]]"),
            ];
            assert!(written.iter().any(|written| page.contains(written)), "{name} is not in the documentation");
        }
    }
}
