//! The head of the page: its name, what it is for, and the switches of colours and language.

use locklab_core::i18n::Language;
use locklab_core::view::svg::Theme;
use yew::{Callback, Html, Properties, component, html};

use crate::state::Action;
use crate::words::{theme, words};

#[derive(PartialEq, Properties)]
pub struct HeaderProperties {
    pub language: Language,
    pub theme: Theme,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Header(properties: &HeaderProperties) -> Html {
    let HeaderProperties { language, theme: chosen, dispatch } = properties;
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
