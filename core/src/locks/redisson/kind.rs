//! Redisson's locks as a person chooses them.

use super::setup::{Flavor, SYNC_DELAY, SYNC_TIMEOUT, WAITER_TIMEOUT};
use super::{Multi, Redisson, multi};
use crate::history::Promises;
use crate::i18n::Text;
use crate::locks::explained::explained;
use crate::locks::reading::{Fields, Place};
use crate::locks::{
    Client, Defaults, Identity, Implementation, Kind, LONGEST_TTL, Needs, Parameter, Params, Range, Reading, Standing,
    TokenForm, Value,
};
use crate::time::Span;

/// The whole family.
pub(in crate::locks) fn kinds() -> Vec<Kind> {
    let reentrant = single(
        "redisson",
        &["rlock", "redisson-lock"],
        Flavor::Reentrant,
        Text::new(
            "A hash from owner to hold count: reentrant, kept up by a watchdog, waiters woken by a message.",
            "哈希里记着持有者与重入次数：可重入，看门狗续期，用消息唤醒等待者。",
        ),
        explained!("redisson").into(),
        |params, identity| Client::Redisson(Redisson::new(Flavor::Reentrant, params, identity)),
    );
    let fair = single(
        "redisson-fair",
        &["fair-lock", "rfairlock"],
        Flavor::Fair,
        Text::new(
            "Redisson's lock with a queue: first come, first served, and the dead keep their place for minutes.",
            "带队列的 Redisson 锁：先来先得，死掉的等待者也要占位好几分钟。",
        ),
        explained!("redisson-fair").into(),
        |params, identity| Client::Redisson(Redisson::new(Flavor::Fair, params, identity)),
    );
    let read_write = single(
        "redisson-read-write",
        &["read-write-lock", "rreadwritelock"],
        Flavor::ReadWrite,
        Text::new(
            "Many readers or one writer; a writer may become a reader, a reader never a writer.",
            "多个读者或一个写者；写锁可以降级为读锁，读锁不能升级为写锁。",
        ),
        explained!("redisson-read-write").into(),
        |params, identity| Client::Redisson(Redisson::new(Flavor::ReadWrite, params, identity)),
    );
    let fenced = single(
        "redisson-fenced",
        &["fenced-lock", "rfencedlock"],
        Flavor::Fenced,
        Text::new(
            "Redisson's lock that hands out a growing number, with which the resource can refuse latecomers.",
            "会发放递增号码的 Redisson 锁，资源可以凭号码拒绝迟到者。",
        ),
        explained!("redisson-fenced").into(),
        |params, identity| Client::Redisson(Redisson::new(Flavor::Fenced, params, identity)),
    );
    let spin = single(
        "redisson-spin",
        &["spin-lock", "rspinlock"],
        Flavor::Spin,
        Text::new(
            "Redisson's lock without messages: who is refused asks again after 1, 2, 4 ... 128 ms.",
            "不用消息的 Redisson 锁：被拒后隔 1、2、4……128 毫秒再问。",
        ),
        explained!("redisson-spin").into(),
        |params, identity| Client::Redisson(Redisson::new(Flavor::Spin, params, identity)),
    );
    vec![
        reentrant,
        Kind { promises: Promises { overtaking: Some(0), ..fair.promises }, ..fair },
        read_write,
        several(),
        Kind { promises: Promises { fencing: true, ..fenced.promises }, ..fenced },
        spin,
        red_lock(),
    ]
}

fn single(
    name: &str,
    aliases: &'static [&'static str],
    flavor: Flavor,
    summary: Text,
    explanation: Text,
    build: fn(&Params, Identity) -> Client,
) -> Kind {
    let reading: fn(&Params) -> Reading = match flavor {
        Flavor::ReadWrite => |params| {
            let plain = params.word("exclusive_as") == Some("plain");
            at_master(params, Fields::ReadersAndWriters { plain_too: plain })
        },
        _ => |params| at_master(params, Fields::Owners),
    };
    Kind {
        name: name.into(),
        aliases,
        standing: Standing::Mechanism,
        summary,
        explanation,
        code: flavor.code().into(),
        needs: Needs::Redis,
        promises: Promises { exclusion: true, fencing: false, overtaking: None },
        has_lease: true,
        defaults: defaults(),
        parameters: parameters(flavor),
        implementation: Implementation::Machine { build, reading },
    }
}

fn at_master(params: &Params, fields: Fields) -> Reading {
    let places = vec![Place { node: None, key: params.key.clone() }];
    Reading::Hashes { places, needed: 1, fields }
}

fn several() -> Kind {
    let kind = single(
        "redisson-multi",
        &["multi-lock", "rmultilock"],
        Flavor::Child,
        Text::new(
            "Several Redisson locks as one: all of them, or none.",
            "把几把 Redisson 锁当作一把：要么全部拿到，要么一把不留。",
        ),
        explained!("redisson-multi").into(),
        |params, identity| Client::Multi(Multi::of_keys(params, identity)),
    );
    let reading: fn(&Params) -> Reading = |params| {
        let places: Vec<Place> = multi::keys(params).map(|key| Place { node: None, key }).collect();
        Reading::Hashes { needed: places.len(), places, fields: Fields::Owners }
    };
    with_reading(Kind { defaults: Defaults { retry: Defaults::default().retry, ..defaults() }, ..kind }, reading)
}

fn red_lock() -> Kind {
    let kind = single(
        "redisson-red-lock",
        &["redissonredlock"],
        Flavor::RedChild,
        Text::new(
            "The deprecated RedissonRedLock: more than half of the nodes, and nobody asks how long it took.",
            "已废弃的 RedissonRedLock：过半节点即可，却没有人计算用了多久。",
        ),
        explained!("redisson-red-lock").into(),
        |params, identity| Client::Multi(Multi::of_nodes(params, identity)),
    );
    let reading: fn(&Params) -> Reading = |params| {
        let place = |node: &crate::wire::NodeId| Place { node: Some(*node), key: params.key.clone() };
        let places: Vec<Place> = params.nodes.iter().map(place).collect();
        Reading::Hashes { needed: places.len() / 2 + 1, places, fields: Fields::Owners }
    };
    let defaults = Defaults { retry: Defaults::default().retry, ..defaults() };
    with_reading(Kind { needs: Needs::IndependentRedis { nodes: 5 }, defaults, ..kind }, reading)
}

fn with_reading(kind: Kind, reading: fn(&Params) -> Reading) -> Kind {
    let implementation = match kind.implementation {
        Implementation::Machine { build, .. } => Implementation::Machine { build, reading },
        listing @ Implementation::Listing(_) => listing,
    };
    Kind { implementation, ..kind }
}

/// The watchdog's 30 s, a response time-out of 3 s, owners by client and thread. `retry` is the pause where a server's hint is 0.
fn defaults() -> Defaults {
    Defaults {
        ttl: Span::from_secs(30),
        retry: Span::from_millis(1),
        jitter: Span::ZERO,
        timeout: Some(Span::from_secs(3)),
        token: TokenForm::PerClient,
    }
}

fn parameters(flavor: Flavor) -> Vec<Parameter> {
    let mut parameters = vec![span("lease", None, LEASE)];
    match flavor {
        Flavor::Reentrant => {
            parameters.extend(bookkeeping());
            parameters.extend(replicas());
        }
        Flavor::Fair => {
            parameters.extend(bookkeeping());
            parameters.push(span("waiter_timeout", Some(WAITER_TIMEOUT), WAITER));
        }
        Flavor::ReadWrite => {
            parameters.extend(bookkeeping());
            parameters.push(word("exclusive_as", &["write", "plain"], PLAIN));
        }
        Flavor::Fenced | Flavor::Spin => parameters.extend(bookkeeping()),
        Flavor::Child => {
            let (least, most) = (2, 9);
            let default = Some(Value::Number(multi::CHILDREN));
            parameters.push(Parameter {
                name: "children".into(),
                range: Range::Number { least, most },
                default,
                summary: Text::new("How many locks it takes as one.", "把几把锁当作一把。"),
            });
            parameters.push(word("unbounded_wait", &["budget", "minus-one"], UNBOUNDED));
        }
        Flavor::RedChild => {}
    }
    parameters
}

/// How a client keeps its books, now and in versions that were reported.
fn bookkeeping() -> Vec<Parameter> {
    vec![
        switch(
            "resend",
            false,
            [
                "Whether an acquire or release whose reply is late is sent once more.",
                "回复迟迟不来时，加锁或解锁命令是否重发一次。",
            ],
        ),
        word(
            "watchdog_stops",
            &["unlock", "free"],
            [
                "What ends a renewal: each unlock counts down, whatever comes of it; or only the server's word that the lock is free, as in old versions.",
                "什么会停止续期：每次解锁都减一，不问结果；或只有服务器说锁已空闲才停（旧版本）。",
            ],
        ),
        switch(
            "stale_registration",
            false,
            [
                "Whether a renewal that failed keeps its entry without a timer, so that no later hold is renewed, as in old versions.",
                "续期失败后登记是否仍在而定时器已停，使之后的持有再也不续期（旧版本）。",
            ],
        ),
        word(
            "unlock_sets",
            &["lease", "watchdog"],
            [
                "What an inner unlock sets: the lease last asked for, or the watchdog's, as in old versions.",
                "内层解锁把过期时间设成什么：最近一次要求的租约，或看门狗的租约（旧版本）。",
            ],
        ),
        word(
            "unlock_thread",
            &["same", "another"],
            [
                "Which thread unlocks: the one that locked, or another, as in asynchronous code.",
                "由哪个线程解锁：加锁的那个，或另一个（异步代码里常见）。",
            ],
        ),
    ]
}

/// How a client waits for its replicas.
fn replicas() -> Vec<Parameter> {
    vec![
        switch(
            "unlock_latch",
            false,
            [
                "Whether the answer to an unlock is kept under a key of its own, so that one sent twice counts once; the real one always does.",
                "是否用单独的键记住解锁的结果，使重发的解锁只算一次；真实的 Redisson 总是这样做。",
            ],
        ),
        Parameter {
            name: "wait_replicas".into(),
            range: Range::Number { least: 0, most: 5 },
            default: Some(Value::Number(0)),
            summary: Text::new(
                "How many replicas the client believes to be connected and waits for; 0: a single server.",
                "客户端认为连着几个副本、并等待它们确认；0 表示单机。",
            ),
        },
        span("sync_timeout", Some(SYNC_TIMEOUT), ["How long it waits for them.", "等待副本确认的时间。"]),
        span(
            "sync_delay",
            Some(SYNC_DELAY),
            [
                "How long after a try that no replica confirmed the next one comes; there are four.",
                "没有副本确认时，隔多久再试；一共四次。",
            ],
        ),
        switch(
            "sync_checked",
            true,
            ["Whether no confirmation at all fails the try.", "一个副本都没有确认时，是否算失败。"],
        ),
        switch(
            "sync_undone",
            true,
            [
                "Whether a try that failed so is released before the next; some versions do not.",
                "这样失败之后是否先释放再试；有些版本不释放。",
            ],
        ),
    ]
}

const LEASE: [&str; 2] = [
    "The lease that the caller gives; unless said, `ttl`, which the watchdog renews every third of it.",
    "调用者指定的租约；不写则为 `ttl`，由看门狗每隔三分之一续期一次。",
];
const WAITER: [&str; 2] = [
    "How long a waiter at the head of the queue may leave the lock alone before it is dropped.",
    "排在队首的等待者多久不来取锁就被剔除。",
];
const PLAIN: [&str; 2] = [
    "What a client that excludes all others takes: the write side, or a plain lock of the same name.",
    "排斥所有人的客户端用什么：写锁，或同名的普通锁。",
];
const UNBOUNDED: [&str; 2] = [
    "What a wait without a bound counts as when the children are first taken: 1.5 s a child, or the -1 ms of the API, as in old versions.",
    "无限等待在先行加锁时按什么计算：每把子锁 1.5 秒，或照 API 的 -1 毫秒（旧版本）。",
];

fn switch(name: &str, default: bool, [en, zh]: [&str; 2]) -> Parameter {
    let default = Some(Value::Switch(default));
    Parameter { name: name.into(), range: Range::Switch, default, summary: Text::new(en, zh) }
}

fn word(name: &str, words: &'static [&'static str], [en, zh]: [&str; 2]) -> Parameter {
    let default = words.first().map(|word| Value::Word((*word).into()));
    Parameter { name: name.into(), range: Range::Word(words), default, summary: Text::new(en, zh) }
}

fn span(name: &str, default: Option<Span>, [en, zh]: [&str; 2]) -> Parameter {
    let range = Range::Span { least: Span::from_millis(1), most: LONGEST_TTL };
    Parameter { name: name.into(), range, default: default.map(Value::Span), summary: Text::new(en, zh) }
}
