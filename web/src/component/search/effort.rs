//! How far a search is.

use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use yew::{Html, Properties, component, html};

use crate::errand::{Effort, MOST_MEMORY};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct EffortCardProperties {
    pub language: Language,
    pub effort: Effort,
}

#[component]
pub fn EffortCard(properties: &EffortCardProperties) -> Html {
    let EffortCardProperties { language, effort } = properties;
    let words = words(*language);
    let (used, most) = (effort.bytes >> 20, MOST_MEMORY >> 20);
    html! {
        <section class="card effort">
            <h3 role="status">{ words.searching }</h3>
            <p class="figures-line">{ counted(effort).in_language(*language) }</p>
            <p class="quiet">{ reached(effort).in_language(*language) }</p>
            <p class="memory">
                <label>
                    <span class="quiet label">{ words.memory }</span>
                    <progress value={used.to_string()} max={most.to_string()} />
                </label>
                <span class="quiet small">{ format!("{used} / {most} MB") }</span>
            </p>
        </section>
    }
}

/// How many states there are, and how fast.
fn counted(effort: &Effort) -> Text {
    say!(
        "{states} states, {rate} a second, {waiting} waiting",
        "{states} 个状态，每秒 {rate} 个，待查 {waiting} 个",
        states = effort.states,
        rate = effort.rate(),
        waiting = effort.waiting
    )
}

/// Up to where everything has been looked at.
pub fn reached(effort: &Effort) -> Text {
    say!("Looked at in full: {done}.", "已查完：{done}。", done = effort.reached.done_before())
}
