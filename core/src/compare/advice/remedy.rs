//! What is left to do where a mechanism does not keep everything.

use super::Reason;
use crate::compare::{Answer, Means, Threat};
use crate::i18n::Text;
use crate::say;

impl Reason {
    /// What to do about it at the resource, or in operation.
    pub fn remedy(&self) -> Text {
        if self.found.answer == Answer::Unavailable {
            return match self.cell.threat {
                Threat::ReEntry => say!(
                    "do not ask twice for a lock that is not reentrant; pass the hold on instead",
                    "锁不可重入就不要重复获取，把已持有的锁传下去"
                ),
                Threat::CrashHolding | Threat::CrashBetween => {
                    say!("give the lock an expiry, in the same command", "在同一条命令里给锁设置过期时间")
                }
                _ => say!(
                    "decide beforehand what happens without the service: stop, or go on without the lock",
                    "事先想好锁服务不可用时怎么办：停下，还是不加锁继续"
                ),
            };
        }
        match (self.cell.threat, self.cell.mechanism.means) {
            (Threat::Duplicate, _) => say!(
                "give each request an idempotency key that the resource keeps, by a unique index",
                "给每个请求带上幂等键，由资源用唯一索引记住"
            ),
            (Threat::Failover | Threat::RestartEmpty, Means::Script) => say!(
                "keep the number in a database, or reconcile it after a failover",
                "把数字放进数据库，或在切换之后对账"
            ),
            (Threat::Failover | Threat::RestartEmpty, Means::Token) => say!(
                "take the token from a service that loses nothing: numbers begin again after this failover",
                "从不丢数据的服务获取令牌：这次切换之后号码会重新开始"
            ),
            (Threat::Eviction, _) => {
                say!(
                    "keep locks in a Redis that evicts nothing (noeviction)",
                    "把锁放在不淘汰数据的 Redis 里（noeviction）"
                )
            }
            (Threat::ForeignDelete, _) => {
                say!(
                    "let nobody delete keys by hand; a check at the resource catches what slips through",
                    "禁止手工删键；漏网的由资源的检查兜住"
                )
            }
            (_, Means::Nothing) => say!(
                "let the resource refuse latecomers: a fencing token, a version, a unique key; or bear it",
                "让资源拒绝迟到者：隔离令牌、版本号或唯一键；否则就要承受后果"
            ),
            _ => say!(
                "add a second check at the resource: a version, a state machine",
                "在资源处再加一道检查：版本号、状态机"
            ),
        }
    }
}
