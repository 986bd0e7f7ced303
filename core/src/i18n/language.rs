//! The languages that Locklab speaks.

/// A language in which everything that a reader sees exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese, in simplified characters.
    Chinese,
}

impl Language {
    /// Every language, in the order in which they are offered.
    pub const ALL: [Language; 2] = [Language::English, Language::Chinese];

    /// The short tag of the language, as in `--lang zh` and HTML's `lang`: `en` or `zh`.
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh",
        }
    }

    /// What the language calls itself.
    pub fn own_name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Chinese => "中文",
        }
    }

    /// The language that a reader would switch to.
    pub fn other(self) -> Self {
        match self {
            Language::English => Language::Chinese,
            Language::Chinese => Language::English,
        }
    }

    /// The language of a tag or locale, such as `zh`, `zh-CN`, `en_GB.UTF-8`; `None` for a language that is not spoken here.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_', '.']).next()?;
        Language::ALL.into_iter().find(|language| primary.eq_ignore_ascii_case(language.tag()))
    }
}
