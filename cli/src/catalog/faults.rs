//! What a fault in a scenario can be, in words and by example.

use locklab_core::i18n::Text;

/// A kind of fault.
#[derive(Clone, Copy, Debug)]
pub struct FaultInfo {
    /// The key that names it in a `[[fault]]`.
    pub key: &'static str,
    en: &'static str,
    zh: &'static str,
    /// A `[[fault]]` of this kind, as a scenario writes it.
    pub example: &'static str,
}

impl FaultInfo {
    /// One sentence.
    pub fn summary(&self) -> Text {
        Text::new(self.en, self.zh)
    }
}

/// A kind of fault by its key.
pub fn fault(key: &str) -> Option<&'static FaultInfo> {
    ALL.iter().find(|fault| fault.key == key)
}

/// Every kind of fault.
pub const ALL: &[FaultInfo] = &[
    FaultInfo {
        key: "pause",
        en: "A client stands still: its whole process (garbage collection, a stopped virtual machine), or only its task while its timers go on.",
        zh: "客户端停顿：整个进程停住（垃圾回收、虚拟机挂起），或只停业务线程而定时器继续。",
        example: "pause = \"A\"\nat    = \"A.acquired + 2s\"\nfor   = \"15s\"",
    },
    FaultInfo {
        key: "crash",
        en: "A client or a server dies, and perhaps starts again, a server with its data or without.",
        zh: "客户端或服务器崩溃，之后可能重启；服务器重启后数据可能还在，也可能没有了。",
        example: "crash         = \"A\"\nat            = \"A.acquired\"\nrestart_after = \"5s\"",
    },
    FaultInfo {
        key: "failover",
        en: "The master dies and a replica takes over.",
        zh: "主节点宕机，副本接管。",
        example: "failover = \"replica-1\"\nat       = \"A.acquired\"\nafter    = \"1s\"",
    },
    FaultInfo {
        key: "promote",
        en: "A replica becomes the master while the old master lives on.",
        zh: "副本被提升为主节点，而旧主仍然活着。",
        example: "promote = \"replica-1\"\nat      = \"A.acquired\"",
    },
    FaultInfo {
        key: "partition",
        en: "Two machines cannot reach each other.",
        zh: "两台机器之间网络不通。",
        example: "partition = \"redis\"\nfrom      = \"A\"\nat        = \"A.acquired\"\nfor       = \"20s\"",
    },
    FaultInfo {
        key: "lose",
        en: "One message is lost: a request, or its reply after the server has done what it asks.",
        zh: "丢失一条消息：请求丢失，或服务器执行之后回复丢失。",
        example: "lose = \"reply\"\nat   = \"A.acquire-executed\"",
    },
    FaultInfo {
        key: "delay",
        en: "One message arrives late.",
        zh: "一条消息延迟到达。",
        example: "delay = \"request\"\nat    = \"A.write-sent\"\nby    = \"12s\"",
    },
    FaultInfo {
        key: "duplicate",
        en: "One message arrives twice.",
        zh: "一条消息重复到达。",
        example: "duplicate = \"request\"\nat        = \"A.write-sent\"",
    },
    FaultInfo {
        key: "clock",
        en: "A machine's wall clock jumps, or runs too fast or too slow.",
        zh: "某台机器的时钟跳变，或走得过快、过慢。",
        example: "clock = \"redis\"\nstep  = \"+8s\"\nat    = \"A.acquired\"",
    },
    FaultInfo {
        key: "slow",
        en: "A server takes long for each command.",
        zh: "服务器执行每条命令都变慢。",
        example: "slow = \"redis\"\nby   = \"2s\"\nat   = \"A.acquired\"\nfor  = \"10s\"",
    },
    FaultInfo {
        key: "evict",
        en: "A server that is short of memory throws a key away.",
        zh: "服务器内存不足，淘汰了一个键。",
        example: "evict = \"lock\"\nat    = \"A.acquired\"",
    },
    FaultInfo {
        key: "flush_scripts",
        en: "A server forgets its scripts.",
        zh: "服务器的脚本缓存被清空。",
        example: "flush_scripts = \"redis\"\nat            = \"A.acquired\"",
    },
    FaultInfo {
        key: "operator",
        en: "Somebody runs a command by hand.",
        zh: "有人手工执行了一条命令。",
        example: "operator = \"DEL lock\"\nat       = \"A.acquired\"",
    },
];

#[cfg(test)]
mod tests {
    use locklab_core::scenario::{Scenario, fault_keys};

    use super::ALL;

    #[test]
    fn every_kind_of_fault_is_explained() {
        assert!(fault_keys().eq(ALL.iter().map(|fault| fault.key)));
    }

    #[test]
    fn every_example_can_be_put_into_a_scenario() {
        let opening = "title = \"an example\"\n[servers]\nredis = \"replicated\"\nreplicas = 1\n[lock]\nkind = \"token-lua\"\n\
            [resource]\nkind = \"register\"\n[[client]]\nname = \"A\"\nwork = \"3s\"\n[expect]\nhappens = [\"A.acquired\"]\n";
        for fault in ALL {
            let text = format!("{opening}[[fault]]\n{}\n", fault.example);
            if let Err(errors) = Scenario::parse("example", &text) {
                panic!("{}:\n{errors}", fault.key);
            }
        }
    }
}
