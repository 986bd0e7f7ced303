//! What an element of the drawing is, in sentences, beside it.

use std::rc::Rc;

use locklab_core::i18n::{Language, Say, Text};
use locklab_core::time::Time;
use locklab_core::view::{Element, Exchange, Scene, Whose};
use yew::{Callback, Html, Properties, classes, component, html, use_effect_with, use_node_ref};

use super::fault::FaultControls;
use crate::browser;
use crate::state::{Action, Blow, Played, Run, Spot, Spotted};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct ExplainProperties {
    pub language: Language,
    pub played: Rc<Played>,
    pub spot: Spot,
    /// Where that is, in pixels from the drawing's left edge.
    pub x: i64,
    pub is_pinned: bool,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Explain(properties: &ExplainProperties) -> Html {
    let ExplainProperties { language, played, spot, x, is_pinned, dispatch } = properties;
    let card = use_node_ref();
    use_effect_with((*spot, *x, *is_pinned, *language, played.clone()), {
        let card = card.clone();
        move |(spot, x, ..)| {
            if let Some(card) = card.cast::<web_sys::HtmlElement>() {
                browser::put(&card, *x, spot.y);
            }
        }
    });
    // Whoever pins something with a key finds its buttons next.
    use_effect_with((spot.what, *is_pinned), {
        let card = card.clone();
        move |(_, is_pinned)| {
            let card = card.cast::<web_sys::HtmlElement>().filter(|_| *is_pinned);
            card.into_iter().for_each(|card| drop(card.focus()));
        }
    });
    let Ok(run) = played.run() else { return Html::default() };
    let said = match spot.what {
        Spotted::Element(element) => element_of(properties, run, element),
        Spotted::Lane(whose) => offer(properties, run, whose),
    };
    html! {
        <div class={classes!("explain", is_pinned.then_some("pinned"))} ref={card} role="note" tabindex="-1"
            aria-live={if *is_pinned { "polite" } else { "off" }}>
            if *is_pinned {
                <button type="button" class="unpin" aria-label={words(*language).close}
                    onclick={dispatch.reform(|_| Action::Pin(None))}>
                    { "×" }
                </button>
            }
            { said }
        </div>
    }
}

/// What something drawn is, in sentences; a fault can be changed.
fn element_of(properties: &ExplainProperties, run: &Run, element: Element) -> Html {
    let ExplainProperties { language, played, spot, is_pinned, dispatch, .. } = properties;
    let Some((from, until)) = span_of(&run.scene, element) else { return Html::default() };
    let fault = if *is_pinned && spot.place == 0 { played.fault_of(element) } else { None };
    html! {
        <>
            <p class="when">
                { from.say(*language) }
                if until > from {
                    { " – " }{ until.say(*language) }
                    <span class="quiet">{ " · " }{ until.since(from).say(*language) }</span>
                }
            </p>
            <p>{ run.scene.words(element).in_language(*language).to_owned() }</p>
            if let Element::Exchange(index) = element {
                { run.scene.exchanges.get(index as usize).map(|exchange| exchange_of(exchange, *language)) }
            }
            if let Some(struck) = fault {
                <FaultControls language={*language} {struck} played={played.clone()} dispatch={dispatch.clone()} />
            }
        </>
    }
}

/// What can be put on a lane, at the instant that was pointed at.
fn offer(properties: &ExplainProperties, run: &Run, whose: Whose) -> Html {
    let ExplainProperties { language, played, spot, dispatch, .. } = properties;
    let at = played.rounded(run.track.time_at(spot.x));
    let lane = run.scene.lanes.iter().find(|lane| lane.whose == whose);
    html! {
        <>
            <p class="when">{ at.say(*language) }</p>
            <p>{ lane.map(|lane| lane.words.in_language(*language).to_owned()) }</p>
            <p class="buttons">
                { for Blow::of(whose).iter().copied().map(|blow| html! {
                    <button type="button" class="blow" data-blow={blow.tag()}
                        onclick={dispatch.reform(move |_| Action::Strike(blow, whose, at))}>
                        { "+ " }{ blow.name().in_language(*language).to_owned() }
                    </button>
                }) }
            </p>
        </>
    }
}

/// What was asked in full, and what followed.
fn exchange_of(exchange: &Exchange, language: Language) -> Html {
    let say = |text: &Text| text.in_language(language).to_owned();
    html! {
        <>
            <p class="asked">
                <code>{ say(&exchange.asked) }</code>
                if let Some(answer) = &exchange.answer {
                    <code>{ " → " }{ say(answer) }</code>
                }
            </p>
            { for exchange.effects.iter().map(|effect| html! { <p class="quiet">{ say(effect) }</p> }) }
        </>
    }
}

/// From when until when an element lasts; `None`: there is no such element in the scene.
fn span_of(scene: &Scene, element: Element) -> Option<(Time, Time)> {
    match element {
        Element::Bar(index) => scene.bars.get(index as usize).map(|bar| (bar.from.at, bar.until.at)),
        Element::Mark(index) => scene.marks.get(index as usize).map(|mark| (mark.at.at, mark.at.at)),
        Element::Exchange(index) => {
            scene.exchanges.get(index as usize).map(|exchange| (exchange.sent.at, exchange.last().at))
        }
        Element::Fold(index) => scene.folds.get(index as usize).map(|fold| (fold.from.at, fold.until.at)),
    }
}
