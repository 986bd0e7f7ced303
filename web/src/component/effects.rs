//! The page's effects on the world around it, in one place: document, address bar, keys, size, time.

use yew::{Callback, UseReducerHandle, hook, use_effect_with};

use crate::browser;
use crate::state::{Action, Move, State};

/// How often a moving cursor moves, in milliseconds.
const FRAME: u32 = 40;

/// How often it jumps for readers who asked for little motion.
const JUMP: u32 = 1_200;

/// Keeps the browser in step with the state, and the state with the browser.
#[hook]
pub fn use_effects(state: &UseReducerHandle<State>, dispatch: &Callback<Action>) {
    use_effect_with(state.language, |language| browser::announce_language(*language));
    use_effect_with(state.theme, |theme| browser::paint(*theme));
    use_effect_with(address(state), |address| address.iter().for_each(|address| browser::write_address(address)));
    use_effect_with(state.playing, {
        let dispatch = dispatch.clone();
        move |playing| {
            let moving = playing.then(|| match browser::prefers_stillness() {
                true => browser::every(JUMP, move || dispatch.emit(Action::Pass(JUMP))),
                false => browser::every(FRAME, move || dispatch.emit(Action::Pass(FRAME))),
            });
            move || drop(moving)
        }
    });
    use_effect_with((), {
        let dispatch = dispatch.clone();
        move |()| {
            let keys = browser::hear_keys({
                let dispatch = dispatch.clone();
                move |key| action_of(key).map(|action| dispatch.emit(action)).is_some()
            });
            let opened = browser::hear("hashchange", move || {
                browser::address().into_iter().for_each(|address| dispatch.emit(Action::Open(address)));
            });
            move || drop((keys, opened))
        }
    });
}

fn address(state: &State) -> Option<String> {
    state.played.run().ok().map(|run| run.address.to_string())
}

/// What a key means on the page, as its name is in the browser.
fn action_of(key: &str) -> Option<Action> {
    Some(match key {
        "ArrowLeft" => Action::Go(Move::Back),
        "ArrowRight" => Action::Go(Move::Next),
        "Home" => Action::Go(Move::First),
        "End" => Action::Go(Move::Last),
        " " => Action::Play,
        _ => return None,
    })
}
