//! The search for the simplest way to break the lock of the run that is shown.

mod answer;
mod edges;
mod effort;
mod form;
mod odds;
mod survey;

use locklab_core::i18n::Language;
use locklab_core::locks;
use yew::{Callback, Event, Html, Properties, component, html};

use self::answer::Answer;
use self::effort::EffortCard;
use self::form::Form;
use self::survey::SurveyCards;
use super::run::Notice;
use crate::browser;
use crate::state::{Action, Chase, State};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct SearchViewProperties {
    pub state: State,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn SearchView(properties: &SearchViewProperties) -> Html {
    let SearchViewProperties { state, dispatch } = properties;
    let language = state.language;
    let words = words(language);
    let hunt = state.hunt();
    html! {
        <main class="search">
            if let Some(trouble) = &state.trouble {
                <Notice {language} trouble={trouble.clone()} dispatch={dispatch.clone()} />
            }
            <section class="opening">
                <h2>{ words.search_title }</h2>
                <p class="question">{ words.search_purpose }</p>
                { subject(properties) }
            </section>
            { match hunt.bounds() {
                Err(why) => html! {
                    <section class="card empty">
                        <p><strong>{ words.not_applicable }</strong></p>
                        <p>{ state.played.run().err().unwrap_or(&why).in_language(language).to_owned() }</p>
                    </section>
                },
                Ok(bounds) => html! {
                    <>
                        <Form {language} hunt={hunt.clone()} dispatch={dispatch.clone()} />
                        { match &hunt.chase {
                            Chase::Idle => Html::default(),
                            Chase::Going(effort) => html! { <EffortCard {language} effort={*effort} /> },
                            Chase::Over(findings) => html! { <Answer {language} findings={findings.clone()} /> },
                            Chase::Failed(why) => html! {
                                <section class="card" role="alert">
                                    <p><strong>{ words.not_searched }</strong></p>
                                    <p>{ why.in_language(language) }</p>
                                </section>
                            },
                        } }
                        <SurveyCards {language} title={title_of(state)} survey={state.survey()} width={state.width} dispatch={dispatch.clone()} />
                        <section class="card bounds">
                            <h3>{ words.bounds }</h3>
                            <ul>{ for bounds.iter().map(|bound| html! { <li>{ bound.in_language(language) }</li> }) }</ul>
                        </section>
                    </>
                },
            } }
        </main>
    }
}

/// The scenario's title, and the lock.
fn title_of(state: &State) -> String {
    let title = state.played.scenario.title.in_language(state.language);
    match state.language {
        Language::English => format!("{title} ({})", state.played.piece.lock),
        Language::Chinese => format!("{title}（{}）", state.played.piece.lock),
    }
}

/// What is searched: the scenario of the run that is shown, and its lock, which can be another one.
fn subject(properties: &SearchViewProperties) -> Html {
    let SearchViewProperties { state, dispatch } = properties;
    let words = words(state.language);
    let chosen = &state.played.piece.lock;
    // A listing of the reader's own stands in no list.
    let is_listed = locks::kinds().iter().any(|kind| *kind.name == **chosen);
    let pick = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            browser::value_of(&event).into_iter().for_each(|lock| dispatch.emit(Action::Lock(lock)));
        })
    };
    html! {
        <p class="subject">
            <span class="quiet label">{ words.searched_run }</span>
            <a href={format!("#{}", state.address().unwrap_or_default())}>
                { state.played.scenario.title.in_language(state.language) }
            </a>
            <label>
                <span class="quiet label">{ words.lock }</span>
                <select key={chosen.clone()} class="hunted" onchange={pick}>
                    if !is_listed {
                        <option value={chosen.clone()} selected=true>{ chosen }</option>
                    }
                    { for locks::kinds().iter().map(|kind| html! {
                        <option value={kind.name.to_string()} selected={*kind.name == **chosen}>{ &*kind.name }</option>
                    }) }
                </select>
            </label>
        </p>
    }
}
