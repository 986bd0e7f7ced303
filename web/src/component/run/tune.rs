//! Sliders and fields for the figures of the scenario. Each change plays the run anew.

use std::rc::Rc;

use locklab_core::i18n::{Language, Say};
use wasm_bindgen::JsCast;
use yew::{Callback, Event, Html, InputEvent, Properties, component, html, use_memo};

use crate::browser;
use crate::component::icon::{Icon, icon};
use crate::state::{Action, Knob, Played};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct TuneProperties {
    pub language: Language,
    pub played: Rc<Played>,
    /// Whether there is a change to take back, one to make again, and another branch.
    pub ways: (bool, bool, bool),
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Tune(properties: &TuneProperties) -> Html {
    let TuneProperties { language, played, ways: (can_undo, can_redo, has_branch), dispatch } = properties;
    let knobs = use_memo(played.clone(), |played| played.knobs());
    let words = words(*language);
    html! {
        <div class="tune" role="group" aria-label={words.tune}>
            { for knobs.iter().map(|knob| slider(knob, *language, dispatch)) }
            <span class="undo" role="group">
                { walk(words.undo, "undo", Icon::Undo, *can_undo, Action::Undo, dispatch) }
                { walk(words.redo, "redo", Icon::Redo, *can_redo, Action::Redo, dispatch) }
                if *has_branch {
                    { walk(words.branch, "branch", Icon::Branch, true, Action::Branch, dispatch) }
                }
            </span>
            if played.is_changed() {
                <button type="button" class="restore" onclick={dispatch.reform(|_| Action::Restore)}>
                    { words.restore }
                </button>
            }
        </div>
    }
}

fn walk(
    label: &'static str,
    class: &'static str,
    sign: Icon,
    can: bool,
    action: Action,
    dispatch: &Callback<Action>,
) -> Html {
    html! {
        <button type="button" {class} aria-label={label} title={label} disabled={!can}
            onclick={dispatch.reform(move |_| action.clone())}>
            { icon(sign) }
        </button>
    }
}

fn slider(knob: &Knob, language: Language, dispatch: &Callback<Action>) -> Html {
    let value = knob.value.say(language);
    let turn = {
        let knob = knob.clone();
        dispatch.reform(move |event: InputEvent| {
            let slider = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
            Action::Change(knob.turned(slider.map_or(0, |slider| slider.value_as_number() as usize)))
        })
    };
    // Between two stops of the slider lies whatever somebody types, as a scenario writes it.
    let write = {
        let (knob, dispatch) = (knob.clone(), dispatch.clone());
        Callback::from(move |event: Event| {
            let written = browser::value_of(&event).map(|value| knob.written(&value));
            written.into_iter().for_each(|change| dispatch.emit(Action::Change(change)));
        })
    };
    let name = knob.name.in_language(language).to_owned();
    html! {
        <div class="knob" key={knob.key.clone()}>
            <span class="quiet" aria-hidden="true">{ name.clone() }</span>
            <input type="text" class="exact" data-exact={knob.key.clone()} aria-label={name.clone()} size="6" spellcheck="false"
                autocomplete="off" value={knob.value.to_string()} onchange={write} />
            <input type="range" data-key={knob.key.clone()} min="0" max={(knob.stops.len() - 1).to_string()} step="1"
                value={knob.position().to_string()} aria-label={name} aria-valuetext={value} oninput={turn} />
        </div>
    }
}
