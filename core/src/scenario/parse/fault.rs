//! `[[fault]]`: what strikes, and when.

use std::ops::Range;
use std::sync::Arc;

use toml::de::DeTable;

use super::amount::YEAR;
use super::fields::{Fields, Word};
use super::names::Names;
use super::{clock, network, trigger};
use crate::history::Trouble;
use crate::i18n::Text;
use crate::scenario::problem::Problems;
use crate::scenario::{Fault, FaultKind, Leg, Moment, Topology, Trigger};
use crate::time::Span;
use crate::wire::{ClientId, Command, NodeId};

/// A kind of fault: its key, the keys that go with it, and an example for each language's list.
struct Kind {
    key: &'static str,
    with: &'static [&'static str],
    read: fn(&Reader, &Word, &mut Problems) -> Option<Vec<FaultKind>>,
}

/// Every kind of fault, by the key that names it.
const KINDS: [Kind; 13] = [
    Kind { key: "pause", with: &["for", "stops"], read: pause },
    Kind { key: "crash", with: &["restart_after", "data"], read: crash },
    Kind { key: "failover", with: &["after"], read: failover },
    Kind { key: "promote", with: &[], read: promote },
    Kind { key: "partition", with: &["from", "for"], read: partition },
    Kind { key: "lose", with: &["of"], read: lose },
    Kind { key: "delay", with: &["of", "by"], read: delay },
    Kind { key: "duplicate", with: &["of"], read: duplicate },
    Kind { key: "clock", with: &["step", "drift", "for"], read: clock_error },
    Kind { key: "slow", with: &["by", "for"], read: slow },
    Kind { key: "evict", with: &["on"], read: evict },
    Kind { key: "flush_scripts", with: &[], read: flush_scripts },
    Kind { key: "operator", with: &["on"], read: operator },
];

/// What a fault's table is read with.
struct Reader<'a> {
    fields: Fields<'a>,
    names: &'a Names,
    topology: Option<&'a Topology>,
    at: Moment,
}

/// The keys that name a kind of fault.
pub fn fault_keys() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.key)
}

/// Reads one table; a partition from several machines is several faults.
pub(super) fn fault(
    table: &DeTable,
    at: Range<usize>,
    names: &Names,
    topology: Option<&Topology>,
    problems: &mut Problems,
) -> Vec<Fault> {
    let kinds: Vec<&Kind> = KINDS.iter().filter(|kind| table.keys().any(|key| key.get_ref() == kind.key)).collect();
    let [kind] = kinds[..] else {
        no_single_kind(table, at, &kinds, problems);
        return Vec::new();
    };
    let keys: Vec<&str> = [kind.key, "at"].iter().chain(kind.with).copied().collect();
    let fields = Fields::open(table, at, &format!("[[fault]] {}", kind.key), &keys, problems);
    let moment = match fields.value("at") {
        Some(_) => fields.word("at", problems).and_then(|word| trigger::moment(&word, names, problems)),
        None => {
            fields.missing("at", "at = \"A.acquired + 2s\"", problems);
            None
        }
    };
    let Some(word) = fields.word(kind.key, problems) else { return Vec::new() };
    // A fault whose moment is wrong is still read, so that everything is said at once.
    let known = moment.clone();
    let at = moment.unwrap_or(Moment { trigger: Trigger::Start, occurrence: 1, plus: Span::ZERO });
    let reader = Reader { fields, names, topology, at };
    let read = (kind.read)(&reader, &word, problems);
    let (Some(at), Some(kinds)) = (known, read) else { return Vec::new() };
    kinds.into_iter().map(|kind| Fault { kind, at: at.clone() }).collect()
}

fn no_single_kind(table: &DeTable, at: Range<usize>, kinds: &[&Kind], problems: &mut Problems) {
    if let [_, second, ..] = kinds {
        let key = table.keys().find(|key| key.get_ref() == second.key).map_or(at, toml::Spanned::span);
        let all: Vec<String> = kinds.iter().map(|kind| format!("`{}`", kind.key)).collect();
        problems
            .add(
                key,
                Text::new(
                    format!("one fault cannot be several things: {}", all.join(", ")),
                    format!("一个故障不能同时是几种：{}", all.join("、")),
                ),
            )
            .hint("write a [[fault]] for each", "每种各写一个 [[fault]]");
        return;
    }
    let unknown = table.keys().find(|key| {
        let key = key.get_ref();
        key != "at" && !KINDS.iter().any(|kind| kind.with.contains(&key.as_ref()))
    });
    match unknown {
        Some(key) => super::fields::unknown_key(
            key.span(),
            key.get_ref(),
            "[[fault]]",
            &fault_keys().collect::<Vec<_>>(),
            problems,
        ),
        None => {
            problems
                .add(at, Text::new("this fault does not say what strikes", "这个故障没有说明发生什么"))
                .names("", fault_keys());
        }
    }
}

impl Reader<'_> {
    fn length(&self, problems: &mut Problems) -> Option<Span> {
        self.fields.span("for", Span(1)..=YEAR, problems)
    }

    /// A span that must be there.
    fn needed(&self, key: &str, example: &str, problems: &mut Problems) -> Option<Span> {
        if self.fields.value(key).is_none() {
            self.fields.missing(key, example, problems);
        }
        self.fields.span(key, Span(1)..=YEAR, problems)
    }

    /// The client whose message is meant: `of`, or the one that the trigger names.
    fn whose(&self, problems: &mut Problems) -> Option<ClientId> {
        if let Some(word) = self.fields.word("of", problems) {
            return self.names.client(&word, problems);
        }
        let named = match &self.at.trigger {
            Trigger::Client { client, .. } | Trigger::Sent { client, .. } | Trigger::Got { client, .. } => {
                Some(*client)
            }
            Trigger::Executed { client, .. } => *client,
            Trigger::Start => None,
        };
        if named.is_none() && self.fields.value("of").is_none() {
            self.fields.missing("of", "of = \"A\"", problems);
        }
        named
    }

    /// The server that `on` names, or the only one.
    fn on(&self, problems: &mut Problems) -> Option<NodeId> {
        match self.fields.word("on", problems) {
            Some(word) => self.names.node(&word, problems),
            None => self.names.only_node(),
        }
    }

    /// A replica that can become the master.
    fn replica(&self, word: &Word, problems: &mut Problems) -> Option<NodeId> {
        let node = self.names.node(word, problems)?;
        let (en, zh) = match self.topology {
            Some(Topology::Replicated { .. }) if node != NodeId(0) => return Some(node),
            Some(Topology::Replicated { .. }) => ("the master is the master already", "它本来就是主节点"),
            _ => ("there is no replica to promote", "没有可以提升的副本"),
        };
        problems.add(word.at.clone(), Text::new(en, zh)).hint(
            "write `redis = \"replicated\"` in [servers] and name `replica-1`",
            "在 [servers] 里写 `redis = \"replicated\"`，这里写 `replica-1`",
        );
        None
    }
}

fn pause(reader: &Reader, word: &Word, problems: &mut Problems) -> Option<Vec<FaultKind>> {
    let length = reader.length(problems);
    let task = reader.fields.one_of("stops", &[("process", false), ("work", true)], problems).unwrap_or(false);
    if reader.names.find_node(word.text).is_some() {
        problems
            .add(word.at.clone(), Text::new("a server is not paused", "服务器不能用 pause"))
            .hint("use `slow`, `crash` or `partition`", "请用 `slow`、`crash` 或 `partition`");
        return None;
    }
    Some(vec![FaultKind::Pause { client: reader.names.client(word, problems)?, task, length }])
}

fn crash(reader: &Reader, word: &Word, problems: &mut Problems) -> Option<Vec<FaultKind>> {
    let restart = reader.fields.span("restart_after", Span::ZERO..=YEAR, problems);
    let data_kept = reader.fields.one_of("data", &[("kept", true), ("lost", false)], problems);
    if let Some(node) = reader.names.find_node(word.text) {
        return Some(vec![FaultKind::Down { node, restart, data_kept }]);
    }
    let client = reader.names.client_or_server(word, problems)?;
    if data_kept.is_some() {
        problems.add(
            reader.fields.key_at("data"),
            Text::new("only a server has data to keep or lose", "只有服务器才有数据可保留或丢失"),
        );
    }
    Some(vec![FaultKind::Crash { client, restart }])
}

fn failover(reader: &Reader, word: &Word, problems: &mut Problems) -> Option<Vec<FaultKind>> {
    let after = reader.fields.span("after", Span::ZERO..=YEAR, problems).unwrap_or_default();
    Some(vec![FaultKind::Failover { to: reader.replica(word, problems)?, after }])
}

fn promote(reader: &Reader, word: &Word, problems: &mut Problems) -> Option<Vec<FaultKind>> {
    Some(vec![FaultKind::Promote { to: reader.replica(word, problems)? }])
}

fn partition(reader: &Reader, word: &Word, problems: &mut Problems) -> Option<Vec<FaultKind>> {
    let length = reader.length(problems);
    let from = reader.names.machine(word, problems);
    let Some(others) = reader.fields.words("from", problems) else {
        if reader.fields.value("from").is_none() {
            reader.fields.missing("from", "from = \"redis\"", problems);
        }
        return None;
    };
    let from = from?;
    let mut faults = Vec::new();
    for other in &others {
        let Some(to) = reader.names.machine(other, problems) else { continue };
        if network::talk(from, to, other, problems) {
            faults.push(FaultKind::Cut { from, to, length });
        }
    }
    Some(faults)
}

fn message(reader: &Reader, word: &Word, trouble: Trouble, problems: &mut Problems) -> Option<Vec<FaultKind>> {
    let legs = [("request", Leg::Request), ("reply", Leg::Reply)];
    let leg = legs.iter().find(|(name, _)| *name == word.text).map(|(_, leg)| *leg);
    if leg.is_none() {
        super::fields::unknown_name(word, ("a message", "消息"), legs.map(|(name, _)| name), problems);
    }
    let client = reader.whose(problems)?;
    Some(vec![FaultKind::Message { client, leg: leg?, trouble }])
}

fn lose(reader: &Reader, word: &Word, problems: &mut Problems) -> Option<Vec<FaultKind>> {
    message(reader, word, Trouble::Lost, problems)
}

fn delay(reader: &Reader, word: &Word, problems: &mut Problems) -> Option<Vec<FaultKind>> {
    let by = reader.needed("by", "by = \"2s\"", problems);
    message(reader, word, Trouble::Delayed(by?), problems)
}

fn duplicate(reader: &Reader, word: &Word, problems: &mut Problems) -> Option<Vec<FaultKind>> {
    message(reader, word, Trouble::Doubled, problems)
}

fn clock_error(reader: &Reader, word: &Word, problems: &mut Problems) -> Option<Vec<FaultKind>> {
    let machine = reader.names.machine(word, problems);
    let length = reader.length(problems);
    let step = reader.fields.word("step", problems);
    let drift = reader.fields.word("drift", problems);
    match (step, drift) {
        (Some(step), None) => {
            if length.is_some() {
                problems
                    .add(reader.fields.key_at("for"), Text::new("a step has no length", "时钟跳变没有持续时间"))
                    .hint("write a second fault that steps back", "要跳回去，请再写一个故障");
            }
            let by = clock::step(&step, problems)?;
            Some(vec![FaultKind::Step { machine: machine?, by }])
        }
        (None, Some(drift)) => {
            let ppm = clock::drift(&drift, problems)?;
            Some(vec![FaultKind::Drift { machine: machine?, ppm, length }])
        }
        (Some(_), Some(_)) => {
            problems
                .add(
                    reader.fields.key_at("drift"),
                    Text::new("`step` and `drift` exclude each other", "`step` 与 `drift` 不能同时写"),
                )
                .hint("write a [[fault]] for each", "每种各写一个 [[fault]]");
            None
        }
        (None, None) => {
            if reader.fields.value("step").is_none() && reader.fields.value("drift").is_none() {
                reader.fields.missing("step", "step = \"-30s\"", problems);
            }
            None
        }
    }
}

fn slow(reader: &Reader, word: &Word, problems: &mut Problems) -> Option<Vec<FaultKind>> {
    let by = reader.needed("by", "by = \"200ms\"", problems);
    let length = reader.length(problems);
    Some(vec![FaultKind::Slow { node: reader.names.node(word, problems)?, by: by?, length }])
}

fn evict(reader: &Reader, word: &Word, problems: &mut Problems) -> Option<Vec<FaultKind>> {
    Some(vec![FaultKind::Evict { node: reader.on(problems)?, key: Arc::from(word.text) }])
}

fn flush_scripts(reader: &Reader, word: &Word, problems: &mut Problems) -> Option<Vec<FaultKind>> {
    Some(vec![FaultKind::FlushScripts { node: reader.names.node(word, problems)? }])
}

fn operator(reader: &Reader, word: &Word, problems: &mut Problems) -> Option<Vec<FaultKind>> {
    let Some(command) = Command::from_line(word.text).filter(|_| word.text.len() <= 1_000) else {
        problems
            .add(word.at.clone(), Text::new("this is no command", "这不是命令"))
            .hint("write, for example, `operator = \"DEL lock\"`", "例如写成 `operator = \"DEL lock\"`");
        return None;
    };
    let node = reader.on(problems)?;
    Some(vec![FaultKind::Operator { node, command: Arc::new(command) }])
}
