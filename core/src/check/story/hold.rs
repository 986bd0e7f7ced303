//! Sentences about grants, sections and what a lock client reports.

use super::names;
use super::teller::Teller;
use crate::check::Property;
use crate::check::facts::Lease;
use crate::history::{
    ClientEvent, FaultEvent, GrantEnd, GrantId, LeaveReason, LockEvent, Machine, Mode, NodeRole, Refusal,
};
use crate::i18n::Text;
use crate::say;
use crate::time::{Span, Time};
use crate::wire::{ClientId, LockId};

/// What a client did or was told.
pub fn told(teller: &mut Teller, position: usize, at: Time, client: ClientId, did: &ClientEvent) -> Option<Text> {
    let who = names::client(teller.header, client);
    match did {
        ClientEvent::Lock { lock, event: LockEvent::Acquired { .. } } => Some(acquired(teller, at, client, *lock)),
        ClientEvent::Lock { lock, event: LockEvent::Acquiring } => {
            let own = teller.facts.section(client, *lock).is_some();
            let taken = teller.facts.lock(*lock).is_some_and(|lock| !lock.leases.is_empty());
            if taken && !own {
                return Some(say!(
                    "At {at} {who} wanted the lock too, and waited.",
                    "{at}时，{who} 也来加锁，开始等待。",
                    at = at,
                    who = who
                ));
            }
            own.then(|| {
                say!(
                    "At {at} {who} tried to get the lock once more, although it was inside already.",
                    "{at}时，{who} 已经持有锁，却再次去加锁。",
                    at = at,
                    who = who
                )
            })
        }
        ClientEvent::Lock { lock, event: LockEvent::Extended { .. } } => {
            teller.scope.violation(position, Property::NoFalseSuccess)?;
            let ended = teller.facts.own_lease(client, *lock).is_none();
            ended.then(|| {
                say!(
                    "At {at} {who} was told that its lease was extended, although it had none.",
                    "{at}时，{who} 被告知续期成功，其实它已经没有租约。",
                    at = at,
                    who = who
                )
            })
        }
        ClientEvent::Lock { event: LockEvent::Looked { mine }, lock } => Some(match mine {
            true if teller.facts.own_lease(client, *lock).is_some() => {
                say!(
                    "At {at} {who} asked whether the lock was still its own: it was.",
                    "{at}时，{who} 查询锁是否仍属于自己：是的。",
                    at = at,
                    who = who
                )
            }
            true => say!(
                "At {at} {who} heard that the lock was still its own; by then that was no longer true.",
                "{at}时，{who} 得到“锁仍属于自己”的答复，但此时已经不是了。",
                at = at,
                who = who
            ),
            false => say!(
                "At {at} {who} looked, and the lock was no longer its own.",
                "{at}时，{who} 查询后发现锁已不属于自己。",
                at = at,
                who = who
            ),
        }),
        ClientEvent::Lock { event: LockEvent::Lost, .. } => Some(say!(
            "At {at} {who} learned that it had lost the lock.",
            "{at}时，{who} 得知自己已经失去锁。",
            at = at,
            who = who
        )),
        ClientEvent::Lock { event: LockEvent::Refused { why }, .. } => refused(at, &who, why),
        ClientEvent::Entered { .. } if teller.noted(client).refused => Some(say!(
            "{who} went on all the same, as if it had the lock.",
            "{who} 仍然继续，就像拿到了锁一样。",
            who = who
        )),
        ClientEvent::Left { why: LeaveReason::Stopped, .. } => {
            Some(say!("So {who} stopped its work at {at}.", "于是 {who} 在 {at}时停止了工作。", at = at, who = who))
        }
        ClientEvent::Left { why: LeaveReason::Releasing, lock, .. } => {
            let late = teller.facts.own_lease(client, *lock).is_none() && teller.header.promises.exclusion;
            let untold = teller.noted(client).woke.is_some();
            (late && untold).then(|| {
                teller.notes[usize::from(client.0)].woke = None;
                say!(
                    "{who} woke at {at} and left its section, long after its lease.",
                    "{who} 在 {at}时醒来并离开临界区，此时租约早已结束。",
                    at = at,
                    who = who
                )
            })
        }
        _ => None,
    }
}

/// A lease that is over.
pub fn ended(
    teller: &Teller,
    position: usize,
    at: Time,
    lock: LockId,
    grant: GrantId,
    why: GrantEnd,
    by: Option<ClientId>,
) -> Option<Text> {
    let lease = teller.facts.lock(lock)?.leases.iter().find(|lease| lease.grant == grant)?.clone();
    let holder = lease.holder;
    let whose = names::client(teller.header, holder);
    let inside = teller.facts.section(holder, lock).is_some();
    match (why, by) {
        (GrantEnd::Removed, Some(by)) if by != holder => {
            let by = names::client(teller.header, by);
            teller.scope.violation(position, Property::NoForeignRelease).map(|_| {
                say!(
                    "However, at {at} {by} gave back a lock that was no longer its own: it removed {whose}'s.",
                    "然而 {at}时，{by} 去释放一把早已不属于自己的锁：它删除的是 {whose} 的锁。",
                    at = at,
                    by = by,
                    whose = whose
                )
            })
        }
        (GrantEnd::Removed, None) => Some(say!(
            "At {at} an operator removed {whose}'s lock.",
            "{at}时，运维人员删除了 {whose} 的锁。",
            at = at,
            whose = whose
        )),
        (GrantEnd::Removed, Some(_)) => None,
        (GrantEnd::Expired, _) if inside && teller.follows(holder) => Some(expired(teller, at, &lease)),
        (GrantEnd::Expired, _) if lease.holder_died.is_some() && teller.follows(holder) => Some(say!(
            "At {at} {whose}'s lease ended by itself, although its holder was gone.",
            "{at}时，{whose} 虽已崩溃，它的租约自行到期。",
            at = at,
            whose = whose
        )),
        (GrantEnd::Vanished, _) => Some(vanished(teller, at, &lease)),
        (GrantEnd::Expired, _) => None,
    }
}

/// A lease whose end somebody moved: told where it was another's.
pub fn moved(
    teller: &Teller,
    position: usize,
    at: Time,
    lock: LockId,
    grant: GrantId,
    by: Option<ClientId>,
) -> Option<Text> {
    teller.scope.violation(position, Property::NoForeignRelease)?;
    let lease = teller.facts.lock(lock)?.leases.iter().find(|lease| lease.grant == grant)?;
    let (by, whose) = (names::client(teller.header, by?), names::client(teller.header, lease.holder));
    Some(say!(
        "However, at {at} {by} renewed a lock without looking whose it was: it moved the end of {whose}'s lease.",
        "然而 {at}时，{by} 没有核对归属就去续期：它改动的是 {whose} 的租约。",
        at = at,
        by = by,
        whose = whose
    ))
}

fn acquired(teller: &mut Teller, at: Time, client: ClientId, lock: LockId) -> Text {
    let who = names::client(teller.header, client);
    let mine = teller.facts.own_lease(client, lock).map(|lease| lease.mode).unwrap_or_default();
    let excluded = |mode: Mode| mode == Mode::Exclusive || mine == Mode::Exclusive;
    let others: Vec<ClientId> = teller
        .facts
        .each_client()
        .filter(|(id, other)| {
            *id != client && other.inside.iter().any(|inside| inside.lock == lock && excluded(inside.mode))
        })
        .map(|(id, _)| id)
        .collect();
    let woke = teller.notes[usize::from(client.0)].woke.take();
    let Some(lease) = teller.facts.own_lease(client, lock).cloned() else {
        return without_lease(teller, at, &who, woke);
    };
    let term = term(teller, at, &lease);
    let free = teller.noted(client).asked;
    if others.is_empty() {
        let again = teller.facts.lock(lock).is_some_and(|lock| lock.newest.0 > 1);
        return if again && teller.scope.clients.first() != Some(&client) {
            say!(
                "So {who} acquired the lock at {at}, with {term}.",
                "于是 {who} 在 {at}时获得锁，{term}。",
                who = who,
                at = at,
                term = term
            )
        } else {
            say!(
                "At {at} {who} acquired the lock, with {term}.",
                "{at}时，{who} 获得锁，{term}。",
                who = who,
                at = at,
                term = term
            )
        };
    }
    let service = service(teller, free);
    let inside = names::clients(teller.header, &others);
    say!(
        "So at {at} {service} gave the lock to {who}, with {term}, while {inside} was still inside and knew nothing of it.",
        "于是 {at}时，{service}把锁给了 {who}，{term}；而 {inside} 仍在临界区内，对此一无所知。",
        at = at,
        service = service,
        who = who,
        term = term,
        inside = inside
    )
}

fn without_lease(teller: &Teller, at: Time, who: &str, woke: Option<Time>) -> Text {
    if !teller.header.promises.exclusion {
        return say!(
            "At {at} {who} went in: there is no lock to ask.",
            "{at}时，{who} 直接进入：没有锁可问。",
            at = at,
            who = who
        );
    }
    match woke {
        Some(_) => say!(
            "However, {who} woke at {at} and found the old answer \"acquired\": it went in, although its lease was over by then.",
            "然而 {who} 在 {at}时醒来，看到的是早先“加锁成功”的答复，于是进入临界区，而它的租约此时已经结束。",
            at = at,
            who = who
        ),
        None => say!(
            "At {at} {who} was told \"acquired\", although the service's records show no lease of it.",
            "{at}时，{who} 被告知加锁成功，可服务端的记录里并没有它的租约。",
            at = at,
            who = who
        ),
    }
}

fn expired(teller: &Teller, at: Time, lease: &Lease) -> Text {
    let who = names::client(teller.header, lease.holder);
    let notes = teller.noted(lease.holder);
    if let Some(FaultEvent::Stepped { machine: machine @ Machine::Node(_), by }) = teller.last_server_fault
        && by > 0
    {
        let node = names::machine(teller.header, machine);
        return say!(
            "Because the clock of {node} had jumped ahead, it took {who}'s lease for over at {at}, while {who} was still inside.",
            "由于 {node} 的时钟向前跳变，它在 {at}时就认为 {who} 的租约已到期，而 {who} 仍在临界区内。",
            node = node,
            who = who,
            at = at
        );
    }
    if notes.paused_since.is_some() {
        return say!(
            "At {at} {who}'s lease ended, while {who} still stood inside its section.",
            "{at}时，{who} 的租约到期，而停顿中的 {who} 仍处于临界区内。",
            at = at,
            who = who
        );
    }
    if let Some(node) = notes.cut_from.first() {
        return say!(
            "Because {who} could not reach {node} to renew it, its lease ended at {at}, while {who} was still inside.",
            "由于 {who} 联系不上 {node}、无法续期，它的租约在 {at}到期，而 {who} 仍在临界区内。",
            who = who,
            node = names::node(teller.header, *node),
            at = at
        );
    }
    if notes.failed_renewals > 0 {
        return say!(
            "Because its renewals had failed, {who}'s lease ended at {at}, while {who} was still inside.",
            "由于续期失败，{who} 的租约在 {at}到期，而 {who} 仍在临界区内。",
            who = who,
            at = at
        );
    }
    say!(
        "{who}'s work took longer than its lease, which ended at {at}, while {who} was still inside.",
        "{who} 的工作比租约更长：租约在 {at}到期，而 {who} 仍在临界区内。",
        who = who,
        at = at
    )
}

fn vanished(teller: &Teller, at: Time, lease: &Lease) -> Text {
    let who = names::client(teller.header, lease.holder);
    match &teller.last_server_fault {
        Some(FaultEvent::Promoted { node }) => say!(
            "But the record of the lock had never reached {node}: {who}'s lock was gone, and nobody told {who}.",
            "可是这把锁的记录从未到达 {node}：{who} 的锁就此消失，而没有人告诉 {who}。",
            node = names::node(teller.header, *node),
            who = who
        ),
        Some(FaultEvent::Up { node, data_kept: false }) => say!(
            "Because {node} came back without its data, {who}'s lock was gone at {at}, and nobody told {who}.",
            "由于 {node} 重启后没有数据，{who} 的锁在 {at}消失，而没有人告诉 {who}。",
            node = names::node(teller.header, *node),
            at = at,
            who = who
        ),
        Some(FaultEvent::Evicted { node, .. }) => say!(
            "Because {node} evicted the record to make room, {who}'s lock was gone at {at}, and nobody told {who}.",
            "由于 {node} 为腾出内存淘汰了这条记录，{who} 的锁在 {at}消失，而没有人告诉 {who}。",
            node = names::node(teller.header, *node),
            at = at,
            who = who
        ),
        _ => say!(
            "At {at} the record of {who}'s lock was gone, and nobody told {who}.",
            "{at}时，{who} 的锁的记录消失了，而没有人告诉 {who}。",
            at = at,
            who = who
        ),
    }
}

fn refused(at: Time, who: &str, why: &Refusal) -> Option<Text> {
    let reason = match why {
        Refusal::Held => return None,
        Refusal::Expired => say!("what it got was no longer valid by its own clock", "按自己的时钟，得到的锁已经失效"),
        Refusal::NoQuorum => say!("it reached no majority", "没有得到多数节点的同意"),
        Refusal::NotHolder => say!("it is not the holder", "它不是持有者"),
        Refusal::TimedOut => say!("no answer came in time", "没有及时收到答复"),
        Refusal::Disconnected => say!("its connection broke", "连接已断开"),
        Refusal::Error(code) => say!("the server answered {code}", "服务器返回了 {code}", code = &**code),
    };
    Some(say!(
        "At {at} {who} gave up acquiring: {reason}.",
        "{at}时，{who} 放弃加锁：{reason}。",
        at = at,
        who = who,
        reason = reason
    ))
}

/// The lease of a client that was told of it: how long it lasts, or only until when, where it is another length or much of it has passed.
fn term(teller: &Teller, told: Time, lease: &Lease) -> Text {
    let is_usual = |ends: Time, ttl: Span| {
        let length = ends.since(lease.since);
        length >= ttl && length <= ttl + Span::from_millis(2) && told.since(lease.since) <= Span(ttl.0 / 10)
    };
    match (lease.ends, teller.header.ttl) {
        (None, _) => say!("a lease that never ends by itself", "租约永不自行到期"),
        (Some(ends), Some(ttl)) if is_usual(ends, ttl) => say!("a lease of {ttl}", "租约 {ttl}", ttl = ttl),
        (Some(ends), _) => say!("a lease until {ends}", "租约到 {ends}为止", ends = ends),
    }
}

/// Who gave the lock: the server that was asked, or the majority of nodes that know nothing of each other.
fn service(teller: &Teller, asked: Option<crate::wire::NodeId>) -> Text {
    let independent = teller.header.nodes.iter().filter(|node| node.role == NodeRole::Independent).count();
    match asked {
        _ if independent > 1 => say!("a majority of the nodes", "多数节点"),
        Some(node) => {
            let name = names::node(teller.header, node);
            Text::new(name.clone(), format!("{name} "))
        }
        None => say!("the service", "锁服务"),
    }
}
