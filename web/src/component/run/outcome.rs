//! One of several runs that are compared: its lock, and what came of it.

use std::rc::Rc;

use locklab_core::i18n::Language;
use yew::{Callback, Html, Properties, classes, component, html};

use crate::state::{Action, Played};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct OutcomeProperties {
    pub language: Language,
    pub played: Rc<Played>,
    /// Whether it is the run that the cursor walks through.
    pub is_first: bool,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Outcome(properties: &OutcomeProperties) -> Html {
    let OutcomeProperties { language, played, is_first, dispatch } = properties;
    let words = words(*language);
    let lock = played.piece.lock.clone();
    let (is_broken, said, broken) = match played.run() {
        Ok(run) => {
            let broken: Vec<String> =
                run.report.broken().map(|property| property.title().in_language(*language).to_owned()).collect();
            (!broken.is_empty(), run.outcome().in_language(*language).to_owned(), broken.join(" · "))
        }
        Err(why) => (false, words.not_applicable.to_owned(), why.in_language(*language).to_owned()),
    };
    html! {
        <div class={classes!("compared", is_broken.then_some("is-broken"))} data-compared={lock.clone()}>
            <strong class="mono">{ lock.clone() }</strong>
            <span class="said">{ if is_broken { "✕ " } else { "✓ " } }{ said }</span>
            <span class="quiet small">{ broken }</span>
            if !is_first {
                <button type="button" class="remove" aria-label={format!("{}: {lock}", words.close)}
                    onclick={dispatch.reform(move |_| Action::Beside(lock.clone()))}>
                    { "×" }
                </button>
            }
        </div>
    }
}
