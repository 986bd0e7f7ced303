//! Redlock as a person chooses it.

use super::Redlock;
use super::setup::CODE;
use crate::history::Promises;
use crate::i18n::Text;
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
        explanation: Text::new(include_str!("../explain/redlock.en.md"), include_str!("../explain/redlock.zh.md")),
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
    let word = |name: &str, words: &'static [&'static str], summary| Parameter {
        name: name.into(),
        range: Range::Word(words),
        default: words.first().map(|word| Value::Word((*word).into())),
        summary,
    };
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
        Parameter {
            name: "checked".into(),
            range: Range::Switch,
            default: Some(Value::Switch(true)),
            summary: Text::new(
                "Whether the clock is read once more after the replies; some libraries do not.",
                "收到回复之后是否再读一次时钟；有些库不读。",
            ),
        },
        Parameter {
            name: "drift".into(),
            range: Range::Span { least: Span::ZERO, most: crate::locks::LONGEST_TTL },
            default: None,
            summary: Text::new(
                "What is taken off for clocks that run apart; unless said, ttl/100 + 2 ms.",
                "为时钟快慢不一预留的余量；不写则为 ttl/100 + 2 ms。",
            ),
        },
        word(
            "clock",
            &["monotonic", "wall"],
            Text::new(
                "The client's clock that counts validity; a wall clock can be set.",
                "客户端用哪个时钟计算有效期；墙上时钟可能被调整。",
            ),
        ),
    ]
}
