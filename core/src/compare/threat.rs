//! What a mechanism is compared against: faults, and what people do to locks.

use std::fmt;
use std::str::FromStr;

use crate::check::UnknownName;
use crate::i18n::Text;
use crate::say;

/// A column of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Threat {
    /// The client dies inside its section.
    CrashHolding,
    /// The client dies while it acquires or releases, between any two of its commands.
    CrashBetween,
    /// The work takes longer than the lease.
    LongWork,
    /// The client stands still.
    Pause,
    /// The client stands still after it has asked whether it still holds the lock, before it writes.
    PauseAfterCheck,
    /// A request arrives late.
    LateRequest,
    /// A reply never arrives.
    LostReply,
    /// The client cannot reach the lock's servers; the resource it can.
    CutOff,
    /// The master dies, and a replica takes over with what it has.
    Failover,
    /// A server restarts without its data.
    RestartEmpty,
    /// The wall clock of one server jumps.
    ClockOne,
    /// The wall clocks of a majority of the servers jump.
    ClockMajority,
    /// The client's wall clock jumps.
    ClockClient,
    /// A minority of the servers is down.
    MinorityDown,
    /// A majority of the servers is down.
    MajorityDown,
    /// A server evicts a key.
    Eviction,
    /// Somebody deletes a key by hand.
    ForeignDelete,
    /// The holder asks for the lock once more.
    ReEntry,
    /// A request arrives twice.
    Duplicate,
}

impl Threat {
    /// Every one, in the order in which they are listed.
    pub const ALL: [Threat; 19] = [
        Threat::CrashHolding,
        Threat::CrashBetween,
        Threat::LongWork,
        Threat::Pause,
        Threat::PauseAfterCheck,
        Threat::LateRequest,
        Threat::LostReply,
        Threat::CutOff,
        Threat::Failover,
        Threat::RestartEmpty,
        Threat::ClockOne,
        Threat::ClockMajority,
        Threat::ClockClient,
        Threat::MinorityDown,
        Threat::MajorityDown,
        Threat::Eviction,
        Threat::ForeignDelete,
        Threat::ReEntry,
        Threat::Duplicate,
    ];

    /// The canonical name, as in `--against`.
    pub const fn name(self) -> &'static str {
        match self {
            Threat::CrashHolding => "crash-holding",
            Threat::CrashBetween => "crash-between",
            Threat::LongWork => "long-work",
            Threat::Pause => "pause",
            Threat::PauseAfterCheck => "pause-after-check",
            Threat::LateRequest => "late-request",
            Threat::LostReply => "lost-reply",
            Threat::CutOff => "cut-off",
            Threat::Failover => "failover",
            Threat::RestartEmpty => "restart-empty",
            Threat::ClockOne => "clock-one",
            Threat::ClockMajority => "clock-majority",
            Threat::ClockClient => "clock-client",
            Threat::MinorityDown => "minority-down",
            Threat::MajorityDown => "majority-down",
            Threat::Eviction => "eviction",
            Threat::ForeignDelete => "foreign-delete",
            Threat::ReEntry => "re-entry",
            Threat::Duplicate => "duplicate",
        }
    }

    /// What a reader is told, in a few words.
    pub fn title(self) -> Text {
        match self {
            Threat::CrashHolding => say!("client crashes while holding", "客户端在持锁时崩溃"),
            Threat::CrashBetween => say!("client crashes between commands", "客户端在命令之间崩溃"),
            Threat::LongWork => say!("work longer than the lease", "工作比租约更长"),
            Threat::Pause => say!("client pauses", "客户端停顿"),
            Threat::PauseAfterCheck => say!("pause between check and write", "检查与写入之间停顿"),
            Threat::LateRequest => say!("a request arrives late", "请求迟到"),
            Threat::LostReply => say!("a reply is lost", "回复丢失"),
            Threat::CutOff => say!("client cut off from the lock", "客户端与锁服务断开"),
            Threat::Failover => say!("master lost before replication", "主节点在复制之前丢失"),
            Threat::RestartEmpty => say!("restart without data", "重启且数据丢失"),
            Threat::ClockOne => say!("clock step on one server", "一台服务器时钟跳变"),
            Threat::ClockMajority => say!("clock step on a majority", "多数服务器时钟跳变"),
            Threat::ClockClient => say!("clock step on the client", "客户端时钟跳变"),
            Threat::MinorityDown => say!("minority of servers down", "少数服务器宕机"),
            Threat::MajorityDown => say!("majority of servers down", "多数服务器宕机"),
            Threat::Eviction => say!("key evicted", "键被淘汰"),
            Threat::ForeignDelete => say!("key deleted by hand", "键被手工删除"),
            Threat::ReEntry => say!("re-entry", "重入"),
            Threat::Duplicate => say!("request delivered twice", "请求被重复投递"),
        }
    }
}

impl fmt::Display for Threat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Threat {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Threat, UnknownName> {
        let found = Threat::ALL.into_iter().find(|threat| threat.name() == name);
        found.ok_or_else(|| UnknownName::new("fault", name, Threat::ALL.map(Threat::name)))
    }
}
