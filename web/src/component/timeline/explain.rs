//! What an element of the drawing is, in sentences, beside it.

use std::rc::Rc;

use locklab_core::i18n::{Language, Say, Text};
use locklab_core::time::Time;
use locklab_core::view::{Element, Exchange, Scene};
use yew::{Callback, Html, Properties, classes, component, html, use_effect_with, use_node_ref};

use crate::browser;
use crate::state::{Action, Played};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct ExplainProperties {
    pub language: Language,
    pub played: Rc<Played>,
    pub element: Element,
    /// Where the reader pointed, in pixels from the drawing's left and top edges.
    pub x: i64,
    pub y: i64,
    pub is_pinned: bool,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Explain(properties: &ExplainProperties) -> Html {
    let ExplainProperties { language, played, element, x, y, is_pinned, dispatch } = properties;
    let card = use_node_ref();
    use_effect_with((*element, *x, *y, *language), {
        let card = card.clone();
        move |(_, x, y, _)| {
            if let Some(card) = card.cast::<web_sys::HtmlElement>() {
                browser::put(&card, *x, *y);
            }
        }
    });
    let Ok(run) = played.run() else { return Html::default() };
    let Some((from, until)) = span_of(&run.scene, *element) else { return Html::default() };
    let say = |text: &Text| text.in_language(*language).to_owned();
    let words = words(*language);
    html! {
        <div class={classes!("explain", is_pinned.then_some("pinned"))} ref={card} role="note"
            aria-live={if *is_pinned { "polite" } else { "off" }}>
            <p class="when">
                { from.say(*language) }
                if until > from {
                    { " – " }{ until.say(*language) }
                    <span class="quiet">{ " · " }{ until.since(from).say(*language) }</span>
                }
                if *is_pinned {
                    <button type="button" class="unpin" aria-label={words.close}
                        onclick={dispatch.reform(|_| Action::Pin(None))}>
                        { "×" }
                    </button>
                }
            </p>
            <p>{ say(run.scene.words(*element)) }</p>
            if let Element::Exchange(index) = element {
                { run.scene.exchanges.get(*index as usize).map(|exchange| exchange_of(exchange, *language)) }
            }
        </div>
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
