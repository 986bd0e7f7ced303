//! The sentences of the drawing, in both languages.

use unicode_width::UnicodeWidthStr;

use crate::history::{
    CellId, Code, Effect, EndReason, FaultEvent, GrantEnd, Guard, Header, KeyChange, LeaveReason, LossReason, Machine,
    Operation, Outcome, Refusal, Token, Trouble,
};
use crate::i18n::Text;
use crate::say;
use crate::time::{Span, Time};
use crate::wire::{ClientId, Command, NodeId, Reply};

/// The longest word of a command that is printed in full, in columns.
const LONGEST_WORD: usize = 28;

/// Names of a run's clients and servers; made up for ids that the header does not name.
#[derive(Clone, Copy)]
pub(in crate::view) struct Names<'h>(pub &'h Header);

impl Names<'_> {
    pub fn client(self, id: ClientId) -> String {
        self.0.clients.get(usize::from(id.0)).map_or_else(|| format!("client-{}", id.0), |client| client.name.clone())
    }

    pub fn node(self, id: NodeId) -> String {
        self.0.nodes.get(usize::from(id.0)).map_or_else(|| format!("node-{}", id.0), |node| node.name.clone())
    }

    pub fn machine(self, machine: Machine) -> Text {
        match machine {
            Machine::Client(id) => Text::same(self.client(id)),
            Machine::Node(id) => Text::same(self.node(id)),
            Machine::Resource => Text::new("the resource", "资源"),
        }
    }

    /// A cell of the resource, where it has several.
    pub fn cell(&self, id: CellId) -> Option<&str> {
        let cells = &self.0.resource.cells;
        cells.get(usize::from(id.0)).filter(|_| cells.len() > 1).map(String::as_str)
    }

    /// A command as a reader wants it: scripts by the name that the listing gives them, long words cut.
    pub fn command(self, command: &Command, code: Option<Code>) -> String {
        if command.is_sql() {
            return command.to_string();
        }
        let name = command.name();
        let mut words = Vec::new();
        for (index, word) in command.words().iter().enumerate() {
            let is_script = index == 1 && matches!(name.as_str(), "EVAL" | "EVALSHA" | "EVAL_RO" | "EVALSHA_RO");
            words.push(match is_script {
                true => self.script(code).unwrap_or_else(|| "<script>".into()),
                false => shorten(&Command::new([word]).to_string()),
            });
        }
        words.join(" ")
    }

    /// The short form of a command: its script's name, or its own and the option that makes it a lock.
    pub fn command_label(self, command: &Command, code: Option<Code>) -> String {
        let name = command.name();
        let flag = |flag: &str| command.words().iter().skip(1).any(|word| word.eq_ignore_ascii_case(flag.as_bytes()));
        match name.as_str() {
            "SET" if flag("NX") => "SET NX".into(),
            "SELECT" if flag("FOR") => "SELECT FOR UPDATE".into(),
            "SELECT" if command.is_sql() => called(command).unwrap_or(name),
            "EVAL" | "EVALSHA" => self.script(code).unwrap_or(name),
            _ => shorten(&name),
        }
    }

    /// The name of the script that a line of the listing runs, such as `@renew`.
    fn script(self, code: Option<Code>) -> Option<String> {
        let line = self.0.listing.lines().nth(usize::from(code?.line).checked_sub(1)?)?;
        line.split_whitespace().find(|word| word.starts_with('@')).map(str::to_owned)
    }
}

/// The function that a `SELECT pg_...(...)` calls.
fn called(command: &Command) -> Option<String> {
    let (function, _) = command.word(1)?.split_once('(')?;
    function.starts_with("pg_").then(|| shorten(function))
}

fn shorten(word: &str) -> String {
    if word.width() <= LONGEST_WORD {
        return word.to_owned();
    }
    let mut short = String::new();
    for char in word.chars() {
        if short.width() >= LONGEST_WORD - 2 {
            break;
        }
        short.push(char);
    }
    short + "…"
}

/// A reply as a reader wants it: the integer's type is clear from its digits.
pub(super) fn reply(reply: &Reply) -> String {
    match reply {
        Reply::Integer(number) => number.to_string(),
        Reply::Nil | Reply::NilArray => "nil".into(),
        Reply::Error(text) => shorten_sentence(text),
        Reply::Array(items) if is_confirmation(items) => "done".into(),
        other => shorten_sentence(&other.to_string()),
    }
}

/// Whether these are the answers to SUBSCRIBE or UNSUBSCRIBE, which only repeat what was asked.
fn is_confirmation(items: &[Reply]) -> bool {
    let confirms = |item: &Reply| match item {
        Reply::Array(words) => words.first().and_then(Reply::text).is_some_and(|word| word.ends_with("subscribe")),
        _ => false,
    };
    !items.is_empty() && items.iter().all(confirms)
}

fn shorten_sentence(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

pub(super) fn token(token: &Token) -> String {
    match token {
        Token::Number(number) => number.to_string(),
        Token::Opaque(text) => shorten(text),
    }
}

/// What was asked of the resource, as an infinitive; `cell` says of which cell, where there are several.
pub(super) fn operation(operation: Operation, cell: Option<&str>) -> Text {
    let verb = match operation {
        Operation::Read => say!("read", "读取"),
        Operation::Write => say!("write", "写入"),
        Operation::Atomic => say!("atomic step", "原子操作"),
        Operation::Call => say!("call", "调用"),
    };
    match cell {
        Some(cell) => say!("{verb} {cell}", "{verb} {cell}", verb = verb, cell = cell),
        None => verb,
    }
}

fn value(text: &str) -> Text {
    match text {
        "" => Text::new("(empty)", "（空）"),
        text => Text::same(shorten(text)),
    }
}

/// What the resource answered.
pub(super) fn outcome(guard: Guard, effect: &Effect) -> Text {
    let operation = effect.operation;
    match &effect.outcome {
        Outcome::Accepted(effected) => {
            let value = value(&effected.value);
            let version = effected.version;
            match operation {
                Operation::Read => say!(
                    "{value} (version {version})",
                    "{value}（版本 {version}）",
                    value = value,
                    version = version.to_string()
                ),
                _ => say!(
                    "accepted: {value} (version {version})",
                    "接受：{value}（版本 {version}）",
                    value = value,
                    version = version.to_string(),
                ),
            }
        }
        Outcome::Refused { because } => {
            let because = shorten(because);
            match guard {
                Guard::Fencing => {
                    say!("REFUSED: it has seen token {because}", "拒绝：已经见过 token {because}", because = because)
                }
                Guard::Version => {
                    say!("REFUSED: the version is {because} now", "拒绝：版本已经是 {because}", because = because)
                }
                Guard::Timestamp => say!(
                    "REFUSED: changed at {because} by the writer's clock",
                    "拒绝：按写入者的时钟，修改于 {because}",
                    because = because
                ),
                Guard::UniqueKey => {
                    say!("REFUSED: {because} is there already", "拒绝：{because} 已经存在", because = because)
                }
                Guard::StateMachine | Guard::None => say!("REFUSED: {because}", "拒绝：{because}", because = because),
            }
        }
        Outcome::SoldOut => Text::new("sold out", "已售罄"),
    }
}

/// What the resource did, in one or two words.
pub(super) fn effect_label(operation: Operation, outcome: &Outcome) -> Text {
    match (outcome, operation) {
        (Outcome::Accepted(effected), Operation::Read) => {
            say!("reads {value}", "读到 {value}", value = value(&effected.value))
        }
        (Outcome::Accepted(effected), _) => say!("now {value}", "变为 {value}", value = value(&effected.value)),
        (Outcome::Refused { .. }, _) => Text::new("REFUSED", "被拒绝"),
        (Outcome::SoldOut, _) => Text::new("sold out", "已售罄"),
    }
}

pub(super) fn refusal(why: &Refusal) -> Text {
    match why {
        Refusal::Held => Text::new("somebody else holds it", "锁在别人手里"),
        Refusal::Expired => Text::new("what it got was no longer valid", "拿到时已经过期"),
        Refusal::NoQuorum => Text::new("no quorum", "没有达到多数"),
        Refusal::NotHolder => Text::new("it is not the holder", "它不是持有者"),
        Refusal::TimedOut => Text::new("no answer in time", "等待回复超时"),
        Refusal::Disconnected => Text::new("connection lost", "连接中断"),
        Refusal::Error(code) => Text::new(format!("error {code}"), format!("错误 {code}")),
    }
}

pub(in crate::view) fn loss(why: LossReason) -> Text {
    match why {
        LossReason::RequestLost => Text::new("the request is lost", "请求丢失"),
        LossReason::ReplyLost => Text::new("the reply is lost", "回复丢失"),
        LossReason::Disconnected => Text::new("connection lost", "连接中断"),
        LossReason::TimedOut => Text::new("no answer in time", "等待回复超时"),
    }
}

pub(super) fn left(client: &str, why: LeaveReason) -> Text {
    match why {
        LeaveReason::Releasing => Text::new(format!("{client} leaves"), format!("{client} 离开临界区")),
        LeaveReason::Died => Text::new(format!("{client} dies inside"), format!("{client} 在临界区内死亡")),
        LeaveReason::Stopped => Text::new(format!("{client} stops its work"), format!("{client} 停止工作")),
    }
}

/// How a lease ended, told by who ended it; `on` says which lock, where there are several.
pub(super) fn lease_ended(holder: &str, on: &Text, why: GrantEnd, by: Option<&str>) -> Text {
    match (why, by) {
        (GrantEnd::Expired, _) => {
            say!("{holder}'s lease{on} is over: time is up", "{holder} 的租约{on}到期", holder = holder, on = on)
        }
        (GrantEnd::Vanished, _) => {
            say!(
                "{holder}'s lease{on} is gone with its record",
                "{holder} 的租约{on}随记录一起消失",
                holder = holder,
                on = on
            )
        }
        (GrantEnd::Removed, Some(by)) if by == holder => {
            say!("{holder}'s lease{on} ends: released", "{holder} 的租约{on}结束：已释放", holder = holder, on = on)
        }
        (GrantEnd::Removed, Some(by)) => {
            say!(
                "{by} REMOVES {holder}'s lease{on}",
                "{by} 删掉了 {holder} 的租约{on}",
                by = by,
                holder = holder,
                on = on
            )
        }
        (GrantEnd::Removed, None) => {
            say!(
                "an operator REMOVES {holder}'s lease{on}",
                "运维人员删掉了 {holder} 的租约{on}",
                holder = holder,
                on = on
            )
        }
    }
}

/// When a lease is over, if ever.
pub(super) fn lease_until(ends: Option<Time>) -> Text {
    match ends {
        Some(ends) => Text::new(format!("until {ends}"), format!("持续到 {ends}")),
        None => Text::new("without end", "永不到期"),
    }
}

pub(super) fn key_changed(node: &str, key: &str, change: KeyChange) -> Text {
    match change {
        KeyChange::Created => Text::new(format!("{key} appears on {node}"), format!("{key} 出现在 {node} 上")),
        KeyChange::Changed => Text::new(format!("{key} changes on {node}"), format!("{key} 在 {node} 上被修改")),
        KeyChange::Deleted => Text::new(format!("{key} is deleted on {node}"), format!("{key} 在 {node} 上被删除")),
        KeyChange::Expired => Text::new(format!("{key} expires on {node}"), format!("{key} 在 {node} 上过期")),
        KeyChange::Evicted => Text::new(format!("{node} evicts {key}"), format!("{node} 淘汰了 {key}")),
        KeyChange::Vanished => Text::new(format!("{key} is gone from {node}"), format!("{key} 从 {node} 上消失")),
    }
}

pub(super) fn ended(why: EndReason) -> Text {
    match why {
        EndReason::Quiet => Text::new("the run ends: nothing left to happen", "运行结束：不会再发生什么"),
        EndReason::Until => Text::new("the run ends: its time is over", "运行结束：时间到"),
        EndReason::Bound => Text::new("the run is cut off: it would not end", "运行被截断：它不会自己结束"),
    }
}

/// A signed clock error: `+3s`, `-250ms`.
pub(in crate::view) fn signed(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "+" };
    format!("{sign}{}", Span(micros.unsigned_abs()))
}

fn trouble(trouble: Trouble) -> Text {
    match trouble {
        Trouble::Lost => Text::new("is lost", "丢失"),
        Trouble::Delayed(span) => Text::new(format!("is delayed by {span}"), format!("延迟 {span}")),
        Trouble::Doubled => Text::new("arrives twice", "到达两次"),
    }
}

/// What a fault does, in a sentence.
pub(super) fn fault(names: Names<'_>, fault: &FaultEvent) -> Text {
    match fault {
        FaultEvent::Paused { client, task, length } => {
            let client = names.client(*client);
            let (en, zh) = length
                .map_or((String::new(), String::new()), |span| (format!(" for {span}"), format!("，持续 {span}")));
            match task {
                false => Text::new(format!("{client} STOPS{en}"), format!("{client} 整个进程停顿{zh}")),
                true => Text::new(
                    format!("{client}'s work STOPS{en}; its timers run on"),
                    format!("{client} 的工作停顿{zh}，定时器照常运行"),
                ),
            }
        }
        FaultEvent::Resumed { client } => {
            let client = names.client(*client);
            Text::new(format!("{client} goes on, unaware of the pause"), format!("{client} 恢复运行，并不知道自己停过"))
        }
        FaultEvent::Crashed { client } => {
            let client = names.client(*client);
            Text::new(format!("{client} CRASHES"), format!("{client} 崩溃"))
        }
        FaultEvent::Restarted { client } => {
            let client = names.client(*client);
            Text::new(format!("{client} starts again"), format!("{client} 重新启动"))
        }
        FaultEvent::Down { node } => {
            let node = names.node(*node);
            Text::new(format!("{node} goes DOWN"), format!("{node} 宕机"))
        }
        FaultEvent::Up { node, data_kept } => {
            let node = names.node(*node);
            match data_kept {
                true => Text::new(format!("{node} is back with its data"), format!("{node} 恢复，数据还在")),
                false => Text::new(format!("{node} is back WITHOUT its data"), format!("{node} 恢复，数据全丢")),
            }
        }
        FaultEvent::Promoted { node } => {
            let node = names.node(*node);
            Text::new(format!("{node} becomes the MASTER"), format!("{node} 成为主节点"))
        }
        FaultEvent::Cut { from, to } => {
            let (from, to) = (names.machine(*from), names.machine(*to));
            Text::new(
                format!("{} and {} are CUT OFF from each other", from.en, to.en),
                format!("{} 与 {} 之间网络断开", from.zh, to.zh),
            )
        }
        FaultEvent::Healed { from, to } => {
            let (from, to) = (names.machine(*from), names.machine(*to));
            Text::new(
                format!("{} and {} reach each other again", from.en, to.en),
                format!("{} 与 {} 之间网络恢复", from.zh, to.zh),
            )
        }
        FaultEvent::Request { client, to, trouble: how, .. } => {
            let (client, to, how) = (names.client(*client), names.machine(*to), trouble(*how));
            Text::new(
                format!("a request of {client} to {} {}", to.en, how.en),
                format!("{client} 发给 {} 的请求{}", to.zh, how.zh),
            )
        }
        FaultEvent::Reply { client, to, trouble: how, .. } => {
            let (client, to, how) = (names.client(*client), names.machine(*to), trouble(*how));
            Text::new(
                format!("a reply of {} to {client} {}", to.en, how.en),
                format!("{} 给 {client} 的回复{}", to.zh, how.zh),
            )
        }
        FaultEvent::Stepped { machine, by } => {
            let (machine, by) = (names.machine(*machine), signed(*by));
            Text::new(format!("the clock of {} JUMPS by {by}", machine.en), format!("{} 的时钟跳变 {by}", machine.zh))
        }
        FaultEvent::Drifts { machine, ppm: 0 } => {
            let machine = names.machine(*machine);
            Text::new(
                format!("the clock of {} runs true again", machine.en),
                format!("{} 的时钟恢复正常走速", machine.zh),
            )
        }
        FaultEvent::Drifts { machine, ppm } => {
            let machine = names.machine(*machine);
            Text::new(
                format!("the clock of {} drifts by {ppm} ppm", machine.en),
                format!("{} 的时钟漂移 {ppm} ppm", machine.zh),
            )
        }
        FaultEvent::Slowed { node, by: Span::ZERO } => {
            let node = names.node(*node);
            Text::new(format!("{node} is fast again"), format!("{node} 恢复正常速度"))
        }
        FaultEvent::Slowed { node, by } => {
            let node = names.node(*node);
            Text::new(format!("{node} is SLOW: {by} a command"), format!("{node} 变慢：每条命令 {by}"))
        }
        FaultEvent::Evicted { node, key } => {
            let node = names.node(*node);
            Text::new(format!("{node} evicts {key}"), format!("{node} 淘汰了 {key}"))
        }
        FaultEvent::ScriptsFlushed { node } => {
            let node = names.node(*node);
            Text::new(format!("{node} forgets its scripts"), format!("{node} 的脚本缓存被清空"))
        }
        FaultEvent::Operator { node, command } => {
            let (node, command) = (names.node(*node), names.command(command, None));
            Text::new(format!("an operator on {node}: {command}"), format!("运维人员在 {node} 上执行：{command}"))
        }
    }
}
