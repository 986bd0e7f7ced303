use locklab_core::choices::Choices;
use locklab_core::i18n::Language;
use locklab_core::locks;
use locklab_core::scenario::{Scenario, library};
use locklab_core::sim;
use locklab_web::{Action, BOUND, Piece, Played, Source, State, Trouble};

use crate::{page, showing};

#[test]
fn every_scenario_is_shown_with_every_lock_that_it_speaks_of() {
    for scenario in library::all() {
        let state = State::first(Language::English).after(Action::Choose(scenario.name));
        assert_eq!((&state.trouble, state.played.piece.source.name()), (&None, scenario.name));
        for lock in state.played.told_with() {
            let piece = Piece { lock: lock.to_owned(), ..state.played.piece.clone() };
            assert!(Played::of(&piece).is_ok_and(|played| played.run().is_ok()), "{} {lock}", scenario.name);
        }
    }
}

#[test]
fn every_lock_can_be_chosen_whether_the_scenario_speaks_of_it_or_not() {
    let state = State::first(Language::English);
    for kind in locks::kinds() {
        let state = state.after(Action::Lock(kind.name.to_string()));
        assert_eq!(state.trouble, None, "{}", kind.name);
        assert_eq!(*state.played.piece.lock, *kind.name);
    }
}

#[test]
fn the_digest_on_the_page_is_the_simulators() {
    for scenario in library::all() {
        let parsed = Scenario::parse(scenario.name, scenario.text).expect("it is built in");
        let state = State::first(Language::English).after(Action::Choose(scenario.name));
        for lock in state.played.told_with() {
            let kind = match &parsed.lock.listing {
                Some(listing) if *parsed.lock.kind == *lock => {
                    locks::Kind::from_listing(lock, listing).expect("it is built in")
                }
                _ => locks::find(lock).expect("it is known").clone(),
            };
            let choices = parsed.seed.map_or_else(Choices::scripted, Choices::seeded);
            let run = sim::run(&parsed, &kind, choices).expect("it is expected of this lock");
            let shown = state.after(Action::Lock(lock.to_owned()));
            let shown = shown.played.run().expect("it can be told").digest.clone();
            assert_eq!(shown, run.history.digest().to_string(), "{} {lock}", scenario.name);
        }
    }
}

#[test]
fn a_broken_run_says_so_and_why() {
    let html = page(showing("expiry/gc-pause", "token-lua"));
    for property in ["mutual-exclusion", "no-overrun", "no-stale-write", "no-lost-update"] {
        assert!(html.contains(&format!("data-property=\"{property}\"")), "{property}");
    }
    assert!(html.contains("Broken") && html.contains("The resource cannot tell an old grant from a new one"));
    assert!(html.contains("data-total=\"overlap\""));
    assert!(html.contains("locklab replay L1-"));
}

#[test]
fn the_fence_refuses_what_the_lock_let_through() {
    let html = page(showing("expiry/gc-pause", "fenced"));
    assert!(html.contains("data-total=\"rejected_writes\"") && !html.contains("data-total=\"lost_updates\""));
}

#[test]
fn the_page_speaks_one_language_only() {
    let state =
        State { choosing: true, ..showing("expiry/gc-pause", "token-lua").after(Action::Speak(Language::Chinese)) };
    // The scenario's own text has both.
    let html = page(state).split("class=\"painted\"").next().expect("a split has a first part").to_owned();
    assert!(html.contains("停顿比租约更长") && html.contains("被破坏"));
    for english in ["A pause outlives the lease", "Take home", "What the clients believe", "waits for the lock"] {
        assert!(!html.contains(english), "{english}");
    }
}

#[test]
fn a_lock_that_does_not_exist_changes_nothing_but_is_told() {
    let state = showing("expiry/gc-pause", "token-lua");
    let after = state.after(Action::Lock("tokn-lua".into()));
    assert_eq!(after.played, state.played);
    assert!(matches!(&after.trouble, Some(Trouble::Said { hint: Some(hint), .. }) if hint.en.contains("token-lua")));
    assert!(page(after.clone()).contains("role=\"alert\""));
    assert_eq!(after.after(Action::Dismiss).trouble, None);
}

#[test]
fn a_scenario_that_is_wrong_is_told_at_its_line() {
    let own = Source::Own { name: "mine".into(), text: "title = \"x\"\nquestoin = \"y\"\n".into() };
    let Err(Trouble::Scenario(errors)) = Piece::of(own) else { panic!("it is wrong") };
    assert!(errors.problems.iter().any(|problem| problem.line == 2));
}

#[test]
fn other_locks_stand_beside_on_the_same_axis() {
    let state = showing("expiry/gc-pause", "token-lua");
    let beside = |state: &State| state.beside.iter().map(|other| other.piece.lock.clone()).collect::<Vec<_>>();
    let compared = ["fenced", "watchdog", "none", "setnx-del", "token-lua"];
    let state = compared.iter().fold(state, |state, lock| state.after(Action::Beside((*lock).to_owned())));
    assert_eq!(
        beside(&state),
        ["fenced", "watchdog", "none"],
        "as many as there is room for, and never the same twice"
    );
    let ends = [&state.played].into_iter().chain(&state.beside).map(|one| one.run().expect("told").scene.end);
    assert_eq!(state.common_end(), ends.max());
    let html = page(state.clone());
    assert_eq!(html.matches("data-compared=").count(), 4);
    for other in &state.beside {
        assert!(html.contains(&other.run().expect("told").scene.title.en));
    }
    // What becomes the main run, or is taken away, no longer stands beside it; another scenario begins alone.
    let state = state.after(Action::Lock("fenced".into())).after(Action::Beside("none".into()));
    assert_eq!(beside(&state), ["watchdog"]);
    let state = state.after(Action::Choose("basics/contended"));
    assert_eq!((beside(&state), state.common_end()), (Vec::new(), None));
}

/// B polls each millisecond for a lock whose owner is dead: the run would go on for an hour.
const ENDLESS: &str = r#"
title = "For ever"
question = "Does the page freeze?"
lesson = "It does not."
until = "1h"
[servers]
redis = "single"
[lock]
kind = "setnx-del"
retry = "1ms"
[[client]]
name = "A"
work = "1s"
[[client]]
name = "B"
starts = "2s"
work = "1s"
[[fault]]
crash = "A"
at = "A.acquired"
[expect.setnx-del]
broken = ["no-deadlock"]
"#;

#[test]
fn a_run_that_would_not_end_is_cut() {
    let piece = Piece::of(Source::Own { name: "for-ever".into(), text: ENDLESS.into() }).expect("it is right");
    let played = Played::of(&piece).expect("it plays");
    let run = played.run().expect("it can be told");
    assert!(run.is_cut);
    assert!(run.history.events.len() as u64 <= BOUND * 8, "{}", run.history.events.len());
}

#[test]
fn a_hostile_title_stays_text() {
    let text = ENDLESS.replace("For ever", "</title><script>alert(1)</script>").replace("1ms", "10m");
    let piece = Piece::of(Source::Own { name: "<b>x".into(), text }).expect("it is right");
    let played = std::rc::Rc::new(Played::of(&piece).expect("it plays"));
    let html = page(State { played, ..State::first(Language::English) });
    assert!(!html.contains("<script") && !html.contains("<b>x"));
}
