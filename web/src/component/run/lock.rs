//! The choice of a lock: those that the scenario speaks of side by side, all others in a list.

use std::rc::Rc;

use locklab_core::i18n::Language;
use locklab_core::locks;
use wasm_bindgen::JsCast;
use yew::{Callback, Event, Html, Properties, component, html};

use crate::state::{Action, MOST_BESIDE, Played};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct LockProperties {
    pub language: Language,
    pub played: Rc<Played>,
    /// The runs with other locks that are shown beside it.
    pub beside: Vec<Rc<Played>>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Lock(properties: &LockProperties) -> Html {
    let LockProperties { language, played, beside, dispatch } = properties;
    let words = words(*language);
    let chosen = &played.piece.lock;
    let told = played.told_with();
    let others = locks::kinds().iter().filter(|kind| !told.contains(&&*kind.name));
    let is_told = told.contains(&chosen.as_str());
    let is_compared = |lock: &str| beside.iter().any(|other| *other.piece.lock == *lock);
    let free = locks::kinds().iter().filter(|kind| *kind.name != **chosen && !is_compared(&kind.name));
    html! {
        <div class="lock">
            <div class="locks" role="group" aria-label={words.lock}>
                <span class="quiet label">{ words.lock }</span>
                { for told.iter().map(|name| button(name, name == chosen, dispatch)) }
                <span class="lock-lists">
                    // What a reader has picked outlives the list's attributes: a new list shows what is the case.
                    <select key={format!("other-{chosen}")} class={if is_told { "other-lock" } else { "other-lock chosen" }}
                        aria-label={words.other_lock_label} onchange={picked(dispatch, Action::Lock)}>
                        <option value="" disabled={true} selected={is_told}>{ words.other_lock }</option>
                        { for others.map(|kind| html! {
                            <option value={kind.name.to_string()} selected={*kind.name == **chosen}>{ &*kind.name }</option>
                        }) }
                    </select>
                    <select key={format!("compare-{chosen}-{}", beside.len())} class="compare" aria-label={words.compare} disabled={beside.len() == MOST_BESIDE}
                        onchange={picked(dispatch, Action::Beside)}>
                        <option value="" selected={true}>{ words.compare }</option>
                        { for free.map(|kind| html! { <option value={kind.name.to_string()}>{ &*kind.name }</option> }) }
                    </select>
                </span>
            </div>
            <p class="quiet summary">{ played.summary.in_language(*language) }</p>
        </div>
    }
}

/// What is asked for by picking a lock from a list.
fn picked(dispatch: &Callback<Action>, action: fn(String) -> Action) -> Callback<Event> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: Event| {
        let select = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlSelectElement>().ok());
        let Some(select) = select.filter(|select| !select.value().is_empty()) else { return };
        dispatch.emit(action(select.value()));
    })
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
