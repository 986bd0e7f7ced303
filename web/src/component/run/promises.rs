//! The verdict: what is broken, what held, and what each promise means.

use std::rc::Rc;

use locklab_core::check::{Property, Verdict};
use locklab_core::i18n::Language;
use yew::{Html, Properties, classes, component, html};

use crate::state::{Played, Run};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct PromisesProperties {
    pub language: Language,
    pub played: Rc<Played>,
}

#[component]
pub fn Promises(properties: &PromisesProperties) -> Html {
    let PromisesProperties { language, played } = properties;
    let Ok(run) = played.run() else { return Html::default() };
    let words = words(*language);
    let is_broken = run.report.broken().next().is_some();
    html! {
        <section class={classes!("verdict", is_broken.then_some("is-broken"))}>
            <p class="outcome" role="status">
                <span class="sign" aria-hidden="true">{ if is_broken { "✕" } else { "✓" } }</span>
                { run.outcome().in_language(*language) }
            </p>
            <div class="properties">
                { row(words.broken, "is-broken", run, *language, Verdict::is_broken) }
                { row(words.unknown, "is-unknown", run, *language, |verdict| *verdict == Verdict::Unknown) }
                { row(words.held, "is-held", run, *language, |verdict| *verdict == Verdict::Holds) }
                if run.is_cut {
                    <p class="quiet">{ words.cut }</p>
                }
                <details>
                    <summary>{ words.promises }</summary>
                    <dl>
                        { for run.report.verdicts.iter().map(|(property, verdict)| promise(*property, verdict, *language)) }
                    </dl>
                </details>
            </div>
        </section>
    }
}

/// The properties with one verdict, by name.
fn row(label: &str, class: &'static str, run: &Run, language: Language, of: fn(&Verdict) -> bool) -> Html {
    let named: Vec<Property> =
        run.report.verdicts.iter().filter(|(_, verdict)| of(verdict)).map(|(property, _)| *property).collect();
    if named.is_empty() {
        return Html::default();
    }
    html! {
        <div class="row">
            <span class="quiet label">{ label }</span>
            <ul class={classes!("tags", class)}>
                { for named.iter().map(|property| html! {
                    <li data-property={property.name()} title={property.sentence().in_language(language).to_owned()}>
                        { property.title().in_language(language) }
                    </li>
                }) }
            </ul>
        </div>
    }
}

/// What one property promises, and whether that was kept.
fn promise(property: Property, verdict: &Verdict, language: Language) -> Html {
    html! {
        <>
            <dt>{ property.title().in_language(language) }</dt>
            <dd>
                <span class={if verdict.is_broken() { "is-broken" } else { "quiet" }}>
                    { verdict.title().in_language(language) }
                </span>
                { " · " }
                { property.sentence().in_language(language) }
            </dd>
        </>
    }
}
