use locklab_core::i18n::Language;
use locklab_core::scenario::library;
use locklab_web::{Action, State, Theme, topic, words};

use crate::page;

#[test]
fn the_page_says_what_it_is_for_in_the_language_of_its_reader() {
    for language in Language::ALL {
        let html = page(State::first(language));
        assert!(html.contains(words(language).purpose), "{html}");
        assert!(!html.contains(words(language.other()).purpose), "{html}");
    }
}

#[test]
fn the_switch_names_the_other_language_in_that_language() {
    let html = page(State::first(Language::English));
    assert!(html.contains(r#"lang="zh""#) && html.contains("中文"), "{html}");
}

#[test]
fn switching_the_language_twice_changes_nothing() {
    let state = State::first(Language::English);
    let there = state.after(Action::Speak(Language::Chinese));
    assert_eq!(there.language, Language::Chinese);
    assert_eq!(there.after(Action::Speak(Language::English)), state);
}

#[test]
fn a_chosen_theme_paints_the_drawing_too() {
    let state = State::first(Language::English);
    assert!(page(state.clone()).contains(r#"class="locklab""#));
    assert!(page(state.after(Action::Paint(Theme::Dark))).contains(r#"class="locklab dark""#));
}

#[test]
fn every_topic_has_a_title_in_both_languages() {
    for scenario in library::all() {
        let name = scenario.name.split('/').next().expect("a split has a first part");
        for language in Language::ALL {
            // What has no title keeps its name; the one product that writes itself in small letters has that for a title.
            assert!(topic(name, language) != name || name == "etcd", "{name} {language:?}");
        }
    }
}
