//! What only a browser can tell or keep. Nothing else on the page calls it, so the rest is tested natively.

use locklab_core::i18n::Language;

use crate::words::words;

/// The name under which the reader's choice of language is kept.
const LANGUAGE_KEY: &str = "locklab.language";

/// The language to start with: what the address asks for (`?lang=zh`), else what the reader chose last time, else the
/// first of the browser's own that the page speaks, else English.
pub fn preferred_language() -> Language {
    asked_language().or_else(kept_language).or_else(own_language).unwrap_or(Language::English)
}

/// Tells document and browser of the language that the page speaks now, and keeps it for the next visit.
pub fn announce_language(language: Language) {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else { return };
    document.set_title(words(language).title);
    if let Some(root) = document.document_element() {
        // Neither fails but on a name that is not one.
        let _ = root.set_attribute("lang", language.tag());
    }
    if let Some(storage) = storage() {
        // A browser that keeps nothing (private, full) still shows the page.
        let _ = storage.set_item(LANGUAGE_KEY, language.tag());
    }
}

fn asked_language() -> Option<Language> {
    let query = web_sys::window()?.location().search().ok()?;
    query.trim_start_matches('?').split('&').find_map(|pair| Language::from_tag(pair.strip_prefix("lang=")?))
}

fn kept_language() -> Option<Language> {
    Language::from_tag(&storage()?.get_item(LANGUAGE_KEY).ok()??)
}

fn own_language() -> Option<Language> {
    let languages = web_sys::window()?.navigator().languages();
    languages.iter().find_map(|tag| Language::from_tag(&tag.as_string()?))
}

/// Access itself may be refused, not only reading.
fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}
