//! The view of one run: choose it, walk through it, compare it, change it, take it away.

mod browse;
mod code;
mod drawings;
mod editor;
mod faults;
mod figures;
mod knowledge;
mod lock;
mod notice;
mod offer;
mod open;
mod outcome;
mod promises;
mod recorded;
mod share;
mod steps;
mod story;
mod tune;

use std::rc::Rc;

use yew::{Callback, Html, Properties, component, html};

use self::browse::Browse;
pub use self::code::Code;
use self::drawings::Drawings;
use self::editor::Editor;
use self::faults::Faults;
use self::figures::Figures;
use self::knowledge::Knowledge;
use self::lock::Lock;
pub use self::notice::Notice;
use self::open::OpenFile;
pub use self::outcome::Outcome;
use self::promises::Promises;
use self::recorded::Recorded;
use self::share::Share;
pub use self::steps::Steps;
pub use self::story::Story;
use self::tune::Tune;
use super::player::Player;
use crate::state::{Action, Run, State};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct RunViewProperties {
    pub state: State,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn RunView(properties: &RunViewProperties) -> Html {
    let RunViewProperties { state, dispatch } = properties;
    let (language, played) = (state.language, state.played.clone());
    let scenario = &played.scenario;
    html! {
        <main>
            <div class="sources">
                <Browse {language} open={state.choosing} chosen={played.piece.source.name().to_owned()}
                    dispatch={dispatch.clone()} />
                <OpenFile {language} reading={state.reading.as_ref().map(|reading| reading.name.clone())}
                    dispatch={dispatch.clone()} />
            </div>
            if let Some(trouble) = &state.trouble {
                <Notice {language} trouble={trouble.clone()} dispatch={dispatch.clone()} />
            }
            <section class="opening">
                <h2>{ scenario.title.in_language(language) }</h2>
                <p class="question">{ scenario.question.in_language(language) }</p>
                if played.is_recorded() {
                    <Recorded {language} played={played.clone()} can_go_back={state.branches.ways().0}
                        dispatch={dispatch.clone()} />
                } else {
                    <Lock {language} played={played.clone()} beside={state.beside.clone()} dispatch={dispatch.clone()} />
                    <Tune {language} played={played.clone()} ways={state.branches.ways()} dispatch={dispatch.clone()} />
                }
            </section>
            { match played.run() {
                Ok(run) => run_of(state, run, dispatch),
                Err(why) => html! {
                    <section class="card empty">
                        <p><strong>{ words(language).not_applicable }</strong></p>
                        <p>{ why.in_language(language) }</p>
                    </section>
                },
            } }
            if !played.is_recorded() {
                <Editor {language} played={played.clone()} draft={state.draft.clone()} dispatch={dispatch.clone()} />
            }
        </main>
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
                <Drawings state={state.clone()} dispatch={dispatch.clone()} />
                <Player {language} playing={state.playing} speed={state.speed} played={played.clone()} cursor={cursor.clone()} {until}
                    window={state.window}
                    dispatch={dispatch.clone()} />
                if !played.is_recorded() {
                    <Faults {language} played={played.clone()} cursor={cursor.clone()} dispatch={dispatch.clone()} />
                }
            </section>
            <Steps {language} played={played.clone()} cursor={cursor.clone()} dispatch={dispatch.clone()} />
            <div class="knowledge">
                <Code {language} played={played.clone()} cursor={cursor.clone()} />
                <Knowledge {language} played={played.clone()} {cursor} />
            </div>
            <div class="afterwards">
                <Story {language} played={played.clone()} />
                <div>
                    <Figures {language} played={played.clone()} />
                    <Share {language} address={played.address()} digest={run.digest.clone()} {played} />
                </div>
            </div>
        </>
    }
}
