//! The run as a list of its steps: when, who, what. It follows the cursor, and whoever hears the page instead of seeing it walks through the run here.

use std::rc::Rc;

use locklab_core::i18n::{Language, Say};
use locklab_core::view::{Step, Whose};
use yew::{
    Callback, Event, Html, KeyboardEvent, Properties, classes, component, html, use_effect_with, use_node_ref,
    use_state_eq,
};

use crate::browser;
use crate::component::chip::chip;
use crate::state::{Action, Cursor, Move, Played, Run};
use crate::words::words;

/// How many steps are listed at once, so that a long run is not a long document.
const PAGE: usize = 100;

#[derive(PartialEq, Properties)]
pub struct StepsProperties {
    pub language: Language,
    pub played: Rc<Played>,
    pub cursor: Cursor,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Steps(properties: &StepsProperties) -> Html {
    let StepsProperties { language, played, cursor, dispatch } = properties;
    let is_open = use_state_eq(|| false);
    let list = use_node_ref();
    use_effect_with((cursor.step, *is_open), {
        let list = list.clone();
        move |(step, _)| {
            let list = list.cast::<web_sys::HtmlElement>();
            list.into_iter().for_each(|list| browser::follow(&list, &id_of(*step)));
        }
    });
    let Ok(run) = played.run() else { return Html::default() };
    let words = words(*language);
    let toggled = {
        let is_open = is_open.clone();
        Callback::from(move |event: Event| is_open.set(browser::is_open(&event)))
    };
    let walk = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: KeyboardEvent| {
            let to = match &*event.key() {
                "ArrowDown" => Move::Next,
                "ArrowUp" => Move::Back,
                _ => return,
            };
            event.prevent_default();
            dispatch.emit(Action::Go(to));
        })
    };
    let first = cursor.step / PAGE * PAGE;
    html! {
        <details class="card steps" ontoggle={toggled}>
            <summary>{ words.steps }{ " " }<span class="quiet">{ run.steps.len() }</span></summary>
            if *is_open {
                <p class="quiet small">{ words.steps_keys }</p>
                <ol ref={list} class="steps-list" onkeydown={walk}>
                    { for run.steps.iter().enumerate().skip(first).take(PAGE).map(|(index, step)| {
                        item(run, index, step, index == cursor.step, properties)
                    }) }
                </ol>
            }
        </details>
    }
}

fn item(run: &Run, index: usize, step: &Step, is_current: bool, properties: &StepsProperties) -> Html {
    let language = properties.language;
    let lane = run.lane_of(step);
    let who = lane.map(|lane| match lane.whose {
        Whose::Client(client) => chip(usize::from(client.0), lane.name.in_language(language)),
        _ => html! { <span class="quiet mono">{ lane.name.in_language(language).to_owned() }</span> },
    });
    html! {
        <li key={index} aria-setsize={run.steps.len().to_string()} aria-posinset={(index + 1).to_string()}>
            <button type="button" id={id_of(index)} class={classes!("step", step.is_violation.then_some("is-broken"))}
                aria-current={is_current.then_some("step")}
                onclick={properties.dispatch.reform(move |_| Action::Go(Move::To(index)))}>
                <span class="when">{ step.at.at.say(language) }</span>
                <span class="who" aria-hidden="true">{ who }</span>
                <span>{ step.words.in_language(language).to_owned() }</span>
            </button>
        </li>
    }
}

fn id_of(step: usize) -> String {
    format!("step-{}", step + 1)
}
