//! The head of the page: its name, what it is for, and the switch of language.

use locklab_core::i18n::Language;
use yew::{Callback, Html, Properties, component, html};

use crate::state::Action;
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct HeaderProperties {
    pub language: Language,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Header(properties: &HeaderProperties) -> Html {
    let words = words(properties.language);
    let other = properties.language.other();
    let switch = properties.dispatch.reform(move |_| Action::Speak(other));
    html! {
        <header class="masthead">
            <h1>{ "Locklab" }</h1>
            <p>{ words.purpose }</p>
            <button type="button" class="language" lang={other.tag()} onclick={switch}>{ other.own_name() }</button>
        </header>
    }
}
