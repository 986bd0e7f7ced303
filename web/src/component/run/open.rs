//! Opens a file: a history, simulated or live, or a scenario.

use locklab_core::i18n::Language;
use yew::{Callback, Event, Html, Properties, component, html};

use crate::browser;
use crate::component::effects::bring;
use crate::state::Action;
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct OpenProperties {
    pub language: Language,
    /// The name of the file that is being read.
    pub reading: Option<String>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn OpenFile(properties: &OpenProperties) -> Html {
    let OpenProperties { language, reading, dispatch } = properties;
    let words = words(*language);
    let chosen = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            browser::chosen_files(&event).iter().for_each(|files| bring(files, &dispatch));
        })
    };
    html! {
        <>
            <label class="open-file" title={words.open_hint}>
                <input type="file" class="visually-hidden" accept=".jsonl,.json,.ndjson,.toml" onchange={chosen} />
                { words.open_file }
            </label>
            <span class="quiet small" role="status">
                if let Some(name) = reading { { words.reading }{ " " }{ name.clone() } }
            </span>
        </>
    }
}
