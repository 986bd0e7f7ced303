//! What happened, by name: `A.acquired`, `B.write-refused`.
//!
//! A name is a client's name, a dot and one of [`happenings`]; `any` stands for every client. Names mean the same for every lock.

use super::UnknownName;
use crate::history::{
    ClientEvent, Effect, Event, FaultEvent, GrantEnd, GrantEvent, History, KeyChange, LeaveReason, LockEvent,
    LossReason, Operation, Outcome, Phase, What,
};
use crate::i18n::Text;
use crate::wire::ClientId;

/// A thing that can happen to a client.
#[derive(Clone, Copy, Debug)]
struct Happening {
    name: &'static str,
    en: &'static str,
    zh: &'static str,
    is: fn(&What) -> Option<ClientId>,
}

/// Every happening: the part of its name after the client's, and what it means.
pub fn happenings() -> impl Iterator<Item = (&'static str, Text)> {
    HAPPENINGS.iter().map(|happening| (happening.name, Text::new(happening.en, happening.zh)))
}

/// Whether something happened in a run, by its name such as `A.write-refused`; `any.acquired` asks about every client.
///
/// Errors: [`UnknownName`] for a client or a happening that does not exist, with the nearest name.
pub fn happened(history: &History, name: &str) -> Result<bool, UnknownName> {
    let (who, what) = name.split_once('.').unwrap_or((name, ""));
    let clients = || (0..).map(ClientId).zip(history.header.clients.iter().map(|client| client.name.as_str()));
    let client = clients().find(|(_, name)| *name == who).map(|(id, _)| id);
    if client.is_none() && who != "any" {
        return Err(UnknownName::new("client", who, clients().map(|(_, name)| name).chain(["any"])));
    }
    let Some(happening) = HAPPENINGS.iter().find(|happening| happening.name == what) else {
        let names = HAPPENINGS.iter().map(|happening| format!("{who}.{}", happening.name));
        return Err(UnknownName::new("happening", name, names));
    };
    let is = |event: &Event| (happening.is)(&event.what).is_some_and(|id| client.is_none_or(|client| client == id));
    Ok(history.events.iter().any(is))
}

macro_rules! on {
    ($($pattern:pat_param)|+ $(if $guard:expr)? => $client:expr) => {
        |what: &What| match what {
            $($pattern)|+ $(if $guard)? => Some($client),
            _ => None,
        }
    };
}

fn is_read(effect: &Effect) -> bool {
    effect.operation == Operation::Read
}

fn is_accepted(effect: &Effect) -> bool {
    matches!(effect.outcome, Outcome::Accepted(_))
}

fn is_refused(effect: &Effect) -> bool {
    matches!(effect.outcome, Outcome::Refused { .. })
}

/// The table of happenings.
const HAPPENINGS: &[Happening] = &[
    Happening {
        name: "acquired",
        en: "It was told \"acquired\".",
        zh: "被告知加锁成功。",
        is: on!(What::Client { client, event: ClientEvent::Lock { event: LockEvent::Acquired { .. }, .. } } => *client),
    },
    Happening {
        name: "reentered",
        en: "It entered once more while inside.",
        zh: "在持有期间重入。",
        is: on!(What::Client { client, event: ClientEvent::Lock { event: LockEvent::Reentered { .. }, .. } } => *client),
    },
    Happening {
        name: "refused",
        en: "It did not get the lock and gave up.",
        zh: "没有得到锁并放弃。",
        is: on!(What::Client { client, event: ClientEvent::Lock { event: LockEvent::Refused { .. }, .. } } => *client),
    },
    Happening {
        name: "renewed",
        en: "A renewal took effect, as far as it knows.",
        zh: "得知续期成功。",
        is: on!(What::Client { client, event: ClientEvent::Lock { event: LockEvent::Extended { .. }, .. } } => *client),
    },
    Happening {
        name: "renew-failed",
        en: "A renewal failed.",
        zh: "续期失败。",
        is: on!(What::Client { client, event: ClientEvent::Lock { event: LockEvent::ExtendFailed { .. }, .. } } => *client),
    },
    Happening {
        name: "lost",
        en: "It learned that the lock is no longer its own.",
        zh: "得知锁已不再属于自己。",
        is: on!(What::Client { client, event: ClientEvent::Lock { event: LockEvent::Lost, .. } } => *client),
    },
    Happening {
        name: "stopped",
        en: "It was told of the loss and stopped its work.",
        zh: "得知丢锁后停止了工作。",
        is: on!(What::Client { client, event: ClientEvent::Left { why: LeaveReason::Stopped, .. } } => *client),
    },
    Happening {
        name: "check-passed",
        en: "It looked, and the lock was still its own.",
        zh: "检查时锁仍属于自己。",
        is: on!(What::Client { client, event: ClientEvent::Lock { event: LockEvent::Looked { mine: true }, .. } } => *client),
    },
    Happening {
        name: "check-failed",
        en: "It looked, and the lock was no longer its own.",
        zh: "检查时锁已不属于自己。",
        is: on!(What::Client { client, event: ClientEvent::Lock { event: LockEvent::Looked { mine: false }, .. } } => *client),
    },
    Happening {
        name: "released",
        en: "It released the lock, as far as it knows.",
        zh: "得知解锁成功。",
        is: on!(What::Client { client, event: ClientEvent::Lock { event: LockEvent::Released, .. } } => *client),
    },
    Happening {
        name: "release-failed",
        en: "Its release freed nothing, or it does not know.",
        zh: "解锁没有释放任何东西，或结果未知。",
        is: on!(What::Client { client, event: ClientEvent::Lock { event: LockEvent::ReleaseFailed { .. }, .. } } => *client),
    },
    Happening {
        name: "entered",
        en: "It entered its section.",
        zh: "进入临界区。",
        is: on!(What::Client { client, event: ClientEvent::Entered { .. } } => *client),
    },
    Happening {
        name: "read",
        en: "The resource accepted its read.",
        zh: "资源接受了它的读取。",
        is: on!(What::Effect(effect) if is_read(effect) && is_accepted(effect) => effect.client),
    },
    Happening {
        name: "read-refused",
        en: "The resource's guard refused its read.",
        zh: "资源的防护拒绝了它的读取。",
        is: on!(What::Effect(effect) if is_read(effect) && is_refused(effect) => effect.client),
    },
    Happening {
        name: "wrote",
        en: "The resource accepted a change of it.",
        zh: "资源接受了它的写入。",
        is: on!(What::Effect(effect) if !is_read(effect) && is_accepted(effect) => effect.client),
    },
    Happening {
        name: "write-refused",
        en: "The resource's guard refused a change of it.",
        zh: "资源的防护拒绝了它的写入。",
        is: on!(What::Effect(effect) if !is_read(effect) && is_refused(effect) => effect.client),
    },
    Happening {
        name: "sold-out",
        en: "There was nothing left for it to take.",
        zh: "没有库存可取。",
        is: on!(What::Effect(effect) if effect.outcome == Outcome::SoldOut => effect.client),
    },
    Happening {
        name: "unanswered",
        en: "It did not hear from the resource in time.",
        zh: "没有及时收到资源的答复。",
        is: on!(What::Client { client, event: ClientEvent::Unanswered { .. } } => *client),
    },
    Happening {
        name: "finished",
        en: "It did all its steps.",
        zh: "完成了所有步骤。",
        is: on!(What::Client { client, event: ClientEvent::Finished { done: true } } => *client),
    },
    Happening {
        name: "gave-up",
        en: "It gave up before its last step.",
        zh: "没有做完就放弃了。",
        is: on!(What::Client { client, event: ClientEvent::Finished { done: false } } => *client),
    },
    Happening {
        name: "paused",
        en: "It stood still.",
        zh: "停顿。",
        is: on!(What::Fault(FaultEvent::Paused { client, .. }) => *client),
    },
    Happening {
        name: "resumed",
        en: "It went on after a pause.",
        zh: "停顿后恢复。",
        is: on!(What::Fault(FaultEvent::Resumed { client }) => *client),
    },
    Happening {
        name: "crashed",
        en: "It crashed.",
        zh: "崩溃。",
        is: on!(What::Fault(FaultEvent::Crashed { client }) => *client),
    },
    Happening {
        name: "restarted",
        en: "It started again after a crash.",
        zh: "崩溃后重启。",
        is: on!(What::Fault(FaultEvent::Restarted { client }) => *client),
    },
    Happening {
        name: "granted",
        en: "A lease of it began, by the service's records.",
        zh: "服务端记录中它的租约开始。",
        is: on!(What::Grant { event: GrantEvent::Granted { holder, .. }, .. } => *holder),
    },
    Happening {
        name: "freed",
        en: "A command of it ended a lease, its own or another's.",
        zh: "它的命令结束了一个租约（自己的或他人的）。",
        is: on!(What::Grant { event: GrantEvent::Ended { why: GrantEnd::Removed, by: Some(by), .. }, .. } => *by),
    },
    Happening {
        name: "deleted",
        en: "A command of it deleted a record.",
        zh: "它的命令删除了一条记录。",
        is: on!(What::Key { change: KeyChange::Deleted, by: Some(by), .. } => *by),
    },
    Happening {
        name: "timed-out",
        en: "It gave up waiting for a server's reply.",
        zh: "等待服务器回复超时。",
        is: on!(What::Missed { client, why: LossReason::TimedOut, .. } => *client),
    },
    Happening {
        name: "disconnected",
        en: "Its connection to a server was refused or reset.",
        zh: "与服务器的连接被拒绝或重置。",
        is: on!(What::Missed { client, why: LossReason::Disconnected, .. } => *client),
    },
    Happening {
        name: "acquire-executed",
        en: "A server ran a command of it to get the lock.",
        zh: "服务器执行了它的加锁命令。",
        is: on!(What::Executed { client: Some(client), phase: Phase::Acquire, .. } => *client),
    },
    Happening {
        name: "renew-executed",
        en: "A server ran a command of it to keep the lock.",
        zh: "服务器执行了它的续期命令。",
        is: on!(What::Executed { client: Some(client), phase: Phase::Renew, .. } => *client),
    },
    Happening {
        name: "release-executed",
        en: "A server ran a command of it to give the lock back.",
        zh: "服务器执行了它的解锁命令。",
        is: on!(What::Executed { client: Some(client), phase: Phase::Release, .. } => *client),
    },
];
