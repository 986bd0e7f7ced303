//! The figures of a run that are worth telling.

use std::rc::Rc;

use locklab_core::i18n::{Language, Say};
use yew::{Html, Properties, component, html};

use crate::state::Played;
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct FiguresProperties {
    pub language: Language,
    pub played: Rc<Played>,
}

#[component]
pub fn Figures(properties: &FiguresProperties) -> Html {
    let FiguresProperties { language, played } = properties;
    let Ok(run) = played.run() else { return Html::default() };
    html! {
        <section class="card figures">
            <h3>{ words(*language).figures }</h3>
            <dl>
                { for run.report.totals.telling().into_iter().map(|(info, amount)| html! {
                    <div data-total={info.name}>
                        <dt><span class="mono">{ info.name }</span></dt>
                        <dd class="amount">{ amount.say(*language) }</dd>
                        <dd class="quiet small">{ info.meaning().in_language(*language) }</dd>
                    </div>
                }) }
            </dl>
        </section>
    }
}
