//! `locklab list`: what there is, by name.

use std::fmt::Write as _;

use locklab_core::i18n::Language;
use serde_json::{Map, Value, json};
use textwrap::Options;
use unicode_width::UnicodeWidthStr;

use crate::args::Topic;
use crate::catalog::{self, Entry};
use crate::failure::{Ending, Failure};
use crate::options::ListFormat;
use crate::output::Output;
use crate::terminal::{self, STRONG};

/// Lists one topic, or all.
pub fn list(what: Option<Topic>, format: ListFormat, language: Language) -> Result<Ending, Failure> {
    let topics: Vec<Topic> = catalog::topics().filter(|topic| what.is_none_or(|what| what == *topic)).collect();
    let text = match format {
        ListFormat::Text => topics.iter().map(|topic| section(*topic, language)).collect::<Vec<_>>().join("\n"),
        ListFormat::Json => document(&topics),
    };
    Output::standard().write(&text)?;
    Ok(Ending::AsExpected)
}

fn section(topic: Topic, language: Language) -> String {
    let entries = catalog::entries(topic);
    let names = entries.iter().map(|entry| entry.name.width()).max().unwrap_or(0);
    let mut text = format!("{STRONG}{}{STRONG:#}\n", catalog::heading(topic).in_language(language));
    for entry in &entries {
        let first = format!("  {:<names$}  ", entry.name);
        let rest = " ".repeat(names + 4);
        let options =
            Options::new(terminal::width()).initial_indent(&first).subsequent_indent(&rest).break_words(false);
        let _ = writeln!(text, "{}", textwrap::fill(&said(entry, language), options));
    }
    text
}

/// The sentence, and the other names.
fn said(entry: &Entry, language: Language) -> String {
    let sentence = entry.summary.in_language(language);
    if entry.aliases.is_empty() {
        return sentence.to_owned();
    }
    match language {
        Language::English => format!("{sentence} (also: {})", entry.aliases.join(", ")),
        Language::Chinese => format!("{sentence}（也叫 {}）", entry.aliases.join("、")),
    }
}

/// `{"locks": [{"name", "aliases", "summary": {"en", "zh"}}], ...}`.
fn document(topics: &[Topic]) -> String {
    let lists: Map<String, Value> = topics
        .iter()
        .map(|topic| {
            let name = clap::ValueEnum::to_possible_value(topic).expect("no topic is hidden").get_name().to_owned();
            (name, catalog::entries(*topic).iter().map(value).collect())
        })
        .collect();
    format!("{}\n", serde_json::to_string_pretty(&lists).expect("names and sentences are always JSON"))
}

fn value(entry: &Entry) -> Value {
    json!({ "name": entry.name, "aliases": entry.aliases, "summary": { "en": entry.summary.en, "zh": entry.summary.zh } })
}
