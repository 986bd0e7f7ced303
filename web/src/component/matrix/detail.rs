//! One cell explained: what was tried, what came of it, and why, with the run to open.

use std::rc::Rc;

use locklab_core::compare::mechanisms;
use locklab_core::i18n::Language;
use yew::{Callback, Html, Properties, component, html};

use crate::state::{Action, Entry, Open, Turned};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct DetailProperties {
    pub language: Language,
    pub open: Open,
    pub entry: Rc<Entry>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Detail(properties: &DetailProperties) -> Html {
    let DetailProperties { language, open, entry, dispatch } = properties;
    let words = words(*language);
    let (name, threat) = &open.cell;
    let title = mechanisms().into_iter().find(|row| row.name() == *name).map(|row| row.title()).unwrap_or_default();
    let run = open.played.as_ref().and_then(|played| played.run().ok());
    let tried = entry.found.tried.in_language(*language);
    html! {
        <section class="card detail" role="status">
            <button type="button" class="close" aria-label={words.close}
                onclick={dispatch.reform(|_| Action::Sheet(Turned::Open(None)))}>
                { "×" }
            </button>
            <h3>{ title.in_language(*language) }{ " · " }{ threat.title().in_language(*language) }</h3>
            <p class="found"><strong>{ entry.found.sentence().in_language(*language) }</strong></p>
            if !tried.is_empty() {
                <p class="quiet small">{ words.tried }{ " " }{ tried }</p>
            }
            if let Some(edge) = entry.found.edge {
                <p class="bound">{ edge.sentence(*threat).in_language(*language) }</p>
            }
            if let Some(run) = run {
                <ol class="cause">
                    { for run.report.cause.iter().map(|said| html! { <li>{ said.in_language(*language) }</li> }) }
                </ol>
            }
            if let Some(run) = &entry.run {
                <p><a class="open-witness" href={format!("#{run}")}>{ words.open_witness }</a></p>
            }
        </section>
    }
}
