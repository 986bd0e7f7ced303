//! The timeline alone, for articles and slides: the drawing, its controls, and the way to the whole page.

use yew::{Callback, Html, Properties, classes, component, html};

use super::player::Player;
use super::timeline::Timeline;
use crate::state::{Action, State};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct EmbedProperties {
    pub state: State,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Embed(properties: &EmbedProperties) -> Html {
    let EmbedProperties { state, dispatch } = properties;
    let (language, played, cursor) = (state.language, state.played.clone(), state.cursor.clone());
    let (spot, is_pinned) = state.explained();
    let words = words(language);
    let title = played.scenario.title.in_language(language);
    let whole = format!("./#{}", state.address().unwrap_or_default());
    let outcome = played.run().ok().map(|run| run.outcome().in_language(language).to_owned());
    let is_broken = played.run().is_ok_and(|run| run.report.broken().next().is_some());
    html! {
        <main class="embed">
            <h1>{ title }{ " " }<span class="quiet mono">{ &played.piece.lock }</span></h1>
            <p class={classes!("embed-links", is_broken.then_some("is-broken"))}>
                <span class="said">{ outcome.unwrap_or_else(|| words.not_applicable.to_owned()) }</span>
                <a href={whole} target="_blank" rel="noopener">{ words.open_whole }</a>
            </p>
            <Timeline {language} theme={state.theme} width={state.width} played={played.clone()}
                cursor={cursor.clone()} window={state.window} {spot} {is_pinned} dispatch={dispatch.clone()} />
            <Player {language} playing={state.playing} speed={state.speed} {played} {cursor} window={state.window} dispatch={dispatch.clone()} />
        </main>
    }
}
