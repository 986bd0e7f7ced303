//! Where the lock begins to break, and how likely it breaks: what is asked, how far it is, and the answer.

use locklab_core::explore::envelope::Axis;
use locklab_core::i18n::Language;
use yew::{Callback, Event, Html, InputEvent, Properties, component, html};

use super::edges::EdgesCard;
use super::odds::OddsCard;
use crate::browser;
use crate::state::{Action, Asked, Finding, MODELS, Survey, Weigh};
use crate::words::{figure, words};

#[derive(PartialEq, Properties)]
pub struct SurveyProperties {
    pub language: Language,
    pub survey: Survey,
    /// Which scenario and lock it is about.
    pub title: String,
    /// What is drawn is so wide.
    pub width: u32,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn SurveyCards(properties: &SurveyProperties) -> Html {
    let SurveyProperties { language, survey, title, width, .. } = properties;
    let words = words(*language);
    html! {
        <>
            <section class="card survey edge">
                <h3>{ words.edge_title }</h3>
                <p class="quiet">{ words.edge_purpose }</p>
                { figures(properties) }
                { progress(&survey.edges, *language) }
                if let Finding::Found(edges) = &survey.edges {
                    <EdgesCard language={*language} axis={survey.axis} against={survey.against} edges={edges.clone()} title={title.clone()} width={*width} />
                }
            </section>
            <section class="card survey odds">
                <h3>{ words.odds_title }</h3>
                <p class="quiet">{ words.odds_purpose }</p>
                { model(properties) }
                { progress(&survey.odds, *language) }
                if let Finding::Found(odds) = &survey.odds {
                    <OddsCard language={*language} odds={odds.clone()} />
                }
            </section>
        </>
    }
}

/// The figures that can be varied, and the button.
fn figures(properties: &SurveyProperties) -> Html {
    let SurveyProperties { language, survey, dispatch, .. } = properties;
    let words = words(*language);
    let pick = |weigh: fn(Option<Axis>) -> Option<Weigh>| {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            let axis = browser::value_of(&event).and_then(|name| Axis::from_name(&name).ok());
            weigh(axis).into_iter().for_each(|weigh| dispatch.emit(Action::Weigh(weigh)));
        })
    };
    let option = |axis: Axis, chosen: Option<Axis>| {
        html! {
            <option value={axis.name()} selected={chosen == Some(axis)}>{ figure(axis, *language) }</option>
        }
    };
    let others = Axis::ALL.into_iter().map(|(_, axis)| axis).filter(|axis| *axis != survey.axis);
    html! {
        <p class="hunt-ways">
            <label>
                <span class="quiet label">{ words.vary }</span>
                <select key={format!("vary-{}", survey.axis.name())} class="vary" onchange={pick(|axis| axis.map(Weigh::Vary))}>
                    { for Axis::ALL.map(|(_, axis)| option(axis, Some(survey.axis))) }
                </select>
            </label>
            <label>
                <span class="quiet label">{ words.against }</span>
                <select key={format!("against-{}-{}", survey.axis.name(), survey.against.map_or("", Axis::name))} class="against"
                    onchange={pick(|axis| Some(Weigh::Against(axis)))}>
                    <option value="" selected={survey.against.is_none()}>{ words.nothing }</option>
                    { for others.map(|axis| option(axis, survey.against)) }
                </select>
            </label>
            { ask(properties, Asked::Edge, words.find_edge) }
        </p>
    }
}

/// The choice of a model, its text, and the button.
fn model(properties: &SurveyProperties) -> Html {
    let SurveyProperties { language, survey, dispatch, .. } = properties;
    let words = words(*language);
    let known = MODELS.iter().position(|(_, text)| *text == survey.model);
    let pick = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            let chosen = browser::value_of(&event).and_then(|name| MODELS.iter().find(|(known, _)| *known == name));
            chosen.into_iter().for_each(|(_, text)| dispatch.emit(Action::Weigh(Weigh::Model((*text).to_owned()))));
        })
    };
    let write = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: InputEvent| {
            browser::text_of(&event).into_iter().for_each(|text| dispatch.emit(Action::Weigh(Weigh::Model(text))));
        })
    };
    html! {
        <>
            <p class="hunt-ways">
                <label>
                    <span class="quiet label">{ words.model }</span>
                    <select key={known.map_or("own", |known| MODELS[known].0)} class="model" onchange={pick}>
                        if known.is_none() {
                            <option value="" selected=true>{ words.own_model }</option>
                        }
                        { for MODELS.iter().enumerate().map(|(index, (name, _))| html! {
                            <option value={*name} selected={known == Some(index)}>{ *name }</option>
                        }) }
                    </select>
                </label>
                { ask(properties, Asked::Odds, words.weigh) }
            </p>
            <details class="own-model">
                <summary>{ words.model_text }</summary>
                <textarea class="model-text mono" aria-label={words.model_text} rows="12" spellcheck="false" wrap="off"
                    value={survey.model.clone()} oninput={write} />
            </details>
        </>
    }
}

/// The button that asks, or that ends it.
fn ask(properties: &SurveyProperties, asked: Asked, label: &'static str) -> Html {
    let SurveyProperties { language, survey, dispatch, .. } = properties;
    let is_going = survey.is_going(asked);
    let (class, label, weigh) = match is_going {
        true => ("stop-survey", words(*language).stop_search, Weigh::Stop(asked)),
        false => ("primary ask", label, Weigh::Ask(asked)),
    };
    html! {
        <button type="button" {class} onclick={dispatch.reform(move |_| Action::Weigh(weigh.clone()))}>{ label }</button>
    }
}

/// How far it is, or why it cannot be done.
fn progress<A>(finding: &Finding<A>, language: Language) -> Html {
    let words = words(language);
    match finding {
        Finding::Going(done, waiting) => html! {
            <p class="memory" role="status">
                <label>
                    <span class="quiet label">{ words.searching }</span>
                    <progress value={done.to_string()} max={(done + waiting).max(1).to_string()} />
                </label>
                <span class="quiet small">{ format!("{done} / {}", done + waiting) }</span>
            </p>
        },
        Finding::Failed(why) => {
            html! { <p role="alert">{ words.not_searched }{ ": " }{ why.in_language(language) }</p> }
        }
        Finding::None | Finding::Found(_) => Html::default(),
    }
}
