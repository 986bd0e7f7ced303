use locklab_core::check::Property;
use locklab_core::i18n::Language;
use locklab_core::time::Time;
use locklab_web::{Action, Comparison, State};

use crate::{page, showing};

/// A run with others beside it.
fn beside(locks: &[&str]) -> State {
    let beside = |state: State, lock: &&str| state.after(Action::Beside((*lock).to_owned()));
    locks.iter().fold(showing("expiry/gc-pause", "token-lua"), beside)
}

fn compared(state: &State) -> Comparison {
    Comparison::of(&[&state.played].into_iter().chain(&state.beside).cloned().collect::<Vec<_>>())
}

#[test]
fn what_a_fence_changes_is_marked_in_both_drawings_and_told() {
    let state = beside(&["fenced"]);
    let comparison = compared(&state);
    let [first, fenced] = &comparison.runs[..] else { panic!("two runs are compared") };
    // Until the late write everything is the same.
    assert_eq!(fenced.instants, [Time(17_000_000)]);
    assert_eq!(first.differing.len(), 1, "the late write is accepted");
    assert!(
        !fenced.differing.is_empty() && fenced.differing.iter().all(|difference| difference.at == Time(17_000_000))
    );
    assert_eq!(
        (&fenced.kept_here[..], &fenced.broken_here[..]),
        (&[Property::NoStaleWrite, Property::NoLostUpdate][..], &[][..])
    );
    let html = page(state);
    assert!(html.contains("kept, unlike with token-lua: no stale write · no lost update"), "{html}");
    assert_eq!(html.matches("class=\"part\"").count(), 1);
}

#[test]
fn one_legend_explains_the_signs_of_all_drawings() {
    let html = page(beside(&["fenced", "watchdog"]));
    assert_eq!(html.matches("a client acts as holder").count(), 1);
    // Only the fence refuses, and its drawing is not the one that carries the legend.
    assert_eq!(html.matches(">refused</text>").count(), 1);
    assert_eq!(html.matches(">differs from the other drawing</text>").count(), 1);
}

#[test]
fn the_same_story_with_another_lock_is_told_as_the_same() {
    let state = beside(&["get-then-del"]).after(Action::Speak(Language::Chinese));
    assert_eq!(compared(&state).runs[1].instants, []);
    assert!(page(state).contains("经过与 token-lua 相同"));
}
