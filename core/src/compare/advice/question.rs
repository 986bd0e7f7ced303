//! The questions whose answers decide which protection is right.

use std::str::FromStr;

use crate::check::UnknownName;
use crate::i18n::Text;
use crate::locks::Needs;
use crate::say;
use crate::time::Span;

/// What is to be protected, and what there is to protect it with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// What is done.
    pub task: Task,
    /// What a double execution costs.
    pub stakes: Stakes,
    /// What the resource can check.
    pub check: Check,
    /// How long the work takes at most; `None`: nobody knows.
    pub work: Option<Span>,
    /// The servers that there are.
    pub servers: Vec<Server>,
}

macro_rules! question {
    ($(#[$doc:meta])* $name:ident, $what:literal, $asks:expr; $($(#[$option:meta])* $variant:ident = $word:literal, $title:expr;)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$option])* $variant,)+
        }

        impl $name {
            /// Every answer.
            pub const ALL: &[$name] = &[$($name::$variant),+];

            /// The question.
            pub fn asks() -> Text {
                $asks
            }

            /// Its name, as an option's value.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }

            /// What a reader is told.
            pub fn title(self) -> Text {
                match self {
                    $($name::$variant => $title,)+
                }
            }
        }

        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<$name, UnknownName> {
                let found = $name::ALL.iter().copied().find(|answer| answer.name() == name);
                found.ok_or_else(|| UnknownName::new($what, name, $name::ALL.iter().map(|answer| answer.name())))
            }
        }
    };
}

question! {
    /// What is done.
    Task, "task", say!("What is done?", "要做的是什么？");
    /// A value is read, changed and written back.
    Update = "update", say!("a value is read, worked on and written back", "读取一个值，处理后写回");
    /// Something must not be done twice.
    Once = "once", say!("something must only be done once, such as an order or a payment", "某件事只能做一次，如下单、付款");
    /// A number is decremented or incremented.
    Counter = "counter", say!("a stock is decremented, a balance changed", "扣减库存、修改余额");
    /// Several resources are changed as one.
    Several = "several", say!("several resources are changed in one operation", "一次操作要改动多个资源");
    /// A scheduled job runs on one machine only.
    Job = "job", say!("a scheduled job must run on one machine only", "定时任务只能在一台机器上运行");
}

question! {
    /// What a double execution costs: is the lock there for efficiency or for correctness?
    Stakes, "cost of a double execution", say!("What does a double execution cost?", "万一执行了两次，代价是什么？");
    /// It only wastes work.
    Waste = "waste", say!("some wasted work: the lock is for efficiency", "浪费一点资源：加锁是为了效率");
    /// It damages data.
    Harm = "harm", say!("wrong data: the lock is for correctness", "数据出错：加锁是为了正确性");
    /// It costs money, and strong consistency is demanded.
    Money = "money", say!("money: not once, whatever fails", "资金损失：无论什么故障，一次都不行");
}

question! {
    /// What the resource can check by itself.
    Check, "check at the resource", say!("What can the resource check?", "资源自己能检查什么？");
    /// Nothing.
    Nothing = "nothing", say!("nothing: a third party's API, a plain file", "什么都不能：第三方接口、普通文件");
    /// A condition or a unique key, as a database can.
    Condition = "condition", say!("a version, a condition, a unique key: it is in a database", "版本号、条件、唯一键：它在数据库里");
    /// A growing token too.
    Token = "token", say!("a growing token that the lock hands out", "锁发放的递增令牌");
}

question! {
    /// A kind of server that is there.
    Server, "server", say!("Which servers are there?", "现有哪些服务？");
    /// One Redis, with or without replicas.
    Redis = "redis", say!("Redis, alone or with replicas", "Redis，单机或主从");
    /// Independent Redis nodes.
    Redlock = "redlock", say!("independent Redis nodes, for Redlock", "多个互相独立的 Redis 节点，用于 Redlock");
    /// ZooKeeper.
    ZooKeeper = "zookeeper", say!("ZooKeeper", "ZooKeeper");
    /// etcd.
    Etcd = "etcd", say!("etcd", "etcd");
    /// Consul.
    Consul = "consul", say!("Consul", "Consul");
    /// Kubernetes.
    Kubernetes = "kubernetes", say!("Kubernetes", "Kubernetes");
    /// A relational database.
    Database = "database", say!("a relational database", "关系数据库");
}

impl Server {
    /// Whether it hosts a lock.
    pub(super) fn hosts(self, needs: Needs) -> bool {
        let host = match needs {
            Needs::Redis => Server::Redis,
            Needs::IndependentRedis { .. } => Server::Redlock,
            Needs::ZooKeeper => Server::ZooKeeper,
            Needs::Etcd => Server::Etcd,
            Needs::Kubernetes => Server::Kubernetes,
            Needs::Consul => Server::Consul,
            Needs::Database => Server::Database,
        };
        self == host
    }
}
