//! Locks that live in a database.

use super::{ShippedListing, explained};

/// Those of a session, of a transaction, and of a row.
pub(super) const LISTINGS: &[ShippedListing] = &[
    ShippedListing {
        name: "advisory-lock",
        aliases: &["advisory", "pg-advisory-lock"],
        code: include_str!("../listings/advisory-lock.lock"),
        summary: [
            "PostgreSQL's session-level advisory lock: it lasts as long as the session that took it.",
            "PostgreSQL 的会话级 advisory lock：加锁的会话活多久，锁就活多久。",
        ],
        explanation: explained!("advisory-lock"),
    },
    ShippedListing {
        name: "advisory-xact",
        aliases: &["pg-advisory-xact-lock"],
        code: include_str!("../listings/advisory-xact.lock"),
        summary: [
            "PostgreSQL's transaction-level advisory lock: it ends with COMMIT, and a pooler cannot tear it apart.",
            "PostgreSQL 的事务级 advisory lock：随 COMMIT 结束，连接池也拆不散它。",
        ],
        explanation: explained!("advisory-xact"),
    },
    ShippedListing {
        name: "for-update",
        aliases: &["pessimistic", "select-for-update", "row-lock"],
        code: include_str!("../listings/for-update.lock"),
        summary: [
            "SELECT ... FOR UPDATE in a transaction: whoever wants the row waits for COMMIT.",
            "事务里的 SELECT ... FOR UPDATE：谁要这一行，谁就等到 COMMIT。",
        ],
        explanation: explained!("for-update"),
    },
    ShippedListing {
        name: "for-update-range",
        aliases: &["range-lock"],
        code: include_str!("../listings/for-update-range.lock"),
        summary: [
            "FOR UPDATE with a WHERE that is too wide: it locks rows of others, too.",
            "WHERE 写得太宽的 FOR UPDATE：把别人的行也锁住。",
        ],
        explanation: explained!("for-update-range"),
    },
    ShippedListing {
        name: "lock-row",
        aliases: &["unique-key-lock", "lock-table"],
        code: include_str!("../listings/lock-row.lock"),
        summary: [
            "INSERT of a row with a unique key is the lock, DELETE its release: it stays when its holder dies.",
            "插入一行带唯一键的记录就是加锁，DELETE 就是解锁：持有者死了它还在。",
        ],
        explanation: explained!("lock-row"),
    },
    ShippedListing {
        name: "lease-row",
        aliases: &["shedlock-jdbc", "lease-table"],
        code: include_str!("../listings/lease-row.lock"),
        summary: [
            "A row with lock_until, taken by a conditional UPDATE and judged by the database's clock, as ShedLock does with usingDbTime.",
            "带 lock_until 的一行，用条件 UPDATE 抢占，按数据库的时钟判断，即 ShedLock 的 usingDbTime 用法。",
        ],
        explanation: explained!("lease-row"),
    },
];
