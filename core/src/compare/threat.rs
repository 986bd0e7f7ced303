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

    /// What happens, in one sentence.
    pub fn sentence(self) -> Text {
        match self {
            Threat::CrashHolding => say!(
                "The holder dies inside its section, at any moment of its work, and never comes back.",
                "持有者在临界区内崩溃（工作中的任意时刻），不再恢复。"
            ),
            Threat::CrashBetween => say!(
                "A client dies while it acquires or releases, between any two of its commands.",
                "客户端在加锁或解锁的途中崩溃，可能落在任意两条命令之间。"
            ),
            Threat::LongWork => say!(
                "The work simply takes longer than the lease; nothing else goes wrong.",
                "工作时间比租约更长，此外一切正常。"
            ),
            Threat::Pause => say!(
                "A client's process stands still at any moment (garbage collection, a stopped virtual machine), shorter or longer than the lease.",
                "客户端进程在任意时刻停住（垃圾回收、虚拟机挂起），时间比租约短或比租约长。"
            ),
            Threat::PauseAfterCheck => say!(
                "A client asks whether it still holds the lock, is told yes, and stands still before it writes.",
                "客户端查询自己是否仍持有锁，得到肯定的答复，却在写入之前停住了。"
            ),
            Threat::LateRequest => say!(
                "A request is on its way for so long that it arrives when its sender no longer holds the lock.",
                "请求在路上耽搁太久，到达时发送者已不再持有锁。"
            ),
            Threat::LostReply => say!(
                "A server does what it is asked, and its reply never arrives: the client cannot know.",
                "服务器执行了请求，回复却没有送达：客户端无从知道结果。"
            ),
            Threat::CutOff => say!(
                "The network separates a client from the lock's servers, while it can still reach the resource.",
                "客户端与锁服务之间网络中断，但仍能访问资源。"
            ),
            Threat::Failover => say!(
                "The master dies before it has passed on its last writes, and a replica takes over with what it has.",
                "主节点在复制最近的写入之前宕机，副本带着已有的数据接管。"
            ),
            Threat::RestartEmpty => {
                say!("A server restarts and has lost all of its data.", "服务器重启，数据全部丢失。")
            }
            Threat::ClockOne => {
                say!("The wall clock of one server jumps, forwards or back.", "一台服务器的时钟向前或向后跳变。")
            }
            Threat::ClockMajority => say!(
                "The wall clocks of a majority of the servers jump at the same time.",
                "多数服务器的时钟同时跳变。"
            ),
            Threat::ClockClient => say!(
                "The wall clock of a client's machine jumps, forwards or back.",
                "客户端机器的时钟向前或向后跳变。"
            ),
            Threat::MinorityDown => say!("Fewer than half of the servers are down.", "不到半数的服务器宕机。"),
            Threat::MajorityDown => say!(
                "More than half of the servers are down, for a while or for ever; one server that stands alone is more than half.",
                "过半数的服务器宕机一段时间或永久宕机；只有一台服务器时，就是它宕机。"
            ),
            Threat::Eviction => {
                say!("A server that is short of memory evicts a key.", "服务器内存不足，淘汰了一个键。")
            }
            Threat::ForeignDelete => say!(
                "Somebody deletes the lock's key by hand, because it seemed stuck.",
                "有人以为锁卡住了，手工删除了锁的键。"
            ),
            Threat::ReEntry => say!(
                "The holder asks for the lock that it already holds, as a function does that calls another.",
                "持有者再次请求自己已经持有的锁，如加锁的函数又调用了另一个加锁的函数。"
            ),
            Threat::Duplicate => say!(
                "A request arrives twice: a user clicks again, a queue delivers again.",
                "同一个请求到达两次：用户又点了一次，消息队列又投递了一次。"
            ),
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
