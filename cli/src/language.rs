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

/// The language before the command line is understood: for its help, and for what is wrong with it.
pub fn language_at_first() -> Language {
    let arguments: Vec<String> = env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let apart = arguments.windows(2).find(|pair| pair[0] == "--lang").map(|pair| pair[1].as_str());
    let joined = arguments.iter().find_map(|argument| argument.strip_prefix("--lang="));
    language(apart.or(joined).and_then(Language::from_tag))
}
