//! The page's entry: reads what the browser knows of its reader and hands the document to the app.

use locklab_web::{Action, App, AppProperties, State, browser};

fn main() {
    let state = State::first(browser::preferred_language());
    let state = State { theme: browser::preferred_theme(), width: browser::likely_width(), ..state };
    let state = match browser::address() {
        Some(address) => state.after(Action::Open(address)),
        None => state,
    };
    yew::Renderer::<App>::with_props(AppProperties { state }).render();
}
