//! Sentences with parameters, both languages side by side.

use super::{Language, Text};
use crate::time::{Span, Time};

/// A value that a sentence can mention, worded for each language.
pub trait Say {
    /// The value's words in one language.
    fn say(&self, language: Language) -> String;
}

/// A [`Text`] from an English and a Chinese pattern: `say!("{who} waits", "{who} 在等待", who = name)`.
///
/// Both patterns name their parameters, so neither language can be left out, and a parameter that no pattern mentions is a compiler warning.
#[macro_export]
macro_rules! say {
    ($en:literal, $zh:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        $crate::i18n::Text {
            en: { $(let $name = $crate::i18n::Say::say(&$value, $crate::i18n::Language::English);)* format!($en) },
            zh: { $(let $name = $crate::i18n::Say::say(&$value, $crate::i18n::Language::Chinese);)* format!($zh) },
        }
    }};
}

impl<T: Say + ?Sized> Say for &T {
    fn say(&self, language: Language) -> String {
        (**self).say(language)
    }
}

impl Say for str {
    fn say(&self, _: Language) -> String {
        self.to_owned()
    }
}

impl Say for String {
    fn say(&self, _: Language) -> String {
        self.clone()
    }
}

impl Say for Text {
    fn say(&self, language: Language) -> String {
        self.in_language(language).to_owned()
    }
}

/// Whole numbers, with thousands set apart: `1,234,567`.
impl Say for u64 {
    fn say(&self, _: Language) -> String {
        let digits = self.to_string();
        let mut grouped = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        grouped
    }
}

impl Say for u32 {
    fn say(&self, language: Language) -> String {
        u64::from(*self).say(language)
    }
}

/// A span with its unit set apart, as running text wants it: `10 s`, `1.5 秒`.
impl Say for Span {
    fn say(&self, language: Language) -> String {
        let short = self.to_string();
        let split = short.find(|char: char| char.is_ascii_alphabetic()).unwrap_or(short.len());
        let (number, unit) = short.split_at(split);
        let unit = match (language, unit) {
            (Language::English, "m") => "min",
            (Language::English, "us") => "µs",
            (Language::English, unit) => unit,
            (Language::Chinese, "h") => "小时",
            (Language::Chinese, "m") => "分钟",
            (Language::Chinese, "s") => "秒",
            (Language::Chinese, "ms") => "毫秒",
            (Language::Chinese, _) => "微秒",
        };
        format!("{number} {unit}")
    }
}

/// An instant since the start of the run: `10.001s`, `10.001 秒`.
impl Say for Time {
    fn say(&self, language: Language) -> String {
        match language {
            Language::English => self.to_string(),
            Language::Chinese => format!("{} 秒", self.to_string().trim_end_matches('s')),
        }
    }
}

/// A list: `A`, `A and B`, `A, B and C`; `A 和 B`, `A、B 和 C`.
impl<T: Say> Say for [T] {
    fn say(&self, language: Language) -> String {
        let (comma, and) = match language {
            Language::English => (", ", " and "),
            Language::Chinese => ("、", " 和 "),
        };
        match self {
            [] => String::new(),
            [one] => one.say(language),
            [first @ .., last] => {
                let first: Vec<String> = first.iter().map(|item| item.say(language)).collect();
                let and = if language == Language::Chinese { tight(and, &first, &last.say(language)) } else { and };
                format!("{}{and}{}", first.join(comma), last.say(language))
            }
        }
    }
}

impl<T: Say> Say for Vec<T> {
    fn say(&self, language: Language) -> String {
        self.as_slice().say(language)
    }
}

/// Between two Chinese words `和` stands without the spaces that it needs beside Latin letters.
fn tight<'a>(and: &'a str, first: &[String], last: &str) -> &'a str {
    let latin = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric());
    let before = first.last().and_then(|word| word.chars().next_back());
    if latin(before) || latin(last.chars().next()) { and } else { and.trim() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_has_both_languages_and_their_units() {
        let text = say!("{who} waited for {span}", "{who} 等了 {span}", who = "A", span = Span::from_millis(1_500));
        assert_eq!(text, Text::new("A waited for 1.5 s", "A 等了 1.5 秒"));
        assert_eq!(Span::from_secs(120).say(Language::English), "2 min");
        assert_eq!(Time(10_001_000).say(Language::Chinese), "10.001 秒");
    }

    #[test]
    fn lists_are_joined_as_each_language_does() {
        let names = ["A", "B", "C"];
        assert_eq!(names[..2].say(Language::English), "A and B");
        assert_eq!(names[..].say(Language::English), "A, B and C");
        assert_eq!(names[..].say(Language::Chinese), "A、B 和 C");
        assert_eq!(["读", "写"][..].say(Language::Chinese), "读和写");
    }

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!(1_234_567_u64.say(Language::English), "1,234,567");
        assert_eq!(12_u32.say(Language::Chinese), "12");
    }
}
