//! Buttons that move, lengthen and delete a fault: all that a mouse does by dragging it.

use std::rc::Rc;

use locklab_core::i18n::Language;
use locklab_core::time::Time;
use yew::{Callback, Html, Properties, component, html};

use crate::state::{Action, Played, Struck, Turn};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct FaultControlsProperties {
    pub language: Language,
    pub struck: Struck,
    pub played: Rc<Played>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn FaultControls(properties: &FaultControlsProperties) -> Html {
    let FaultControlsProperties { language, struck, played, dispatch } = properties;
    let (words, Struck { number, at, until }) = (words(*language), *struck);
    let step = played.grain();
    let button = |sign: &'static str, label: &'static str, turn: Turn| {
        html! {
            <button type="button" aria-label={label} title={label}
                onclick={dispatch.reform(move |_| Action::Turn(number, turn))}>
                { sign }
            </button>
        }
    };
    let earlier = |at: Time| Time(at.0.saturating_sub(step.0));
    html! {
        <p class="buttons fault-controls" data-fault={number.to_string()}>
            { button("←", words.earlier, Turn::At(earlier(at))) }
            { button("→", words.later, Turn::At(at + step)) }
            if let Some(until) = until {
                { button("−", words.shorter, Turn::Until(earlier(until))) }
                { button("+", words.longer, Turn::Until(until + step)) }
            }
            <button type="button" class="spare" onclick={dispatch.reform(move |_| Action::Spare(number))}>
                { words.delete }
            </button>
        </p>
    }
}
