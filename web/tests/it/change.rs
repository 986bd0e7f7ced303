use locklab_core::scenario::{Scenario, library};
use locklab_core::time::Span;
use locklab_web::{Action, Amount, Piece, Played, Source, State, Trouble};

use crate::{page, showing};

fn broken(state: &State) -> usize {
    state.played.run().expect("it is played").report.broken().count()
}

fn edited(state: &State, from: &str, to: &str) -> State {
    let text = state.draft.as_ref().map_or(&state.played.text, |draft| &draft.text);
    assert!(text.contains(from), "{from}");
    state.after(Action::Edit(text.replace(from, to)))
}

#[test]
fn the_spans_of_a_scenario_can_be_turned() {
    let state = showing("expiry/gc-pause", "token-lua");
    let knobs = state.played.knobs();
    let keys: Vec<&str> = knobs.iter().map(|knob| &*knob.key).collect();
    assert_eq!(keys, ["ttl", "A.work", "B.work", "fault.1.for", "network.latency"]);
    let pause = &knobs[3];
    let fifteen = Amount::Span(Span::from_secs(15));
    assert_eq!((pause.value, pause.stops[pause.position()]), (fifteen, fifteen));
    // A pause that ends within the lease breaks nothing.
    let shorter = pause.stops.iter().position(|stop| *stop == Amount::Span(Span::from_secs(5))).expect("a usual span");
    let state = state.after(Action::Change(pause.turned(shorter)));
    assert_eq!((broken(&state), state.trouble.clone()), (0, None));
    assert_eq!(state.played.knobs()[3].value, Amount::Span(Span::from_secs(5)));
    assert!(state.played.is_changed() && page(state.clone()).contains("class=\"restore\""));
    let state = state.after(Action::Restore);
    assert!(!state.played.is_changed() && broken(&state) == 4);
}

#[test]
fn what_is_between_two_stops_is_written_and_a_slip_is_told() {
    let state = showing("expiry/gc-pause", "token-lua");
    let pause = &state.played.knobs()[3];
    let exact = state.after(Action::Change(pause.written(" 8.0015s ")));
    assert_eq!(exact.played.knobs()[3].value, Amount::Span(Span(8_001_500)));
    assert!(page(exact).contains("value=\"8.0015s\""));
    let slip = state.after(Action::Change(pause.written("soon")));
    assert!(slip.trouble.is_some() && slip.played == state.played);
}

#[test]
fn clocks_lags_and_nodes_can_be_turned_where_there_are_any() {
    let keys_of =
        |scenario| -> Vec<String> { showing_first(scenario).played.knobs().into_iter().map(|knob| knob.key).collect() };
    let all: Vec<String> = library::all().iter().flat_map(|scenario| keys_of(scenario.name)).collect();
    for wanted in ["servers.lag", "servers.nodes", "clocks.B", "fault.1.step", "network.latency"] {
        assert!(all.iter().any(|key| key == wanted), "{wanted}: {all:?}");
    }
}

/// A state that shows a built-in scenario with the lock that it is about.
fn showing_first(scenario: &'static str) -> State {
    State::first(locklab_core::i18n::Language::English).after(Action::Choose(scenario))
}

#[test]
fn every_stop_of_every_knob_makes_sense() {
    for scenario in library::all() {
        let piece = Piece::of(Source::BuiltIn(scenario)).expect("it is built in");
        let played = Played::of(&piece).expect("it plays");
        for knob in played.knobs() {
            for position in 0..knob.stops.len() {
                let text = piece.clone().changed(knob.turned(position)).text().expect("the knob has a key");
                let parsed = Scenario::parse(scenario.name, &text);
                assert!(parsed.is_ok(), "{} {:?} {parsed:?}", scenario.name, knob.turned(position));
            }
        }
    }
}

#[test]
fn the_text_is_edited_in_place_and_played_at_once() {
    let state = edited(&showing("expiry/gc-pause", "token-lua"), "for   = \"15s\"", "for   = \"3s\"");
    assert_eq!((broken(&state), state.trouble.clone()), (0, None));
    assert!(matches!(&state.played.piece.source, Source::Own { name, .. } if name == "expiry/gc-pause"));
    // The text as it was is the built-in scenario again, not a copy of it.
    let state = edited(&state, "for   = \"3s\"", "for   = \"15s\"");
    assert!(matches!(state.played.piece.source, Source::BuiltIn(_)) && broken(&state) == 4);
}

#[test]
fn a_slip_in_the_text_is_shown_at_its_line_and_the_run_before_stays() {
    let state = showing("expiry/gc-pause", "token-lua");
    let slip = edited(&state, "pause = \"A\"", "pasue = \"A\"");
    assert_eq!(slip.played, state.played);
    let draft = slip.draft.as_ref().expect("a draft");
    let Some(Trouble::Scenario(errors)) = &draft.trouble else { panic!("{draft:?}") };
    let line = 1 + draft.text.lines().position(|line| line.contains("pasue")).expect("it stands there");
    assert_eq!(errors.problems[0].line, line);
    let html = page(slip.clone());
    assert!(html.contains(&format!("<li class=\"is-broken\">{line}</li>")), "the line is marked");
    let mended = edited(&slip, "pasue", "pause");
    assert_eq!((&mended.played, mended.draft.and_then(|draft| draft.trouble)), (&state.played, None));
}

#[test]
fn a_lock_of_ones_own_is_played_as_soon_as_the_text_names_it() {
    let listing = "kind = \"mine\"\nlisting = '''\nacquire:\n    SETNX {key} {token} -> 1: next, 0: retry\nrelease:\n    DEL {key}\n'''";
    let text = library::find("expiry/gc-pause").expect("it is built in").text.replace("kind = \"token-lua\"", listing);
    let state = showing("expiry/gc-pause", "token-lua")
        .after(Action::Edit(text.replace("[expect.token-lua]", "[expect.mine]")));
    assert_eq!(state.draft.as_ref().and_then(|draft| draft.trouble.clone()), None);
    assert_eq!(state.played.piece.lock, "mine");
    assert!(page(state).contains("SETNX {key} {token}"));
}
