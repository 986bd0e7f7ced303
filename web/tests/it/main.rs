//! The page's state, and the page rendered natively: what a reader would find in its HTML.

mod address;
mod change;
mod compare;
mod cursor;
mod errand;
mod fault;
mod file;
mod game;
mod header;
mod lessons;
mod run;
mod search;
mod sheet;
mod view;
mod window;

use locklab_web::{App, AppProperties, State};

/// The HTML of the whole page in a state.
fn page(state: State) -> String {
    let render = yew::LocalServerRenderer::<App>::with_props(AppProperties { state }).hydratable(false).render();
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime without I/O starts").block_on(render)
}

/// A state that shows a built-in scenario with a lock.
fn showing(scenario: &'static str, lock: &str) -> State {
    let state = State::first(locklab_core::i18n::Language::English).after(locklab_web::Action::Choose(scenario));
    let state = state.after(locklab_web::Action::Lock(lock.to_owned()));
    assert_eq!(state.trouble, None);
    state
}
