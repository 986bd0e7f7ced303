//! A level: what is to be broken, what may strike, the timeline on which the reader chooses the moment, and how it went.

use locklab_core::game::{Attempt, LEVELS, Level, OverBudget};
use locklab_core::sim::FaultClass;
use yew::{Callback, Html, Properties, classes, component, html, use_memo};

use crate::component::player::Player;
use crate::component::run::{Code, Story};
use crate::component::timeline::Timeline;
use crate::state::{Action, Par, State, Try};
use crate::words::{fault_name, words};

#[derive(PartialEq, Properties)]
pub struct LevelProperties {
    pub state: State,
    pub level: &'static Level,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn LevelView(properties: &LevelProperties) -> Html {
    let LevelProperties { state, level, dispatch } = properties;
    let language = state.language;
    let words = words(language);
    let (played, cursor) = (state.played.clone(), state.cursor.clone());
    let (spot, is_pinned) = state.explained();
    // An attempt is played once for each run, not for each look at it.
    let attempt = use_memo((level.name, played.clone()), |(_, played)| level.attempt(&played.scenario));
    let faults = played.scenario.faults.len();
    html! {
        <>
            <nav class="lesson-ways" aria-label={words.game}><a href="#game">{ words.all_levels }</a></nav>
            <section class="opening">
                <h2>{ level.title().in_language(language) }{ " " }<span class="quiet mono">{ &*level.lock().name }</span></h2>
                <p class="question">{ level.story().in_language(language) }</p>
                <p>
                    <span class="quiet">{ words.goal }{ " " }</span>
                    <strong>{ level.goal().title().in_language(language) }</strong>
                    <span class="quiet">{ " · " }{ level.goal().sentence().in_language(language) }</span>
                </p>
            </section>
            { score(properties, &attempt) }
            <section class="card stage-card" aria-label={words.timeline}>
                <Timeline {language} theme={state.theme} width={state.width} played={played.clone()}
                    cursor={cursor.clone()} window={state.window} {spot} {is_pinned} dispatch={dispatch.clone()} />
                <Player {language} playing={state.playing} speed={state.speed} played={played.clone()} cursor={cursor.clone()}
                    window={state.window} dispatch={dispatch.clone()} />
            </section>
            <section class="card strikes">
                <h3>{ words.strike }</h3>
                <p class="quiet">{ words.strike_hint }{ " " }<code>{ state.moment_at_cursor() }</code></p>
                <div class="strike-buttons">
                    { for state.budget_left(level).into_iter().map(|(class, left)| strikes(properties, class, left)) }
                </div>
                if faults > 0 {
                    <ol class="placed">
                        { for (1..=faults).map(|number| html! {
                            <li>
                                <span>{ placed(properties, number) }</span>
                                <button type="button" onclick={dispatch.reform(move |_| Action::Spare(number))}
                                    aria-label={format!("{} {number}", words.delete)}>
                                    { "×" }
                                </button>
                            </li>
                        }) }
                    </ol>
                }
                <p class="moves">
                    <button type="button" class="again" onclick={dispatch.reform(|_| Action::Try(Try::Again))}>
                        { words.start_again }
                    </button>
                    { hint_button(properties) }
                    <button type="button" class="give-up" disabled={state.game.is_given_up}
                        onclick={dispatch.reform(|_| Action::Try(Try::GiveUp))}>
                        { words.cannot_be_broken }
                    </button>
                </p>
                { hints(properties) }
            </section>
            <div class="knowledge">
                <Code {language} played={played.clone()} {cursor} />
                <Story {language} {played} />
            </div>
        </>
    }
}

/// How the attempt stands: the run says so, and the search says how few faults are enough.
fn score(properties: &LevelProperties, attempt: &Result<Attempt, OverBudget>) -> Html {
    let LevelProperties { state, level, .. } = properties;
    let words = words(state.language);
    let breaks = attempt.as_ref().is_ok_and(|attempt| attempt.breaks);
    let said = match (attempt, state.game.par().map(|par| &**par), state.game.is_given_up) {
        (Err(_), ..) => words.over_budget,
        (Ok(_), Some(Par::Holds { .. }), true) => words.rightly_given_up,
        (Ok(_), Some(Par::Broken { .. }), true) if !breaks => words.wrongly_given_up,
        (Ok(_), None, true) if !breaks => words.still_searching,
        (Ok(attempt), ..) if attempt.breaks => words.you_broke_it,
        _ => words.not_broken_yet,
    };
    let par = match state.game.par().map(|par| &**par) {
        None => words.still_searching.to_owned(),
        Some(Par::Broken { faults, .. }) => format!("{}: {faults}", words.par),
        // That nothing can be done is for the reader to find out.
        Some(Par::Holds { states }) if state.game.is_given_up => format!("{}: {states}", words.states_searched),
        Some(Par::Holds { .. }) => format!("{}: ?", words.par),
    };
    let next = LEVELS.iter().position(|other| other.name == level.name).and_then(|place| LEVELS.get(place + 1));
    let is_solved = state.game.solved.contains_key(level.name);
    html! {
        <section class={classes!("verdict", breaks.then_some("is-broken"))}>
            <p class="outcome" role="status">{ said }</p>
            <p class="par">
                <span class="quiet">{ format!("{}: {}", words.faults_placed, state.played.scenario.faults.len()) }</span>
                <span class="quiet">{ " · " }{ par }</span>
                if let Some(next) = next.filter(|_| is_solved) {
                    { " " }
                    <a class="next-level" href={format!("#game/{}", next.name)}>{ words.next_level }</a>
                }
            </p>
        </section>
    }
}

fn strikes(properties: &LevelProperties, class: FaultClass, left: u8) -> Html {
    let LevelProperties { state, dispatch, .. } = properties;
    html! {
        <fieldset disabled={left == 0}>
            <legend>{ fault_name(class, state.language) }{ " " }<span class="quiet">{ format!("× {left}") }</span></legend>
            { for state.victims(class).into_iter().map(|victim| {
                let struck = victim.clone();
                html! {
                    <button type="button" class="strike"
                        onclick={dispatch.reform(move |_| Action::Try(Try::Strike(class, struck.clone())))}>
                        { victim }
                    </button>
                }
            }) }
        </fieldset>
    }
}

/// A fault that was placed, as a scenario writes it.
fn placed(properties: &LevelProperties, number: usize) -> Html {
    let scenario = &properties.state.played.scenario;
    let Ok(run) = properties.state.played.run() else { return Html::default() };
    let nodes: Vec<String> = run.history.header.nodes.iter().map(|node| node.name.to_string()).collect();
    let fault = scenario.faults.get(number - 1..number).unwrap_or_default();
    let written = locklab_core::scenario::written_faults(fault, scenario, &nodes);
    html! { <code>{ written.trim_matches(['[', ']', '{', '}', ' ']).to_owned() }</code> }
}

fn hint_button(properties: &LevelProperties) -> Html {
    let LevelProperties { state, dispatch, .. } = properties;
    let words = words(state.language);
    let more = match state.game.par().map(|par| &**par) {
        Some(Par::Broken { hints, .. }) => state.game.hints < hints.len(),
        _ => false,
    };
    html! {
        <button type="button" class="hint" disabled={!more} onclick={dispatch.reform(|_| Action::Try(Try::Hint))}>
            { words.hint }
        </button>
    }
}

fn hints(properties: &LevelProperties) -> Html {
    let state = &properties.state;
    let Some(Par::Broken { hints, .. }) = state.game.par().map(|par| &**par) else { return Html::default() };
    html! {
        <ul class="hints" aria-live="polite">
            { for hints.iter().take(state.game.hints).map(|hint| html! { <li>{ hint.in_language(state.language) }</li> }) }
        </ul>
    }
}
