//! The page's entry: reads what the browser knows of its reader and hands the document to the app. In a worker it waits for an errand instead.

use locklab_core::scenario::library;
use locklab_web::{Action, App, AppProperties, Branches, State, View, browser};

fn main() {
    browser::start(begin);
}

/// Begins with the texts of the scenarios.
fn begin(scenarios: String) {
    library::provide(scenarios);
    if browser::worker::serve() {
        return;
    }
    let state = State::first(browser::preferred_language());
    let view = if browser::wants_embed() { View::Embed } else { View::Run };
    let state = State { view, theme: browser::preferred_theme(), width: browser::likely_width(), ..state };
    let mut state = state;
    state.game.remember(&browser::kept_game());
    let state = match browser::address() {
        Some(address) => {
            let opened = state.after(Action::Open(address));
            // Nothing was there before what a link opens.
            State { branches: Branches::of(opened.played.piece.clone()), ..opened }
        }
        None => state,
    };
    yew::Renderer::<App>::with_props(AppProperties { state }).render();
}
