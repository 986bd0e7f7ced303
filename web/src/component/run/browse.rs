//! The list of scenarios by topic, each with its title and question.

use std::sync::LazyLock;

use locklab_core::i18n::{Language, Text};
use locklab_core::scenario::{Scenario, library};
use yew::{Callback, Html, Properties, component, html};

use crate::state::Action;
use crate::words::{topic, words};

#[derive(PartialEq, Properties)]
pub struct BrowseProperties {
    pub language: Language,
    pub open: bool,
    pub chosen: String,
    pub dispatch: Callback<Action>,
}

/// A scenario as the list shows it.
struct Entry {
    topic: &'static str,
    name: &'static str,
    title: Text,
    question: Text,
}

/// The library, read once, when the list is opened first.
static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| library::all().iter().filter_map(entry).collect());

fn entry(scenario: &'static library::BuiltIn) -> Option<Entry> {
    let Scenario { title, question, .. } = Scenario::parse(scenario.name, scenario.text).ok()?;
    let topic = scenario.name.split('/').next()?;
    Some(Entry { topic, name: scenario.name, title, question })
}

#[component]
pub fn Browse(properties: &BrowseProperties) -> Html {
    let BrowseProperties { language, open, chosen, dispatch } = properties;
    html! {
        <nav class="browse" aria-label={words(*language).scenarios}>
            <button type="button" class="browse-button" aria-expanded={open.to_string()}
                onclick={dispatch.reform(|_| Action::Browse)}>
                <span class="sign" aria-hidden="true">{ if *open { "▾" } else { "▸" } }</span>
                { words(*language).scenarios }
                <span class="quiet">{ chosen.clone() }</span>
            </button>
            if *open {
                <div class="card topics">
                    { for ENTRIES.chunk_by(|one, next| one.topic == next.topic).map(|group| html! {
                        <section>
                            <h2>{ topic(group[0].topic, *language) }</h2>
                            { for group.iter().map(|entry| link(entry, chosen == entry.name, properties)) }
                        </section>
                    }) }
                </div>
            }
        </nav>
    }
}

fn link(entry: &'static Entry, is_chosen: bool, properties: &BrowseProperties) -> Html {
    let language = properties.language;
    html! {
        <button type="button" class="scenario" data-name={entry.name} aria-current={is_chosen.then_some("true")}
            onclick={properties.dispatch.reform(|_| Action::Choose(entry.name))}>
            <strong>{ entry.title.in_language(language) }</strong>
            <span>{ entry.question.in_language(language) }</span>
        </button>
    }
}
