//! A lesson as a class sees it: the question, the guess, the run, the run with one thing changed, what to take home.

use std::rc::Rc;

use locklab_core::lesson::COURSE;
use yew::{Callback, Html, Properties, classes, component, html};

use crate::component::player::Player;
use crate::component::prose::{inline, prose};
use crate::component::run::{Outcome, Story};
use crate::component::timeline::Timeline;
use crate::state::{Action, Loaded, Stage, State, Study};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct LessonViewProperties {
    pub state: State,
    pub lesson: usize,
    pub loaded: Rc<Loaded>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn LessonView(properties: &LessonViewProperties) -> Html {
    let LessonViewProperties { state, lesson, loaded, dispatch } = properties;
    let words = words(state.language);
    let stem = COURSE[*lesson];
    let told = &loaded.lesson;
    let class = &state.class;
    let study = |what: Study| dispatch.reform(move |_| Action::Study(what.clone()));
    html! {
        <>
            <nav class="lesson-ways" aria-label={words.course}>
                <a href="#lessons">{ words.all_lessons }</a>
                <span class="quiet keys">{ words.lesson_keys }</span>
                <button type="button" class="enlarge" aria-pressed={class.large.to_string()} onclick={study(Study::Enlarge)}>
                    { words.enlarge }
                </button>
                <a class="notes-link" href={format!("#lessons/{stem}/notes")} target="_blank" rel="noopener">
                    { words.teachers_notes }
                </a>
            </nav>
            <section class="opening">
                <h2>{ format!("{}. {}", lesson + 1, told.title) }</h2>
                { prose(&told.story) }
            </section>
            { guess(properties) }
            if class.stage > Stage::Asked {
                { scene(properties) }
            }
            if class.stage == Stage::Changed {
                <section class="card take-home">
                    <h3>{ words.take_home }</h3>
                    <ul>{ for told.take_home.iter().map(|sentence| html! { <li>{ inline(sentence) }</li> }) }</ul>
                </section>
                if let Some(next) = COURSE.get(lesson + 1) {
                    <p><a class="next-lesson" href={format!("#lessons/{next}")}>{ words.next_lesson }</a></p>
                }
            }
        </>
    }
}

/// The question, and the answers to pick from; after the reveal, what the run says of each.
fn guess(properties: &LessonViewProperties) -> Html {
    let LessonViewProperties { state, loaded, dispatch, .. } = properties;
    let words = words(state.language);
    let class = &state.class;
    let is_open = class.stage == Stage::Asked;
    html! {
        <section class="card guess">
            <h3>{ words.question }</h3>
            <p class="asked">{ inline(&loaded.lesson.question) }</p>
            <fieldset disabled={!is_open}>
                <legend class="quiet">{ words.predict }</legend>
                { for loaded.lesson.answers.iter().zip(&loaded.right).enumerate().map(|(place, (answer, right))| {
                    let verdict = (!is_open).then_some(*right);
                    let is_picked = class.picked == Some(place);
                    let class = match verdict {
                        None => None,
                        Some(true) => Some("is-right"),
                        Some(false) => Some("is-wrong"),
                    };
                    html! {
                        <label class={classes!("answer", class, is_picked.then_some("is-picked"))}>
                            <input type="radio" name="answer" checked={is_picked}
                                onchange={dispatch.reform(move |_| Action::Study(Study::Pick(place)))} />
                            <span>{ inline(&answer.text) }</span>
                            if let Some(right) = verdict {
                                <span class="mark">
                                    { if right { format!("✓ {}", words.right) } else { format!("✕ {}", words.wrong) } }
                                </span>
                            }
                        </label>
                    }
                }) }
            </fieldset>
            if is_open {
                <button type="button" class="primary reveal" disabled={class.picked.is_none()}
                    onclick={dispatch.reform(|_| Action::Study(Study::On))}>
                    { words.reveal }
                </button>
            }
        </section>
    }
}

/// The run of the stage, and what to see in it.
fn scene(properties: &LessonViewProperties) -> Html {
    let LessonViewProperties { state, loaded, dispatch, .. } = properties;
    let words = words(state.language);
    let language = state.language;
    let (played, cursor) = (state.played.clone(), state.cursor.clone());
    let (spot, is_pinned) = state.explained();
    let is_changed = state.class.stage == Stage::Changed;
    let told = if is_changed { &loaded.lesson.change } else { &loaded.lesson.reveal };
    let to = |stage: Stage, label: &'static str, study: Study| {
        html! {
            <button type="button" aria-pressed={(state.class.stage == stage).to_string()}
                onclick={dispatch.reform(move |_| Action::Study(study.clone()))} disabled={state.class.stage == stage}>
                { label }
            </button>
        }
    };
    html! {
        <>
            <div class="stages" role="group" aria-label={words.timeline}>
                { to(Stage::Revealed, words.the_run, Study::Back) }
                { to(Stage::Changed, words.change_one_thing, Study::On) }
            </div>
            <section class="card stage-card" aria-label={words.timeline}>
                <Outcome {language} played={played.clone()} dispatch={dispatch.clone()} />
                <Timeline {language} theme={state.theme} width={state.width} played={played.clone()}
                    cursor={cursor.clone()} window={state.window} {spot} {is_pinned} dispatch={dispatch.clone()} />
                <Player {language} playing={state.playing} speed={state.speed} played={played.clone()} {cursor} window={state.window}
                    dispatch={dispatch.clone()} />
            </section>
            <section class="seen">
                { prose(&told.text) }
                <p><a href={format!("#{}", state.address().unwrap_or_default())}>{ words.open_timeline }</a></p>
            </section>
            <Story {language} {played} />
        </>
    }
}
