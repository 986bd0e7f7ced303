//! The whole page: the header, and the view that the reader is at.

use yew::{Callback, Html, Properties, component, html, use_reducer};

use super::effects::use_effects;
use super::embed::Embed;
use super::game::GameView;
use super::header::Header;
use super::lessons::Lessons;
use super::matrix::MatrixView;
use super::run::RunView;
use super::search::SearchView;
use crate::state::{State, View};

/// What the page starts with.
#[derive(PartialEq, Properties)]
pub struct AppProperties {
    /// The state before the reader's first action.
    pub state: State,
}

/// The whole page: it owns the state, its parts draw it and send back actions.
#[component]
pub fn App(properties: &AppProperties) -> Html {
    let first = properties.state.clone();
    let state = use_reducer(move || first);
    let dispatch = {
        let dispatcher = state.dispatcher();
        Callback::from(move |action| dispatcher.dispatch(action))
    };
    use_effects(&state, &dispatch);
    let shown = (*state).clone();
    if state.view == View::Embed {
        return html! { <Embed state={shown} {dispatch} /> };
    }
    html! {
        <>
            <Header language={state.language} theme={state.theme} view={state.view} run={state.run_place()}
                dispatch={dispatch.clone()} />
            { match state.view {
                View::Run | View::Embed => html! { <RunView state={shown} {dispatch} /> },
                View::Game => html! { <GameView state={shown} {dispatch} /> },
                View::Lessons => html! { <Lessons state={shown} {dispatch} /> },
                View::Search => html! { <SearchView state={shown} {dispatch} /> },
                View::Matrix => html! { <MatrixView state={shown} {dispatch} /> },
            } }
        </>
    }
}
