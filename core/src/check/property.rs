//! The properties, by name.

use std::fmt;
use std::str::FromStr;

use super::UnknownName;
use crate::i18n::Text;
use crate::say;

/// Something that a lock, or the resource behind it, should keep. What exactly breaks it is written in its own file, in `properties`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// The sections of two clients that exclude each other never overlap.
    MutualExclusion,
    /// A client is inside its section only during its own leases.
    NoOverrun,
    /// The resource accepts no effect of a grant after a request of a newer one.
    NoStaleWrite,
    /// No accepted read-modify-write vanishes.
    NoLostUpdate,
    /// No release or renewal touches another holder's grant.
    NoForeignRelease,
    /// Nobody is told "acquired" or "extended" without a lease.
    NoFalseSuccess,
    /// Within one hold a lease does not end and begin again.
    Continuity,
    /// Nobody waits for ever for an owner that is gone, for itself, or in a circle.
    NoDeadlock,
    /// After the faults, who waits for a lock that nobody uses gets it in time.
    Progress,
    /// While servers are unreachable, somebody still gets the lock in time.
    Available,
    /// Later grants carry greater tokens.
    FencingMonotonic,
    /// Not more is sold than there was.
    NoOversell,
    /// A job's effect happens once: not twice, not never.
    ExactlyOnce,
    /// A waiter is not overtaken more often than promised.
    Fairness,
}

impl Property {
    /// Every property, in the order in which they are listed and told.
    pub const ALL: [Property; 14] = [
        Property::MutualExclusion,
        Property::NoOverrun,
        Property::NoStaleWrite,
        Property::NoLostUpdate,
        Property::NoForeignRelease,
        Property::NoFalseSuccess,
        Property::Continuity,
        Property::NoDeadlock,
        Property::Progress,
        Property::Available,
        Property::FencingMonotonic,
        Property::NoOversell,
        Property::ExactlyOnce,
        Property::Fairness,
    ];

    /// What a lease that ends too soon may break: in question wherever no property is named.
    pub const USUAL: [Property; 4] =
        [Property::MutualExclusion, Property::NoOverrun, Property::NoStaleWrite, Property::NoLostUpdate];

    /// The canonical name, as in `[expect]` and `locklab list`.
    pub const fn name(self) -> &'static str {
        match self {
            Property::MutualExclusion => "mutual-exclusion",
            Property::NoOverrun => "no-overrun",
            Property::NoStaleWrite => "no-stale-write",
            Property::NoLostUpdate => "no-lost-update",
            Property::NoForeignRelease => "no-foreign-release",
            Property::NoFalseSuccess => "no-false-success",
            Property::Continuity => "continuity",
            Property::NoDeadlock => "no-deadlock",
            Property::Progress => "progress",
            Property::Available => "available",
            Property::FencingMonotonic => "fencing-monotonic",
            Property::NoOversell => "no-oversell",
            Property::ExactlyOnce => "exactly-once",
            Property::Fairness => "fairness",
        }
    }

    /// The name that a reader sees; in English the canonical one in plain words.
    pub fn title(self) -> Text {
        match self {
            Property::MutualExclusion => say!("mutual exclusion", "互斥"),
            Property::NoOverrun => say!("no overrun", "不超租"),
            Property::NoStaleWrite => say!("no stale write", "无过期写入"),
            Property::NoLostUpdate => say!("no lost update", "无丢失更新"),
            Property::NoForeignRelease => say!("no foreign release", "不误删他人的锁"),
            Property::NoFalseSuccess => say!("no false success", "无虚假成功"),
            Property::Continuity => say!("continuity", "持有不中断"),
            Property::NoDeadlock => say!("no deadlock", "无死锁"),
            Property::Progress => say!("progress", "可推进"),
            Property::Available => say!("available", "可用"),
            Property::FencingMonotonic => say!("fencing monotonic", "令牌单调递增"),
            Property::NoOversell => say!("no oversell", "不超卖"),
            Property::ExactlyOnce => say!("exactly once", "恰好一次"),
            Property::Fairness => say!("fairness", "公平"),
        }
    }

    /// One sentence: what is true while the property holds.
    pub fn sentence(self) -> Text {
        match self {
            Property::MutualExclusion => {
                say!(
                    "Two clients that exclude each other are never inside at the same time.",
                    "互斥的两个客户端不会同时处于临界区。"
                )
            }
            Property::NoOverrun => {
                say!(
                    "A client is inside its section only while it has a lease of its own.",
                    "客户端只在自己的租约有效期间处于临界区。"
                )
            }
            Property::NoStaleWrite => say!(
                "Once the resource has heard from a newer grant, it accepts no write of an older one.",
                "资源一旦接受过新授权的请求，就不再接受旧授权的写入。"
            ),
            Property::NoLostUpdate => {
                say!(
                    "Every accepted update is still part of the final value.",
                    "每一次被接受的更新都保留在最终的值里。"
                )
            }
            Property::NoForeignRelease => {
                say!("Nobody releases or renews a lock that somebody else holds.", "没有人释放或续期他人持有的锁。")
            }
            Property::NoFalseSuccess => {
                say!(
                    "Whoever is told \"acquired\" or \"extended\" has a lease at that instant.",
                    "被告知加锁或续期成功的客户端，当时确实持有租约。"
                )
            }
            Property::Continuity => say!(
                "Within one hold a lease does not end and later begin again unnoticed.",
                "在一次持有期间，租约不会中断之后又悄悄恢复。"
            ),
            Property::NoDeadlock => say!(
                "No lock stays taken for ever by an owner that is gone, and no client waits for itself or in a circle.",
                "锁不会被已经离开的持有者永远占住，也没有客户端等待自己或循环等待。"
            ),
            Property::Progress => say!(
                "After the last fault, whoever waits for a lock that nobody uses gets it in time.",
                "故障结束之后，等待空闲锁的客户端会按时得到它。"
            ),
            Property::Available => say!(
                "While servers are unreachable, somebody still gets the lock in time.",
                "在部分服务器不可达期间，仍有客户端能按时得到锁。"
            ),
            Property::FencingMonotonic => {
                say!("Every later grant carries a greater token.", "越晚的授权，令牌越大。")
            }
            Property::NoOversell => say!("Not more is sold than there was.", "卖出的数量不超过库存。"),
            Property::ExactlyOnce => {
                say!("The job takes effect exactly once: not twice, not never.", "任务恰好生效一次：不重复，也不遗漏。")
            }
            Property::Fairness => {
                say!(
                    "A waiter is not overtaken more often than the lock promises.",
                    "等待者被插队的次数不超过锁的承诺。"
                )
            }
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Property {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Property, UnknownName> {
        let found = Property::ALL.into_iter().find(|property| property.name() == name);
        found.ok_or_else(|| UnknownName::new("property", name, Property::ALL.map(Property::name)))
    }
}
