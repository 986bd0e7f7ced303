//! The whole page.

use yew::{Callback, Html, Properties, component, html, use_effect_with, use_reducer};

use crate::browser;
use crate::component::header::Header;
use crate::state::State;

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
    use_effect_with(state.language, |language| browser::announce_language(*language));
    html! {
        <Header language={state.language} {dispatch} />
    }
}
