//! How to repeat a run, and how to take it elsewhere.

use std::rc::Rc;

use locklab_core::i18n::Language;
use locklab_core::view::html as page_of;
use locklab_core::view::svg::{Options, svg};
use yew::{Callback, Html, Properties, component, html, use_state_eq};

use crate::browser;
use crate::state::{Played, Run};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct ShareProperties {
    pub language: Language,
    /// From where it can be played again; `None`: it was opened from a file.
    pub address: Option<String>,
    pub digest: String,
    pub played: Rc<Played>,
}

/// A form in which a run can be saved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Svg,
    Html,
    Json,
    Toml,
}

impl Form {
    const ALL: [Form; 4] = [Form::Svg, Form::Html, Form::Json, Form::Toml];

    /// Its name, the ending of its files, and their type.
    fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Form::Svg => ("SVG", "svg", "image/svg+xml"),
            Form::Html => ("HTML", "html", "text/html"),
            Form::Json => ("JSON", "jsonl", "application/jsonl"),
            Form::Toml => ("TOML", "toml", "application/toml"),
        }
    }

    /// The run in this form.
    fn text(self, played: &Played, run: &Run, language: Language) -> String {
        match self {
            Form::Svg => svg(&run.scene, &Options { language, ..Options::default() }),
            Form::Html => page_of(&run.history, &run.report, language),
            Form::Json => run.history.to_lines(),
            Form::Toml => played.text.clone(),
        }
    }
}

#[component]
pub fn Share(properties: &ShareProperties) -> Html {
    let ShareProperties { language, address, digest, played } = properties;
    let words = words(*language);
    let copied = use_state_eq(|| None::<String>);
    let is_copied = copied.is_some() && *copied == *address;
    let copy = {
        let address = address.clone();
        Callback::from(move |_| {
            browser::copy(&browser::link());
            copied.set(address.clone());
        })
    };
    let is_embed_copied = use_state_eq(|| false);
    let copy_embed = {
        let (title, is_embed_copied) =
            (played.scenario.title.in_language(*language).to_owned(), is_embed_copied.clone());
        Callback::from(move |_| {
            browser::copy(&embed_code(&browser::embed_link(), &title));
            is_embed_copied.set(true);
        })
    };
    html! {
        <section class="card share">
            if let Some(address) = address {
                <h3>{ words.again }</h3>
                <p><code class="command">{ format!("locklab replay {address}") }</code></p>
            }
            <p class="quiet small">
                { words.digest } { " " } <code class="digest">{ digest }</code>
            </p>
            <p class="buttons">
                if address.is_some() {
                    <button type="button" class="copy" onclick={copy}>
                        { if is_copied { words.copied } else { words.copy } }
                    </button>
                    <button type="button" class="copy-embed" onclick={copy_embed}>
                        { if *is_embed_copied { words.copied } else { words.copy_embed } }
                    </button>
                }
                <span class="quiet label">{ words.save }</span>
                { for Form::ALL.into_iter().filter(|form| *form != Form::Toml || !played.is_recorded())
                    .map(|form| save(form, played, *language)) }
            </p>
        </section>
    }
}

/// What an article contains to show a run's timeline.
fn embed_code(link: &str, title: &str) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let (link, title) = (escaped(link), escaped(title));
    format!("<iframe src=\"{link}\" title=\"{title}\" width=\"100%\" height=\"560\" loading=\"lazy\"></iframe>")
}

fn save(form: Form, played: &Rc<Played>, language: Language) -> Html {
    let (name, ending, mime) = form.names();
    let played = played.clone();
    let save = Callback::from(move |_| {
        let Ok(run) = played.run() else { return };
        let stem = played.piece.source.name().rsplit('/').next().unwrap_or("run");
        let file = format!("{stem}-{}.{ending}", played.piece.lock);
        browser::save(&file, mime, &form.text(&played, run, language));
    });
    html! { <button type="button" class="save" data-form={ending} onclick={save}>{ name }</button> }
}
