use locklab_core::history::History;
use locklab_core::i18n::Language;
use locklab_core::time::Time;
use locklab_core::view::{BarKind, Whose};
use locklab_core::wire::ClientId;
use locklab_web::errand::{Errand, Report};
use locklab_web::{Action, Blow, Brought, Seek, State, Trouble, View};

use crate::errand::told;
use crate::{page, showing};

/// The text of a run's history, as if servers had played it.
fn live() -> String {
    let state = showing("expiry/gc-pause", "fenced");
    let mut history: History = (*state.played.run().expect("it is played").history).clone();
    history.header.played_on = "redis 7.0.15, virtual clock".into();
    history.to_lines()
}

/// A state in which a file was brought and its worker has answered.
fn brought(state: &State, name: &str, text: String) -> State {
    let reading = state.after(Action::Bring(Brought::File { name: name.into(), text: text.clone() }));
    let reports = told(&Errand::Read(text));
    reports.into_iter().fold(reading, |state, report| state.after(Action::Bring(Brought::Heard(report))))
}

#[test]
fn a_live_history_is_judged_and_drawn_and_nothing_of_it_can_be_changed() {
    let before = showing("basics/contended", "token-lua");
    let state = brought(&before, "live.jsonl", live());
    assert_eq!((&state.trouble, state.view, &state.reading), (&None, View::Run, &None));
    let run = state.played.run().expect("it is shown");
    assert!(run.report.broken().count() > 0 && run.scene.bars.iter().any(|bar| bar.kind == BarKind::Paused));
    assert!(state.played.is_recorded() && state.address().is_none());
    let html = page(state.clone());
    assert!(html.contains("redis 7.0.15") && html.contains("live.jsonl") && !html.contains("textarea"));
    let struck = state.after(Action::Strike(Blow::Crash, Whose::Client(ClientId(0)), Time(1)));
    assert_eq!(struck.played, state.played);
    assert!(state.after(Action::Seek(Seek::Start)).hunt().bounds().is_err(), "there is nothing to search");
    assert_eq!(state.after(Action::Undo).played, before.played);
    assert_eq!(state.after(Action::Open("file".into())).played, state.played);
}

#[test]
fn a_broken_history_is_told_by_its_line_in_both_languages_and_the_run_before_stays() {
    let before = showing("basics/contended", "token-lua");
    let mut lines: Vec<String> = live().lines().map(str::to_owned).collect();
    lines[4] = "{\"at\":".into();
    let state = brought(&before, "half.jsonl", lines.join("\n"));
    assert_eq!(state.played, before.played);
    let Some(Trouble::Said { message, .. }) = &state.trouble else { panic!("it is told") };
    assert!(message.en.contains("half.jsonl") && message.en.contains("line 5"), "{}", message.en);
    assert!(message.in_language(Language::Chinese).contains("第 5 行"), "{}", message.zh);
}

#[test]
fn what_is_no_history_takes_too_long_or_is_too_large_is_refused() {
    let before = showing("basics/contended", "token-lua");
    for text in ["", "title = 1", "[]", "{\"version\":99}"] {
        assert!(matches!(&*told(&Errand::Read(text.into())), [Report::Failed(_)]), "{text}");
    }
    let reading = before.after(Action::Bring(Brought::File { name: "slow.jsonl".into(), text: live() }));
    assert!(reading.reading.is_some() && page(reading.clone()).contains("slow.jsonl"));
    let late = reading.after(Action::Bring(Brought::TooLong));
    assert!(late.reading.is_none() && late.trouble.is_some());
    let after = late.after(Action::Bring(Brought::Heard(Report::Readable)));
    assert_eq!(after.played, before.played, "what comes too late is not shown");
    assert!(before.after(Action::Bring(Brought::Refused { name: "huge".into() })).trouble.is_some());
}

#[test]
fn a_scenario_is_played_and_a_wrong_one_is_told() {
    let before = showing("basics/contended", "token-lua");
    let text = locklab_core::scenario::library::find("expiry/gc-pause").expect("it is built in").text;
    let state = before.after(Action::Bring(Brought::File { name: "mine.toml".into(), text: text.into() }));
    assert_eq!((state.trouble.clone(), state.played.piece.source.name()), (None, "mine"));
    let wrong = before.after(Action::Bring(Brought::File { name: "mine.toml".into(), text: "x = 1".into() }));
    assert!(matches!(wrong.trouble, Some(Trouble::Scenario(_))));
}
