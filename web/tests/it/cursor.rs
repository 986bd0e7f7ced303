use locklab_core::i18n::Language;
use locklab_core::time::Time;
use locklab_web::{Action, Move, State, TRACK};
use proptest::prelude::*;

use crate::{page, showing};

fn going(state: &State, to: Move) -> State {
    state.after(Action::Go(to))
}

#[test]
fn a_broken_run_opens_where_it_breaks_and_a_sound_one_at_its_beginning() {
    let broken = showing("expiry/gc-pause", "token-lua");
    let run = broken.played.run().expect("it is played");
    assert!(run.steps[broken.cursor.step].is_violation);
    assert_eq!(broken.cursor.at, run.report.violations[0].from);
    assert_eq!(showing("basics/uncontended", "token-lua").cursor.step, 0);
}

#[test]
fn steps_lead_through_the_whole_run_and_back() {
    let mut state = going(&showing("expiry/gc-pause", "token-lua"), Move::First);
    let count = state.played.run().expect("it is played").steps.len();
    let mut there = vec![state.cursor.clone()];
    for _ in 1..count {
        state = going(&state, Move::Next);
        there.push(state.cursor.clone());
    }
    assert_eq!(going(&state, Move::Next), state, "nothing comes after the last step");
    assert_eq!(going(&going(&state, Move::First), Move::Last), state);
    for cursor in there.iter().rev() {
        assert_eq!(&state.cursor, cursor);
        state = going(&state, Move::Back);
    }
    assert!(there.is_sorted_by_key(|cursor| (cursor.at, cursor.events, cursor.x)));
}

#[test]
fn between_two_steps_leases_run_down() {
    let state = going(&showing("expiry/gc-pause", "token-lua"), Move::First);
    let track = state.played.run().expect("it is played").track.clone();
    let at = |seconds: u64| {
        let state = going(&state, Move::Scrub(track.x_of_time(Time(seconds * 1_000_000))));
        let mut moment = state.played.run().expect("it is played").moments.after(state.cursor.events);
        moment.at = state.cursor.at;
        let record = moment.nodes[0].records["lock"].clone();
        moment.remaining(&record).expect("it has an end").micros()
    };
    assert!(at(4) > at(6) && at(6) > at(9));
    // Going back leads to the step that was left behind, not to the one before it.
    let past = going(&state, Move::Scrub(track.x_of_time(Time(6_000_000))));
    assert_eq!(going(&past, Move::Back).cursor.step, past.cursor.step);
}

#[test]
fn a_run_plays_to_its_end_and_stops_there() {
    let mut state = going(&showing("basics/contended", "token-lua"), Move::First).after(Action::Play);
    assert!(state.playing);
    let mut ticks = 0;
    while state.playing {
        state = state.after(Action::Pass(40));
        ticks += 1;
        assert!(ticks < 10_000, "it does not end");
    }
    assert_eq!(state.cursor.step + 1, state.played.run().expect("it is played").steps.len());
    // Playing at the end begins again, and time passes only while it plays.
    let again = state.after(Action::Play);
    assert_eq!((again.cursor.step, again.playing), (0, true));
    let stopped = again.after(Action::Play);
    assert_eq!(stopped.after(Action::Pass(1_000)), stopped);
}

#[test]
fn the_code_marks_the_line_that_a_client_stands_on() {
    let state = showing("expiry/gc-pause", "token-lua");
    let html = page(going(&state, Move::Last));
    let marked: Vec<&str> = html.split("<li class=\"here\">").skip(1).collect();
    assert!(!marked.is_empty());
    let state = going(&state, Move::First);
    let html = page(State { language: Language::English, ..state });
    let line = html.split("<li class=\"here\">").nth(1).expect("A has sent a command");
    assert!(line.contains(">A</span>") && line.split("</li>").next().is_some_and(|line| line.contains("SET {key}")));
}

fn moves() -> impl Strategy<Value = Action> {
    prop_oneof![
        Just(Action::Go(Move::First)),
        Just(Action::Go(Move::Back)),
        Just(Action::Go(Move::Next)),
        Just(Action::Go(Move::Last)),
        (0..1_000_usize).prop_map(|step| Action::Go(Move::To(step))),
        any::<i32>().prop_map(|x| Action::Go(Move::Scrub(i64::from(x) % 20_000))),
        (0..200_000_000_u64).prop_map(|at| Action::Go(Move::At(Time(at)))),
        Just(Action::Play),
        any::<u32>().prop_map(Action::Pass),
        Just(Action::Speak(Language::Chinese)),
        any::<u32>().prop_map(Action::Fit),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn wherever_a_reader_goes_the_cursor_is_in_the_run(actions in prop::collection::vec(moves(), 1..30)) {
        let mut state = showing("renewal/cut-off", "watchdog");
        for action in actions {
            state = state.after(action);
            let run = state.played.run().expect("it is played");
            let cursor = &state.cursor;
            prop_assert!(cursor.step < run.steps.len() && cursor.events <= run.history.events.len());
            prop_assert!((0..=i64::from(TRACK)).contains(&cursor.x) && cursor.at <= run.scene.end);
            let happened = run.history.events[..cursor.events].last().map(|event| event.at);
            prop_assert!(happened.is_none_or(|at| at <= cursor.at), "{cursor:?}");
        }
    }
}
