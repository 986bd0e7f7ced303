//! The language of everything that is said.

use std::env;

use locklab_core::i18n::Language;

/// What is asked when the command line says nothing, the first that is set and not empty decides.
const VARIABLES: [&str; 4] = ["LOCKLAB_LANG", "LC_ALL", "LC_MESSAGES", "LANG"];

/// The language: what was typed, else what the environment says, else English.
pub fn language(typed: Option<Language>) -> Language {
    typed.unwrap_or_else(|| {
        let set = VARIABLES.into_iter().filter_map(|name| env::var(name).ok()).find(|value| !value.is_empty());
        set.and_then(|tag| Language::from_tag(&tag)).unwrap_or_default()
    })
}
