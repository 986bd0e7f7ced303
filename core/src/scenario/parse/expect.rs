//! `[expect]` and `[expect.LOCK]`: what must come out.

use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::amount::YEAR;
use super::fields::{Fields, Word, short, span, table, unknown_name, word, wrong_type};
use super::names::Names;
use crate::i18n::Text;
use crate::scenario::problem::Problems;
use crate::scenario::{Amount, ClientSetting, Expectation, Happening, Milestone};
use crate::time::Span;

const KEYS: [&str; 3] = ["broken", "happens", "totals"];

/// Reads all expectations; `kind` is the scenario's own lock, which a plain `[expect]` is about.
pub(super) fn expectations(
    root: &Fields,
    kind: Option<&str>,
    names: &Names,
    clients: &[ClientSetting],
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
    let reader = Reader { names, clients };
    let mut expectations: Vec<Expectation> = Vec::new();
    if plain {
        expectations.extend(kind.and_then(|kind| reader.expectation(kind, outer, value.span(), true, problems)));
    }
    for (lock, inner) in outer.iter().filter(|(key, _)| !KEYS.contains(&key.get_ref().as_ref())) {
        if !matches!(inner.get_ref(), DeValue::Table(_)) {
            super::fields::unknown_key(lock.span(), lock.get_ref(), "[expect]", &KEYS, problems);
            continue;
        }
        if plain && kind == Some(lock.get_ref().as_ref()) {
            let name = short(lock.get_ref());
            problems
                .add(lock.span(), Text::new(format!("`{name}` is expected twice"), format!("`{name}` 的预期写了两次")))
                .hint("`[expect]` is about the lock of [lock]", "`[expect]` 指的就是 [lock] 里的锁");
        }
        let Some(inner) = table(inner, problems) else { continue };
        expectations.extend(reader.expectation(lock.get_ref(), inner, lock.span(), false, problems));
    }
    if outer.is_empty() {
        problems
            .add(value.span(), Text::new("nothing is expected", "没有写预期"))
            .hint("say `broken = [...]` or `happens = [...]`", "写上 `broken = [...]` 或 `happens = [...]`");
    }
    expectations
}

struct Reader<'a> {
    names: &'a Names,
    clients: &'a [ClientSetting],
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
        let broken = self.broken(&fields, problems);
        let happens = self.happens(&fields, problems);
        let totals = totals(&fields, problems);
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
        Some(Expectation { lock: Arc::from(lock), broken, happens, totals })
    }

    fn broken(&self, fields: &Fields, problems: &mut Problems) -> Vec<Arc<str>> {
        let words = fields.words("broken", problems).unwrap_or_default();
        words.iter().map(|word| Arc::from(word.text)).collect()
    }

    fn happens(&self, fields: &Fields, problems: &mut Problems) -> Vec<Happening> {
        let words = fields.words("happens", problems).unwrap_or_default();
        words.iter().filter_map(|word| self.happening(word, problems)).collect()
    }

    fn happening(&self, written: &Word, problems: &mut Problems) -> Option<Happening> {
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
        let client = self.names.client(&who, problems)?;
        let Some(milestone) = Milestone::from_name(what.text) else {
            unknown_name(&what, "a client's milestone", Milestone::ALL.iter().map(|(name, _)| *name), problems);
            return None;
        };
        if let Some(setting) = self.clients.get(usize::from(client.0)) {
            super::sense::milestone_is_possible(setting, milestone, &what.at, problems);
        }
        Some(Happening { client, milestone })
    }
}

fn totals(fields: &Fields, problems: &mut Problems) -> Vec<(Arc<str>, Amount)> {
    let Some(value) = fields.value("totals") else { return Vec::new() };
    let Some(table) = table(value, problems) else { return Vec::new() };
    table.iter().filter_map(|(name, value)| total(name, value, problems)).collect()
}

fn total(
    name: &Spanned<std::borrow::Cow<str>>,
    value: &Spanned<DeValue>,
    problems: &mut Problems,
) -> Option<(Arc<str>, Amount)> {
    let amount = match value.get_ref() {
        DeValue::Integer(_) => Amount::Count(super::fields::number(value, 0..=1_000_000_000, problems)? as u64),
        DeValue::String(_) => Amount::Span(span(&word(value, problems)?, Span::ZERO..=YEAR, problems)?),
        other => {
            wrong_type(value.span(), ("a count or a length of time", "次数或时间长度"), other, problems);
            return None;
        }
    };
    Some((Arc::from(name.get_ref().as_ref()), amount))
}
