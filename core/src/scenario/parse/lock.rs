//! `[lock]`: which lock it is and its parameters.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::amount::YEAR;
use super::fields::{Fields, Value as Written, Word, short, span, word, wrong_type};
use super::kind;
use crate::i18n::Text;
use crate::locks::{Kind, TokenForm, Value};
use crate::scenario::LockSetting;
use crate::scenario::problem::Problems;
use crate::time::Span;

/// What every lock knows.
pub(super) const KEYS: [&str; 11] =
    ["kind", "listing", "key", "keys", "ttl", "retry", "backoff", "jitter", "timeout", "wait", "token"];

/// The shortest lease, delay and time-out.
const SHORTEST: Span = Span::from_millis(1);

/// The longest lease.
const LONGEST: Span = Span::from_secs(100 * 24 * 3_600);

/// The longest delay between two tries, and the longest time-out.
const SLOWEST: Span = Span::from_secs(3_600);

const TOKENS: [(&str, TokenForm); 3] =
    [("unique", TokenForm::Unique), ("per-client", TokenForm::PerClient), ("fixed", TokenForm::Fixed)];

/// The most keys that one scenario can name.
const MOST_KEYS: usize = 15;

/// A lock's setting, and what the clients need to know of it.
pub(super) struct Lock {
    /// The setting.
    pub(super) setting: LockSetting,
    /// The lock that it names.
    pub(super) kind: Kind,
    /// How the keys were written.
    pub(super) keys: Keys,
    /// How long a client waits unless it says so itself.
    pub(super) wait: Option<Span>,
    /// Where each parameter stands.
    pub(super) places: BTreeMap<String, Range<usize>>,
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
    let listing = fields.word("listing", problems);
    let kind = kind.and_then(|kind| kind::resolve(&kind, listing.as_ref(), problems));
    let (keys, form) = keys(fields, cells, problems);
    let defaults = kind.as_ref().map(|kind| kind.defaults).unwrap_or_default();
    let ttl = fields.span("ttl", SHORTEST..=LONGEST, problems).unwrap_or(defaults.ttl);
    let retry = fields.span("retry", SHORTEST..=SLOWEST, problems).unwrap_or(defaults.retry);
    let backoff = fields.span("backoff", retry..=SLOWEST, problems).unwrap_or(Span::ZERO);
    let jitter = fields.span("jitter", Span::ZERO..=SLOWEST, problems).unwrap_or(defaults.jitter);
    let timeout = fields.span("timeout", SHORTEST..=SLOWEST, problems).or(defaults.timeout);
    let token = fields.one_of("token", &TOKENS, problems).unwrap_or(defaults.token);
    let wait = wait(fields, problems);
    let mut extra = BTreeMap::new();
    for (key, value) in table.iter().filter(|(key, _)| !KEYS.contains(&key.get_ref().as_ref())) {
        extra.extend(extra_value(value, problems).map(|value| (key.get_ref().to_string(), value)));
    }
    let kind = kind?;
    let setting = LockSetting {
        kind: kind.name.clone(),
        listing: listing.map(|listing| Arc::from(listing.text)),
        keys,
        ttl,
        retry,
        backoff,
        jitter,
        timeout,
        token,
        extra,
    };
    let places = table.keys().map(|key| (key.get_ref().to_string(), key.span())).collect();
    Some(Lock { setting, kind, keys: form, wait, places })
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
        DeValue::Integer(_) => super::fields::number(value, i64::MIN..=i64::MAX, problems).map(Value::Number),
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
