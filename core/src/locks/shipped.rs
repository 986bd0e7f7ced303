//! The locks that Locklab brings, in the order of the ladder: each is there because the one before it is not enough.

mod database;

use super::explained::explained;
use super::libraries::LIBRARIES;
use super::{Kind, consul, etcd, kubernetes, redisson, redlock, zookeeper};
use crate::history::Promises;
use crate::i18n::Text;

/// Every lock. A lock that is a state machine in Rust adds its own `kind()` here.
pub(super) fn shipped() -> Vec<Kind> {
    let mut kinds: Vec<Kind> = LISTINGS.iter().map(ShippedListing::kind).collect();
    if let Some(none) = kinds.first_mut() {
        none.promises = Promises::default();
    }
    kinds.push(redlock::kind());
    kinds.extend(redisson::kinds());
    kinds.extend([zookeeper::kind(), etcd::kind(), kubernetes::kind(), consul::kind()]);
    let databases: Vec<Kind> = database::LISTINGS.iter().map(ShippedListing::kind).collect();
    for library in LIBRARIES {
        let base = kinds.iter().chain(&databases).find(|kind| *kind.name == *library.stands_on);
        kinds.push(library.kind(base.expect("a test builds every preset")));
    }
    kinds.extend(databases);
    kinds
}

/// A lock that is a listing.
struct ShippedListing {
    name: &'static str,
    aliases: &'static [&'static str],
    code: &'static str,
    summary: [&'static str; 2],
    explanation: [&'static str; 2],
}

impl ShippedListing {
    fn kind(&self) -> Kind {
        let kind = Kind::from_listing(self.name, self.code).expect("a test parses every shipped listing");
        let text = |[en, zh]: [&str; 2]| Text::new(en, zh);
        Kind { aliases: self.aliases, summary: text(self.summary), explanation: text(self.explanation), ..kind }
    }
}

const LISTINGS: &[ShippedListing] = &[
    ShippedListing {
        name: "none",
        aliases: &["no-lock"],
        code: include_str!("listings/none.lock"),
        summary: ["No lock at all, for contrast.", "没有锁，作为对照。"],
        explanation: explained!("none"),
    },
    ShippedListing {
        name: "setnx-unchecked",
        aliases: &["v0"],
        code: include_str!("listings/setnx-unchecked.lock"),
        summary: [
            "SETNX whose reply nobody looks at, then DEL: it locks nobody out.",
            "SETNX 之后不看返回值，最后 DEL：谁也没有被挡住。",
        ],
        explanation: explained!("setnx-unchecked"),
    },
    ShippedListing {
        name: "setnx-del",
        aliases: &["v1", "setnx"],
        code: include_str!("listings/setnx-del.lock"),
        summary: [
            "SETNX, work, DEL: the lock stays for ever when its holder dies.",
            "SETNX、干活、DEL：持有者一死，锁就永远留在那里。",
        ],
        explanation: explained!("setnx-del"),
    },
    ShippedListing {
        name: "setnx-expire",
        aliases: &["v2"],
        code: include_str!("listings/setnx-expire.lock"),
        summary: [
            "SETNX, then EXPIRE: two commands, and a holder can die between them.",
            "先 SETNX 再 EXPIRE：两条命令，持有者可能死在中间。",
        ],
        explanation: explained!("setnx-expire"),
    },
    ShippedListing {
        name: "set-nx-ex",
        aliases: &["v3"],
        code: include_str!("listings/set-nx-ex.lock"),
        summary: [
            "SET NX EX in one step, plain DEL: whoever is late frees somebody else's lock.",
            "SET NX EX 一步完成，释放用普通 DEL：迟到的人会删掉别人的锁。",
        ],
        explanation: explained!("set-nx-ex"),
    },
    ShippedListing {
        name: "get-then-del",
        aliases: &[],
        code: include_str!("listings/get-then-del.lock"),
        summary: [
            "Compares in the client before it deletes: the lease can end between the two.",
            "在客户端先比较再删除：租约可能正好在两步之间到期。",
        ],
        explanation: explained!("get-then-del"),
    },
    ShippedListing {
        name: "fixed-value",
        aliases: &[],
        code: include_str!("listings/fixed-value.lock"),
        summary: [
            "Compares and deletes in one script, but everybody writes the same value.",
            "用一个脚本比较并删除，但所有人写的是同一个值。",
        ],
        explanation: explained!("fixed-value"),
    },
    ShippedListing {
        name: "token-lua",
        aliases: &["v4"],
        code: include_str!("listings/token-lua.lock"),
        summary: [
            "A unique token, compared and deleted in one script: the key is safe, the resource is not.",
            "唯一令牌，用一个脚本比较并删除：键安全了，资源并没有。",
        ],
        explanation: explained!("token-lua"),
    },
    ShippedListing {
        name: "watchdog",
        aliases: &["v5"],
        code: include_str!("listings/watchdog.lock"),
        summary: [
            "token-lua, and a timer in the client that extends the lease every third of it.",
            "在 token-lua 之上，客户端用定时器每隔三分之一租约续期一次。",
        ],
        explanation: explained!("watchdog"),
    },
    ShippedListing {
        name: "watchdog-as-printed",
        aliases: &[],
        code: include_str!("listings/watchdog-as-printed.lock"),
        summary: [
            "A watchdog whose timer dies at its first error, as often printed.",
            "常见写法的看门狗：定时器遇到第一个错误就死掉。",
        ],
        explanation: explained!("watchdog-as-printed"),
    },
    ShippedListing {
        name: "wait",
        aliases: &[],
        code: include_str!("listings/wait.lock"),
        summary: [
            "token-lua that waits until so many replicas have the key: better odds, no guarantee.",
            "在 token-lua 之上用 WAIT 等待若干副本确认：概率更好，仍无保证。",
        ],
        explanation: explained!("wait"),
    },
    ShippedListing {
        name: "fenced",
        aliases: &["v6", "fencing"],
        code: include_str!("listings/fenced.lock"),
        summary: [
            "Every grant hands out a greater number, with which the resource can refuse latecomers.",
            "每次加锁都发一个更大的号码，资源可以凭它拒绝迟到者。",
        ],
        explanation: explained!("fenced"),
    },
    ShippedListing {
        name: "setnx-timestamp",
        aliases: &["getset", "timestamp"],
        code: include_str!("listings/setnx-timestamp.lock"),
        summary: [
            "SETNX of the instant at which the lock ends, and GETSET once it is past: clients' clocks decide.",
            "SETNX 写入锁的到期时刻，过了就用 GETSET 抢：由各客户端自己的时钟说了算。",
        ],
        explanation: explained!("setnx-timestamp"),
    },
];
