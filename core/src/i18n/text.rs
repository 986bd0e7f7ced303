//! A text that a user reads, in both languages.

use super::Language;

/// The same sentence in English and in Chinese.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text {
    /// English.
    pub en: String,
    /// Simplified Chinese.
    pub zh: String,
}

impl Text {
    /// A text of both languages.
    pub fn new(en: impl Into<String>, zh: impl Into<String>) -> Text {
        Text { en: en.into(), zh: zh.into() }
    }

    /// A text that reads the same in both languages, such as a name.
    pub fn same(text: impl Into<String>) -> Text {
        let en = text.into();
        Text { zh: en.clone(), en }
    }

    /// Names one after the other, set apart as each language sets them apart: `A, B, C` and `A、B、C`.
    pub fn list<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> Text {
        let names: Vec<N> = names.into_iter().collect();
        let joined = |mark: &str| names.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(mark);
        Text::new(joined(", "), joined("、"))
    }

    /// The text in one language.
    pub fn in_language(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::Chinese => &self.zh,
        }
    }
}

/// English first.
impl From<[&str; 2]> for Text {
    fn from([en, zh]: [&str; 2]) -> Text {
        Text::new(en, zh)
    }
}
