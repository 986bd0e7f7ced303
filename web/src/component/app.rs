//! The whole page.

use std::rc::Rc;

use yew::{Callback, Html, Properties, component, html, use_reducer};

use super::browse::Browse;
use super::code::Code;
use super::editor::Editor;
use super::effects::use_effects;
use super::figures::Figures;
use super::header::Header;
use super::knowledge::Knowledge;
use super::lock::Lock;
use super::notice::Notice;
use super::outcome::Outcome;
use super::player::Player;
use super::promises::Promises;
use super::share::Share;
use super::story::Story;
use super::timeline::Timeline;
use super::tune::Tune;
use crate::state::{Action, Run, State};
use crate::words::words;

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
    let (language, played) = (state.language, state.played.clone());
    let scenario = &played.scenario;
    html! {
        <>
            <Header {language} theme={state.theme} dispatch={dispatch.clone()} />
            <main>
                <Browse {language} open={state.choosing} chosen={played.piece.source.name().to_owned()}
                    dispatch={dispatch.clone()} />
                if let Some(trouble) = &state.trouble {
                    <Notice {language} trouble={trouble.clone()} dispatch={dispatch.clone()} />
                }
                <section class="opening">
                    <h2>{ scenario.title.in_language(language) }</h2>
                    <p class="question">{ scenario.question.in_language(language) }</p>
                    <Lock {language} played={played.clone()} beside={state.beside.clone()} dispatch={dispatch.clone()} />
                    <Tune {language} played={played.clone()} dispatch={dispatch.clone()} />
                </section>
                { match played.run() {
                    Ok(run) => run_of(&state, run, &dispatch),
                    Err(why) => html! {
                        <section class="card empty">
                            <p><strong>{ words(language).not_applicable }</strong></p>
                            <p>{ why.in_language(language) }</p>
                        </section>
                    },
                } }
                <Editor {language} played={played.clone()} draft={state.draft.clone()} dispatch={dispatch.clone()} />
            </main>
        </>
    }
}

/// What is shown of a run that was played.
fn run_of(state: &State, run: &Rc<Run>, dispatch: &Callback<Action>) -> Html {
    let (language, played, cursor) = (state.language, state.played.clone(), state.cursor.clone());
    let until = state.common_end();
    html! {
        <>
            <Promises {language} played={played.clone()} />
            <section class="card stage-card" aria-label={words(language).timeline}>
                { for [&played].into_iter().chain(&state.beside).enumerate().map(|(place, played)| html! {
                    <>
                        if until.is_some() {
                            <Outcome {language} played={played.clone()} dispatch={dispatch.clone()}
                                is_first={place == 0} />
                        }
                        <Timeline {language} theme={state.theme} width={state.width} played={played.clone()}
                            cursor={cursor.clone()} {until} {place} dispatch={dispatch.clone()} />
                    </>
                }) }
                <Player {language} playing={state.playing} played={played.clone()} cursor={cursor.clone()} {until}
                    dispatch={dispatch.clone()} />
            </section>
            <div class="knowledge">
                <Code {language} played={played.clone()} cursor={cursor.clone()} />
                <Knowledge {language} played={played.clone()} {cursor} />
            </div>
            <div class="afterwards">
                <Story {language} played={played.clone()} />
                <div>
                    <Figures {language} played={played.clone()} />
                    <Share {language} address={run.address.to_string()} digest={run.digest.clone()}
                        {played} />
                </div>
            </div>
        </>
    }
}
