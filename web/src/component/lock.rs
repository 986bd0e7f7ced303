//! The choice of a lock: those that the scenario speaks of side by side, all others in a list.

use std::rc::Rc;

use locklab_core::i18n::Language;
use locklab_core::locks;
use wasm_bindgen::JsCast;
use yew::{Callback, Event, Html, Properties, component, html};

use crate::state::{Action, Played};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct LockProperties {
    pub language: Language,
    pub played: Rc<Played>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Lock(properties: &LockProperties) -> Html {
    let LockProperties { language, played, dispatch } = properties;
    let words = words(*language);
    let chosen = &played.piece.lock;
    let told = played.told_with();
    let others = locks::kinds().iter().filter(|kind| !told.contains(&&*kind.name));
    let is_told = told.contains(&chosen.as_str());
    let pick = dispatch.reform(|event: Event| {
        let select = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlSelectElement>().ok());
        Action::Lock(select.map(|select| select.value()).unwrap_or_default())
    });
    html! {
        <div class="lock">
            <div class="locks" role="group" aria-label={words.lock}>
                <span class="quiet label">{ words.lock }</span>
                { for told.iter().map(|name| button(name, name == chosen, dispatch)) }
                <select class={if is_told { "other-lock" } else { "other-lock chosen" }}
                    aria-label={words.other_lock_label} onchange={pick}>
                    <option value="" disabled={true} selected={is_told}>{ words.other_lock }</option>
                    { for others.map(|kind| html! {
                        <option value={kind.name.to_string()} selected={*kind.name == **chosen}>{ &*kind.name }</option>
                    }) }
                </select>
            </div>
            <p class="quiet summary">{ played.summary.in_language(*language) }</p>
        </div>
    }
}

fn button(name: &str, is_chosen: bool, dispatch: &Callback<Action>) -> Html {
    let lock = name.to_owned();
    html! {
        <button type="button" class="lock-name" data-lock={lock.clone()} aria-pressed={is_chosen.to_string()}
            onclick={dispatch.reform(move |_| Action::Lock(lock.clone()))}>
            { name }
        </button>
    }
}
