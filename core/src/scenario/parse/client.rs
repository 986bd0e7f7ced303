//! `[[client]]`: who works with the lock, when, and in which steps.

use std::ops::Range;
use std::sync::Arc;

use toml::de::DeTable;

use super::amount::YEAR;
use super::fields::{Fields, short, unknown_name};
use super::lock::{Keys, Lock, wait};
use super::steps::{self, Steps};
use crate::history::Mode;
use crate::i18n::Text;
use crate::scenario::problem::Problems;
use crate::scenario::{ClientSetting, ResourceSetting};
use crate::time::{Span, Time};
use crate::wire::LockId;
use crate::worker::Reaction;

/// The table's keys.
pub(super) const KEYS: [&str; 16] = [
    "name",
    "count",
    "starts",
    "runs",
    "every",
    "work",
    "steps",
    "mode",
    "wait",
    "cell",
    "amount",
    "when_refused",
    "when_lost",
    "when_rejected",
    "attempts",
    "when_unanswered",
];

pub(super) const MODES: [(&str, Mode); 2] = [("exclusive", Mode::Exclusive), ("shared", Mode::Shared)];

const REACTIONS: [(&str, Reaction); 3] =
    [("stop", Reaction::Stop), ("go-on", Reaction::GoOn), ("retry", Reaction::Retry)];

/// The most clients of a scenario.
pub(super) const MOST_CLIENTS: usize = 64;

/// The most runs of a client.
const MOST_RUNS: i64 = 100_000;

/// What the clients share.
pub(super) struct Around<'a> {
    /// The lock; `None` where its table is wrong.
    pub(super) lock: Option<&'a Lock>,
    /// The resource.
    pub(super) resource: &'a ResourceSetting,
}

/// The names of the clients of one table: itself, or `worker-1` and so on where `count` says so. Does not complain.
pub(super) fn names(table: &DeTable, at: &Range<usize>) -> Vec<Arc<str>> {
    // Whatever is wrong here is reported when the table is read.
    let mut ignored = Problems::in_text("");
    let fields = Fields::open(table, at.clone(), "", &KEYS, &mut ignored);
    let Some(name) = fields.word("name", &mut ignored) else { return Vec::new() };
    match fields.number("count", 1..=MOST_CLIENTS as i64, &mut ignored) {
        Some(count) => (1..=count).map(|number| Arc::from(format!("{}-{number}", name.text))).collect(),
        None => vec![Arc::from(name.text)],
    }
}

/// Reads one table: one client, or as many as `count` says.
pub(super) fn clients(
    table: &DeTable,
    at: Range<usize>,
    around: &Around,
    problems: &mut Problems,
) -> Vec<ClientSetting> {
    let fields = Fields::open(table, at.clone(), "[[client]]", &KEYS, problems);
    match fields.word("name", problems) {
        Some(name) if !super::is_name(name.text) || name.text == super::names::RESOURCE => {
            let given = short(name.text);
            problems
                .add(
                    name.at,
                    Text::new(
                        format!("\"{given}\" cannot be a client's name"),
                        format!("\"{given}\" 不能作为客户端的名字"),
                    ),
                )
                .allowed(super::NAMES.0, super::NAMES.1);
        }
        Some(_) => {}
        None if fields.value("name").is_none() => fields.missing("name", "name = \"A\"", problems),
        None => {}
    }
    fields.number("count", 1..=MOST_CLIENTS as i64, problems);
    let Some(client) = client(&fields, around, problems) else { return Vec::new() };
    names(table, &at).into_iter().map(|name| ClientSetting { name, ..client.clone() }).collect()
}

fn client(fields: &Fields, around: &Around, problems: &mut Problems) -> Option<ClientSetting> {
    let runs = fields.number("runs", 1..=MOST_RUNS, problems).unwrap_or(1);
    let every = fields.span("every", Span(1)..=YEAR, problems).unwrap_or_default();
    if every > Span::ZERO && fields.value("runs").is_none() {
        problems
            .add(fields.key_at("every"), Text::new("`every` without `runs`", "写了 `every` 却没有 `runs`"))
            .hint("say how often: `runs = 10`", "写上次数：`runs = 10`");
    }
    let cell = cell(fields, around.resource, problems);
    let amount = fields.number("amount", -1_000_000..=1_000_000, problems);
    if amount.is_some() && around.resource.kind != crate::history::ResourceKind::Ledger {
        problems
            .add(fields.key_at("amount"), Text::new("only a ledger adds an amount", "只有 ledger 才有金额"))
            .hint("write `kind = \"ledger\"` in [resource]", "在 [resource] 里写 `kind = \"ledger\"`");
    }
    let mode = fields.one_of("mode", &MODES, problems).unwrap_or_default();
    let steps = steps::steps(fields, around.lock, mode, problems);
    let mut reaction = |key, default| fields.one_of(key, &REACTIONS, problems).unwrap_or(default);
    let when_refused = reaction("when_refused", Reaction::Stop);
    let when_lost = reaction("when_lost", Reaction::GoOn);
    let when_rejected = reaction("when_rejected", Reaction::Stop);
    let when_unanswered = reaction("when_unanswered", Reaction::Stop);
    let attempts = fields.number("attempts", 1..=1_000, problems).map(|attempts| attempts as u32);
    if attempts.is_some() && when_rejected != Reaction::Retry {
        problems
            .add(fields.key_at("attempts"), Text::new("`attempts` without a retry", "写了 `attempts` 却不会重试"))
            .hint("write `when_rejected = \"retry\"`", "写 `when_rejected = \"retry\"`");
    }
    let starts = Time::START + fields.span("starts", Span::ZERO..=YEAR, problems).unwrap_or_default();
    let wait =
        if fields.value("wait").is_some() { wait(fields, problems) } else { around.lock.and_then(|lock| lock.wait) };
    let Steps { steps, named } = steps?;
    let only = match around.lock.map(|lock| lock.keys) {
        Some(Keys::PerCell) => LockId(cell),
        Some(Keys::Named | Keys::One) | None => LockId(0),
    };
    let locks = named.into_iter().map(|(lock, mode)| (lock.unwrap_or(only), mode)).collect();
    Some(ClientSetting {
        name: Arc::from(""),
        starts,
        runs: runs as u32,
        every,
        steps,
        locks,
        wait,
        cell: crate::history::CellId(cell),
        amount: amount.unwrap_or(1),
        when_refused,
        when_lost,
        when_rejected,
        attempts,
        when_unanswered,
    })
}

fn cell(fields: &Fields, resource: &ResourceSetting, problems: &mut Problems) -> u8 {
    let Some(word) = fields.word("cell", problems) else { return 0 };
    let found = resource.cells.iter().position(|cell| **cell == *word.text);
    if found.is_none() {
        unknown_name(
            &word,
            ("a cell of the resource", "资源的单元"),
            resource.cells.iter().map(|cell| &**cell),
            problems,
        );
    }
    found.unwrap_or(0) as u8
}
