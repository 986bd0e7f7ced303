//! Redlock as a person chooses it.

use super::Redlock;
use super::setup::CODE;
use crate::history::Promises;
use crate::i18n::Text;
use crate::locks::explained::explained;
use crate::locks::{Client, Defaults, Implementation, Kind, Needs, Parameter, Range, Reading, Standing, Value};
use crate::time::Span;

/// The lock `redlock`.
pub(in crate::locks) fn kind() -> Kind {
    Kind {
        name: "redlock".into(),
        aliases: &["multi-node", "quorum-lock"],
        standing: Standing::Mechanism,
        summary: Text::new(
            "A majority of independent Redis nodes, asked together; valid for what the lease has left by the client's clock.",
            "同时向多个互不相识的 Redis 节点加锁，过半成功才算；有效期是客户端时钟算出的剩余租约。",
        ),
        explanation: explained!("redlock").into(),
        code: CODE.into(),
        needs: Needs::IndependentRedis { nodes: 5 },
        promises: Promises { exclusion: true, fencing: false, overtaking: None },
        has_lease: true,
        defaults: Defaults { timeout: Some(Span::from_millis(50)), ..Defaults::default() },
        parameters: parameters(),
        implementation: Implementation::Machine {
            build: |params, identity| Client::Redlock(Redlock::new(params, identity)),
            reading: |params| Reading::Quorum {
                key: params.key.clone(),
                nodes: params.nodes.clone(),
                token: params.token,
            },
        },
    }
}

fn parameters() -> Vec<Parameter> {
    vec![
        word(
            "sends",
            &["parallel", "sequential"],
            Text::new("All nodes at once, or one after the other.", "同时问所有节点，还是一个接一个地问。"),
        ),
        word(
            "order",
            &["listed", "rotated"],
            Text::new(
                "Which node is asked first: the first, or one chosen anew for each try.",
                "先问哪个节点：固定从第一个开始，还是每次尝试重新选一个起点。",
            ),
        ),
        word(
            "quorum",
            &["configured", "answering"],
            Text::new(
                "More than half of which nodes: those configured, or those that answered in this round.",
                "“过半”以哪些节点为分母：配置的全部节点，还是这一轮有回应的节点。",
            ),
        ),
        word(
            "decided_by",
            &["all", "quorum"],
            Text::new(
                "When a round is decided: when all have answered or had their time, or as soon as a quorum has.",
                "一轮何时有结论：所有节点都回答或超时之后，还是凑够过半的赞成或反对就算。",
            ),
        ),
        word(
            "errors",
            &["outvoted", "fatal"],
            Text::new(
                "What one node's error does to a try that has its quorum: nothing, or it fails without giving anything back.",
                "已经过半时，某个节点报错会怎样：不影响，还是整次失败且不归还已拿到的锁。",
            ),
        ),
        word(
            "clean_up",
            &["everywhere", "granted", "at-the-end", "never"],
            Text::new(
                "Where a failed try is taken back: on all nodes, on those that said yes, on all but only after the last try, nowhere.",
                "失败的尝试在哪里撤销：所有节点、答应过的节点、只在最后一次失败后才撤销、从不撤销。",
            ),
        ),
        switch(
            "checked",
            Text::new(
                "Whether the clock is read once more after the replies; some libraries do not.",
                "收到回复之后是否再读一次时钟；有些库不读。",
            ),
        ),
        word(
            "counted_from",
            &["try", "first-try"],
            Text::new(
                "Since when validity counts: since the try that succeeded, or since the first one.",
                "有效期从哪里算起：成功的那次尝试，还是第一次尝试。",
            ),
        ),
        Parameter {
            name: "drift".into(),
            range: LEASE,
            default: None,
            summary: Text::new(
                "What is taken off for clocks that run apart; unless said, ttl/100 + drift_base.",
                "为时钟快慢不一预留的余量；不写则为 ttl/100 + drift_base。",
            ),
        },
        Parameter {
            name: "drift_base".into(),
            range: LEASE,
            default: Some(Value::Span(Span::from_millis(2))),
            summary: Text::new(
                "The part of the drift that does not grow with the lease.",
                "漂移余量中不随租约增长的部分。",
            ),
        },
        percent(
            "least_percent",
            0,
            Text::new(
                "How much of the lease must be left for an acquisition to count, in percent.",
                "加锁时租约至少要剩下百分之多少才算成功。",
            ),
        ),
        word(
            "clock",
            &["monotonic", "wall"],
            Text::new(
                "The client's clock that counts validity; a wall clock can be set.",
                "客户端用哪个时钟计算有效期；墙上时钟可能被调整。",
            ),
        ),
        word(
            "release",
            &["counted", "ignored"],
            Text::new(
                "Whether a release that no quorum confirms is a failure: of a lock that has ended, for instance.",
                "没有过半确认的释放算不算失败：例如释放一把已经过期的锁。",
            ),
        ),
        word(
            "renew",
            &["none", "extend", "recreate"],
            Text::new(
                "Whether a timer extends the lease, and whether a node that has lost the key sets it again.",
                "是否用定时器续期；节点上的键没了时，续期是否重新写入。",
            ),
        ),
        percent(
            "renew_percent",
            33,
            Text::new(
                "From one extension to the next, in percent of the lease.",
                "两次续期的间隔，为租约的百分之多少。",
            ),
        ),
        word(
            "not_renewed",
            &["retry", "lost", "lost-at-the-end"],
            Text::new(
                "What follows an extension without a quorum: the next one; the lock is lost; it is lost when its time is over.",
                "续期没有过半时：下次再试；视为锁已丢失；等租约到期才视为丢失。",
            ),
        ),
    ]
}

/// Any span that fits into a lease.
const LEASE: Range = Range::Span { least: Span::ZERO, most: crate::locks::LONGEST_TTL };

/// One of some words, the first unless said.
fn word(name: &str, words: &'static [&'static str], summary: Text) -> Parameter {
    let default = words.first().map(|word| Value::Word((*word).into()));
    Parameter { name: name.into(), range: Range::Word(words), default, summary }
}

fn switch(name: &str, summary: Text) -> Parameter {
    Parameter { name: name.into(), range: Range::Switch, default: Some(Value::Switch(true)), summary }
}

fn percent(name: &str, default: i64, summary: Text) -> Parameter {
    let range = Range::Number { least: default.min(1), most: 100 };
    Parameter { name: name.into(), range, default: Some(Value::Number(default)), summary }
}
