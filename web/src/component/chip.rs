//! A client's name in its colour.

use yew::{Html, html};

/// A client's name in its colour, as in the drawing.
pub fn chip(index: usize, name: &str) -> Html {
    html! { <span class={format!("chip client-{}", index % 6)}>{ name.to_owned() }</span> }
}
