//! The answer of a search: what can be broken, told, with its runs; what holds, within the bounds; or that nobody knows.

use std::rc::Rc;

use locklab_core::check::Property;
use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use yew::{Html, Properties, classes, component, html};

use super::effort::reached;
use crate::errand::Sought;
use crate::state::{Findings, Overall, Played};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct AnswerProperties {
    pub language: Language,
    pub findings: Rc<Findings>,
}

#[component]
pub fn Answer(properties: &AnswerProperties) -> Html {
    let AnswerProperties { language, findings } = properties;
    let words = words(*language);
    let effort = &findings.searched.effort;
    let (sign, said) = match findings.overall() {
        Overall::Broken => ("✕", words.can_be_broken),
        Overall::Unknown => ("?", words.nobody_knows),
        Overall::Holds => ("✓", words.cannot_be_broken_here),
        Overall::Untested => ("–", words.untested),
    };
    let is_broken = findings.overall() == Overall::Broken;
    let is_unknown = !findings.with(&Sought::Unknown).is_empty();
    html! {
        <>
            <section class={classes!("verdict", is_broken.then_some("is-broken"))}>
                <p class="outcome" role="status">
                    <span class="sign" aria-hidden="true">{ sign }</span>
                    { said }
                </p>
                <div class="properties">
                    { row(words.broken, "is-broken", &broken(findings), *language) }
                    { row(words.unknown, "is-unknown", &findings.with(&Sought::Unknown), *language) }
                    { row(words.held, "is-held", &findings.with(&Sought::Holds), *language) }
                    { row(words.untested, "is-held", &findings.with(&Sought::Untested), *language) }
                    if is_unknown {
                        <p class="quiet">{ reached(effort).in_language(*language) }</p>
                    }
                    <p class="quiet small">{ spent(findings).in_language(*language) }</p>
                </div>
            </section>
            if let Some(simplest) = &findings.simplest {
                { told(simplest, *language) }
            }
            if is_broken {
                { each(findings, *language) }
            }
        </>
    }
}

/// The simplest attack, sentence by sentence.
fn told(simplest: &Played, language: Language) -> Html {
    let Ok(run) = simplest.run() else { return Html::default() };
    let words = words(language);
    html! {
        <section class="card story">
            <h3>{ words.simplest_attack }</h3>
            <ol class="cause">
                { for run.report.cause.iter().map(|said| html! { <li>{ said.in_language(language) }</li> }) }
            </ol>
            <p class="buttons"><a class="primary open-attack" href={format!("#{}", simplest.address().unwrap_or_default())}>{ words.open_attack }</a></p>
        </section>
    }
}

/// The simplest attack for each property: how much it takes, and where it can be seen.
fn each(findings: &Findings, language: Language) -> Html {
    let words = words(language);
    let attacks = findings.searched.answers.iter().filter_map(|(property, sought)| match sought {
        Sought::Broken { faults, choices, shows, run } => Some((
            property,
            say!(
                "faults {faults}, choices {choices}, shows at {shows}",
                "故障 {faults} 次，选择 {choices} 次，在 {shows} 显现",
                faults = faults,
                choices = choices,
                shows = shows
            ),
            run,
        )),
        _ => None,
    });
    html! {
        <section class="card attacks">
            <h3>{ words.each_attack }</h3>
            <ul>
                { for attacks.map(|(property, effort, run)| html! {
                    <li>
                        <a href={format!("#{run}")} data-attack={property.name()}>
                            { property.title().in_language(language) }
                        </a>
                        <span class="quiet small">{ effort.in_language(language) }</span>
                    </li>
                }) }
            </ul>
        </section>
    }
}

/// The properties that can be broken.
fn broken(findings: &Findings) -> Vec<Property> {
    let answers = findings.searched.answers.iter();
    answers.filter(|(_, sought)| matches!(sought, Sought::Broken { .. })).map(|(property, _)| *property).collect()
}

/// Some properties, by name.
fn row(label: &str, class: &'static str, properties: &[Property], language: Language) -> Html {
    if properties.is_empty() {
        return Html::default();
    }
    html! {
        <div class="row">
            <span class="quiet label">{ label.to_owned() }</span>
            <ul class={classes!("tags", class)}>
                { for properties.iter().map(|property| html! {
                    <li data-property={property.name()} title={property.sentence().in_language(language).to_owned()}>
                        { property.title().in_language(language) }
                    </li>
                }) }
            </ul>
        </div>
    }
}

fn spent(findings: &Findings) -> Text {
    let effort = &findings.searched.effort;
    say!(
        "{states} states in {millis} ms, {waiting} of them not looked at",
        "{millis} 毫秒内 {states} 个状态，其中 {waiting} 个未展开",
        states = effort.states,
        millis = effort.millis,
        waiting = effort.waiting
    )
}
