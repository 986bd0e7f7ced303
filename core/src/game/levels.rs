//! The levels, from the first lock of the ladder to one that cannot be broken.

use super::Level;
use crate::check::Property;

const SINGLE: &str = "redis = \"single\"";
const THREE_NODES: &str = "redis = \"independent\"\nnodes = 3";

/// The levels in order. Whether one can be broken at all is for the reader to find out.
pub const LEVELS: &[Level] = &[
    Level {
        name: "setnx",
        title: ["One word in Redis", "Redis 里的一个词"],
        story: ["SETNX, work, DEL. Make somebody wait for ever.", "SETNX、干活、DEL。让某个人永远等下去。"],
        lock: "setnx-del",
        servers: SINGLE,
        work: "3s",
        budget: "crash=1",
        goal: Property::NoDeadlock,
    },
    Level {
        name: "two-commands",
        title: ["SETNX, then EXPIRE", "先 SETNX，再 EXPIRE"],
        story: [
            "This key expires. Make somebody wait for ever all the same.",
            "这个键会过期。照样让某个人永远等下去。",
        ],
        lock: "setnx-expire",
        servers: SINGLE,
        work: "3s",
        budget: "crash=1",
        goal: Property::NoDeadlock,
    },
    Level {
        name: "plain-del",
        title: ["A plain DEL", "一句普通的 DEL"],
        story: [
            "The lease is 10 s, the work takes three. Make A free B's lock.",
            "租约 10 秒，活只要三秒。让 A 释放掉 B 的锁。",
        ],
        lock: "set-nx-ex",
        servers: SINGLE,
        work: "3s",
        budget: "pause=1",
        goal: Property::NoForeignRelease,
    },
    Level {
        name: "get-then-del",
        title: ["Look, then delete", "先看再删"],
        story: [
            "A looks whether the lock is its own before it deletes it. Make it free B's lock nevertheless.",
            "A 删除之前先看锁是不是自己的。照样让它释放掉 B 的锁。",
        ],
        lock: "get-then-del",
        servers: SINGLE,
        work: "3s",
        budget: "pause=1",
        goal: Property::NoForeignRelease,
    },
    Level {
        name: "token",
        title: ["The perfect unlock script", "完美的解锁脚本"],
        story: [
            "Unique token, compare-and-delete in Lua: nobody frees what is not his. Make the resource accept a write that comes too late.",
            "唯一令牌，Lua 里比较再删除：谁也删不掉别人的锁。让资源接受一次迟到的写入。",
        ],
        lock: "token-lua",
        servers: SINGLE,
        work: "3s",
        budget: "pause=1",
        goal: Property::NoStaleWrite,
    },
    Level {
        name: "watchdog",
        title: ["A watchdog on guard", "看门狗在守夜"],
        story: [
            "A timer renews the lease while A works. Make the resource accept a write that comes too late.",
            "A 干活时有定时器续期。让资源接受一次迟到的写入。",
        ],
        lock: "watchdog",
        servers: SINGLE,
        work: "3s",
        budget: "pause=1",
        goal: Property::NoStaleWrite,
    },
    Level {
        name: "nobody-sleeps",
        title: ["Nobody sleeps", "谁也不睡"],
        story: [
            "The same watchdog, and nobody may be paused. You have a pair of scissors.",
            "同一只看门狗，而且不许让任何人停顿。你手里有一把剪刀。",
        ],
        lock: "watchdog",
        servers: SINGLE,
        work: "12s",
        budget: "partition=1",
        goal: Property::NoStaleWrite,
    },
    Level {
        name: "wait",
        title: ["A replica has confirmed", "有副本确认了"],
        story: [
            "A waits until one of two replicas has the key. One of them is slow.",
            "A 会等到两个副本之一拿到键。其中一个很慢。",
        ],
        lock: "wait",
        servers: "redis    = \"replicated\"\nreplicas = 2\nlag      = [\"50ms\", \"5s\"]",
        work: "5s",
        budget: "failover=1",
        goal: Property::NoStaleWrite,
    },
    Level {
        name: "redlock",
        title: ["Three nodes", "三个节点"],
        story: [
            "A majority of independent nodes, and a look at the clock after the last reply.",
            "独立节点中的多数，并且在最后一个答复之后看一次时钟。",
        ],
        lock: "redlock",
        servers: THREE_NODES,
        work: "3s",
        budget: "pause=1",
        goal: Property::NoStaleWrite,
    },
    Level {
        name: "redlock-servers",
        title: ["Hands off the clients", "不许碰客户端"],
        story: [
            "The same three nodes. You may restart one without its data and move one clock.",
            "还是那三个节点。你可以让一个节点丢数据重启，再拨动一个时钟。",
        ],
        lock: "redlock",
        servers: THREE_NODES,
        work: "3s",
        budget: "restart-empty=1,clock-step=1",
        goal: Property::NoStaleWrite,
    },
    Level {
        name: "counter",
        title: ["33, 34, 33", "33、34、33"],
        story: [
            "Now the resource refuses every number that is smaller than one it has seen. The counter lives beside the lock.",
            "这次资源会拒绝任何比见过的更小的号码。计数器就放在锁的旁边。",
        ],
        lock: "fenced",
        servers: "redis    = \"replicated\"\nreplicas = 1\nlag      = \"1s\"",
        work: "5s",
        budget: "failover=1",
        goal: Property::NoStaleWrite,
    },
    Level {
        name: "fenced",
        title: ["The last door", "最后一道门"],
        story: [
            "The same numbers, on one Redis that stays up. A pause and a crash are yours. If you think that it cannot be done, say so.",
            "同样的号码，放在一个不会宕机的 Redis 上。你有一次停顿和一次崩溃。如果你认为做不到，就直说。",
        ],
        lock: "fenced",
        servers: SINGLE,
        work: "3s",
        budget: "pause=1,crash=1",
        goal: Property::NoStaleWrite,
    },
];
