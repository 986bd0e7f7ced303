//! The page's entry: reads what the browser knows of its reader and hands the document to the app.

use locklab_web::{App, AppProperties, State, browser};

fn main() {
    let state = State { language: browser::preferred_language() };
    yew::Renderer::<App>::with_props(AppProperties { state }).render();
}
