use locklab_core::i18n::Language;
use locklab_core::lesson::COURSE;
use locklab_web::{Action, Stage, State, Study, View};

use crate::page;

const FIRST: &str = include_str!("../../../docs/lessons/01-setnx.md");
const FIRST_IN_CHINESE: &str = include_str!("../../../docs/zh/lessons/01-setnx.md");

/// The first lesson, as its text arrives.
fn in_class(language: Language) -> State {
    let text = match language {
        Language::English => FIRST,
        Language::Chinese => FIRST_IN_CHINESE,
    };
    let state = State::first(language).after(Action::Open(format!("lessons/{}", COURSE[0])));
    assert_eq!(state.class.wanted(language), [0]);
    state.after(Action::Study(Study::Arrived { lesson: 0, language, text: text.to_owned() }))
}

#[test]
fn a_lesson_shows_no_answer_before_the_reveal() {
    for language in Language::ALL {
        let html = page(in_class(language));
        assert!(
            html.contains("type=\"radio\"") && !html.contains("is-right") && !html.contains("<svg class=\"timeline")
        );
    }
}

#[test]
fn the_reveal_plays_the_run_and_marks_the_answer_that_it_bears_out() {
    let state = in_class(Language::English).after(Action::Study(Study::Pick(0))).after(Action::Study(Study::On));
    assert_eq!((state.class.stage, state.trouble.clone()), (Stage::Revealed, None));
    assert_eq!((state.played.piece.source.name(), &*state.played.piece.lock), ("crash/holder-dies", "setnx-del"));
    let html = page(state.clone());
    assert_eq!((html.matches("answer is-right").count(), html.matches("answer is-wrong").count()), (1, 2));

    let changed = state.after(Action::Study(Study::On));
    assert_eq!((changed.class.stage, &*changed.played.piece.lock), (Stage::Changed, "token-lua"));
    assert!(page(changed.clone()).contains("take-home"));
    let back = changed.after(Action::Study(Study::Back));
    assert_eq!((back.class.stage, &*back.played.piece.lock), (Stage::Revealed, "setnx-del"));
    // A remote goes on to the next lesson after the last stage.
    assert_eq!(changed.after(Action::Study(Study::On)).class.lesson, Some(1));
}

#[test]
fn an_answer_cannot_be_changed_after_the_reveal() {
    let state = in_class(Language::English).after(Action::Study(Study::Pick(2))).after(Action::Study(Study::On));
    assert_eq!(state.after(Action::Study(Study::Pick(0))).class.picked, Some(2));
}

#[test]
fn the_notes_have_an_address_of_their_own_and_the_answers() {
    let state = in_class(Language::English);
    let notes = state.after(Action::Open(format!("lessons/{}/notes", COURSE[0])));
    assert_eq!((notes.view, notes.class.notes), (View::Lessons, true));
    let html = page(notes.clone());
    assert!(html.contains("is-right") && html.contains("finally"));
    assert_eq!(notes.place(), Some(format!("lessons/{}/notes", COURSE[0])));
}

#[test]
fn an_unknown_lesson_leads_to_the_list() {
    let state = State::first(Language::English).after(Action::Open("lessons/99-nothing".to_owned()));
    assert_eq!((state.view, state.class.lesson), (View::Lessons, None));
    assert_eq!(state.class.wanted(Language::English).len(), COURSE.len());
    assert!(page(state).contains(COURSE[3]));
}

#[test]
fn a_text_that_is_no_lesson_is_told() {
    let language = Language::English;
    let state = State::first(language).after(Action::Open(format!("lessons/{}", COURSE[0])));
    let state = state.after(Action::Study(Study::Arrived { lesson: 0, language, text: "<b>no</b>".to_owned() }));
    assert!(state.trouble.is_some());
}
