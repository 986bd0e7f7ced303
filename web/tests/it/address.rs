use locklab_core::address::Change;
use locklab_core::i18n::Language;
use locklab_core::scenario::library;
use locklab_web::{Action, Piece, Played, Source, State, Trouble};

use crate::showing;

fn address(state: &State) -> String {
    state.played.address().expect("it is played")
}

#[test]
fn an_address_opens_its_run_again() {
    let shown = showing("expiry/gc-pause", "fenced");
    let opened = State::first(Language::Chinese).after(Action::Open(address(&shown)));
    assert_eq!(opened.trouble, None);
    assert_eq!((address(&opened), &*opened.played.piece.lock), (address(&shown), "fenced"));
}

#[test]
fn every_address_leads_to_the_same_piece() {
    for scenario in library::all() {
        let piece = Piece::of(Source::BuiltIn(scenario)).expect("it is built in");
        let played = Played::of(&piece).expect("it plays");
        let run = played.run().expect("it can be told with the lock that it is about");
        let address = run.address.as_deref().expect("it is played");
        let (opened, check, changed) = Piece::at(address).expect("it is an address");
        assert_eq!(opened.choices, Some(piece.choices(&played.scenario)));
        assert_eq!((opened.source, opened.lock, opened.changes), (piece.source, piece.lock, piece.changes));
        assert_eq!((check, changed), (run.check, None));
    }
}

#[test]
fn changes_travel_in_the_address() {
    let change = |key: &str, value: &str| Action::Change(Change { key: key.into(), value: value.into() });
    let state = showing("expiry/gc-pause", "token-lua").after(change("ttl", "20s")).after(change("ttl", "30s"));
    assert_eq!(state.played.piece.changes.len(), 1, "the later change of a key takes the place of the earlier");
    assert_eq!(state.played.run().expect("it is played").report.broken().count(), 0, "30 s outlast the pause");
    let opened = State::first(Language::English).after(Action::Open(address(&state)));
    assert_eq!(opened.played.run().expect("it is played").digest, state.played.run().expect("it is played").digest);
    let restored = opened.after(Action::Restore);
    assert!(
        restored.played.piece.changes.is_empty() && restored.played.run().expect("played").report.broken().count() > 0
    );
}

#[test]
fn a_change_that_makes_no_sense_is_told_and_not_made() {
    let state = showing("expiry/gc-pause", "token-lua");
    for (key, value) in [("ttl", "0s"), ("tll", "5s"), ("A.work", "soon"), ("fault.9.for", "1s")] {
        let after = state.after(Action::Change(Change { key: key.into(), value: value.into() }));
        assert!(after.trouble.is_some(), "{key}");
        assert_eq!(after.played, state.played, "{key}");
    }
}

#[test]
fn a_scenario_of_ones_own_travels_inside() {
    let text = library::find("expiry/gc-pause").expect("it is built in").text.replace("15s", "16s");
    let piece = Piece::of(Source::Own { name: "mine".into(), text }).expect("it is right");
    let played = Played::of(&piece).expect("it plays");
    let address = played.address().expect("it is played");
    let opened = State::first(Language::Chinese).after(Action::Open(address));
    assert_eq!(opened.trouble, None);
    assert_eq!(opened.played.text, played.text);
}

#[test]
fn what_is_no_address_is_told_and_changes_nothing() {
    let state = showing("expiry/gc-pause", "fenced");
    let mut cut = address(&state);
    cut.truncate(cut.len() - 3);
    for text in ["", "nonsense", "L1-", "L9-AAAA", "<script>alert(1)</script>", &cut, &"L1-A".repeat(100_000)] {
        let after = state.after(Action::Open(text.to_owned()));
        assert!(matches!(after.trouble, Some(Trouble::Said { .. })), "{text:.20}");
        assert_eq!(after.played, state.played);
    }
}
