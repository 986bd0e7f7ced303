//! The timelines of the run and of those that it is compared with: one axis, one cursor, one legend, and what differs marked.

use std::rc::Rc;

use locklab_core::view::svg::Signs;
use yew::{Callback, Html, Properties, component, html, use_memo};

use super::outcome::Outcome;
use crate::component::timeline::Timeline;
use crate::state::{Action, Comparison, Played, State};

#[derive(PartialEq, Properties)]
pub struct DrawingsProperties {
    pub state: State,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Drawings(properties: &DrawingsProperties) -> Html {
    let DrawingsProperties { state, dispatch } = properties;
    let runs: Vec<Rc<Played>> = [&state.played].into_iter().chain(&state.beside).cloned().collect();
    // What sets runs apart is found once for each set of them, not for each move of the cursor.
    let comparison = use_memo(runs.clone(), |runs| Comparison::of(runs));
    let language = state.language;
    let until = state.common_end();
    let (spot, is_pinned) = state.explained();
    let last = runs.len() - 1;
    html! {
        { for runs.iter().zip(&comparison.runs).enumerate().map(|(place, (played, apart))| {
            let legend = until.map(|_| if place == last { comparison.signs } else { Signs::default() });
            html! {
                <>
                    if until.is_some() {
                        <Outcome {language} played={played.clone()} apart={apart.clone()}
                            first={(place > 0).then(|| runs[0].piece.lock.clone())} dispatch={dispatch.clone()} />
                    }
                    <Timeline {language} theme={state.theme} width={state.width} played={played.clone()}
                        cursor={state.cursor.clone()} {until} {place} differing={apart.differing.clone()} {legend}
                        window={state.window} {spot} {is_pinned} dispatch={dispatch.clone()} />
                </>
            }
        }) }
    }
}
