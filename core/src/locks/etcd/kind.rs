//! The etcd lock as a person chooses it.

use super::Etcd;
use super::setup::{CODE, Setup};
use crate::history::Promises;
use crate::i18n::Text;
use crate::locks::explained::explained;
use crate::locks::{
    Client, Defaults, Implementation, Kind, LONGEST_TTL, Needs, Parameter, RENEW_EVERY, Range, Reading, Standing, Value,
};
use crate::time::Span;

/// The lock `etcd`.
pub(in crate::locks) fn kind() -> Kind {
    Kind {
        name: "etcd".into(),
        aliases: &["etcd-lock", "concurrency-mutex"],
        summary: Text::new(
            "A key under a lease for everybody who wants the lock: the one created first holds it, and its revision is a fencing token.",
            "想要锁的人各放一个挂在租约上的键：最先创建的持有锁，它的 revision 就是 fencing token。",
        ),
        explanation: explained!("etcd").into(),
        code: CODE.into(),
        standing: Standing::Mechanism,
        needs: Needs::Etcd,
        promises: Promises { exclusion: true, fencing: true, overtaking: None },
        has_lease: true,
        defaults: Defaults::default(),
        parameters: parameters(),
        implementation: Implementation::Machine {
            build: |params, identity| Client::Etcd(Etcd::new(Setup::new(params, identity))),
            reading: |params| Reading::First { below: format!("{}/", params.key).into() },
        },
    }
}

fn parameters() -> Vec<Parameter> {
    let switch = |name: &str, default, summary| Parameter {
        name: name.into(),
        range: Range::Switch,
        default: Some(Value::Switch(default)),
        summary,
    };
    vec![
        Parameter {
            name: RENEW_EVERY.into(),
            range: Range::Span { least: Span::from_millis(1), most: LONGEST_TTL },
            default: None,
            summary: Text::new(
                "From one keep-alive to the next; unless said, a third of the lease.",
                "两次 keep-alive 的间隔；不写则为租约的三分之一。",
            ),
        },
        switch(
            "reread",
            true,
            Text::new(
                "Whether the own key is read again after the wait; etcd 3.4.3 did not.",
                "等待结束后是否再读一次自己的键；etcd 3.4.3 不读。",
            ),
        ),
        switch(
            "retake",
            false,
            Text::new(
                "Whether a holder whose lease is over quietly takes the lock again if it is free, as Patroni does with its leader key.",
                "租约已经结束的持有者，是否在锁空闲时悄悄重新拿锁，就像 Patroni 对待它的 leader 键那样。",
            ),
        ),
    ]
}
