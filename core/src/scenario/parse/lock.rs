//! `[lock]`: which lock it is and its parameters.

use std::collections::BTreeMap;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::amount::YEAR;
use super::fields::{Fields, Value as Written, Word, short, span, word, wrong_type};
use crate::i18n::Text;
use crate::locks::{TokenForm, Value};
use crate::scenario::LockSetting;
use crate::scenario::problem::Problems;
use crate::time::Span;

/// What every lock knows.
pub(super) const KEYS: [&str; 10] =
    ["kind", "listing", "key", "keys", "ttl", "retry", "jitter", "timeout", "wait", "token"];

/// The longest lease, and the longest of the other spans of a lock.
const LONGEST: Span = Span::from_secs(100 * 24 * 3_600);

const TOKENS: [(&str, TokenForm); 3] =
    [("unique", TokenForm::Unique), ("per-client", TokenForm::PerClient), ("fixed", TokenForm::Fixed)];

/// The most keys that one scenario can name.
const MOST_KEYS: usize = 15;

/// A lock's setting, and what the clients need to know of it.
pub(super) struct Lock {
    /// The setting.
    pub(super) setting: LockSetting,
    /// How the keys were written.
    pub(super) keys: Keys,
    /// How long a client waits unless it says so itself.
    pub(super) wait: Option<Span>,
    /// The parameters that only some locks know, where they stand.
    pub(super) extra_at: Vec<(String, std::ops::Range<usize>)>,
}

/// How the keys were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keys {
    /// One for everybody.
    One,
    /// `key = "order:{cell}"`: one a cell.
    PerCell,
    /// `keys = ["a", "b"]`: the steps say which.
    Named,
}

/// Reads the table; `cells` are the resource's.
pub(super) fn lock(table: &DeTable, fields: &Fields, cells: &[Arc<str>], problems: &mut Problems) -> Option<Lock> {
    let kind = match fields.value("kind") {
        Some(value) => word(value, problems),
        None => {
            fields.missing("kind", "kind = \"token-lua\"", problems);
            None
        }
    };
    let listing = fields.word("listing", problems).map(|word| Arc::from(word.text));
    let (keys, form) = keys(fields, cells, problems);
    let lease = Span::from_millis(1)..=LONGEST;
    let ttl = fields.span("ttl", lease.clone(), problems).unwrap_or(Span::from_secs(10));
    let retry = fields.span("retry", lease.clone(), problems).unwrap_or(Span::from_millis(100));
    let jitter = fields.span("jitter", Span::ZERO..=LONGEST, problems).unwrap_or_default();
    let timeout = fields.span("timeout", lease, problems);
    let token = fields.one_of("token", &TOKENS, problems).unwrap_or_default();
    let wait = wait(fields, problems);
    let mut extra = BTreeMap::new();
    let mut extra_at = Vec::new();
    for (key, value) in table.iter().filter(|(key, _)| !KEYS.contains(&key.get_ref().as_ref())) {
        if let Some(read) = extra_value(value, problems) {
            extra.insert(key.get_ref().to_string(), read);
            extra_at.push((key.get_ref().to_string(), key.span()));
        }
    }
    let kind = Arc::from(kind?.text);
    let setting = LockSetting { kind, listing, keys, ttl, retry, jitter, timeout, token, extra };
    Some(Lock { setting, keys: form, wait, extra_at })
}

/// How long to wait for a lock: a span, or `"for-ever"`.
pub(super) fn wait(fields: &Fields, problems: &mut Problems) -> Option<Span> {
    let word = fields.word("wait", problems).filter(|word| word.text != "for-ever")?;
    span(&word, Span::ZERO..=YEAR, problems)
}

fn keys(fields: &Fields, cells: &[Arc<str>], problems: &mut Problems) -> (Vec<Arc<str>>, Keys) {
    if let Some(words) = fields.words("keys", problems) {
        if fields.value("key").is_some() {
            problems.add(
                fields.key_at("keys"),
                Text::new("`key` and `keys` exclude each other", "`key` 与 `keys` 不能同时写"),
            );
        }
        if words.is_empty() || words.len() > MOST_KEYS {
            problems
                .add(fields.key_at("keys"), Text::new("no keys, or too many", "键的个数不对"))
                .allowed(format!("1 to {MOST_KEYS}"), format!("1 到 {MOST_KEYS} 个"));
        }
        let mut keys: Vec<Arc<str>> = Vec::new();
        for word in words.iter().take(MOST_KEYS) {
            if is_key(word, problems) && keys.iter().any(|key| **key == *word.text) {
                let given = short(word.text);
                problems.add(
                    word.at.clone(),
                    Text::new(format!("the key \"{given}\" is there twice"), format!("键 \"{given}\" 写了两次")),
                );
            }
            keys.push(Arc::from(word.text));
        }
        return (keys, Keys::Named);
    }
    let Some(word) = fields.word("key", problems).filter(|word| is_key(word, problems)) else {
        return (vec![Arc::from("lock")], Keys::One);
    };
    if word.text.contains("{cell}") {
        return (cells.iter().map(|cell| Arc::from(word.text.replace("{cell}", cell))).collect(), Keys::PerCell);
    }
    (vec![Arc::from(word.text)], Keys::One)
}

fn is_key(word: &Word, problems: &mut Problems) -> bool {
    let plain = word.text.replace("{cell}", "");
    let good = !word.text.is_empty()
        && word.text.chars().count() <= 64
        && !plain.contains(|letter: char| letter.is_whitespace() || letter.is_control() || "{}\"'".contains(letter));
    if !good {
        let given = short(word.text);
        problems
            .add(word.at.clone(), Text::new(format!("\"{given}\" cannot be a key"), format!("\"{given}\" 不能作为键")))
            .allowed(
                "1 to 64 characters without spaces, quotes and braces; `{cell}` stands for the client's cell",
                "1 到 64 个字符，不含空格、引号和花括号；`{cell}` 代表客户端的单元",
            );
    }
    good
}

/// A parameter that only some locks know; whether this one does is checked where the locks are known.
fn extra_value(value: &Written, problems: &mut Problems) -> Option<Value> {
    match value.get_ref() {
        DeValue::Boolean(switch) => Some(Value::Switch(*switch)),
        DeValue::Integer(_) => super::fields::number(value, 0..=i64::from(u32::MAX), problems).map(Value::Number),
        DeValue::String(text) => Some(match text.parse::<Span>() {
            Ok(span) => Value::Span(span),
            Err(_) => Value::Word(text.to_string()),
        }),
        other => {
            wrong_type(
                value.span(),
                ("true or false, a whole number, or a string", "布尔值、整数或字符串"),
                other,
                problems,
            );
            None
        }
    }
}
