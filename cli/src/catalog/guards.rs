//! What the resource itself can check, in words: the mechanisms that need no lock.

use locklab_core::history::Guard;
use locklab_core::i18n::Text;

/// A guard, or a step that is guarded by being one.
pub struct GuardInfo {
    /// Its name in a scenario.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// The guard; `None`: a step of a client.
    pub guard: Option<Guard>,
    summary: [&'static str; 2],
    explanation: [&'static str; 2],
}

impl GuardInfo {
    /// One sentence.
    pub fn summary(&self) -> Text {
        Text::new(self.summary[0], self.summary[1])
    }

    /// How it works and what it cannot do, in Markdown.
    pub fn explanation(&self) -> Text {
        Text::new(self.explanation[0], self.explanation[1])
    }
}

/// All of them.
pub const ALL: [GuardInfo; 7] = [
    GuardInfo {
        name: "version",
        aliases: &["optimistic", "version-column", "optimistic-lock"],
        guard: Some(Guard::Version),
        summary: [
            "Optimistic: a write counts only if the version is still the one that it was computed from.",
            "乐观锁：版本还是读到的那个，写入才算数。",
        ],
        explanation: [
            "## Steps\n1. `SELECT value, version`.\n2. Compute.\n3. `UPDATE ... SET value = ?, version = version + 1 WHERE id = ? AND version = ?`.\n4. No rows: somebody was first. Read again, try again.\n\n## What it cannot do\n- It protects the row, and nothing outside it.\n- On a crowded row most tries fail: wait between them.",
            "## 步骤\n1. `SELECT value, version`。\n2. 计算。\n3. `UPDATE ... SET value = ?, version = version + 1 WHERE id = ? AND version = ?`。\n4. 影响零行：别人先写了。重新读，再试。\n\n## 它做不到的\n- 只保护这一行，管不了别处。\n- 热点行上大多数尝试会失败：重试之间要等待。",
        ],
    },
    GuardInfo {
        name: "timestamp",
        aliases: &["if-unmodified-since", "updated-at"],
        guard: Some(Guard::Timestamp),
        summary: [
            "The time of the last change as a version: it misses what happens within one tick, or by another clock.",
            "用最后修改时间当版本：同一时刻的修改、别的时钟盖的时间，都会漏掉。",
        ],
        explanation: [
            "## Steps\n1. `SELECT value, changed_ms`.\n2. `UPDATE ... SET value = ?, changed_ms = now WHERE id = ? AND changed_ms <= ?`.\n\n## What breaks it\n- Two writes within one tick: the second sees no change.\n- A writer whose clock is behind: a newer state has an older stamp.\n- A stamp that is shortened on its way never matches again. Use a number that counts.",
            "## 步骤\n1. `SELECT value, changed_ms`。\n2. `UPDATE ... SET value = ?, changed_ms = 现在 WHERE id = ? AND changed_ms <= ?`。\n\n## 什么会打破它\n- 同一时刻内的两次写入：第二次看不出变化。\n- 写入者的时钟慢：更新的状态盖着更旧的时间。\n- 时间戳在路上被截短，就再也对不上。用会递增的数字。",
        ],
    },
    GuardInfo {
        name: "unique-key",
        aliases: &["idempotency-key", "unique-index"],
        guard: Some(Guard::UniqueKey),
        summary: [
            "Each effect has a key that may be there only once: a second run changes nothing.",
            "每个效果有一个只能出现一次的键：再运行一次什么也不会改变。",
        ],
        explanation: [
            "## Steps\n1. Give the work a name that is the same however often it is tried: the job and its date, the order's number.\n2. `INSERT` it together with the effect. Error 23505: it has been done.\n\n## What it cannot do\n- An effect outside the database is not refused: the third party must check the key itself.",
            "## 步骤\n1. 给这件事起一个无论试多少次都相同的名字：任务加日期，或订单号。\n2. 和效果一起 `INSERT`。错误 23505：已经做过了。\n\n## 它做不到的\n- 数据库之外的效果不会被拒绝：第三方得自己检查这个键。",
        ],
    },
    GuardInfo {
        name: "state-machine",
        aliases: &["status-check"],
        guard: Some(Guard::StateMachine),
        summary: [
            "Only the steps that the business allows: new, paid, never paid twice.",
            "只允许业务规定的步骤：新建、已付款，绝不付两次。",
        ],
        explanation: [
            "## Steps\n1. `UPDATE ... SET state = 'done' WHERE id = ? AND state = 'new'`.\n2. No rows: the step has been taken already, or is not allowed.\n\n## What it cannot do\n- It tells a second step from a first one, not a late value from a current one: for values use `version`.",
            "## 步骤\n1. `UPDATE ... SET state = 'done' WHERE id = ? AND state = 'new'`。\n2. 影响零行：这一步已经走过，或者不允许。\n\n## 它做不到的\n- 它分得清第一次和第二次，分不清新值和旧值：值要用 `version`。",
        ],
    },
    GuardInfo {
        name: "fencing-token",
        aliases: &["fencing-guard"],
        guard: Some(Guard::Fencing),
        summary: [
            "The greatest token seen is kept, and a smaller one is refused: whoever is late is turned away.",
            "记住见过的最大令牌，更小的一律拒绝：迟到者被挡在门外。",
        ],
        explanation: [
            "## Steps\n1. The lock hands out a number that grows with each grant.\n2. Every request shows it: `UPDATE ... SET fence = ? WHERE id = ? AND fence <= ?`.\n\n## What it cannot do\n- A token without an order, such as a UUID, cannot be compared.\n- In a scenario it is written `guard = \"fencing\"`.",
            "## 步骤\n1. 锁每次授予都发一个更大的号码。\n2. 每个请求都带上它：`UPDATE ... SET fence = ? WHERE id = ? AND fence <= ?`。\n\n## 它做不到的\n- 没有大小的令牌（比如 UUID）无法比较。\n- 在场景里写 `guard = \"fencing\"`。",
        ],
    },
    GuardInfo {
        name: "atomic",
        aliases: &["conditional-update", "conditional-write"],
        guard: None,
        summary: [
            "Check and change in one step at the data: a conditional UPDATE on the stock, or one script.",
            "在数据那里一步完成检查和修改：对库存做条件 UPDATE，或一段脚本。",
        ],
        explanation: [
            "## Steps\n1. `UPDATE stock SET value = value - 1 WHERE id = ? AND value >= 1`.\n2. No rows: nothing is left.\n\n## What it cannot do\n- It is one statement on one row. What needs several rows or a decision in between needs a transaction.\n- In a scenario it is the step `atomic`.",
            "## 步骤\n1. `UPDATE stock SET value = value - 1 WHERE id = ? AND value >= 1`。\n2. 影响零行：没有库存了。\n\n## 它做不到的\n- 它只是一行上的一条语句。要动多行、或中间要做判断，就得用事务。\n- 在场景里是步骤 `atomic`。",
        ],
    },
    GuardInfo {
        name: "call",
        aliases: &["third-party"],
        guard: None,
        summary: [
            "A call to a third party that cannot check anything: whatever comes has its effect.",
            "调用什么也不检查的第三方：来了就生效。",
        ],
        explanation: [
            "## What follows\n- No lock makes it safe: a holder that is late calls all the same.\n- Ask whether the third party takes an idempotency key; else write first, and call once for each row that was written.\n- In a scenario it is the step `call`.",
            "## 由此可知\n- 什么锁都不能让它安全：迟到的持有者照样会调用。\n- 看看第三方接不接受幂等键；不然就先写库，每写成一行只调用一次。\n- 在场景里是步骤 `call`。",
        ],
    },
];

/// The guard or step of this name or alias.
pub fn guard(name: &str) -> Option<&'static GuardInfo> {
    ALL.iter().find(|guard| guard.name == name || guard.aliases.contains(&name))
}
