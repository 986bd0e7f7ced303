//! What is said beside a report: on the standard error, so that the report stays whole.

use std::io::Write;

use locklab_core::i18n::{Language, Text};

use crate::terminal::HINT;

/// Says something that is no error.
pub fn note(words: &Text, language: Language) {
    let (word, colon) = match language {
        Language::English => ("note", ": "),
        Language::Chinese => ("注意", "："),
    };
    let line = format!("{HINT}{word}{HINT:#}{colon}{}\n", words.in_language(language));
    // Nobody can be told when nobody listens.
    let _ = anstream::stderr().write_all(line.as_bytes());
}
