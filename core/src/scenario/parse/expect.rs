//! `[expect]` and `[expect.LOCK]`: what must come out.

use std::ops::Range;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::amount::YEAR;
use super::fields::{
    Fields, Value, Word, number, short, span, span_value, table, unknown_key, unknown_name, word, wrong_type,
};
use super::kind::{parameters_suit, shipped};
use super::lock::Lock;
use super::names::Names;
use crate::check::{Amount, Interval, Property, TOTALS, TotalInfo, Totals, happenings};
use crate::i18n::Text;
use crate::scenario::Expectation;
use crate::scenario::problem::Problems;
use crate::time::{Span, Time};

/// Who stands for every client in a happening.
const ANYBODY: &str = "any";

/// The keys of an expectation.
pub(super) const KEYS: [&str; 4] = ["broken", "happens", "totals", "not_live"];

/// Reads all expectations, and checks that the scenario's parameters suit every lock that they name.
pub(super) fn expectations(
    root: &Fields,
    lock: Option<&Lock>,
    names: &Names,
    problems: &mut Problems,
) -> Vec<Expectation> {
    let Some(value) = root.value("expect") else {
        problems
            .add(0..0, Text::new("nothing is expected: `[expect]` is missing", "没有写预期：缺少 `[expect]`"))
            .hint(
                "every scenario is a test: say which properties break, or what must happen",
                "每个场景都是一个测试：写出哪些性质会被破坏，或者必须发生什么",
            );
        return Vec::new();
    };
    let Some(outer) = table(value, problems) else { return Vec::new() };
    let plain = outer.keys().any(|key| KEYS.contains(&key.get_ref().as_ref()));
    let reader = Reader { names };
    let mut expectations: Vec<Expectation> = Vec::new();
    let mut others = Vec::new();
    if plain && let Some(lock) = lock {
        expectations.extend(reader.expectation(&lock.setting.kind, outer, value.span(), true, problems));
    }
    let mut named: Vec<_> = outer.iter().filter(|(key, _)| !KEYS.contains(&key.get_ref().as_ref())).collect();
    named.sort_by_key(|(key, _)| key.span().start);
    for (key, inner) in named {
        if !matches!(inner.get_ref(), DeValue::Table(_)) {
            unknown_key(key.span(), key.get_ref(), "[expect]", &KEYS, problems);
            continue;
        }
        let word = Word { text: key.get_ref(), at: key.span() };
        let own = lock.filter(|lock| *lock.setting.kind == *word.text);
        let Some(kind) = own.map(|lock| lock.kind.clone()).or_else(|| shipped(&word, problems)) else {
            continue;
        };
        let Some(inner) = table(inner, problems) else { continue };
        if expectations.iter().any(|expectation| expectation.lock == kind.name) {
            let name = &kind.name;
            problems
                .add(word.at, Text::new(format!("`{name}` is expected twice"), format!("`{name}` 的预期写了两次")))
                .hint("`[expect]` is about the lock of [lock]", "`[expect]` 指的就是 [lock] 里的锁");
            continue;
        }
        expectations.extend(reader.expectation(&kind.name, inner, key.span(), false, problems));
        others.push(kind);
    }
    if outer.is_empty() {
        problems
            .add(value.span(), Text::new("nothing is expected", "没有写预期"))
            .hint("say `broken = [...]` or `happens = [...]`", "写上 `broken = [...]` 或 `happens = [...]`");
    }
    if let Some(lock) = lock {
        let kinds: Vec<_> =
            [&lock.kind].into_iter().chain(others.iter().filter(|kind| kind.name != lock.kind.name)).collect();
        parameters_suit(lock, &kinds, problems);
    }
    expectations
}

struct Reader<'a> {
    names: &'a Names,
}

impl Reader<'_> {
    fn expectation(
        &self,
        lock: &str,
        table: &DeTable,
        at: Range<usize>,
        plain: bool,
        problems: &mut Problems,
    ) -> Option<Expectation> {
        let fields = if plain {
            // Other keys are locks, and are read on their own.
            let keys: Vec<&str> = table.keys().map(|key| key.get_ref().as_ref()).collect();
            Fields::open(table, at, "[expect]", &keys, problems)
        } else {
            Fields::open(table, at, &format!("[expect.{}]", short(lock)), &KEYS, problems)
        };
        let before = problems.count();
        let broken = broken(&fields, problems);
        let happens = self.happens(&fields, problems);
        let totals = totals(&fields, problems);
        let not_live = fields.text("not_live", problems);
        if broken.is_empty() && happens.is_empty() && problems.count() == before {
            problems
                .add(
                    fields.at.clone(),
                    Text::new(
                        format!("nothing breaks with `{}`, and nothing must happen", short(lock)),
                        format!("`{}`：没有性质被破坏，也没有必须发生的事", short(lock)),
                    ),
                )
                .hint(
                    "a lock that nobody ever gets cannot break anything: say `happens = [\"B.finished\"]`",
                    "从来没人拿到的锁什么都破坏不了：写上 `happens = [\"B.finished\"]`",
                );
        }
        Some(Expectation { lock: Arc::from(lock), broken, happens, totals, not_live })
    }

    fn happens(&self, fields: &Fields, problems: &mut Problems) -> Vec<Arc<str>> {
        let words = fields.words("happens", problems).unwrap_or_default();
        words.iter().filter_map(|word| self.happening(word, problems)).collect()
    }

    fn happening(&self, written: &Word, problems: &mut Problems) -> Option<Arc<str>> {
        let given = short(written.text);
        let Some((who, what)) = written.text.split_once('.') else {
            problems
                .add(
                    written.at.clone(),
                    Text::new(
                        format!("\"{given}\" does not say who does what"),
                        format!("\"{given}\" 没有说明谁做什么"),
                    ),
                )
                .hint("write, for example, \"B.finished\"", "例如写成 \"B.finished\"");
            return None;
        };
        let split = who.len();
        let who = Word { text: who, at: written.part(0..split, problems) };
        let what = Word { text: what, at: written.part(split + 1..written.text.len(), problems) };
        let known = who.text == ANYBODY || self.names.client(&who, problems).is_some();
        if !happenings().any(|(name, _)| name == what.text) {
            unknown_name(
                &what,
                ("something that can happen", "可能发生的事"),
                happenings().map(|(name, _)| name),
                problems,
            );
            return None;
        }
        known.then(|| Arc::from(written.text))
    }
}

fn broken(fields: &Fields, problems: &mut Problems) -> Vec<Property> {
    let mut broken = Vec::new();
    for word in fields.words("broken", problems).unwrap_or_default() {
        match word.text.parse::<Property>() {
            Ok(property) if broken.contains(&property) => {
                let text = Text::new(format!("`{property}` is there twice"), format!("`{property}` 写了两次"));
                problems.add(word.at, text);
            }
            Ok(property) => broken.push(property),
            Err(_) => unknown_name(&word, ("a property", "性质"), Property::ALL.map(Property::name), problems),
        }
    }
    broken.sort();
    broken
}

fn totals(fields: &Fields, problems: &mut Problems) -> Vec<(&'static str, Amount)> {
    let Some(value) = fields.value("totals") else { return Vec::new() };
    let Some(table) = table(value, problems) else { return Vec::new() };
    let mut totals = Vec::new();
    for (key, value) in table {
        let name = key.get_ref();
        let Some(total) = TotalInfo::find(name).map(|total| total.name) else {
            unknown_key(
                key.span(),
                name,
                "`totals`",
                &TOTALS.iter().map(|total| total.name).collect::<Vec<_>>(),
                problems,
            );
            continue;
        };
        // A run in which nothing happened shows of what kind each figure is.
        let kind = Totals::default().by_name(total).ok();
        totals.extend(kind.and_then(|kind| amount(value, &kind, problems)).map(|amount| (total, amount)));
    }
    totals
}

fn amount(value: &Value, kind: &Amount, problems: &mut Problems) -> Option<Amount> {
    match kind {
        Amount::Span(_) => Some(Amount::Span(span_value(value, Span::ZERO..=YEAR, problems)?)),
        Amount::Count(_) => Some(Amount::Count(number(value, 0..=i64::MAX, problems)? as u64)),
        Amount::Intervals(_) => intervals(value, problems).map(Amount::Intervals),
        Amount::Ratio(_) => {
            problems.add(value.span(), Text::new("a ratio cannot be expected", "不能对比率写预期")).hint(
                "expect the counts that it is made of, such as `commands`",
                "对组成它的次数写预期，例如 `commands`",
            );
            None
        }
    }
}

/// `[["10s", "12s"], ["30s", "never"]]`, or `["10s", "12s"]` where there is one.
fn intervals(value: &Value, problems: &mut Problems) -> Option<Vec<Interval>> {
    let DeValue::Array(list) = value.get_ref() else {
        wrong_type(
            value.span(),
            ("a list such as [[\"10s\", \"12s\"]]", "列表，例如 [[\"10s\", \"12s\"]]"),
            value.get_ref(),
            problems,
        );
        return None;
    };
    if list.iter().any(|end| matches!(end.get_ref(), DeValue::String(_))) {
        return Some(vec![interval(value, problems)?]);
    }
    list.iter().map(|pair| interval(pair, problems)).collect()
}

fn interval(value: &Value, problems: &mut Problems) -> Option<Interval> {
    let DeValue::Array(pair) = value.get_ref() else {
        wrong_type(
            value.span(),
            ("a pair such as [\"10s\", \"12s\"]", "一对时刻，例如 [\"10s\", \"12s\"]"),
            value.get_ref(),
            problems,
        );
        return None;
    };
    let words: Vec<Word> = pair.iter().filter_map(|value| word(value, problems)).collect();
    let [from, until] = &words[..] else {
        problems
            .add(value.span(), Text::new("a stretch of time has two ends", "时段要写两端"))
            .allowed("[\"10s\", \"12s\"] or [\"30s\", \"never\"]", "[\"10s\", \"12s\"] 或 [\"30s\", \"never\"]");
        return None;
    };
    let from = span(from, Span::ZERO..=YEAR, problems)?;
    let until = match until.text {
        "never" => Time::NEVER,
        _ => Time::START + span(until, from..=YEAR, problems)?,
    };
    Some((Time::START + from, until))
}
