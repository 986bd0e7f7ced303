//! The faults of the run, with buttons that move, lengthen and delete each and that add one at the cursor: all that a mouse does on the timeline.

use std::rc::Rc;

use locklab_core::i18n::{Language, Say};
use locklab_core::scenario;
use locklab_core::view::{Lane, Whose};
use yew::{Callback, Html, Properties, component, html};

use crate::component::chip::chip;
use crate::component::timeline::FaultControls;
use crate::state::{Action, Blow, Cursor, Played};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct FaultsProperties {
    pub language: Language,
    pub played: Rc<Played>,
    pub cursor: Cursor,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Faults(properties: &FaultsProperties) -> Html {
    let FaultsProperties { language, played, cursor, .. } = properties;
    let Ok(run) = played.run() else { return Html::default() };
    let words = words(*language);
    let count = played.scenario.faults.len();
    let lanes = run.scene.lanes.iter().filter(|lane| !Blow::of(lane.whose).is_empty());
    html! {
        <details class="faults">
            <summary>{ words.faults }{ " " }<span class="quiet">{ count }</span></summary>
            if count > 0 {
                <ol class="placed">
                    { for (1..=count).map(|number| fault(number, properties)) }
                </ol>
            }
            <p class="quiet small">{ words.add_fault }{ " " }<strong>{ cursor.at.say(*language) }</strong></p>
            <div class="blows">
                { for lanes.map(|lane| offers(lane, properties)) }
            </div>
            <p class="quiet small">{ words.drag_hint }</p>
        </details>
    }
}

/// A fault as the scenario's text writes it, with its buttons.
fn fault(number: usize, properties: &FaultsProperties) -> Html {
    let FaultsProperties { language, played, dispatch, .. } = properties;
    let Ok(run) = played.run() else { return Html::default() };
    let nodes: Vec<String> = run.history.header.nodes.iter().map(|node| node.name.clone()).collect();
    let fault = played.scenario.faults.get(number - 1..number).unwrap_or_default();
    let written = scenario::written_faults(fault, &played.scenario, &nodes);
    let struck = played.struck().into_iter().map(|(_, struck)| struck).find(|struck| struck.number == number);
    html! {
        <li>
            <code>{ written.trim_matches(['[', ']', '{', '}', ' ']).to_owned() }</code>
            if let Some(struck) = struck {
                <FaultControls language={*language} {struck} played={played.clone()} dispatch={dispatch.clone()} />
            } else {
                <button type="button" class="spare" onclick={dispatch.reform(move |_| Action::Spare(number))}>
                    { words(*language).delete }
                </button>
            }
        </li>
    }
}

/// What can be put on a lane, at the cursor.
fn offers(lane: &Lane, properties: &FaultsProperties) -> Html {
    let FaultsProperties { language, cursor, dispatch, .. } = properties;
    let (whose, at) = (lane.whose, cursor.at);
    let name = lane.name.in_language(*language);
    let shown = match whose {
        Whose::Client(client) => chip(usize::from(client.0), name),
        _ => html! { <span class="mono">{ name.to_owned() }</span> },
    };
    html! {
        <fieldset>
            <legend>{ shown }</legend>
            { for Blow::of(whose).iter().copied().map(|blow| html! {
                <button type="button" data-strike={format!("{} {}", name, blow.tag())}
                    onclick={dispatch.reform(move |_| Action::Strike(blow, whose, at))}>
                    { "+ " }{ blow.name().in_language(*language).to_owned() }
                </button>
            }) }
        </fieldset>
    }
}
