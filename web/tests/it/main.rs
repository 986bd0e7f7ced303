//! The page rendered natively: what a reader would find in its HTML.

mod header;

use locklab_web::{App, AppProperties, State};

/// The HTML of the whole page in a state.
fn page(state: State) -> String {
    let render = yew::LocalServerRenderer::<App>::with_props(AppProperties { state }).hydratable(false).render();
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime without I/O starts").block_on(render)
}
