//! One of several runs that are compared: its lock, what came of it, and what sets it apart from the first.

use std::rc::Rc;

use locklab_core::check::Property;
use locklab_core::i18n::{Language, Say};
use locklab_core::say;
use locklab_core::time::Time;
use yew::{Callback, Html, Properties, classes, component, html};

use crate::state::{Action, Apart, Move, Played};
use crate::words::words;

/// How many of the instants at which two runs part are buttons: after the first few the runs are two stories.
const MOST_INSTANTS: usize = 4;

#[derive(PartialEq, Properties)]
pub struct OutcomeProperties {
    pub language: Language,
    pub played: Rc<Played>,
    /// What sets it apart from the first run.
    #[prop_or_default]
    pub apart: Apart,
    /// The lock of the first run; `None`: this is it, and the cursor walks through its steps.
    #[prop_or_default]
    pub first: Option<String>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Outcome(properties: &OutcomeProperties) -> Html {
    let OutcomeProperties { language, played, first, dispatch, .. } = properties;
    let words = words(*language);
    let lock = played.piece.lock.clone();
    let (is_broken, said, broken) = match played.run() {
        Ok(run) => {
            let broken = named(run.report.broken(), *language);
            (!broken.is_empty(), run.outcome().in_language(*language).to_owned(), broken)
        }
        Err(why) => (false, words.not_applicable.to_owned(), why.in_language(*language).to_owned()),
    };
    let sign = match (played.run().is_ok(), is_broken) {
        (false, _) => "– ",
        (true, true) => "✕ ",
        (true, false) => "✓ ",
    };
    html! {
        <div class={classes!("compared", is_broken.then_some("is-broken"))} data-compared={lock.clone()}>
            <strong class="mono">{ lock.clone() }</strong>
            <span class="said">{ sign }{ said }</span>
            <span class="quiet small">{ broken }</span>
            if let Some(first) = first {
                <button type="button" class="remove" aria-label={format!("{}: {lock}", words.close)}
                    onclick={dispatch.reform(move |_| Action::Beside(lock.clone()))}>
                    { "×" }
                </button>
                if played.run().is_ok() {
                    { apart_from(properties, first) }
                }
            }
        </div>
    }
}

/// What sets the run apart from the first: in words, and the instants at which the two part, each a way to it.
fn apart_from(properties: &OutcomeProperties, first: &str) -> Html {
    let OutcomeProperties { language, apart: Apart { instants, broken_here, kept_here, .. }, dispatch, .. } =
        properties;
    let kept = (!kept_here.is_empty()).then(|| {
        let names = named(kept_here.iter().copied(), *language);
        say!("kept, unlike with {first}: {names}", "不同于 {first}，守住了：{names}", first = first, names = names)
    });
    let broken = (!broken_here.is_empty()).then(|| {
        let names = named(broken_here.iter().copied(), *language);
        say!("broken, unlike with {first}: {names}", "不同于 {first}，被破坏：{names}", first = first, names = names)
    });
    let go = |at: &Time| {
        let at = *at;
        html! {
            <button type="button" class="part" onclick={dispatch.reform(move |_| Action::Go(Move::At(at)))}>
                { at.say(*language) }
            </button>
        }
    };
    let parts = match instants.is_empty() {
        true => say!("the same story as with {first}", "经过与 {first} 相同", first = first),
        false => say!("differs from {first} at", "与 {first} 不同之处：", first = first),
    };
    let more = instants.len().saturating_sub(MOST_INSTANTS);
    html! {
        <p class="apart small">
            { for [kept, broken].into_iter().flatten().map(|said| html! {
                <span class="verdict-apart"><span class="unequal" aria-hidden="true">{ "≠" }</span>{ " " }{ said.in_language(*language).to_owned() }</span>
            }) }
            <span class="parts">
                if !instants.is_empty() {
                    <span class="unequal" aria-hidden="true">{ "≠" }</span>{ " " }
                }
                { parts.in_language(*language).to_owned() }
                { for instants.iter().take(MOST_INSTANTS).map(go) }
                if more > 0 {
                    <span class="quiet">{ say!("and {more} more", "等，另有 {more} 处", more = more as u64).in_language(*language).to_owned() }</span>
                }
            </span>
        </p>
    }
}

fn named(properties: impl Iterator<Item = Property>, language: Language) -> String {
    let names: Vec<String> = properties.map(|property| property.title().in_language(language).to_owned()).collect();
    names.join(" · ")
}
