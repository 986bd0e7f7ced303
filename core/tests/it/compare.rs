//! The comparison: what cells come to, and that their witnesses are runs like any other.

use locklab_core::check;
use locklab_core::choices::Choices;
use locklab_core::compare::{Answer, Cell, Cost, Found, Mechanism, Threat, Witness, mechanisms, mechanisms_named};
use locklab_core::history::History;
use locklab_core::i18n::Language;
use locklab_core::locks::{self, Standing};
use locklab_core::scenario::{Scenario, library, set};
use locklab_core::sim;

fn mechanism(name: &str) -> Mechanism {
    let rows = mechanisms_named(name).expect("a mechanism");
    *rows.first().expect("a lock has a row")
}

fn cell(name: &str, threat: Threat) -> Found {
    Cell { mechanism: mechanism(name), threat }.play()
}

/// A witness played as `locklab run --set` plays it: from the scenario's text.
fn replayed(witness: &Witness) -> History {
    let text = library::find(witness.scenario).expect("a built-in scenario").text.to_owned();
    let text = witness.changes.iter().fold(text, |text, (key, value)| {
        set(&text, &format!("{key}={value}")).expect("a change that a scenario takes")
    });
    let scenario = Scenario::parse(witness.scenario, &text).expect("a scenario");
    let lock = locks::find(&witness.lock).expect("a lock");
    sim::run(&scenario, lock, Choices::scripted()).expect("it applies").history
}

#[test]
fn what_a_mechanism_keeps_is_found_by_playing_it() {
    let table = [
        ("none", Threat::Pause, Answer::Broken),
        ("none+version", Threat::Pause, Answer::Held),
        ("none+unique-key", Threat::Duplicate, Answer::Held),
        ("none+atomic", Threat::LongWork, Answer::Held),
        ("none+script", Threat::Failover, Answer::Broken),
        ("setnx-del", Threat::CrashHolding, Answer::Unavailable),
        ("setnx-expire", Threat::CrashBetween, Answer::Unavailable),
        ("token-lua", Threat::CrashHolding, Answer::Held),
        ("token-lua", Threat::LongWork, Answer::Broken),
        ("token-lua", Threat::ReEntry, Answer::Unavailable),
        ("token-lua", Threat::MajorityDown, Answer::Unavailable),
        ("watchdog", Threat::LongWork, Answer::Held),
        ("watchdog", Threat::Pause, Answer::Broken),
        ("fenced+fencing", Threat::Pause, Answer::Held),
        ("fenced+fencing", Threat::PauseAfterCheck, Answer::Held),
        ("fenced+fencing", Threat::Failover, Answer::Broken),
        ("fenced+nothing", Threat::Pause, Answer::Broken),
        ("redlock", Threat::MinorityDown, Answer::Held),
        ("redlock", Threat::ClockMajority, Answer::Broken),
        ("token-lua", Threat::Duplicate, Answer::Broken),
    ];
    for (name, threat, expected) in table {
        let found = cell(name, threat);
        assert_eq!(found.answer, expected, "{name} against {threat}: {found:?}");
        assert!(found.runs > 0 && !found.tried.en.is_empty() && !found.tried.zh.is_empty());
    }
}

#[test]
fn a_late_write_that_the_resource_refuses_is_no_harm_but_sections_overlapped() {
    let found = cell("fenced+fencing", Threat::Pause);
    assert_eq!((found.broken, found.unavailable, found.served), (0, 0, found.runs));
    assert!(found.overlapped > 0);
    let report = check::check(&replayed(found.witness.as_ref().expect("an overlap has a witness")));
    assert!(report.totals.rejected_writes > 0 && report.totals.overlap.0 > 0);
}

#[test]
fn every_witness_breaks_what_it_says_when_it_is_played_from_its_text() {
    let mut played = 0;
    for name in ["setnx-del", "token-lua", "fenced+fencing", "none+script"] {
        for threat in Threat::ALL {
            let Some(witness) = cell(name, threat).witness else { continue };
            let report = check::check(&replayed(&witness));
            let broken: Vec<_> = report.broken().collect();
            assert!(witness.breaks.iter().all(|property| broken.contains(property)), "{name}, {threat}: {broken:?}");
            played += 1;
        }
    }
    assert!(played > 30, "{played}");
}

#[test]
fn what_does_not_concern_a_mechanism_says_why() {
    let why = |name, threat| match cell(name, threat).answer {
        Answer::NotApplicable { why } => why,
        other => panic!("{name} against {threat}: {other:?}"),
    };
    assert_eq!(why("none", Threat::MajorityDown).en, "it asks no server");
    assert_eq!(why("none", Threat::ReEntry).en, "there is no lock");
    assert_eq!(why("redlock", Threat::Failover).en, "its nodes know nothing of each other: there is no replica");
    assert_eq!(
        why("token-lua", Threat::MinorityDown).in_language(Language::Chinese),
        "模型中只有一台服务器，没有少数派"
    );
}

#[test]
fn a_cell_is_the_same_every_time() {
    assert_eq!(cell("redlock", Threat::CutOff), cell("redlock", Threat::CutOff));
}

#[test]
fn the_rows_are_the_locks_that_are_mechanisms_and_a_token_is_checked_where_there_is_one() {
    let rows = mechanisms();
    for kind in locks::kinds() {
        let own: Vec<_> = rows.iter().filter(|row| row.lock.name == kind.name).map(|row| row.means.name()).collect();
        match (kind.standing, kind.promises.exclusion, kind.promises.fencing) {
            (Standing::Preset, ..) => assert!(own.is_empty(), "{}", kind.name),
            (_, true, true) => assert_eq!(own, ["nothing", "fencing"], "{}", kind.name),
            (_, true, false) => assert_eq!(own, ["nothing"], "{}", kind.name),
            (_, false, _) => assert!(own.contains(&"version"), "{}", kind.name),
        }
    }
    let error = mechanisms_named("token-lua+fencing").expect_err("it hands out no number");
    assert_eq!(error.message.en, "token-lua hands out no growing token, so there is none to check");
    assert_eq!(mechanisms_named("v4").expect("an alias")[0].name(), "token-lua");
    let near = "pauze".parse::<Threat>().expect_err("a slip").nearest;
    assert_eq!(near.as_deref(), Some("pause"));
}

#[test]
fn the_cost_of_a_lock_is_measured_where_nothing_goes_wrong() {
    let cost = |name| Cost::of(&mechanism(name)).expect("it can be played");
    let (one, many, checked) = (cost("token-lua"), cost("redlock"), cost("none+version"));
    // SET and its reply, EVAL and its reply; on five nodes five times as many, but sent together.
    assert_eq!((one.round_trips(), many.round_trips(), checked.round_trips()), (100, 100, 0));
    let messages = |cost: &Cost| locklab_core::i18n::Say::say(&cost.messages, Language::English);
    assert_eq!((messages(&one), messages(&many), messages(&checked)), ("4".into(), "20".into(), "0".into()));
    // Whoever polls every 200 ms waits nearly that long for a lock that is free.
    assert!(one.hand_over.is_some_and(|span| span.0 > 150_000 && span.0 <= 204_000));
    assert_eq!(checked.hand_over, None);
}
