//! Why it broke, or what it withstood, as a chain of sentences; and what to take home.

use std::rc::Rc;

use locklab_core::i18n::Language;
use yew::{Html, Properties, component, html};

use crate::state::Played;
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct StoryProperties {
    pub language: Language,
    pub played: Rc<Played>,
}

#[component]
pub fn Story(properties: &StoryProperties) -> Html {
    let StoryProperties { language, played } = properties;
    let Ok(run) = played.run() else { return Html::default() };
    let words = words(*language);
    html! {
        <section class="card story">
            if !run.report.cause.is_empty() {
                <h3>{ words.why }</h3>
                <ol class="cause">
                    { for run.report.cause.iter().map(|said| html! { <li>{ said.in_language(*language) }</li> }) }
                </ol>
            }
            if !played.scenario.lesson.in_language(*language).is_empty() {
                <h3>{ words.take_home }</h3>
                <p class="lesson">{ played.scenario.lesson.in_language(*language) }</p>
            }
        </section>
    }
}
