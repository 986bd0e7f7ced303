//! The signs on the controls, drawn: fonts differ in what they have.

use yew::{Html, html};

/// A sign.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    /// To the first step.
    First,
    /// To the step before.
    Back,
    /// Move.
    Play,
    /// Stop moving.
    Pause,
    /// To the next step.
    Next,
    /// To the last step.
    Last,
    /// Nearer.
    Nearer,
    /// Farther away.
    Farther,
    /// Everything.
    Whole,
    /// Take back.
    Undo,
    /// Make again.
    Redo,
    /// Another branch of what was done.
    Branch,
}

/// A sign as a drawing in the colour of the text around it.
pub fn icon(icon: Icon) -> Html {
    let path = match icon {
        Icon::First => "M3 3v10M13 3 6 8l7 5z",
        Icon::Back => "M11 3 5 8l6 5",
        Icon::Play => "M4 2.5v11l9-5.5z",
        Icon::Pause => "M5 3v10M11 3v10",
        Icon::Next => "M5 3l6 5-6 5",
        Icon::Last => "M13 3v10M3 3l7 5-7 5z",
        Icon::Nearer => "M8 3v10M3 8h10",
        Icon::Farther => "M3 8h10",
        Icon::Undo => "M6 2 2.5 5.5 6 9M2.5 5.5H10a3.75 3.75 0 0 1 0 7.5H6",
        Icon::Redo => "M10 2l3.5 3.5L10 9M13.5 5.5H6A3.75 3.75 0 0 0 6 13h4",
        Icon::Branch => "M4 14V2M4 9c0-2.5 8-1.5 8-6M9.5 5 12 2.5 14.5 5",
        Icon::Whole => "M2 4v8M14 4v8M4.5 8h7M6.5 6l-2 2 2 2M9.5 6l2 2-2 2",
    };
    let is_filled = matches!(icon, Icon::First | Icon::Play | Icon::Last);
    html! {
        <svg class={if is_filled { "icon filled" } else { "icon" }} viewBox="0 0 16 16" width="16" height="16"
            aria-hidden="true">
            <path d={path} />
        </svg>
    }
}
