//! The head of the page: its name, the ways to its views, and the switches of colours and language.

use locklab_core::i18n::Language;
use locklab_core::view::svg::Theme;
use yew::{Callback, Html, Properties, component, html};

use crate::state::{Action, View};
use crate::words::{theme, view_name, words};

#[derive(PartialEq, Properties)]
pub struct HeaderProperties {
    pub language: Language,
    pub theme: Theme,
    pub view: View,
    /// The address of the run that is shown.
    pub run: Option<String>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Header(properties: &HeaderProperties) -> Html {
    let HeaderProperties { language, theme: chosen, view, run, dispatch } = properties;
    let words = words(*language);
    let other = language.other();
    let next = match chosen {
        Theme::Auto => Theme::Light,
        Theme::Light => Theme::Dark,
        Theme::Dark => Theme::Auto,
    };
    let name = theme(*chosen, *language);
    html! {
        <header class="masthead">
            <h1>{ "Locklab" }</h1>
            <p>{ words.purpose }</p>
            if View::LINKED.len() > 1 {
                <nav class="views" aria-label={words.views}>
                    { for View::LINKED.into_iter().map(|linked| {
                        let place = linked.word().or(run.as_deref()).unwrap_or_default();
                        html! {
                            <a href={format!("#{place}")} aria-current={(linked == *view).then_some("page")}>
                                { view_name(linked, *language) }
                            </a>
                        }
                    }) }
                </nav>
            }
            <button type="button" class="theme" aria-label={format!("{}: {name}", words.colours)}
                onclick={dispatch.reform(move |_| Action::Paint(next))}>
                { name }
            </button>
            <button type="button" class="language" lang={other.tag()}
                onclick={dispatch.reform(move |_| Action::Speak(other))}>
                { other.own_name() }
            </button>
        </header>
    }
}
