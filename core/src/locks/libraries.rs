//! The locks of real libraries, as the switches that they set. Versions and sources stand in each one's explanation.

use super::explained::explained;
use super::presets::Preset;

macro_rules! listing {
    ($name:literal) => {
        Some(include_str!(concat!("listings/", $name, ".lock")))
    };
}

/// Those on one Redis, then those on several.
pub(super) const LIBRARIES: &[Preset] = &[
    Preset {
        name: "distlock",
        aliases: &["distlock-repaired"],
        stands_on: "watchdog",
        code: None,
        settings: &[("ttl", "30s")],
        summary: [
            "DistLock as it should be: errors are tried again, a lost lock is told, a release ends the timer.",
            "修好的 DistLock：续期出错再试，丢锁会通知，释放即停掉定时器。",
        ],
        explanation: explained!("distlock"),
    },
    Preset {
        name: "distlock-as-printed",
        aliases: &[],
        stands_on: "watchdog",
        code: listing!("distlock-as-printed"),
        settings: &[("ttl", "30s")],
        summary: [
            "DistLock as often printed: every error is swallowed, and a timer that has just fired arms itself again after the release.",
            "常见写法的 DistLock：续期的错误全部吞掉，正在触发的定时器会在释放之后再次启动。",
        ],
        explanation: explained!("distlock-as-printed"),
    },
    Preset {
        name: "redis-py",
        aliases: &["redispy"],
        stands_on: "token-lua",
        code: None,
        settings: &[],
        summary: [
            "The Lock of redis-py with a timeout: token-lua, polled every 100 ms, never renewed by itself.",
            "redis-py 的 Lock（设了 timeout）：就是 token-lua，每 100 毫秒轮询一次，不会自动续期。",
        ],
        explanation: explained!("redis-py"),
    },
    Preset {
        name: "redis-py-default",
        aliases: &["redis-py-without-timeout"],
        stands_on: "token-lua",
        code: listing!("redis-py-default"),
        settings: &[],
        summary: [
            "The Lock of redis-py as constructed without a timeout: no lease at all.",
            "redis-py 的 Lock 不设 timeout 时的默认行为：根本没有租约。",
        ],
        explanation: explained!("redis-py-default"),
    },
    Preset {
        name: "python-redis-lock",
        aliases: &[],
        stands_on: "token-lua",
        code: listing!("python-redis-lock"),
        settings: &[("retry", "1ms")],
        summary: [
            "Waiters sleep on a list, and the release pushes a signal: handed over at once.",
            "等待者阻塞在一个列表上，释放时推入信号：交接没有延迟。",
        ],
        explanation: explained!("python-redis-lock"),
    },
    Preset {
        name: "bsm-redislock",
        aliases: &["redislock"],
        stands_on: "token-lua",
        code: listing!("bsm-redislock"),
        settings: &[],
        summary: [
            "bsm/redislock: a value that begins with the caller's own token counts as its own.",
            "bsm/redislock：只要键里的值以调用者的令牌开头，就当作是自己的锁。",
        ],
        explanation: explained!("bsm-redislock"),
    },
    Preset {
        name: "spring-registry",
        aliases: &["spring-integration", "redis-lock-registry"],
        stands_on: "token-lua",
        code: listing!("spring-registry"),
        settings: &[("ttl", "60s"), ("token", "per-client")],
        summary: [
            "Spring Integration's RedisLockRegistry: one value for the whole process, and locking again lengthens the lease.",
            "Spring Integration 的 RedisLockRegistry：整个进程共用一个值，再次加锁会延长租约。",
        ],
        explanation: explained!("spring-registry"),
    },
    Preset {
        name: "shedlock",
        aliases: &[],
        stands_on: "token-lua",
        code: listing!("shedlock"),
        settings: &[],
        summary: [
            "ShedLock on Redis as it comes: released by a DEL that asks for no owner.",
            "ShedLock（Redis）的默认设置：释放时直接 DEL，不看锁属于谁。",
        ],
        explanation: explained!("shedlock"),
    },
    Preset {
        name: "shedlock-keep-alive",
        aliases: &["keep-alive", "keepalive"],
        stands_on: "token-lua",
        code: listing!("shedlock-keep-alive"),
        settings: &[("ttl", "30s")],
        summary: [
            "ShedLock with KeepAlive: extended at half of lockAtMostFor, until the first error.",
            "ShedLock 加 KeepAlive：每过 lockAtMostFor 的一半续期一次，出错一次就不再续期。",
        ],
        explanation: explained!("shedlock-keep-alive"),
    },
    Preset {
        name: "shedlock-app-clock",
        aliases: &["lease-row-app-clock", "app-clock"],
        stands_on: "lease-row",
        code: listing!("lease-row-app-clock"),
        settings: &[],
        summary: [
            "ShedLock over JDBC as it comes: the lease in the row is written and judged by each application's own clock.",
            "ShedLock（JDBC）的默认设置：行里的租约由各个应用用自己的时钟写入和判断。",
        ],
        explanation: explained!("shedlock-app-clock"),
    },
    Preset {
        name: "redlock-py",
        aliases: &[],
        stands_on: "redlock",
        code: None,
        settings: &[
            ("retry", "200ms"),
            ("timeout", "for-ever"),
            ("sends", "sequential"),
            ("clock", "wall"),
            ("errors", "fatal"),
            ("release", "ignored"),
        ],
        summary: [
            "redlock-py: one node after the other, the wall clock, and one node's error fails all without giving back.",
            "redlock-py：逐个节点加锁，用墙上时钟；有一个节点报错就整次失败，已拿到的锁也不归还。",
        ],
        explanation: explained!("redlock-py"),
    },
    Preset {
        name: "node-redlock",
        aliases: &[],
        stands_on: "redlock",
        code: None,
        settings: &[
            ("jitter", "200ms"),
            ("timeout", "for-ever"),
            ("decided_by", "quorum"),
            ("clean_up", "at-the-end"),
            ("checked", "false"),
            ("clock", "wall"),
        ],
        summary: [
            "node-redlock 5: decided at the quorum, not released between tries, and the expiry is never compared with the present.",
            "node-redlock 5：凑够过半就下结论，两次尝试之间不释放，算出的到期时间从不与当前时间比较。",
        ],
        explanation: explained!("node-redlock"),
    },
    Preset {
        name: "redsync",
        aliases: &[],
        stands_on: "redlock",
        code: None,
        settings: &[("ttl", "8s"), ("retry", "50ms"), ("jitter", "200ms"), ("timeout", "400ms"), ("drift_base", "0ms")],
        summary: [
            "redsync: waits for all nodes, takes off 1 % for drift, and never tops a bare quorum up.",
            "redsync：等所有节点的回复，漂移只扣 1%；刚好过半之后不会再补齐其余节点。",
        ],
        explanation: explained!("redsync"),
    },
    Preset {
        name: "redlock-net",
        aliases: &["redlock.net"],
        stands_on: "redlock",
        code: None,
        settings: &[
            ("retry", "1ms"),
            ("jitter", "400ms"),
            ("release", "ignored"),
            ("renew", "recreate"),
            ("renew_percent", "50"),
        ],
        summary: [
            "RedLock.net: extends every half lease, sets the key again where it is gone, and goes on after failures.",
            "RedLock.net：每过半个租约续期一次，键没了就重新写入，失败之后照样继续。",
        ],
        explanation: explained!("redlock-net"),
    },
    Preset {
        name: "medallion",
        aliases: &["distributed-lock-net"],
        stands_on: "redlock",
        code: None,
        settings: &[
            ("ttl", "30s"),
            ("retry", "10ms"),
            ("jitter", "790ms"),
            ("timeout", "3s"),
            ("drift", "0ms"),
            ("least_percent", "90"),
            ("release", "ignored"),
            ("renew", "extend"),
            ("renew_percent", "30"),
            ("not_renewed", "lost-at-the-end"),
        ],
        summary: [
            "Medallion's DistributedLock: must succeed within a tenth of the lease, extends itself, and says so when the lock is lost.",
            "Medallion 的 DistributedLock：必须在租约的十分之一内拿到锁，自动续期，丢锁时会通知。",
        ],
        explanation: explained!("medallion"),
    },
];
