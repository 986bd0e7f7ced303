//! A mechanism with its cells. It is drawn again only when one of them changes.

use std::rc::Rc;

use locklab_core::compare::{Answer, Found, Mechanism, Threat};
use locklab_core::i18n::{Language, Say};
use locklab_core::say;
use yew::{Callback, Html, Properties, component, html};

use crate::state::{Action, Entry, Turned};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct RowProperties {
    pub language: Language,
    pub mechanism: Mechanism,
    /// Its place among the rows that are shown.
    pub place: usize,
    /// The cells, in the order of the threats; `None`: not played yet.
    pub entries: Vec<Option<Rc<Entry>>>,
    /// The cell that is explained.
    pub open: Option<Threat>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Row(properties: &RowProperties) -> Html {
    let RowProperties { language, mechanism, entries, .. } = properties;
    html! {
        <tr>
            <th scope="row">{ mechanism.title().in_language(*language) }</th>
            { for Threat::ALL.iter().zip(entries).enumerate().map(|(column, (threat, entry))| match entry {
                Some(entry) => cell(properties, column, *threat, entry),
                None => html! {
                    <td class="unplayed"><span class="visually-hidden">{ words(*language).not_played_yet }</span></td>
                },
            }) }
        </tr>
    }
}

/// The id of a cell.
pub fn cell_id(row: usize, column: usize) -> String {
    format!("cell-{row}-{column}")
}

fn cell(properties: &RowProperties, column: usize, threat: Threat, entry: &Entry) -> Html {
    let RowProperties { language, mechanism, place, open, dispatch, .. } = properties;
    let found = &entry.found;
    let name = mechanism.name();
    let sentence = match found.edge {
        Some(edge) => say!(
            "{sentence}; {bound}",
            "{sentence}；{bound}",
            sentence = found.sentence(),
            bound = edge.sentence(threat)
        ),
        None => found.sentence(),
    };
    let (title, against) = (mechanism.title(), threat.title());
    let said = [&title, &against, &sentence].map(|text| text.in_language(*language));
    let asked = (name.clone(), threat);
    html! {
        <td class={format!("is-{}", found.answer.name())}>
            <button type="button" id={cell_id(*place, column)} data-cell={format!("{name}-{threat}")}
                // One stop of the Tab key a row; the arrow keys go on from there.
                tabindex={if column == 0 { "0" } else { "-1" }}
                title={said[2].to_owned()}
                aria-pressed={(*open == Some(threat)).to_string()}
                onclick={dispatch.reform(move |_| Action::Sheet(Turned::Open(Some(asked.clone()))))}>
                <span aria-hidden="true">
                    { sign(found) }
                    if !matches!(found.answer, Answer::NotApplicable { .. }) {
                        <small>{ counted(found) }</small>
                    }
                    if let Some(edge) = found.edge {
                        <small class="bound">{ format!("≤ {}", edge.held.say(*language)) }</small>
                    }
                </span>
                <span class="visually-hidden">{ format!("{}, {}: {}", said[0], said[1], said[2]) }</span>
            </button>
        </td>
    }
}

/// A cell's answer as a sign; with a star where sections overlapped.
fn sign(found: &Found) -> String {
    let sign = match found.answer {
        Answer::Held => "✓",
        Answer::Broken => "✕",
        Answer::Unavailable => "○",
        Answer::NotApplicable { .. } => "–",
    };
    format!("{sign}{}", if found.overlapped > 0 { "*" } else { "" })
}

/// In how many of how many runs.
fn counted(found: &Found) -> String {
    match found.answer {
        Answer::Broken => format!("{}/{}", found.broken, found.runs),
        Answer::Unavailable => format!("{}/{}", found.unavailable, found.runs),
        _ => found.runs.to_string(),
    }
}
