//! The page's own words, in both languages. What is said of a run (verdicts, causes) comes from the core.

use locklab_core::i18n::Language;

/// The page's own words in one language.
pub struct Words {
    /// The title of the document, as tabs and search engines show it.
    pub title: &'static str,
    /// What the page is for, in one sentence.
    pub purpose: &'static str,
}

/// The page's words in a language.
pub fn words(language: Language) -> &'static Words {
    match language {
        Language::English => &ENGLISH,
        Language::Chinese => &CHINESE,
    }
}

const ENGLISH: Words = Words {
    title: "Locklab: what a distributed lock really promises",
    purpose: "See what a distributed lock really promises.",
};

const CHINESE: Words = Words {
    title: "Locklab：看清分布式锁真正的承诺", purpose: "看清分布式锁到底保证了什么。"
};
