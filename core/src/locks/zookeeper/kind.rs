//! The ZooKeeper lock as a person chooses it.

use super::ZooKeeper;
use super::setup::{CODE, LISTENS, Setup};
use crate::history::Promises;
use crate::i18n::Text;
use crate::locks::explained::explained;
use crate::locks::{
    Client, Defaults, Implementation, Kind, LONGEST_TTL, Needs, Parameter, RENEW_EVERY, Range, Reading, Standing, Value,
};
use crate::time::Span;

/// The lock `zookeeper`.
pub(in crate::locks) fn kind() -> Kind {
    Kind {
        name: "zookeeper".into(),
        aliases: &["zk", "curator"],
        summary: Text::new(
            "Ephemeral sequential znodes: the lowest holds the lock, everybody else watches the one just ahead; czxid is a fencing token.",
            "临时顺序节点：编号最小的持有锁，其余各自监视前一个；czxid 就是 fencing token。",
        ),
        explanation: explained!("zookeeper").into(),
        code: CODE.into(),
        standing: Standing::Mechanism,
        needs: Needs::ZooKeeper,
        promises: Promises { exclusion: true, fencing: true, overtaking: None },
        has_lease: true,
        defaults: Defaults::default(),
        parameters: vec![
            Parameter {
                name: RENEW_EVERY.into(),
                range: Range::Span { least: Span::from_millis(1), most: LONGEST_TTL },
                default: None,
                summary: Text::new(
                    "From one ping to the next; unless said, a third of the session's time-out.",
                    "两次 ping 的间隔；不写则为会话超时的三分之一。",
                ),
            },
            Parameter {
                name: "listens".into(),
                range: Range::Word(LISTENS),
                default: Some(Value::Word("lost".into())),
                summary: Text::new(
                    "Which state of the connection a holder takes for the loss of its lock: LOST, or already SUSPENDED.",
                    "持有者把连接的哪种状态当作丢锁：LOST，还是更早的 SUSPENDED。",
                ),
            },
        ],
        implementation: Implementation::Machine {
            build: |params, identity| Client::ZooKeeper(ZooKeeper::new(Setup::new(params, identity))),
            reading: |params| Reading::First { below: format!("{}/", params.key).into() },
        },
    }
}
