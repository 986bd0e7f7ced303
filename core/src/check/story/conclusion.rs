//! What it comes to: the last sentences of a story.

use super::names;
use super::scope::Scope;
use crate::check::{Property, Totals, Verdict, Violation};
use crate::history::{ClientEvent, Event, Header, History, LockEvent, Refusal, What};
use crate::i18n::Text;
use crate::say;
use crate::time::Time;

/// One sentence for each broken property that the story so far has not told in full; one in all where nothing broke.
pub fn of(history: &History, verdicts: &[(Property, Verdict)], scope: &Scope, totals: &Totals) -> Vec<Text> {
    if scope.firsts.is_empty() {
        return vec![unbroken(verdicts, totals)];
    }
    Property::ALL
        .into_iter()
        .filter_map(|property| scope.firsts.iter().find(|violation| violation.property == property))
        .filter_map(|violation| sentence(history, scope, violation, totals))
        .collect()
}

fn sentence(history: &History, scope: &Scope, violation: &Violation, totals: &Totals) -> Option<Text> {
    let header = &history.header;
    let who = names::clients(header, &violation.clients);
    let first = who.first().cloned().unwrap_or_default();
    let second = who.get(1).cloned().unwrap_or_default();
    let forever = violation.until == Time::NEVER;
    Some(match violation.property {
        Property::MutualExclusion => return Some(overlaps(header, scope, totals)),
        Property::NoOverrun => say!(
            "{first} was inside without a lease from {from} on; in all {overrun} were spent inside without one.",
            "{first} 从 {from}起在没有租约的情况下处于临界区；这样的时间总计 {overrun}。",
            first = first,
            from = violation.from,
            overrun = totals.overrun
        ),
        // Told where the write was accepted; what is left is why the release did not help.
        Property::NoStaleWrite => return careful_release(history, violation),
        // Told where the write was accepted, or the grant removed.
        Property::NoLostUpdate | Property::NoForeignRelease => return None,
        Property::NoFalseSuccess => say!(
            "So {first} was told of a success at {from} that was none.",
            "结果，{first} 在 {from}得到的“成功”并不是真的成功。",
            first = first,
            from = violation.from
        ),
        Property::Continuity => say!(
            "{first}'s lease had ended at {from} and began again at {until}: its hold looks unbroken and is not.",
            "{first} 的租约在 {from}已经结束，{until}又重新开始：看上去一直持有，其实中断过。",
            first = first,
            from = violation.from,
            until = violation.until
        ),
        Property::NoDeadlock if violation.grant.is_some() && forever => say!(
            "So the lock stays taken for ever: its owner {first} is gone, and its record has no end of its own.",
            "结果，锁被永远占住：持有者 {first} 已经不在，而锁的记录没有过期时间。",
            first = first
        ),
        Property::NoDeadlock if violation.grant.is_some() => say!(
            "The lock stayed taken until an operator removed it at {until}: its owner {first} was gone, and its record had no end of its own.",
            "锁一直被占住，直到 {until}由运维人员删除：持有者 {first} 已经不在，而锁的记录没有过期时间。",
            first = first,
            until = violation.until
        ),
        Property::NoDeadlock if who.len() < 2 && forever => say!(
            "So {first} waits for itself, since {from}: it holds the very lock that it wants, and can never go on.",
            "结果，{first} 从 {from}起在等待自己：它想要的锁正被它自己持有，永远无法继续。",
            first = first,
            from = violation.from
        ),
        Property::NoDeadlock if who.len() < 2 => say!(
            "So {first} waited for itself from {from} to {until}: only the end of its own lease let it go on.",
            "结果，{first} 从 {from}到 {until}一直在等待自己：直到自己的租约到期才得以继续。",
            first = first,
            from = violation.from,
            until = violation.until
        ),
        Property::NoDeadlock => say!(
            "So {who} wait for each other in a circle, since {from}: none of them gives up what the next one needs.",
            "结果，{who} 从 {from}起循环等待：谁也不放开下一个所需的锁。",
            who = who,
            from = violation.from
        ),
        Property::Progress => say!(
            "{who} waited from {from} on for a lock that nobody used, and did not get it within {within}.",
            "{who} 从 {from}起等待一把无人使用的锁，在 {within}内没有得到。",
            who = who,
            from = violation.from,
            within = header.within
        ),
        Property::Available => say!(
            "With servers unreachable, nobody got the lock from {from} on, for longer than {within}.",
            "在服务器不可达期间，从 {from}起超过 {within}，没有任何客户端得到锁。",
            from = violation.from,
            within = header.within
        ),
        Property::FencingMonotonic => say!(
            "{first}'s grant is later than {second}'s, but its token is not greater: at {from} the resource cannot tell which one is newer.",
            "{first} 的授权晚于 {second}，令牌却没有更大：从 {from}起，资源无法判断谁更新。",
            first = first,
            second = second,
            from = violation.from
        ),
        Property::NoOversell => {
            say!("In all {oversold} too many were sold.", "总计超卖 {oversold} 件。", oversold = totals.oversold)
        }
        Property::ExactlyOnce if violation.clients.is_empty() && totals.runs == 0 => {
            say!("The job never took effect.", "任务始终没有生效。")
        }
        Property::ExactlyOnce if violation.clients.is_empty() => say!(
            "Of the runs of the job, {runs} took effect and {missed} never did.",
            "任务的各次运行中，{runs} 次生效，{missed} 次始终没有生效。",
            runs = totals.runs,
            missed = totals.missed_runs
        ),
        Property::ExactlyOnce => {
            say!("In all the job took effect {runs} times.", "任务总计生效 {runs} 次。", runs = totals.runs)
        }
        Property::Fairness => say!(
            "At {from} {first}, who had come later, got the lock before {second}, who had been overtaken too often already.",
            "{from}时，后到的 {first} 先于 {second} 得到锁，而 {second} 被插队的次数已经超过承诺。",
            from = violation.from,
            first = first,
            second = second
        ),
    })
}

/// The release after a stale write, where it noticed that the lock was no longer its own.
fn careful_release(history: &History, violation: &Violation) -> Option<Text> {
    let writer = *violation.clients.first()?;
    let of_writer = |event: &Event| match &event.what {
        What::Client { client, event: ClientEvent::Lock { event, .. } } if *client == writer => Some(event.clone()),
        _ => None,
    };
    // Up to the writer's next try only: a later release is another hold's.
    let after = history.events.iter().skip(violation.event);
    let mut reports = after.filter_map(|event| Some((event.at, of_writer(event)?)));
    let (at, _) = reports
        .by_ref()
        .take_while(|(_, event)| *event != LockEvent::Acquiring)
        .find(|(_, event)| *event == LockEvent::ReleaseFailed { why: Refusal::NotHolder })?;
    Some(say!(
        "{who}'s release could not help: it learned at {at} that the lock was no longer {who}'s, and freed nobody else's. That protects the lock, not the data, and the write was done by then.",
        "{who} 的解锁帮不上忙：{at}时它得知锁已不属于 {who}，没有误删别人的锁。但这样保护的是锁，不是数据，而此时写入早已完成。",
        who = names::client(&history.header, writer),
        at = at
    ))
}

fn overlaps(header: &Header, scope: &Scope, totals: &Totals) -> Text {
    let overlaps = scope.firsts.iter().filter(|violation| violation.property == Property::MutualExclusion);
    let each = overlaps
        .map(|violation| {
            say!(
                "{who} from {from} to {until}",
                "{who}（{from}到 {until}）",
                who = names::clients(header, &violation.clients),
                from = violation.from,
                until = violation.until
            )
        })
        .reduce(|left, right| say!("{left}; {right}", "{left}；{right}", left = left, right = right))
        .unwrap_or_default();
    say!(
        "So two clients were inside at the same time: {each}; {overlap} of overlap in all.",
        "结果，两个客户端同时处于临界区：{each}；重叠总计 {overlap}。",
        each = each,
        overlap = totals.overlap
    )
}

fn unbroken(verdicts: &[(Property, Verdict)], totals: &Totals) -> Text {
    if verdicts.iter().any(|(_, verdict)| *verdict == Verdict::Unknown) {
        return say!(
            "Nothing broke as far as this run goes; it ends too early to say more.",
            "就这次运行所及，没有任何性质被破坏；但它结束得太早，无法断言更多。"
        );
    }
    match (totals.rejected_writes, totals.grants) {
        (0, 0) => say!("Nothing broke: nobody ever got the lock.", "没有任何性质被破坏：始终没有人得到锁。"),
        (0, 1) => say!(
            "Nothing broke: the lock was acquired once, and nobody was inside without it.",
            "没有任何性质被破坏：锁被获得 1 次，没有人在无锁的情况下进入临界区。"
        ),
        (0, grants) => say!(
            "Nothing broke: the lock was acquired {grants} times, by one after the other.",
            "没有任何性质被破坏：锁先后被获得 {grants} 次。",
            grants = grants
        ),
        (_, _) => say!(
            "Nothing broke: the resource's guard refused what came too late.",
            "没有任何性质被破坏：资源的防护拒绝了迟到的请求。"
        ),
    }
}
