//! Every mechanism against every threat: a sheet of cells, each with a word of what came of it, and its witness.

mod detail;
mod row;

use locklab_core::compare::Threat;
use locklab_core::i18n::Language;
use locklab_core::say;
use yew::{Callback, Html, InputEvent, KeyboardEvent, Properties, component, html};

use self::detail::Detail;
use self::row::{Row, cell_id};
use crate::browser;
use crate::state::{Action, State, Turned};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct MatrixViewProperties {
    pub state: State,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn MatrixView(properties: &MatrixViewProperties) -> Html {
    let MatrixViewProperties { state, dispatch } = properties;
    let (language, sheet) = (state.language, &state.sheet);
    let words = words(language);
    let (played, all) = sheet.progress();
    let far =
        say!("{played} of {all} cells played", "已播放 {played}/{all} 格", played = played as u64, all = all as u64);
    let filter = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: InputEvent| {
            let filter = browser::value_of(&event).unwrap_or_default();
            dispatch.emit(Action::Sheet(Turned::Filter(filter)));
        })
    };
    let rows = sheet.rows();
    html! {
        <main class="matrix">
            <section class="opening">
                <h2>{ words.matrix_title }</h2>
                <p class="question">{ words.matrix_purpose }</p>
                <p class="sheet-ways">
                    <label>
                        <span class="quiet label">{ words.filter }</span>
                        <input type="search" class="filter" value={sheet.filter.clone()} placeholder={words.filter_hint}
                            oninput={filter} />
                    </label>
                    if played < all {
                        <label class="far">
                            <span class="quiet label">{ far.in_language(language) }</span>
                            <progress value={played.to_string()} max={all.to_string()} />
                        </label>
                    }
                </p>
                if let Some(why) = &sheet.failed {
                    <p class="wrong" role="alert">{ why.in_language(language) }</p>
                }
            </section>
            <section class="card sheet">
                if rows.is_empty() {
                    <p>{ words.no_rows }</p>
                } else {
                    <div class="scroll" role="region" tabindex="0" aria-label={words.matrix_title} onkeydown={walk()}>
                        <table>
                            { head(language) }
                            <tbody>
                                { for rows.iter().enumerate().map(|(place, mechanism)| {
                                    let name = mechanism.name();
                                    let open = sheet.open.as_ref().filter(|open| open.cell.0 == name);
                                    html! {
                                        <Row key={name} {language} mechanism={*mechanism} {place} entries={sheet.entries(mechanism)}
                                            open={open.map(|open| open.cell.1)} dispatch={dispatch.clone()} />
                                    }
                                }) }
                            </tbody>
                        </table>
                    </div>
                    <p class="quiet small keys">{ words.matrix_keys }</p>
                }
            </section>
            if let Some(open) = &sheet.open {
                if let Some(entry) = sheet.entry(&open.cell) {
                    <Detail {language} open={open.clone()} entry={entry.clone()} dispatch={dispatch.clone()} />
                }
            }
            { legend(language) }
        </main>
    }
}

fn head(language: Language) -> Html {
    html! {
        <thead>
            <tr>
                <th scope="col" class="corner">{ words(language).mechanism }</th>
                { for Threat::ALL.map(|threat| html! {
                    <th scope="col" class="threat"><span>{ threat.title().in_language(language) }</span></th>
                }) }
            </tr>
        </thead>
    }
}

fn legend(language: Language) -> Html {
    let words = words(language);
    let signs = [
        ("✓", words.sign_held),
        ("✕", words.sign_broken),
        ("○", words.sign_unavailable),
        ("–", words.sign_not_applicable),
        ("*", words.sign_overlap),
        ("≤", words.sign_bound),
    ];
    html! {
        <dl class="signs small">
            { for signs.map(|(sign, meaning)| html! { <div><dt>{ sign }</dt><dd>{ meaning }</dd></div> }) }
        </dl>
    }
}

/// The arrow keys walk from cell to cell.
fn walk() -> Callback<KeyboardEvent> {
    Callback::from(|event: KeyboardEvent| {
        let (down, right) = match event.key().as_str() {
            "ArrowDown" => (1, 0),
            "ArrowUp" => (-1, 0),
            "ArrowRight" => (0, 1),
            "ArrowLeft" => (0, -1),
            _ => return,
        };
        let Some((row, column)) = browser::id_at(&event).and_then(|id| place_of(&id)) else { return };
        let next = row.checked_add_signed(down).zip(column.checked_add_signed(right));
        if next.is_some_and(|(row, column)| browser::focus(&cell_id(row, column))) {
            event.prevent_default();
        }
    })
}

/// The row and the column of a cell's id.
fn place_of(id: &str) -> Option<(usize, usize)> {
    let (row, column) = id.strip_prefix("cell-")?.split_once('-')?;
    row.parse().ok().zip(column.parse().ok())
}
