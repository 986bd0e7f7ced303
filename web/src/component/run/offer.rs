//! What can be written where the caret of the editor stands: a list below it.

use locklab_core::scenario::{Completion, complete};
use yew::{Callback, Html, MouseEvent, Properties, classes, component, html, use_effect_with, use_node_ref};

use crate::browser;

/// The most names that are listed: more are found by typing on.
const MOST: usize = 8;

/// What is offered, and which of it would be taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    completion: Completion,
    /// How many of its names are listed before the chosen one.
    pub chosen: usize,
    /// The caret's line and column, from 0.
    place: (usize, usize),
}

impl Offer {
    /// What can be written at a place of a text, given in bytes; `None`: nothing.
    pub fn at(text: &str, at: usize) -> Option<Offer> {
        let mut completion = complete(text, at);
        completion.names.truncate(MOST);
        let before = text.get(..completion.replaces.start)?;
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        // A Chinese character is as wide as two letters.
        let column = before[line..].chars().map(|char| if char.is_ascii() { 1 } else { 2 }).sum();
        let place = (before.matches('\n').count(), column);
        (!completion.names.is_empty()).then_some(Offer { completion, chosen: 0, place })
    }

    /// Whether somebody has begun to write what is offered.
    pub fn is_begun(&self) -> bool {
        !self.completion.replaces.is_empty()
    }

    /// The offer with the next or the previous name chosen, round and round.
    pub fn walked(self, forward: bool) -> Offer {
        let count = self.completion.names.len();
        let chosen = if forward { self.chosen + 1 } else { self.chosen + count - 1 } % count;
        Offer { chosen, ..self }
    }

    /// The text with a name of the list written into it, and where the caret goes, in bytes.
    pub fn taken(&self, text: &str, index: usize) -> Option<(String, usize)> {
        let Completion { replaces, names, are_keys } = &self.completion;
        let (before, after) = (text.get(..replaces.start)?, text.get(replaces.end..)?);
        let has_sign = after.lines().next().is_some_and(|rest| rest.contains('='));
        let sign = if *are_keys && !has_sign { " = " } else { "" };
        let written = format!("{before}{}{sign}", names.get(index)?);
        Some((format!("{written}{after}"), written.len()))
    }
}

#[derive(PartialEq, Properties)]
pub struct OfferListProperties {
    pub label: &'static str,
    pub offer: Offer,
    pub take: Callback<usize>,
}

/// The id of the list.
pub const LIST: &str = "offer";

/// The id of a name in the list.
pub fn id_of(index: usize) -> String {
    format!("{LIST}-{index}")
}

#[component]
pub fn OfferList(properties: &OfferListProperties) -> Html {
    let OfferListProperties { label, offer, take } = properties;
    let list = use_node_ref();
    use_effect_with(offer.place, {
        let list = list.clone();
        move |(line, column)| {
            let list = list.cast::<web_sys::HtmlElement>();
            list.into_iter().for_each(|list| browser::put_in_text(&list, *line, *column));
        }
    });
    html! {
        <ul ref={list} id={LIST} class="offer" role="listbox" aria-label={*label}>
            { for offer.completion.names.iter().enumerate().map(|(index, name)| html! {
                <li id={id_of(index)} role="option" aria-selected={(index == offer.chosen).to_string()}
                    class={classes!("mono", (index == offer.chosen).then_some("chosen"))}
                    onmousedown={take.reform(move |event: MouseEvent| { event.prevent_default(); index })}>
                    { name.clone() }
                </li>
            }) }
        </ul>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "title = \"t\"\n[servers]\nredis = \"single\"\n[lock]\nkind = \"token-lua\"\nre\n[[client]]\nname = \"A\"\n[expect]\nbroken = []\n";

    #[test]
    fn what_is_taken_is_written_in_place_of_what_was_begun() {
        let at = TEXT.find("re\n[[").expect("it is there") + 2;
        let offer = Offer::at(TEXT, at).expect("a key begins so");
        assert!(offer.is_begun() && offer.place == (5, 0));
        let (text, caret) = offer.taken(TEXT, 0).expect("there is one");
        assert_eq!(text, TEXT.replace("\nre\n", "\nretry = \n"));
        assert!(text[..caret].ends_with("retry = "));
        assert_eq!(offer.clone().walked(true), offer, "there is only one");
        assert_eq!(Offer::at(TEXT, 3), None, "nothing else begins so");
    }
}
