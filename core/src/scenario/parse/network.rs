//! `[network]` and `[[network.link]]`: how long messages take and what happens to them.

use super::amount::ratio;
use super::fields::{Fields, Word, short, span, tables};
use super::names::Names;
use crate::history::Machine;
use crate::i18n::Text;
use crate::scenario::problem::Problems;
use crate::scenario::{LinkSetting, NetworkSetting};
use crate::time::Span;

/// The table's keys.
pub(super) const KEYS: [&str; 4] = ["latency", "loss", "duplicates", "link"];

/// The keys of a link.
pub(super) const LINK_KEYS: [&str; 4] = ["between", "latency", "loss", "duplicates"];

/// The longest that a message takes.
const SLOWEST: Span = Span::from_secs(3_600);

/// Reads the table; without it messages take no time and none is lost.
pub(super) fn network(fields: Option<Fields>, names: &Names, problems: &mut Problems) -> NetworkSetting {
    let Some(fields) = fields else { return NetworkSetting::default() };
    let default = link(&fields, LinkSetting::default(), problems);
    let mut setting = NetworkSetting { default, links: Vec::new() };
    let links = fields.value("link").map(|value| tables(value, "network.link", problems)).unwrap_or_default();
    for (table, at) in links {
        let fields = Fields::open(table, at, "[[network.link]]", &LINK_KEYS, problems);
        let link = link(&fields, default, problems);
        let Some(words) = fields.words("between", problems) else {
            fields.missing("between", "between = [\"A\", \"redis\"]", problems);
            continue;
        };
        let Some((from, to)) = pair(&words, &fields, names, problems) else { continue };
        if setting.links.iter().any(|(one, other, _)| [(*one, *other), (*other, *one)].contains(&(from, to))) {
            problems.add(fields.key_at("between"), Text::new("this link is described twice", "这条链路写了两次"));
        }
        setting.links.push((from, to, link));
    }
    setting
}

fn link(fields: &Fields, default: LinkSetting, problems: &mut Problems) -> LinkSetting {
    let (latency, latency_max) = match fields.word("latency", problems) {
        Some(word) => latency(&word, problems).unwrap_or_default(),
        None => (default.latency, default.latency_max),
    };
    let mut part = |key, default| match fields.word(key, problems) {
        Some(word) => part(&word, problems).unwrap_or(default),
        None => default,
    };
    let loss_ppm = part("loss", default.loss_ppm);
    let duplicate_ppm = part("duplicates", default.duplicate_ppm);
    LinkSetting { latency, latency_max, loss_ppm, duplicate_ppm }
}

/// `"1ms"`, or a range such as `"1ms..5ms"`.
fn latency(word: &Word, problems: &mut Problems) -> Option<(Span, Span)> {
    let Some((low, high)) = word.text.split_once("..") else {
        let latency = span(word, Span::ZERO..=SLOWEST, problems)?;
        return Some((latency, latency));
    };
    let end = word.text.len();
    let low = Word { text: low.trim(), at: word.part(0..low.len(), problems) };
    let high = Word { text: high.trim(), at: word.part(end - high.len()..end, problems) };
    let low = span(&low, Span::ZERO..=SLOWEST, problems)?;
    Some((low, span(&high, low..=SLOWEST, problems)?))
}

fn part(word: &Word, problems: &mut Problems) -> Option<u32> {
    let ppm = ratio(word.text);
    if ppm.is_none() {
        let given = short(word.text);
        problems
            .add(
                word.at.clone(),
                Text::new(format!("\"{given}\" is not a share of the messages"), format!("\"{given}\" 不是比例")),
            )
            .allowed("\"0.5%\" or \"200ppm\", at most 100%", "\"0.5%\" 或 \"200ppm\"，最多 100%");
    }
    ppm
}

/// Two machines that talk to each other: a client and what it asks, or two servers.
pub(super) fn pair(
    words: &[Word],
    fields: &Fields,
    names: &Names,
    problems: &mut Problems,
) -> Option<(Machine, Machine)> {
    let [from, to] = words else {
        problems
            .add(fields.key_at("between"), Text::new("a link has two ends", "一条链路有两端"))
            .hint("write, for example, `between = [\"A\", \"redis\"]`", "例如写成 `between = [\"A\", \"redis\"]`");
        return None;
    };
    let (from_machine, to_machine) = (names.machine(from, problems)?, names.machine(to, problems)?);
    talk(from_machine, to_machine, to, problems).then_some((from_machine, to_machine))
}

/// Whether two machines ever talk to each other, or a complaint.
pub(super) fn talk(from: Machine, to: Machine, word: &Word, problems: &mut Problems) -> bool {
    let (en, zh) = match (from, to) {
        _ if from == to => ("a machine does not talk to itself over the network", "机器与自己通信不经过网络"),
        (Machine::Client(_), Machine::Client(_)) => ("clients do not talk to each other", "客户端之间不通信"),
        (Machine::Node(_), Machine::Resource) | (Machine::Resource, Machine::Node(_)) => {
            ("servers do not talk to the resource", "服务器与资源之间不通信")
        }
        _ => return true,
    };
    problems.add(word.at.clone(), Text::new(en, zh)).allowed(
        "a client and a server, a client and the resource, two servers",
        "客户端与服务器、客户端与资源、两台服务器",
    );
    false
}
