//! A history that was opened from a file: where it is from, and the way back.

use std::rc::Rc;

use locklab_core::i18n::Language;
use yew::{Callback, Html, Properties, component, html};

use crate::state::{Action, Played};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct RecordedProperties {
    pub language: Language,
    pub played: Rc<Played>,
    pub can_go_back: bool,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Recorded(properties: &RecordedProperties) -> Html {
    let RecordedProperties { language, played, can_go_back, dispatch } = properties;
    let Ok(run) = played.run() else { return Html::default() };
    let words = words(*language);
    let header = &run.history.header;
    html! {
        <p class="recorded">
            <span class="quiet label">{ words.recorded }</span>
            <strong class="mono">{ played.piece.source.name().to_owned() }</strong>
            <span class="quiet label">{ words.lock }</span>
            <strong class="mono">{ header.lock.clone() }</strong>
            <span class="quiet label">{ words.played_on }</span>
            <span class="played-on">
                { header.played_on.words().in_language(*language).to_owned() }
            </span>
            if *can_go_back {
                <button type="button" class="undo-file" onclick={dispatch.reform(|_| Action::Undo)}>{ words.back_to_run }</button>
            }
        </p>
    }
}
