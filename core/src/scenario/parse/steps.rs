//! `steps = ["lock", "read", "3s", "write", "unlock"]`, or `work = "3s"` for short.

use super::client::MODES;
use super::fields::{Fields, Word, short};
use super::lock::{Keys, Lock};
use crate::history::Mode;
use crate::i18n::{Text, nearest};
use crate::scenario::problem::Problems;
use crate::time::{Span, SpanError};
use crate::wire::LockId;
use crate::worker::Step;

/// The most steps of a client.
const MOST: usize = 100;

/// The most locks of a client.
const MOST_LOCKS: usize = 15;

const WORDS: [&str; 7] = ["lock", "unlock", "check", "read", "write", "atomic", "call"];

/// A client's steps.
pub(super) struct Steps {
    /// The steps; their slots count `named`.
    pub(super) steps: Vec<Step>,
    /// The locks that the steps take, in the order of their first mention, each with its mode; `None`: the client's only lock.
    pub(super) named: Vec<(Option<LockId>, Mode)>,
}

/// Reads `steps` or `work`; `None` where nothing can be made of them. `mode` is the client's own.
pub(super) fn steps(fields: &Fields, lock: Option<&Lock>, mode: Mode, problems: &mut Problems) -> Option<Steps> {
    match (fields.value("steps"), fields.value("work")) {
        (Some(_), Some(_)) => {
            problems
                .add(
                    fields.key_at("work"),
                    Text::new("`work` and `steps` exclude each other", "`work` 与 `steps` 不能同时写"),
                )
                .hint(
                    "`work = \"3s\"` is short for `steps = [\"lock\", \"read\", \"3s\", \"write\", \"unlock\"]`",
                    "`work = \"3s\"` 是 `steps = [\"lock\", \"read\", \"3s\", \"write\", \"unlock\"]` 的简写",
                );
            None
        }
        (None, None) => {
            fields.missing("work", "work = \"3s\"", problems);
            None
        }
        (None, Some(_)) => short_form(fields, lock, mode, problems),
        (Some(_), None) => written(fields, lock, mode, problems),
    }
}

fn short_form(fields: &Fields, lock: Option<&Lock>, mode: Mode, problems: &mut Problems) -> Option<Steps> {
    let span = fields.span("work", Span::ZERO..=super::amount::YEAR, problems)?;
    if lock.is_some_and(|lock| lock.keys == Keys::Named) {
        problems
            .add(fields.key_at("work"), Text::new("`work` does not say which lock", "`work` 没有说明用哪把锁"))
            .hint("write the steps out: `steps = [\"lock a\", ...]`", "写出各步：`steps = [\"lock a\", ...]`");
        return None;
    }
    let slot = 0;
    let steps = vec![Step::Lock { slot }, Step::Read, Step::Work(span), Step::Write, Step::Unlock { slot }];
    Some(Steps { steps, named: vec![(None, mode)] })
}

fn written(fields: &Fields, lock: Option<&Lock>, mode: Mode, problems: &mut Problems) -> Option<Steps> {
    let words = fields.words("steps", problems)?;
    if words.is_empty() || words.len() > MOST {
        problems
            .add(fields.key_at("steps"), Text::new("no steps, or too many", "步骤的个数不对"))
            .allowed(format!("1 to {MOST}"), format!("1 到 {MOST} 步"));
        return None;
    }
    let mut reader = Reader { lock, mode, steps: Vec::new(), named: Vec::new() };
    for word in &words {
        if let Some(step) = reader.step(word, problems) {
            reader.check_order(step, word, problems);
            reader.steps.push(step);
        }
    }
    if reader.named.is_empty() && lock.is_none_or(|lock| lock.keys != Keys::Named) {
        // Even whoever never takes the lock has one to show.
        reader.named.push((None, mode));
    }
    if reader.named.len() > MOST_LOCKS {
        problems.add(fields.key_at("steps"), Text::new("too many different locks", "用到的锁太多")).allowed(
            format!("at most {MOST_LOCKS}, one that is taken shared and exclusive counts twice"),
            format!("最多 {MOST_LOCKS} 个，同一把锁的读写两种模式算两个"),
        );
        return None;
    }
    let complete = reader.steps.len() == words.len();
    complete.then_some(Steps { steps: reader.steps, named: reader.named })
}

struct Reader<'a> {
    lock: Option<&'a Lock>,
    mode: Mode,
    steps: Vec<Step>,
    named: Vec<(Option<LockId>, Mode)>,
}

impl Reader<'_> {
    fn step(&mut self, word: &Word, problems: &mut Problems) -> Option<Step> {
        let (verb, object) = match word.text.split_once(' ') {
            Some((verb, object)) => (verb, Some(object.trim())),
            None => (word.text, None),
        };
        let plain = match verb {
            "lock" => return self.slot(word, object, problems).map(|slot| Step::Lock { slot }),
            "unlock" => return self.slot(word, object, problems).map(|slot| Step::Unlock { slot }),
            "check" => return self.slot(word, object, problems).map(|slot| Step::Check { slot }),
            "read" => Step::Read,
            "write" => Step::Write,
            "atomic" => Step::Atomic,
            "call" => Step::Call,
            _ => return span_or_complaint(word, problems),
        };
        if object.is_some() {
            let given = short(word.text);
            problems
                .add(word.at.clone(), Text::new(format!("\"{given}\" is no step"), format!("\"{given}\" 不是步骤")))
                .hint(
                    format!("write \"{verb}\"; which cell is the client's `cell`"),
                    format!("只写 \"{verb}\"；操作哪个单元由客户端的 `cell` 决定"),
                );
            return None;
        }
        Some(plain)
    }

    /// The slot of the lock that a step names, in the mode that it names: `lock`, `lock shared`, `lock NAME`, `lock NAME shared`.
    fn slot(&mut self, word: &Word, object: Option<&str>, problems: &mut Problems) -> Option<u8> {
        let (object, mode) = object.map_or((None, None), split_mode);
        let mode = mode.unwrap_or(self.mode);
        let keys = self.lock.filter(|lock| lock.keys == Keys::Named).map(|lock| &lock.setting.keys);
        match (keys, object) {
            (None, None) => Some(self.slot_of(None, mode)),
            // The lock's own table is wrong: that has been said.
            (None, Some(_)) if self.lock.is_none() => None,
            (None, Some(object)) => {
                let given = short(object);
                problems
                    .add(
                        word.at.clone(),
                        Text::new(format!("there is no lock \"{given}\""), format!("没有名为 \"{given}\" 的锁")),
                    )
                    .hint(
                        "name the locks first: `keys = [\"a\", \"b\"]` in [lock]",
                        "先在 [lock] 里命名：`keys = [\"a\", \"b\"]`",
                    );
                None
            }
            (Some(keys), object) => {
                let found = object.and_then(|object| keys.iter().position(|key| **key == *object));
                let Some(index) = found else {
                    let given = short(object.unwrap_or(""));
                    let message = match object {
                        Some(_) => {
                            Text::new(format!("there is no lock \"{given}\""), format!("没有名为 \"{given}\" 的锁"))
                        }
                        None => {
                            Text::new(format!("\"{}\" which lock?", word.text), format!("\"{}\" 哪把锁？", word.text))
                        }
                    };
                    problems.add(word.at.clone(), message).names(&given, keys.iter().map(|key| &**key));
                    return None;
                };
                Some(self.slot_of(Some(LockId(index as u8)), mode))
            }
        }
    }

    fn slot_of(&mut self, lock: Option<LockId>, mode: Mode) -> u8 {
        let slot = self.named.iter().position(|known| *known == (lock, mode)).unwrap_or_else(|| {
            self.named.push((lock, mode));
            self.named.len() - 1
        });
        slot as u8
    }

    /// Complains about a step that makes no sense after those before it.
    fn check_order(&self, step: Step, word: &Word, problems: &mut Problems) {
        let held = |slot: u8| {
            let locks = self.steps.iter().filter(|step| **step == Step::Lock { slot }).count();
            let unlocks = self.steps.iter().filter(|step| **step == Step::Unlock { slot }).count();
            locks > unlocks
        };
        let (en, zh, hint_en, hint_zh) = match step {
            Step::Unlock { slot } if !held(slot) => (
                "unlocks what it has not locked",
                "解开了没有加过的锁",
                "put \"lock\" before it",
                "在它之前写 \"lock\"",
            ),
            Step::Check { slot } if !held(slot) => (
                "checks a lock that it has not locked",
                "检查了没有加过的锁",
                "put \"lock\" before it",
                "在它之前写 \"lock\"",
            ),
            Step::Write if !self.steps.contains(&Step::Read) => (
                "writes without having read",
                "没有读就写",
                "put \"read\" before it, or use \"atomic\"",
                "在它之前写 \"read\"，或者用 \"atomic\"",
            ),
            _ => return,
        };
        problems.add(word.at.clone(), Text::new(en, zh)).hint(hint_en, hint_zh);
    }
}

/// Takes a mode off the end of what a step names.
fn split_mode(object: &str) -> (Option<&str>, Option<Mode>) {
    let (rest, last) = object.rsplit_once(' ').map_or((None, object), |(rest, last)| (Some(rest.trim()), last));
    match MODES.iter().find(|(name, _)| *name == last) {
        Some((_, mode)) => (rest, Some(*mode)),
        None => (Some(object), None),
    }
}

fn span_or_complaint(word: &Word, problems: &mut Problems) -> Option<Step> {
    let begins_like_one = word.text.starts_with(|first: char| first.is_ascii_digit());
    if begins_like_one || matches!(word.text.parse::<Span>(), Ok(_) | Err(SpanError::TooLong | SpanError::TooFine)) {
        return super::fields::span(word, Span::ZERO..=super::amount::YEAR, problems).map(Step::Work);
    }
    let given = short(word.text);
    let problem =
        problems.add(word.at.clone(), Text::new(format!("\"{given}\" is no step"), format!("\"{given}\" 不是步骤")));
    if let Some(near) = nearest(&given, WORDS) {
        problem.meant(near);
    }
    let words = WORDS.join(", ");
    problem.allowed(
        format!("{words}, or a length of time such as 3s"),
        format!("{}，或时间长度（如 3s）", WORDS.join("、")),
    );
    None
}
