use locklab_core::time::{Span, Time};
use locklab_core::view::{BarKind, Element, Whose};
use locklab_core::wire::{ClientId, NodeId};
use locklab_web::{Action, Blow, Spot, Spotted, State, Struck, Turn};

use crate::{page, showing};

const A: Whose = Whose::Client(ClientId(0));

fn broken(state: &State) -> usize {
    state.played.run().expect("it is played").report.broken().count()
}

/// The fault that the first bar of a kind shows.
fn shown(state: &State, kind: BarKind) -> Struck {
    let scene = &state.played.run().expect("it is played").scene;
    let index = scene.bars.iter().position(|bar| bar.kind == kind).expect("there is such a bar");
    state.played.fault_of(Element::Bar(index as u32)).expect("it is a fault's")
}

#[test]
fn the_hatched_bar_is_the_pause_of_the_scenario() {
    let state = showing("expiry/gc-pause", "token-lua");
    let pause = shown(&state, BarKind::Paused);
    assert_eq!(pause, Struck { number: 1, at: Time(2_000_000), until: Some(Time(17_000_000)) });
    let scene = &state.played.run().expect("it is played").scene;
    let sections = (0..).zip(&scene.bars).filter(|(_, bar)| bar.kind == BarKind::Section);
    assert!(sections.into_iter().all(|(index, _)| state.played.fault_of(Element::Bar(index)).is_none()));
}

#[test]
fn a_pause_is_dragged_and_keeps_waiting_for_what_it_waits_for() {
    let state = showing("expiry/gc-pause", "token-lua").after(Action::Turn(1, Turn::At(Time(1_000_000))));
    assert_eq!((state.trouble.clone(), shown(&state, BarKind::Paused).at), (None, Time(1_000_000)));
    assert!(state.played.text.contains("at    = \"A.acquired + 1s\""), "{}", state.played.text);
    assert_eq!(state.played.piece.changes.len(), 1, "the address tells the change alone");
    // Dragged on and on, one change is left to take back.
    let state = (2..9).fold(state, |state, second| state.after(Action::Turn(1, Turn::At(Time(second * 300_000)))));
    assert_eq!(shown(&state, BarKind::Paused).at, Time(2_400_000));
    let undone = state.after(Action::Undo);
    assert_eq!((shown(&undone, BarKind::Paused).at, undone.branches.ways()), (Time(2_000_000), (false, true, false)));
}

#[test]
fn a_pause_is_pulled_shorter_than_the_lease_and_nothing_breaks() {
    let state = showing("expiry/gc-pause", "token-lua").after(Action::Turn(1, Turn::Until(Time(5_000_000))));
    assert_eq!((broken(&state), shown(&state, BarKind::Paused).until), (0, Some(Time(5_000_000))));
    // Pulled beyond its own beginning it is as short as can be.
    let state = state.after(Action::Turn(1, Turn::Until(Time(0))));
    assert_eq!(shown(&state, BarKind::Paused).until, Some(Time(2_001_000)));
}

#[test]
fn a_fault_is_added_on_a_lane_and_deleted_again() {
    let state = showing("basics/contended", "token-lua");
    assert_eq!(broken(&state), 0);
    let crashed = state.after(Action::Strike(Blow::Crash, A, Time(1_000_000)));
    assert_eq!(crashed.trouble, None);
    let crash = shown(&crashed, BarKind::Dead);
    assert_eq!((crash.number, crash.at), (1, Time(1_000_000)));
    let spared = crashed.after(Action::Spare(1));
    assert_eq!(spared.played.scenario.faults, state.played.scenario.faults);
    for (blow, whose) in [(Blow::Pause, A), (Blow::Jump, A), (Blow::Crash, Whose::Node(NodeId(0)))] {
        let struck = state.after(Action::Strike(blow, whose, Time(1_000_000)));
        assert_eq!((struck.trouble.clone(), struck.played.scenario.faults.len()), (None, 1), "{blow:?}");
        let faults = struck.played.struck();
        assert_eq!(faults.first().map(|(_, struck)| struck.at), Some(Time(1_000_000)), "{blow:?}");
    }
}

#[test]
fn what_is_pinned_on_a_fault_or_a_lane_can_change_it_by_keyboard() {
    let state = showing("expiry/gc-pause", "token-lua");
    let scene = &state.played.run().expect("it is played").scene;
    let index = scene.bars.iter().position(|bar| bar.kind == BarKind::Paused).expect("a pause");
    let spot = Spot { place: 0, what: Spotted::Element(Element::Bar(index as u32)), x: 5_000_000, y: 80 };
    let html = page(state.after(Action::Pin(Some(spot))));
    assert!(html.contains("data-fault=\"1\"") && html.contains("aria-label=\"Longer\"") && html.contains("Delete"));
    let html = page(state.after(Action::Pin(Some(Spot { what: Spotted::Lane(A), ..spot }))));
    assert!(html.contains("data-blow=\"pause\"") && html.contains("data-blow=\"jump\""));
    let html = page(state.after(Action::Pin(Some(Spot { what: Spotted::Lane(Whose::Resource), ..spot }))));
    assert!(!html.contains("data-blow"), "nothing strikes the resource");
}

#[test]
fn instants_are_rounded_as_a_person_would_name_them() {
    let state = showing("expiry/gc-pause", "token-lua");
    assert_eq!(state.played.rounded(Time(5_234_567)), Time(5_200_000));
    assert_eq!(state.played.grain(), Span::from_millis(100));
}

#[test]
fn every_change_can_be_undone_and_a_change_after_that_is_a_branch() {
    let start = showing("expiry/gc-pause", "token-lua");
    let longer = start.after(Action::Turn(1, Turn::Until(Time(20_000_000))));
    let fenced = longer.after(Action::Lock("fenced".into()));
    let back = fenced.after(Action::Undo);
    assert_eq!(back.played, longer.played);
    assert_eq!(back.after(Action::Redo).played, fenced.played);
    let other = back.after(Action::Lock("watchdog".into()));
    assert_eq!(other.branches.ways(), (true, false, true));
    let branch = other.after(Action::Branch);
    assert_eq!(branch.played, fenced.played, "what was left is still there");
    assert_eq!(branch.after(Action::Branch).played, other.played);
    let first = (0..9).fold(other, |state, _| state.after(Action::Undo));
    assert_eq!(first.branches.ways(), (false, true, false), "nothing comes before the beginning");
}
