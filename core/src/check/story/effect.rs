//! Sentences about what the resource accepted and refused.

use super::names;
use super::teller::Teller;
use crate::check::{Property, Violation};
use crate::history::{Effect, Guard, Operation, Outcome, ResourceKind, Token};
use crate::i18n::Text;
use crate::say;
use crate::time::Time;

/// A request that the resource answered. Reads are told with the write that follows from them.
pub fn told(teller: &mut Teller, position: usize, at: Time, effect: &Effect) -> Option<Text> {
    if effect.operation == Operation::Read && !matches!(effect.outcome, Outcome::Refused { .. }) {
        return None;
    }
    let woke = teller.notes[usize::from(effect.client.0)].woke.take();
    let opening = opening(teller, at, effect, woke);
    Some(match &effect.outcome {
        Outcome::Accepted(_) => accepted(teller, position, effect, opening),
        Outcome::Refused { because } => {
            let reason = refusal(teller, effect, because);
            say!(
                "{opening}, but the resource refused: {reason}.",
                "{opening}，但资源拒绝了：{reason}。",
                opening = opening,
                reason = reason
            )
        }
        Outcome::SoldOut => say!("{opening}, but nothing was left.", "{opening}，但已经没有剩余。", opening = opening),
    })
}

/// "At 12.1s B wrote", or how a client that woke came to write.
fn opening(teller: &Teller, at: Time, effect: &Effect, woke: Option<Time>) -> Text {
    let who = names::client(teller.header, effect.client);
    let done = matches!(effect.outcome, Outcome::Accepted(_));
    let act = match (effect.operation, done) {
        (Operation::Write, true) => say!("wrote", "写入"),
        (Operation::Write, false) => say!("tried to write", "尝试写入"),
        (Operation::Atomic, true) => say!("changed the resource in one step", "一步完成修改"),
        (Operation::Atomic, false) => say!("tried to change the resource in one step", "尝试一步完成修改"),
        (Operation::Call, true) => say!("called the third party", "调用第三方"),
        (Operation::Call, false) => say!("tried to call the third party", "尝试调用第三方"),
        (Operation::Read, _) => say!("tried to read", "尝试读取"),
    };
    let held = teller.facts.hold(effect.client, effect.hold).map(|(lock, _)| lock);
    let lapsed = held.is_some_and(|lock| teller.facts.own_lease(effect.client, lock).is_none())
        && teller.header.promises.exclusion;
    let inside = held.is_some_and(|lock| teller.facts.section(effect.client, lock).is_some());
    match (lapsed, inside, woke) {
        (true, true, Some(woke)) if woke == at => say!(
            "However, {who} woke at {at}, still believing that it held the lock, and {act}",
            "然而 {who} 在 {at}时醒来，仍以为自己持有锁，并{act}",
            who = who,
            at = at,
            act = act
        ),
        (true, true, _) => say!(
            "However, at {at} {who}, still believing that it held the lock, {act}",
            "然而 {at}时，仍以为自己持有锁的 {who} {act}",
            who = who,
            at = at,
            act = act
        ),
        (true, false, _) => say!(
            "However, at {at} a late request of {who} arrived: it {act}",
            "然而 {at}时，{who} 迟到的请求才到达：{act}",
            who = who,
            at = at,
            act = act
        ),
        (false, ..) => say!("At {at} {who} {act}", "{at}时，{who} {act}", who = who, at = at, act = act),
    }
}

fn accepted(teller: &Teller, position: usize, effect: &Effect, opening: Text) -> Text {
    let basis = teller.noted(effect.client).read_at.filter(|_| effect.operation == Operation::Write);
    let lost = teller.scope.violation(position, Property::NoLostUpdate);
    let stale = teller.scope.violation(position, Property::NoStaleWrite);
    let oversold = teller.scope.violation(position, Property::NoOversell);
    let twice = teller.scope.violation(position, Property::ExactlyOnce);
    let first = match (basis, lost) {
        (Some(read), Some(lost)) => say!(
            "{opening} what it had computed from the value that it read at {read}, before {victim} wrote.",
            "{opening}了根据 {read}时（{victim} 写入之前）读到的值算出的结果。",
            opening = opening,
            read = read,
            victim = victim(teller, lost)
        ),
        _ => say!("{opening}.", "{opening}。", opening = opening),
    };
    let rest = [
        stale.map(|violation| stale_text(teller, violation)),
        lost.map(|violation| lost_text(teller, effect, violation)),
        oversold.map(|_| say!("That is more than there was: oversold.", "卖出的已经超过库存：超卖。")),
        twice.map(|_| say!("So the job took effect a second time.", "于是任务第二次生效。")),
    ];
    rest.into_iter()
        .flatten()
        .fold(first, |text, next| Text::new(format!("{} {}", text.en, next.en), text.zh + &next.zh))
}

/// Whose grant is newer, or whose update is lost: the second client of a violation.
fn victim(teller: &Teller, violation: &Violation) -> String {
    violation.clients.get(1).map(|client| names::client(teller.header, *client)).unwrap_or_default()
}

fn stale_text(teller: &Teller, violation: &Violation) -> Text {
    let newer = victim(teller, violation);
    if teller.header.resource.guard == Guard::None {
        return say!(
            "The resource cannot tell an old grant from a new one, and accepted it although it had already served {newer}, whose grant is newer.",
            "资源分不清授权的新旧：它已经处理过 {newer} 的请求，而 {newer} 的授权更晚，却仍然接受了这次写入。",
            newer = newer
        );
    }
    say!(
        "The resource accepted it although it had already served {newer}, whose grant is newer.",
        "资源已经处理过 {newer} 的请求，而 {newer} 的授权更晚，却仍然接受了这次写入。",
        newer = newer
    )
}

fn lost_text(teller: &Teller, effect: &Effect, violation: &Violation) -> Text {
    let value = match &effect.outcome {
        Outcome::Accepted(effected) => names::shorten(&effected.value),
        Outcome::Refused { .. } | Outcome::SoldOut => String::new(),
    };
    say!(
        "So {victim}'s write is lost: the value is now \"{value}\".",
        "于是 {victim} 的写入丢失了：现在的值是“{value}”。",
        victim = victim(teller, violation),
        value = value
    )
}

fn refusal(teller: &Teller, effect: &Effect, because: &str) -> Text {
    let because = &*names::shorten(because);
    let resource = &teller.header.resource;
    match (resource.guard, &effect.token) {
        (Guard::Fencing, Some(Token::Number(token))) => say!(
            "the token {token} is older than {because}, which it had already seen",
            "令牌 {token} 比它已见过的 {because} 旧",
            token = token,
            because = because
        ),
        (Guard::Fencing, Some(Token::Opaque(token))) => say!(
            "the token \"{token}\" has no order, so it cannot be compared with {because}",
            "令牌“{token}”没有大小可比（已见过 {because}）",
            token = &**token,
            because = because
        ),
        (Guard::Fencing, None) => say!("it showed no token", "它没有出示令牌"),
        (Guard::Version, _) => say!(
            "the value had been changed since it was read, its version is now {because}",
            "读取之后值已被修改，现在的版本是 {because}",
            because = because
        ),
        (Guard::Timestamp, _) => say!(
            "its time of change was {because}, later than the one that came with the write",
            "它的修改时间是 {because}，晚于写入时带来的时间",
            because = because
        ),
        (Guard::UniqueKey, _) => {
            say!("the key {because} had been used already", "唯一键 {because} 已经用过", because = because)
        }
        (Guard::StateMachine, _) if resource.kind == ResourceKind::Job => {
            say!("the job had been done already ({because})", "任务已经完成（{because}）", because = because)
        }
        (Guard::StateMachine | Guard::None, _) => Text::same(because),
    }
}
