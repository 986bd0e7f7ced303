//! Sentences about faults.

use super::names;
use super::teller::Teller;
use crate::history::{FaultEvent, Machine, Trouble};
use crate::i18n::Text;
use crate::say;
use crate::time::{Span, Time};
use crate::wire::{ClientId, NodeId};

/// A fault that struck or ended.
pub fn told(teller: &Teller, position: usize, at: Time, fault: &FaultEvent) -> Option<Text> {
    let header = teller.header;
    let server = |node: &NodeId| names::node(header, *node);
    Some(match fault {
        FaultEvent::Paused { client, task, length } if teller.follows(*client) => {
            return Some(paused(teller, at, *client, *task, teller.pause_length(position, *client, *length)));
        }
        FaultEvent::Crashed { client } if teller.follows(*client) => crashed(teller, at, *client),
        FaultEvent::Restarted { client } if teller.follows(*client) => {
            say!(
                "At {at} {who} started again, with no memory of it.",
                "{at}时，{who} 重新启动，对之前的事一无所知。",
                at = at,
                who = names::client(header, *client)
            )
        }
        FaultEvent::Paused { .. }
        | FaultEvent::Resumed { .. }
        | FaultEvent::Crashed { .. }
        | FaultEvent::Restarted { .. } => return None,
        FaultEvent::Down { node } => {
            say!("At {at} {node} went down.", "{at}时，{node} 宕机。", at = at, node = server(node))
        }
        FaultEvent::Up { node, data_kept: true } => {
            say!(
                "At {at} {node} was back, with its data.",
                "{at}时，{node} 恢复，数据仍在。",
                at = at,
                node = server(node)
            )
        }
        FaultEvent::Up { node, data_kept: false } => {
            say!(
                "At {at} {node} was back, without its data.",
                "{at}时，{node} 恢复，但数据已丢失。",
                at = at,
                node = server(node)
            )
        }
        FaultEvent::Promoted { node } => {
            say!(
                "At {at} {node} was promoted to master.",
                "{at}时，{node} 被提升为主节点。",
                at = at,
                node = server(node)
            )
        }
        FaultEvent::Cut { from, to } => say!(
            "At {at} {from} and {to} could no longer reach each other.",
            "{at}时，{from} 与 {to} 之间的网络中断。",
            at = at,
            from = names::machine(header, *from),
            to = names::machine(header, *to)
        ),
        FaultEvent::Healed { from, to } => say!(
            "At {at} {from} and {to} could reach each other again.",
            "{at}时，{from} 与 {to} 之间的网络恢复。",
            at = at,
            from = names::machine(header, *from),
            to = names::machine(header, *to)
        ),
        FaultEvent::Request { client, to, trouble, .. } => {
            let (who, to) = (names::client(header, *client), names::machine(header, *to));
            match trouble {
                Trouble::Lost => say!(
                    "At {at} a request of {who} to {to} was lost.",
                    "{at}时，{who} 发往 {to} 的一个请求丢失。",
                    at = at,
                    who = who,
                    to = to
                ),
                Trouble::Delayed(by) => say!(
                    "At {at} a request of {who} to {to} was held up for {by}.",
                    "{at}时，{who} 发往 {to} 的一个请求被延迟了 {by}。",
                    at = at,
                    who = who,
                    to = to,
                    by = by
                ),
                Trouble::Doubled => say!(
                    "At {at} a request of {who} to {to} was delivered twice.",
                    "{at}时，{who} 发往 {to} 的一个请求被送达两次。",
                    at = at,
                    who = who,
                    to = to
                ),
            }
        }
        FaultEvent::Reply { client, to, trouble, .. } => {
            let (who, to) = (names::client(header, *client), names::machine(header, *to));
            match trouble {
                Trouble::Lost => say!(
                    "At {at} {to} had done what {who} asked, but its reply was lost.",
                    "{at}时，{to} 已执行 {who} 的请求，但回复丢失。",
                    at = at,
                    who = who,
                    to = to
                ),
                Trouble::Delayed(by) => say!(
                    "At {at} {to}'s reply to {who} was held up for {by}.",
                    "{at}时，{to} 给 {who} 的回复被延迟了 {by}。",
                    at = at,
                    who = who,
                    to = to,
                    by = by
                ),
                Trouble::Doubled => say!(
                    "At {at} {to}'s reply to {who} was delivered twice.",
                    "{at}时，{to} 给 {who} 的回复被送达两次。",
                    at = at,
                    who = who,
                    to = to
                ),
            }
        }
        FaultEvent::Stepped { machine, by } => {
            let (machine, length) = (names::machine(header, *machine), Span(by.unsigned_abs()));
            if *by >= 0 {
                say!(
                    "At {at} {machine}'s clock jumped ahead by {length}.",
                    "{at}时，{machine} 的时钟向前跳了 {length}。",
                    at = at,
                    machine = machine,
                    length = length
                )
            } else {
                say!(
                    "At {at} {machine}'s clock jumped back by {length}.",
                    "{at}时，{machine} 的时钟向后跳了 {length}。",
                    at = at,
                    machine = machine,
                    length = length
                )
            }
        }
        FaultEvent::Drifts { machine, ppm } => {
            let (machine, rate) = (names::machine(header, *machine), ppm.unsigned_abs());
            if *ppm >= 0 {
                say!(
                    "From {at} on {machine}'s clock ran too fast, by {rate} in a million.",
                    "从 {at}起，{machine} 的时钟偏快，误差为百万分之 {rate}。",
                    at = at,
                    machine = machine,
                    rate = rate
                )
            } else {
                say!(
                    "From {at} on {machine}'s clock ran too slow, by {rate} in a million.",
                    "从 {at}起，{machine} 的时钟偏慢，误差为百万分之 {rate}。",
                    at = at,
                    machine = machine,
                    rate = rate
                )
            }
        }
        FaultEvent::Slowed { node, by } if *by == Span::ZERO => {
            say!("At {at} {node} was no longer slow.", "{at}时，{node} 恢复正常速度。", at = at, node = server(node))
        }
        FaultEvent::Slowed { node, by } => {
            say!(
                "From {at} on {node} took {by} for each command.",
                "从 {at}起，{node} 执行每条命令需要 {by}。",
                at = at,
                node = server(node),
                by = by
            )
        }
        // Told by what follows from it.
        FaultEvent::Evicted { .. } => return None,
        FaultEvent::ScriptsFlushed { node } => {
            say!(
                "At {at} {node} forgot its scripts.",
                "{at}时，{node} 的脚本缓存被清空。",
                at = at,
                node = server(node)
            )
        }
        FaultEvent::Operator { node, command } => say!(
            "At {at} an operator ran {command} on {node}.",
            "{at}时，运维人员在 {node} 上执行了 {command}。",
            at = at,
            node = server(node),
            command = names::shorten(&command.to_string())
        ),
    })
}

/// The links between a client and a server that a cut concerns.
pub fn links(from: Machine, to: Machine) -> Option<(ClientId, NodeId)> {
    match (from, to) {
        (Machine::Client(client), Machine::Node(node)) | (Machine::Node(node), Machine::Client(client)) => {
            Some((client, node))
        }
        _ => None,
    }
}

fn paused(teller: &Teller, at: Time, client: ClientId, task: bool, length: Option<Span>) -> Text {
    let who = names::client(teller.header, client);
    let inside = teller.facts.client(client).is_some_and(|client| !client.inside.is_empty());
    let woke = length.is_some();
    let length = match length {
        Some(length) => say!("for {length}", "停顿了 {length}", length = length),
        None => say!("and did not wake again", "停顿，再也没有醒来"),
    };
    match (inside, task) {
        (true, false) if woke => say!(
            "At {at} {who} was paused {length}, inside its section: its lease ran on, and what came due for {who} meanwhile, such as the end of its work or a renewal, had to wait until it woke.",
            "{at}时，{who} 在临界区内{length}：租约照常流逝，而这期间到点的事（比如工作做完、续期），{who} 要等醒来才能做。",
            at = at,
            who = who,
            length = length
        ),
        (true, false) => say!(
            "At {at} {who} was paused {length}, inside its section: its lease ran on.",
            "{at}时，{who} 在临界区内{length}：它的租约照常流逝。",
            at = at,
            who = who,
            length = length
        ),
        (true, true) => say!(
            "At {at} {who}'s work was paused {length}, inside its section, while its timers went on.",
            "{at}时，{who} 的工作在临界区内{length}，而它的定时器仍在运行。",
            at = at,
            who = who,
            length = length
        ),
        (false, _) => {
            say!("At {at} {who} was paused {length}.", "{at}时，{who} {length}。", at = at, who = who, length = length)
        }
    }
}

fn crashed(teller: &Teller, at: Time, client: ClientId) -> Text {
    let who = names::client(teller.header, client);
    let leases = teller.facts.locks.iter().flat_map(|lock| &lock.leases);
    match leases.filter(|lease| lease.holder == client).map(|lease| lease.ends).next() {
        Some(None) => say!(
            "At {at} {who} crashed while it had the lock: nobody is left to release it, and it has no end of its own.",
            "{at}时，{who} 持锁崩溃：没有人会来释放锁，而锁也没有过期时间。",
            at = at,
            who = who
        ),
        Some(Some(ends)) => say!(
            "At {at} {who} crashed while it had the lock: it stays taken until its lease ends at {ends}.",
            "{at}时，{who} 持锁崩溃：在租约于 {ends}到期之前，锁一直被占着。",
            at = at,
            who = who,
            ends = ends
        ),
        None => say!("At {at} {who} crashed.", "{at}时，{who} 崩溃。", at = at, who = who),
    }
}
