//! The controls of the cursor: buttons, a slider under the plot, the instant, and what happens there.

use std::rc::Rc;

use locklab_core::i18n::{Language, Say};
use locklab_core::time::Time;
use wasm_bindgen::JsCast;
use yew::{Callback, Event, Html, InputEvent, Properties, classes, component, html};

use super::icon::{Icon, icon};
use crate::browser;
use crate::state::{Action, Cursor, Look, Move, Played, Speed, TRACK, Window};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct PlayerProperties {
    pub language: Language,
    pub playing: bool,
    pub speed: Speed,
    pub played: Rc<Played>,
    pub cursor: Cursor,
    /// When the common time axis of several drawings ends; `None`: there is one drawing, with an axis of its own.
    #[prop_or_default]
    pub until: Option<Time>,
    /// The part of the axis that is shown.
    #[prop_or_default]
    pub window: Window,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Player(properties: &PlayerProperties) -> Html {
    let PlayerProperties { language, playing, speed, played, cursor, until, window, dispatch } = properties;
    let Ok(run) = played.run() else { return Html::default() };
    let words = words(*language);
    let step = run.steps.get(cursor.step);
    let told = step.map(|step| step.words.in_language(*language)).unwrap_or_default();
    let at = cursor.at.say(*language);
    // The slider lies under the plot: it counts as the axis there does.
    let (most, value) = until.map_or((u64::from(TRACK), cursor.x as u64), |until| (until.0, cursor.at.0));
    let is_shared = until.is_some();
    let scrub = dispatch.reform(move |event: InputEvent| {
        let slider = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
        let value = slider.map_or(0, |slider| slider.value_as_number() as u64);
        Action::Go(if is_shared { Move::At(Time(value)) } else { Move::Scrub(value as i64) })
    });
    let go = |label: &'static str, sign: Icon, class: &'static str, action: Action, disabled: bool| {
        html! {
            <button type="button" class={classes!("control", class)} aria-label={label} title={label}
                {disabled} onclick={dispatch.reform(move |_| action.clone())}>
                { icon(sign) }
            </button>
        }
    };
    let hurry = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            let asked = browser::value_of(&event);
            let speed = Speed::ALL.into_iter().find(|speed| asked.as_deref() == Some(speed.sign()));
            speed.into_iter().for_each(|speed| dispatch.emit(Action::Hurry(speed)));
        })
    };
    html! {
        <div class="player" role="group" aria-label={words.controls}>
            <input type="range" class="instant" min="0" max={most.to_string()} step="1" value={value.to_string()}
                aria-label={words.instant} aria-valuetext={format!("{at}: {told}")} oninput={scrub} />
            <div class="controls">
                { go(words.first, Icon::First, "first", Action::Go(Move::First), false) }
                { go(words.back, Icon::Back, "back", Action::Go(Move::Back), false) }
                { if *playing {
                    go(words.pause, Icon::Pause, "play", Action::Play, false)
                } else {
                    go(words.play, Icon::Play, "play", Action::Play, false)
                } }
                { go(words.next, Icon::Next, "next", Action::Go(Move::Next), false) }
                { go(words.last, Icon::Last, "last", Action::Go(Move::Last), false) }
                <select key={speed.sign()} class="speed" aria-label={words.speed} title={words.speed} onchange={hurry}>
                    { for Speed::ALL.into_iter().map(|each| html! {
                        <option value={each.sign()} selected={each == *speed}>{ each.sign() }</option>
                    }) }
                </select>
                <output class="at">{ at.clone() }</output>
                <span class="quiet count">{ format!("{} / {}", cursor.step + 1, run.steps.len()) }</span>
                <span class="zoom" role="group" aria-label={words.zoom}>
                    { go(words.farther, Icon::Farther, "farther", Action::Look(Look::Farther), window.is_whole()) }
                    { go(words.nearer, Icon::Nearer, "nearer", Action::Look(Look::Nearer), false) }
                    { go(words.whole, Icon::Whole, "whole", Action::Look(Look::Whole), window.is_whole()) }
                </span>
            </div>
            <p class="quiet keys">{ words.keys }</p>
            <p class={classes!("told", step.is_some_and(|step| step.is_violation).then_some("is-broken"))}
                aria-live={if *playing { "off" } else { "polite" }}>
                { told }
            </p>
        </div>
    }
}
