//! Reading one table of the file, value by value, and saying what is wrong with each.

use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::amount::YEAR;
use crate::i18n::Text;
use crate::scenario::problem::Problems;
use crate::time::{Span, SpanError};

/// A value and where it stands.
pub(super) type Value<'t> = Spanned<DeValue<'t>>;

/// A table whose keys are known.
pub(super) struct Fields<'t> {
    table: &'t DeTable<'t>,
    /// Where the table stands: its header.
    pub(super) at: Range<usize>,
}

/// A string and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Word<'t> {
    /// The string.
    pub(super) text: &'t str,
    /// Where it stands, with its quotes.
    pub(super) at: Range<usize>,
}

impl<'t> Fields<'t> {
    /// Opens a table and reports the keys that do not belong there. `name` is the table as the file writes it, such as
    /// `[lock]`; empty for the top of the file.
    pub(super) fn open(
        table: &'t DeTable<'t>,
        at: Range<usize>,
        name: &str,
        keys: &[&str],
        problems: &mut Problems,
    ) -> Fields<'t> {
        for key in table.keys() {
            let given = key.get_ref();
            if !keys.contains(&given.as_ref()) {
                unknown_key(key.span(), given, name, keys, problems);
            }
        }
        Fields { table, at }
    }

    /// The value of a key.
    pub(super) fn value(&self, key: &str) -> Option<&'t Value<'t>> {
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    /// Where a key stands; the table's place if it is not there.
    pub(super) fn key_at(&self, key: &str) -> Range<usize> {
        self.table.keys().find(|name| name.get_ref() == key).map_or_else(|| self.at.clone(), Spanned::span)
    }

    /// Says that a key is missing.
    pub(super) fn missing(&self, key: &str, example: &str, problems: &mut Problems) {
        problems
            .add(self.at.clone(), Text::new(format!("`{key}` is missing"), format!("缺少 `{key}`")))
            .hint(format!("write, for example, `{example}`"), format!("例如写成 `{example}`"));
    }

    /// The string of a key.
    pub(super) fn word(&self, key: &str, problems: &mut Problems) -> Option<Word<'t>> {
        word(self.value(key)?, problems)
    }

    /// The span of a key, within bounds.
    pub(super) fn span(&self, key: &str, bounds: RangeInclusive<Span>, problems: &mut Problems) -> Option<Span> {
        span_value(self.value(key)?, bounds, problems)
    }

    /// The whole number of a key, within bounds.
    pub(super) fn number(&self, key: &str, bounds: RangeInclusive<i64>, problems: &mut Problems) -> Option<i64> {
        number(self.value(key)?, bounds, problems)
    }

    /// The value of a key that is one of a few names.
    pub(super) fn one_of<T: Copy>(&self, key: &str, names: &[(&str, T)], problems: &mut Problems) -> Option<T> {
        let word = self.word(key, problems)?;
        let found = names.iter().find(|(name, _)| *name == word.text).map(|(_, value)| *value);
        if found.is_none() {
            let what = (format!("a value of `{key}`"), format!("`{key}` 的取值"));
            unknown_name(&word, (&what.0, &what.1), names.iter().map(|(name, _)| *name), problems);
        }
        found
    }

    /// The strings of a key that holds a list, or a single one.
    pub(super) fn words(&self, key: &str, problems: &mut Problems) -> Option<Vec<Word<'t>>> {
        let value = self.value(key)?;
        match value.get_ref() {
            DeValue::Array(list) => Some(list.iter().filter_map(|value| word(value, problems)).collect()),
            _ => Some(vec![word(value, problems)?]),
        }
    }

    /// The text of a key in both languages: `{ en = "...", zh = "..." }`, or one string for both.
    pub(super) fn text(&self, key: &str, problems: &mut Problems) -> Option<Text> {
        let value = self.value(key)?;
        let DeValue::Table(table) = value.get_ref() else {
            return word(value, problems).map(|word| Text::same(word.text));
        };
        let fields = Fields::open(table, value.span(), &format!("`{key}`"), &["en", "zh"], problems);
        let mut in_language = |tag| match fields.value(tag) {
            Some(value) => word(value, problems),
            None => {
                fields.missing(tag, &format!("{tag} = \"...\""), problems);
                None
            }
        };
        let (en, zh) = (in_language("en"), in_language("zh"));
        Some(Text::new(en?.text, zh?.text))
    }
}

impl<'t> Word<'t> {
    /// Where a part of the string stands in the file; the whole string where escapes hide it.
    pub(super) fn part(&self, part: Range<usize>, problems: &Problems) -> Range<usize> {
        let raw = problems.text().get(self.at.clone()).unwrap_or("");
        for (quote, newline) in [("\"\"\"", "\n"), ("'''", "\n"), ("\"\"\"", ""), ("'''", ""), ("\"", ""), ("'", "")] {
            let inner = raw.strip_prefix(quote).and_then(|raw| raw.strip_prefix(newline));
            if inner.and_then(|raw| raw.strip_suffix(quote)) == Some(self.text) {
                let start = self.at.start + quote.len() + newline.len();
                return start + part.start..start + part.end.max(part.start);
            }
        }
        self.at.clone()
    }
}

/// A table, or a complaint.
pub(super) fn table<'t>(value: &'t Value<'t>, problems: &mut Problems) -> Option<&'t DeTable<'t>> {
    match value.get_ref() {
        DeValue::Table(table) => Some(table),
        other => {
            wrong_type(value.span(), ("a table", "一个表"), other, problems);
            None
        }
    }
}

/// The tables of a list `[[name]]`, or a complaint.
pub(super) fn tables<'t>(
    value: &'t Value<'t>,
    name: &str,
    problems: &mut Problems,
) -> Vec<(&'t DeTable<'t>, Range<usize>)> {
    match value.get_ref() {
        DeValue::Array(list) => list.iter().filter_map(|item| Some((table(item, problems)?, item.span()))).collect(),
        DeValue::Table(_) => {
            problems
                .add(value.span(), Text::new(format!("`{name}` is a list of tables"), format!("`{name}` 是一组表")))
                .hint(format!("write `[[{name}]]`"), format!("写成 `[[{name}]]`"));
            Vec::new()
        }
        other => {
            wrong_type(value.span(), ("a list of tables", "一组表"), other, problems);
            Vec::new()
        }
    }
}

/// A string, or a complaint.
pub(super) fn word<'t>(value: &'t Value<'t>, problems: &mut Problems) -> Option<Word<'t>> {
    match value.get_ref() {
        DeValue::String(text) => Some(Word { text: text.as_ref(), at: value.span() }),
        other => {
            wrong_type(value.span(), ("a string in quotes", "带引号的字符串"), other, problems);
            None
        }
    }
}

/// The span that a value is, within bounds, or a complaint.
pub(super) fn span_value(value: &Value, bounds: RangeInclusive<Span>, problems: &mut Problems) -> Option<Span> {
    let DeValue::String(text) = value.get_ref() else {
        let wanted = ("a length of time in quotes, such as \"10s\"", "带引号的时间长度，例如 \"10s\"");
        wrong_type(value.span(), wanted, value.get_ref(), problems);
        return None;
    };
    span(&Word { text, at: value.span() }, bounds, problems)
}

/// A span within bounds, or a complaint.
pub(super) fn span(word: &Word, bounds: RangeInclusive<Span>, problems: &mut Problems) -> Option<Span> {
    let given = short(word.text);
    match word.text.parse::<Span>() {
        Ok(span) if bounds.contains(&span) => Some(span),
        Ok(_) | Err(SpanError::TooFine | SpanError::TooLong) => {
            let (low, high) = (bounds.start(), bounds.end());
            let high = if *high == YEAR { "365d".to_owned() } else { high.to_string() };
            problems
                .add(
                    word.at.clone(),
                    Text::new(format!("\"{given}\" is out of range"), format!("\"{given}\" 超出范围")),
                )
                .allowed(format!("{low} to {high}, in whole microseconds"), format!("{low} 到 {high}，最小单位为微秒"));
            None
        }
        Err(error) => {
            not_a_span(word, error, problems);
            None
        }
    }
}

/// Says that a string is no length of time.
pub(super) fn not_a_span(word: &Word, error: SpanError, problems: &mut Problems) {
    let given = short(word.text);
    let problem = problems.add(
        word.at.clone(),
        Text::new(format!("\"{given}\" is not a length of time"), format!("\"{given}\" 不是时间长度")),
    );
    problem.allowed(
        "a number with a unit: us, ms, s, m, h or d, such as \"250ms\"",
        "数字加单位：us、ms、s、m、h 或 d，例如 \"250ms\"",
    );
    if error == SpanError::NoUnit && word.text.bytes().all(|byte| byte.is_ascii_digit()) {
        problem.hint(
            format!("say the unit: \"{given}s\" or \"{given}ms\"?"),
            format!("写上单位：\"{given}s\" 还是 \"{given}ms\"？"),
        );
    }
}

/// A whole number within bounds, or a complaint.
pub(super) fn number(value: &Value, bounds: RangeInclusive<i64>, problems: &mut Problems) -> Option<i64> {
    let DeValue::Integer(integer) = value.get_ref() else {
        wrong_type(value.span(), ("a whole number", "整数"), value.get_ref(), problems);
        return None;
    };
    let number = i64::from_str_radix(integer.as_str(), integer.radix()).ok().filter(|number| bounds.contains(number));
    if number.is_none() {
        let given = short(integer.as_str());
        let (low, high) = bounds.into_inner();
        problems
            .add(value.span(), Text::new(format!("{given} is out of range"), format!("{given} 超出范围")))
            .allowed(format!("{low} to {high}"), format!("{low} 到 {high}"));
    }
    number
}

/// Says that a key does not belong into its table; an empty name is the top of the file.
pub(super) fn unknown_key(at: Range<usize>, given: &str, table: &str, keys: &[&str], problems: &mut Problems) {
    let given = short(given);
    let message = match table {
        "" => Text::new(format!("unknown key `{given}`"), format!("没有 `{given}` 这个键")),
        table => Text::new(format!("unknown key `{given}` in {table}"), format!("{table} 里没有 `{given}` 这个键")),
    };
    problems.add(at, message).names(&given, keys.iter().copied());
}

/// Says that a name is not `what`, in both languages, such as `a lock`.
pub(super) fn unknown_name<'n>(
    word: &Word,
    what: (&str, &str),
    names: impl IntoIterator<Item = &'n str>,
    problems: &mut Problems,
) {
    let given = short(word.text);
    problems
        .add(
            word.at.clone(),
            Text::new(format!("\"{given}\" is not {}", what.0), format!("\"{given}\" 不是{}", what.1)),
        )
        .names(&given, names);
}

/// Says that a value is of the wrong type.
pub(super) fn wrong_type(at: Range<usize>, wanted: (&str, &str), given: &DeValue, problems: &mut Problems) {
    let (en, zh) = match given {
        DeValue::String(_) => ("a string", "字符串"),
        DeValue::Integer(_) => ("a whole number", "整数"),
        DeValue::Float(_) => ("a number with a point", "小数"),
        DeValue::Boolean(_) => ("true or false", "布尔值"),
        DeValue::Datetime(_) => ("a date", "日期"),
        DeValue::Array(_) => ("a list", "列表"),
        DeValue::Table(_) => ("a table", "表"),
    };
    problems.add(
        at,
        Text::new(format!("this should be {}, not {en}", wanted.0), format!("这里应该是{}，而不是{zh}", wanted.1)),
    );
}

/// What somebody wrote, short enough for a message and without control characters.
pub(super) fn short(text: &str) -> String {
    let mut short: String = text.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}
