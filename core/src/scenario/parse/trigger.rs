//! `"A.acquired #2 + 2s"`: the moment at which a fault strikes.

use std::sync::Arc;

use super::amount::YEAR;
use super::fields::{self, Word};
use super::names::Names;
use crate::i18n::Text;
use crate::scenario::problem::Problems;
use crate::scenario::{Milestone, Moment, Trigger};
use crate::time::Span;
use crate::wire::NodeId;

/// The largest occurrence that a fault can wait for.
const OCCURRENCES: u32 = 100_000;

/// What a client's trigger can name besides milestones.
const COMMAND_EVENTS: [&str; 2] = ["sent", "got"];

/// Reads a moment: a span since the start, or `WHO.EVENT [COMMAND] [by CLIENT] [#N] [+ SPAN]`.
pub(super) fn moment(word: &Word, names: &Names, problems: &mut Problems) -> Option<Moment> {
    let (head, plus) = match word.text.split_once('+') {
        Some((head, plus)) => (head, Some(sub(word, plus, problems))),
        None => (word.text, None),
    };
    if head.trim().starts_with(|first: char| first.is_ascii_digit() || first == '-') {
        let plus = fields::span(word, Span::ZERO..=YEAR, problems)?;
        return Some(Moment { trigger: Trigger::Start, occurrence: 1, plus });
    }
    let plus = match plus {
        Some(plus) => fields::span(&plus, Span::ZERO..=YEAR, problems),
        None => Some(Span::ZERO),
    };
    let (head, occurrence) = match head.split_once('#') {
        Some((head, count)) => (head, occurrence(&sub(word, count, problems), problems)),
        None => (head, Some(1)),
    };
    let trigger = trigger(word, head, names, problems);
    Some(Moment { trigger: trigger?, occurrence: occurrence?, plus: plus? })
}

fn trigger(word: &Word, head: &str, names: &Names, problems: &mut Problems) -> Option<Trigger> {
    let Some((who, event)) = head.split_once('.') else {
        shape(word, problems);
        return None;
    };
    let who = sub(word, who, problems);
    let mut parts = event.split_whitespace().map(|part| sub(word, part, problems)).collect::<Vec<_>>().into_iter();
    let Some(event) = parts.next() else {
        shape(word, problems);
        return None;
    };
    if let Some(node) = names.find_node(who.text) {
        return executed(node, &event, parts, names, problems);
    }
    let client = names.client_or_server(&who, problems)?;
    let trigger = match event.text {
        "sent" => Trigger::Sent { client, command: command(&event, parts.next(), problems)? },
        "got" => Trigger::Got { client, command: command(&event, parts.next(), problems)? },
        _ => Trigger::Client { client, milestone: milestone(&event, problems)? },
    };
    nothing_more(parts.next(), problems)?;
    Some(trigger)
}

fn executed<'w>(
    node: NodeId,
    event: &Word,
    mut parts: impl Iterator<Item = Word<'w>>,
    names: &Names,
    problems: &mut Problems,
) -> Option<Trigger> {
    if event.text != "executed" {
        fields::unknown_name(event, ("something that a server does", "服务器会做的事"), ["executed"], problems);
        return None;
    }
    let command = command(event, parts.next(), problems)?;
    let client = match parts.next() {
        Some(by) if by.text == "by" => match parts.next() {
            Some(client) => Some(names.client(&client, problems)?),
            None => {
                problems
                    .add(by.at, Text::new("by whom?", "由谁执行？"))
                    .hint("name a client: \"redis.executed SET by A\"", "写上客户端：\"redis.executed SET by A\"");
                return None;
            }
        },
        Some(other) => {
            nothing_more(Some(other), problems)?;
            None
        }
        None => None,
    };
    nothing_more(parts.next(), problems)?;
    Some(Trigger::Executed { node, command, client })
}

fn milestone(event: &Word, problems: &mut Problems) -> Option<Milestone> {
    let milestone = Milestone::from_name(event.text);
    if milestone.is_none() {
        let names = Milestone::ALL.iter().map(|(name, _)| *name).chain(COMMAND_EVENTS);
        fields::unknown_name(event, ("something that a client comes to", "客户端会到达的时刻"), names, problems);
    }
    milestone
}

/// A command's name as `Command::name` gives it: in capitals, any name that a server could know.
fn command(event: &Word, name: Option<Word>, problems: &mut Problems) -> Option<Arc<str>> {
    let Some(name) = name else {
        problems
            .add(
                event.at.clone(),
                Text::new(format!("`{}` which command?", event.text), format!("`{}` 哪条命令？", event.text)),
            )
            .hint(format!("name it: \"{} SET\"", event.text), format!("写上命令名：\"{} SET\"", event.text));
        return None;
    };
    if name.text.is_empty() || !name.text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') {
        let given = fields::short(name.text);
        problems
            .add(
                name.at,
                Text::new(format!("\"{given}\" is not the name of a command"), format!("\"{given}\" 不是命令名")),
            )
            .allowed("a name in capitals, such as SET or EVAL", "大写的命令名，例如 SET、EVAL");
        return None;
    }
    Some(Arc::from(name.text))
}

fn occurrence(word: &Word, problems: &mut Problems) -> Option<u32> {
    let count = word.text.parse::<u32>().ok().filter(|count| (1..=OCCURRENCES).contains(count));
    if count.is_none() {
        let given = fields::short(word.text);
        problems
            .add(
                word.at.clone(),
                Text::new(format!("\"#{given}\" is not a number of times"), format!("\"#{given}\" 不是次数")),
            )
            .allowed(format!("#1 to #{OCCURRENCES}"), format!("#1 到 #{OCCURRENCES}"));
    }
    count
}

fn nothing_more(word: Option<Word>, problems: &mut Problems) -> Option<()> {
    let Some(word) = word else { return Some(()) };
    let given = fields::short(word.text);
    problems.add(word.at, Text::new(format!("\"{given}\" is one word too many"), format!("多了 \"{given}\""))).allowed(
        "\"A.sent SET #2 + 1s\", \"redis.executed SET by A\"",
        "\"A.sent SET #2 + 1s\"、\"redis.executed SET by A\"",
    );
    None
}

fn shape(word: &Word, problems: &mut Problems) {
    let given = fields::short(word.text);
    problems
        .add(word.at.clone(), Text::new(format!("\"{given}\" is not a moment"), format!("\"{given}\" 不是时刻")))
        .allowed(
            "a time such as \"5s\", or an event such as \"A.acquired + 2s\", \"A.sent SET\", \"redis.executed SET by A\"",
            "时间（如 \"5s\"），或事件（如 \"A.acquired + 2s\"、\"A.sent SET\"、\"redis.executed SET by A\"）",
        );
}

/// A trimmed part of a word, with its place.
fn sub<'w>(word: &Word<'w>, part: &'w str, problems: &Problems) -> Word<'w> {
    let text = part.trim();
    let start = text.as_ptr() as usize - word.text.as_ptr() as usize;
    Word { text, at: word.part(start..start + text.len().max(1), problems) }
}
