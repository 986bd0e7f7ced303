//! "Break this lock": the list of levels, and a level.

mod level;
mod list;

use yew::{Callback, Html, Properties, component, html};

use self::level::LevelView;
use self::list::Levels;
use crate::state::{Action, State};

#[derive(PartialEq, Properties)]
pub struct GameProperties {
    pub state: State,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn GameView(properties: &GameProperties) -> Html {
    let GameProperties { state, dispatch } = properties;
    html! {
        <main class="game">
            { match state.game.level() {
                None => html! { <Levels language={state.language} game={state.game.clone()} /> },
                Some(level) => html! { <LevelView state={state.clone()} {level} dispatch={dispatch.clone()} /> },
            } }
        </main>
    }
}
