//! The list of the levels.

use locklab_core::game::LEVELS;
use locklab_core::i18n::Language;
use yew::{Html, Properties, component, html};

use crate::state::Game;
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct LevelsProperties {
    pub language: Language,
    pub game: Game,
}

#[component]
pub fn Levels(properties: &LevelsProperties) -> Html {
    let LevelsProperties { language, game } = properties;
    let words = words(*language);
    html! {
        <>
            <section class="opening">
                <h2>{ words.game }</h2>
                <p class="question">{ words.game_purpose }</p>
            </section>
            <ol class="course">
                { for LEVELS.iter().enumerate().map(|(place, level)| {
                    let is_solved = game.solved.contains_key(level.name);
                    html! {
                        <li>
                            <a class="card" href={format!("#game/{}", level.name)}>
                                <span class="number" aria-hidden="true">{ place + 1 }</span>
                                <strong>
                                    { level.title().in_language(*language) }
                                    if is_solved {
                                        <span class="solved">{ format!(" ✓ {}", words.solved) }</span>
                                    }
                                </strong>
                                <span class="quiet">{ level.story().in_language(*language) }</span>
                            </a>
                        </li>
                    }
                }) }
            </ol>
        </>
    }
}
