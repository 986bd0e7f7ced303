use locklab_core::i18n::Language;
use locklab_core::time::Time;
use locklab_web::{Action, Move, State, View};

use crate::{page, showing};

#[test]
fn the_address_keeps_the_cursor_and_the_locks_beside() {
    let state = showing("expiry/gc-pause", "token-lua").after(Action::Beside("fenced".into()));
    for to in [Move::First, Move::Last, Move::To(5), Move::At(Time(7_654_321)), Move::At(Time(0))] {
        let state = state.after(Action::Go(to));
        let address = state.place().expect("a run has an address");
        let opened = State::first(Language::English).after(Action::Open(address));
        assert_eq!(opened.trouble, None);
        assert_eq!((opened.cursor.at, opened.cursor.step), (state.cursor.at, state.cursor.step), "{to:?}");
        assert!(opened.beside.len() == 1 && opened.beside[0].piece.lock == "fenced");
    }
}

#[test]
fn the_address_of_a_run_that_nobody_walked_through_is_the_run_alone() {
    let state = showing("expiry/gc-pause", "token-lua");
    let run = state.played.address().expect("it is played");
    assert_eq!(state.place(), Some(run));
}

#[test]
fn what_follows_a_run_and_makes_no_sense_is_left_out() {
    let state = showing("expiry/gc-pause", "fenced");
    let run = state.place().expect("a run has an address");
    for rest in ["&", "&at=soon", "&step=-1", "&step=99999999", "&with=", "&with=nolock,<b>,token-lua", "&what=ever"] {
        let opened = State::first(Language::English).after(Action::Open(format!("{run}{rest}")));
        assert_eq!(opened.played.piece.lock, "fenced", "{rest}");
    }
}

#[test]
fn an_embedded_timeline_stays_alone_whatever_run_it_opens() {
    let address = showing("expiry/gc-pause", "fenced").place().expect("a run has an address");
    let state = State { view: View::Embed, ..State::first(Language::English) }.after(Action::Open(address.clone()));
    assert_eq!((state.view, &*state.played.piece.lock), (View::Embed, "fenced"));
    let html = page(state);
    assert!(html.contains("<svg") && html.contains(&format!("./#{address}")) && !html.contains("textarea"));
}
