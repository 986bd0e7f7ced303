use locklab_core::compare::{Threat, mechanisms};
use locklab_core::i18n::{Language, Text};
use locklab_web::errand::{Errand, Report};
use locklab_web::{Action, State, Turned, View};

use crate::errand::told;
use crate::page;

fn turned(state: &State, what: Turned) -> State {
    state.after(Action::Sheet(what))
}

/// The comparison with one cell played: a lock that is renewed by nobody, against a pause.
fn with_a_cell() -> State {
    let state = State::first(Language::English).after(Action::Open("matrix".into()));
    let reports = told(&Errand::Compare(vec![("token-lua".into(), Threat::Pause)]));
    reports.into_iter().fold(state, |state, report| turned(&state, Turned::Heard(report)))
}

#[test]
fn every_cell_of_the_comparison_is_wanted_once() {
    let state = State::first(Language::English).after(Action::Open("matrix".into()));
    assert_eq!((state.view, state.place().as_deref()), (View::Matrix, Some("matrix")));
    let all = mechanisms().len() * Threat::ALL.len();
    assert_eq!((state.sheet.progress(), state.sheet.missing().len()), ((0, all), all));
    let state = with_a_cell();
    assert_eq!((state.sheet.progress(), state.sheet.missing().len()), ((1, all), all - 1));
    assert!(!state.sheet.missing().contains(&("token-lua".into(), Threat::Pause)));
}

#[test]
fn nothing_is_played_while_the_comparison_is_out_of_sight_or_has_failed() {
    let state = with_a_cell();
    assert_eq!(state.wants_cells().as_deref(), Some(""));
    assert_eq!(State { view: View::Run, ..state.clone() }.wants_cells(), None);
    let failed = turned(&state, Turned::Heard(Report::Failed(Text::new("no room", "没有空间"))));
    assert_eq!(failed.wants_cells(), None);
    assert!(page(failed).contains("no room"));
}

#[test]
fn a_filter_leaves_the_rows_of_that_name_and_plays_them_first() {
    let state = turned(&with_a_cell(), Turned::Filter(" RedLock".into()));
    assert!(!state.sheet.rows().is_empty());
    assert!(state.sheet.rows().iter().all(|row| row.name().contains("redlock")));
    assert!(state.sheet.missing()[0].0.contains("redlock"));
    let none = turned(&state, Turned::Filter("no such lock".into()));
    assert!(page(none).contains("No lock has this in its name."));
}

#[test]
fn a_cell_says_in_words_what_came_of_it_and_explains_itself() {
    let state = with_a_cell();
    let html = page(state.clone());
    assert!(html.contains("token-lua, client pauses: broken in") && html.contains("data-cell=\"token-lua-pause\""));
    let cell = ("token-lua".to_owned(), Threat::Pause);
    let open = turned(&state, Turned::Open(Some(cell.clone())));
    let run = open.sheet.entry(&cell).and_then(|entry| entry.run.clone()).expect("a pause breaks it");
    let html = page(open.clone());
    assert!(html.contains("moments of A&#x27;s run") || html.contains("moments of A's run"), "what was tried");
    assert!(html.contains(&format!("href=\"#{run}\"")) && html.contains("class=\"cause\""));
    assert_eq!(turned(&open, Turned::Open(Some(cell))).sheet.open, None, "a second click closes it");
}

#[test]
fn the_comparison_speaks_chinese_too() {
    let html = page(with_a_cell().after(Action::Speak(Language::Chinese)));
    assert!(html.contains("客户端停顿") && html.contains("次被破坏") && !html.contains("client pauses"));
}
