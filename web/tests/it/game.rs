use locklab_core::game::{LEVELS, Level};
use locklab_core::i18n::Language;
use locklab_core::sim::FaultClass;
use locklab_web::errand::Errand;
use locklab_web::{Action, Move, Par, State, Try, View};

use crate::errand::told;
use crate::page;

fn level(name: &str) -> (usize, &'static Level, State) {
    let which = LEVELS.iter().position(|level| level.name == name).expect("a level");
    let state = State::first(Language::English).after(Action::Open(format!("game/{name}")));
    assert_eq!((state.view, state.trouble.clone()), (View::Game, None));
    (which, &LEVELS[which], state)
}

/// The state once a worker has searched the level.
fn searched(which: usize, state: &State) -> State {
    let reports = told(&Errand::Level(which));
    reports.into_iter().fold(state.clone(), |state, report| state.after(Action::Try(Try::Heard(report))))
}

/// The state with the cursor at the first step that says this.
fn at_step(state: &State, says: &str) -> State {
    let run = state.played.run().expect("it is played");
    let step =
        run.steps.iter().position(|step| step.words.en.contains(says)).unwrap_or_else(|| panic!("no step says {says}"));
    state.after(Action::Go(Move::To(step)))
}

#[test]
fn a_fault_at_the_right_step_solves_a_level() {
    let (_, level, state) = level("setnx");
    assert!(page(state.clone()).contains("It still holds"));
    let state = at_step(&state, "SETNX").after(Action::Try(Try::Strike(FaultClass::Crash, "A".into())));
    assert_eq!(state.played.scenario.faults.len(), 1);
    assert!(page(state.clone()).contains("You broke it"));
    assert_eq!(state.game.solved.get(level.name), Some(&1));
    // Taken away again, the lock holds; that it was solved stays.
    let spared = state.after(Action::Spare(1));
    assert!(page(spared.clone()).contains("It still holds"));
    assert_eq!(spared.game.kept(), "setnx=1");
}

#[test]
fn more_faults_than_allowed_do_not_count() {
    let (_, level, state) = level("token");
    let twice = [FaultClass::Pause, FaultClass::Pause]
        .into_iter()
        .fold(state, |state, class| state.after(Action::Try(Try::Strike(class, "B".into()))));
    assert!(page(twice.clone()).contains("More than you may use"));
    assert!(!twice.game.solved.contains_key(level.name));
}

#[test]
fn par_and_hints_come_from_the_search() {
    let (which, _, state) = level("token");
    let state = searched(which, &state);
    let Some(Par::Broken { faults: 1, hints }) = state.game.par().map(|par| (**par).clone()) else {
        panic!("{:?}", state.game.par())
    };
    assert!(!page(state.clone()).contains(&hints[0].en));
    assert!(page(state.after(Action::Try(Try::Hint))).contains(&hints[0].en));
    // Whoever gives up too soon is told so.
    let html = page(state.after(Action::Try(Try::GiveUp)));
    assert!(html.contains("keep trying"));
}

#[test]
fn the_level_that_cannot_be_broken_is_solved_by_saying_so() {
    let (which, level, state) = level("fenced");
    let state = searched(which, &state);
    assert!(!page(state.clone()).contains("states searched"));
    let state = state.after(Action::Try(Try::GiveUp));
    assert!(page(state.clone()).contains("nothing in this budget breaks it"));
    assert_eq!(state.game.solved.get(level.name), Some(&0));
}

#[test]
fn what_the_browser_keeps_of_a_game_is_read_back_or_left_out() {
    let mut state = State::first(Language::English);
    state.game.remember("token=1,nonsense=3,setnx=x,watchdog=2,");
    assert_eq!(state.game.kept(), "token=1,watchdog=2");
    let html = page(state.after(Action::Open("game".to_owned())));
    assert_eq!(html.matches("class=\"solved\"").count(), 2);
}

#[test]
fn every_level_opens_in_both_languages() {
    for level in LEVELS {
        for language in Language::ALL {
            let state = State::first(language).after(Action::Open(format!("game/{}", level.name)));
            assert_eq!(state.place(), Some(format!("game/{}", level.name)));
            assert!(page(state).contains(level.title().in_language(language)));
        }
    }
}
