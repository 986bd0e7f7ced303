//! Which lock a name means, and whether the parameters suit it.

use std::ops::Range;
use std::sync::Arc;

use super::fields::{Word, short, unknown_name};
use super::lock::Lock;
use crate::i18n::Text;
use crate::locks::{self, Kind, ParamError, Params};
use crate::scenario::problem::Problems;

/// The lock that `kind` names: one that Locklab brings, or the scenario's own listing under a name of its own.
pub(super) fn resolve(kind: &Word, listing: Option<&Word>, problems: &mut Problems) -> Option<Kind> {
    let Some(listing) = listing else { return shipped(kind, problems) };
    let given = short(kind.text);
    if locks::find(kind.text).is_ok() {
        problems
            .add(
                kind.at.clone(),
                Text::new(format!("\"{given}\" is a lock that Locklab brings"), format!("\"{given}\" 是内置的锁")),
            )
            .hint("give your own listing a name of its own", "给自己的 listing 另起一个名字");
    } else if !super::is_name(kind.text) {
        problems
            .add(
                kind.at.clone(),
                Text::new(format!("\"{given}\" cannot be a name"), format!("\"{given}\" 不能作为名字")),
            )
            .allowed(super::NAMES.0, super::NAMES.1);
    }
    match Kind::from_listing(kind.text, listing.text) {
        Ok(kind) => Some(kind),
        Err(error) => {
            let at = place(listing, error.line, error.column);
            let problem = problems.add(listing.part(at, problems), error.message());
            problem.hint = error.hint();
            None
        }
    }
}

/// A lock that Locklab brings, by its name or an alias, or a complaint.
pub(super) fn shipped(word: &Word, problems: &mut Problems) -> Option<Kind> {
    let found = locks::find(word.text);
    if found.is_err() {
        unknown_name(word, ("a lock", "锁的名字"), locks::kinds().iter().map(|kind| &*kind.name), problems);
    }
    found.ok().cloned()
}

/// Complains about parameters that do not suit the locks that play; the first is the scenario's own.
pub(super) fn parameters_suit(lock: &Lock, kinds: &[&Kind], problems: &mut Problems) {
    for kind in kinds {
        let mut params = params(lock);
        if let Err(error) = kind.check(&params) {
            let at = lock.places.get(&error.name).cloned().unwrap_or(0..0);
            complain(at, kind, &error, problems);
        }
        // One by one, so that each is reported.
        for (name, value) in lock.setting.extra.iter().filter(|(name, _)| kind.parameter(name).is_ok()) {
            params.extra = [(name.clone(), value.clone())].into();
            if let Err(error) = kind.check(&params) {
                complain(lock.places.get(name).cloned().unwrap_or(0..0), kind, &error, problems);
            }
        }
    }
    for name in lock.setting.extra.keys() {
        if let Some(kind) = kinds.first()
            && kinds.iter().all(|kind| kind.parameter(name).is_err())
        {
            unknown_parameter(lock.places.get(name).cloned().unwrap_or(0..0), name, kind, problems);
        }
    }
}

fn params(lock: &Lock) -> Params {
    let setting = &lock.setting;
    Params {
        key: setting.keys.first().cloned().unwrap_or_else(|| Arc::from("lock")),
        ttl: setting.ttl,
        retry: setting.retry,
        backoff: setting.backoff,
        jitter: setting.jitter,
        timeout: setting.timeout,
        token: setting.token,
        nodes: Vec::new(),
        extra: Default::default(),
    }
}

fn complain(at: Range<usize>, kind: &Kind, error: &ParamError, problems: &mut Problems) {
    let (name, message) = (&kind.name, error.message());
    problems
        .add(at, Text::new(format!("{} (lock `{name}`)", message.en), format!("{}（锁 `{name}`）", message.zh)))
        .hint = error.hint();
}

fn unknown_parameter(at: Range<usize>, name: &str, kind: &Kind, problems: &mut Problems) {
    let own = kind.parameters.iter().map(|parameter| parameter.name.as_str());
    let given = short(name);
    let kind = &kind.name;
    problems
        .add(
            at,
            Text::new(
                format!("the lock `{kind}` has no parameter `{given}`"),
                format!("锁 `{kind}` 没有参数 `{given}`"),
            ),
        )
        .names(&given, super::lock::KEYS.into_iter().chain(own));
}

/// The byte of a listing at which an error's line and column stand.
fn place(listing: &Word, line: u32, column: u32) -> Range<usize> {
    let start: usize = listing.text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    let rest = &listing.text[start.min(listing.text.len())..];
    let before = rest.chars().take(column.saturating_sub(1) as usize).map(char::len_utf8).sum::<usize>();
    let at = start + before;
    let word =
        rest[before..].find(|letter: char| letter.is_whitespace() || letter == ',').unwrap_or(rest.len() - before);
    at..at + word
}
