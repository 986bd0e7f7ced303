//! A moment in words: one line a machine.

use super::Whose;
use super::moment::{Belief, ClientMoment, Moment, NodeMoment};
use super::scene::{Names, signed};
use crate::history::{CellId, Header};
use crate::i18n::Text;
use crate::say;
use crate::wire::{ClientId, NodeId, Record, RecordValue};

/// What one machine knows at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateLine {
    /// Whose line it is.
    pub whose: Whose,
    /// What it is called.
    pub name: Text,
    /// What it believes or holds: one thing each, the most important first.
    pub parts: Vec<Text>,
    /// The line of the lock's code that it ran last, where the lock names one.
    pub code: Option<Text>,
}

impl StateLine {
    /// What it believes or holds, in one line.
    pub fn state(&self) -> Text {
        let (en, zh): (Vec<&str>, Vec<&str>) =
            self.parts.iter().chain(&self.code).map(|part| (&*part.en, &*part.zh)).unzip();
        Text::new(en.join("; "), zh.join("；"))
    }
}

impl Moment {
    /// What every machine knows, in words: the clients, the servers, the resource.
    pub fn lines(&self, header: &Header) -> Vec<StateLine> {
        let names = Names(header);
        let mut lines = Vec::new();
        for (index, client) in self.clients.iter().enumerate() {
            let id = ClientId(index as u16);
            let (parts, code) = (self.client_state(client), code(client, header));
            lines.push(StateLine { whose: Whose::Client(id), name: Text::same(names.client(id)), parts, code });
        }
        for (index, node) in self.nodes.iter().enumerate() {
            let id = NodeId(index as u8);
            let parts = self.node_state(node);
            lines.push(StateLine { whose: Whose::Node(id), name: Text::same(names.node(id)), parts, code: None });
        }
        for (index, cell) in header.resource.cells.iter().enumerate() {
            let part = match self.cells.get(&CellId(index as u8)) {
                None => say!("untouched", "尚未被访问"),
                Some(held) => {
                    let (value, version, by) =
                        (held.value.to_string(), held.version.to_string(), names.client(held.by));
                    say!(
                        "\"{value}\", version {version}, last served {by}",
                        "“{value}”，版本 {version}，上一次服务 {by}",
                        value = value,
                        version = version,
                        by = by
                    )
                }
            };
            lines.push(StateLine { whose: Whose::Resource, name: Text::same(cell), parts: vec![part], code: None });
        }
        lines
    }

    fn client_state(&self, client: &ClientMoment) -> Vec<Text> {
        let mut parts = vec![match client.belief {
            Belief::Idle => say!("outside", "在临界区外"),
            Belief::Waiting => say!("waits for the lock", "等待锁"),
            Belief::Inside => say!("INSIDE", "在临界区内"),
            Belief::Lost => say!("was told that the lock is lost", "得知锁已丢失"),
            Belief::Dead => say!("dead", "已死"),
        }];
        if let (Belief::Inside, Some(until)) = (client.belief, client.sure_until) {
            parts.push(match until > self.at {
                true => {
                    say!("sure of it for {left} more", "自认为还能持有 {left}", left = until.since(self.at).to_string())
                }
                false => say!("its lease was over at {until}", "它的租约在 {until} 已结束", until = until.to_string()),
            });
        }
        if let Some(since) = client.stopped_since {
            parts.push(say!("STOPPED since {since}", "从 {since} 起停顿", since = since.to_string()));
        }
        if let Some(step) = &client.step {
            parts.push(say!("step: {step}", "步骤：{step}", step = step.to_string()));
        }
        parts.extend(clock(client.clock_error));
        parts
    }

    fn node_state(&self, node: &NodeMoment) -> Vec<Text> {
        let mut parts = Vec::new();
        if node.is_down {
            parts.push(say!("DOWN", "宕机"));
        }
        match node.records.is_empty() {
            true => parts.push(say!("holds nothing", "没有记录")),
            false => parts.extend(node.records.iter().map(|(key, record)| self.record(key, record))),
        }
        parts.extend(clock(node.clock_error));
        parts
    }

    fn record(&self, key: &str, record: &Record) -> Text {
        let value = match &record.value {
            RecordValue::Text(text) => text.clone(),
            RecordValue::Fields(fields) => {
                fields.iter().map(|(field, value)| format!("{field}={value}")).collect::<Vec<_>>().join(" ")
            }
            RecordValue::List(items) => items.join(" "),
        };
        match self.remaining(record) {
            Some(left) => say!(
                "{key} = {value}, {left} left",
                "{key} = {value}，还剩 {left}",
                key = key,
                value = value,
                left = left.to_string()
            ),
            None => say!("{key} = {value}, without end", "{key} = {value}，永不到期", key = key, value = value),
        }
    }
}

fn code(client: &ClientMoment, header: &Header) -> Option<Text> {
    let code = client.code?;
    let line = header.listing.lines().nth(usize::from(code.line).checked_sub(1)?)?;
    let number = code.line.to_string();
    Some(say!("code line {number}: {line}", "代码第 {number} 行：{line}", number = number, line = line.trim()))
}

fn clock(error: i64) -> Option<Text> {
    (error != 0).then(|| say!("clock {error}", "时钟 {error}", error = signed(error)))
}
