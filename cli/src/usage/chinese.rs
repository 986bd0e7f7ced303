//! The help in Chinese.

use clap::{Arg, ArgAction, Command};

/// A command's sentence, and one for each of its arguments.
struct Words {
    command: &'static str,
    about: &'static str,
    arguments: &'static [(&'static str, &'static str)],
}

/// How a report is given; the same for every command that gives one.
const FORMAT: (&str, &str) = (
    "format",
    "报告的格式：text（供人阅读）、json（供程序读取，见 docs/zh/json.md）、junit（供构建系统）、svg、html（单次运行的图与网页）、\
     history（单次运行的历史记录）；不写则看 -o 文件的扩展名，否则为 text",
);
const OUTPUT: (&str, &str) = ("output", "把报告写入这个文件，而不是标准输出");
const VERBOSE: (&str, &str) = ("verbose", "详细讲述每一次运行");

/// Whether a run is played on real servers, and which.
const LIVE: (&str, &str) = ("live", "在真实的服务器上运行：真实的进程，真实的故障");
const CLOCK: (&str, &str) = ("clock", "真实运行的时钟：virtual（与模拟完全一致）或 wall（真实的秒）");
const TIME_SCALE: (&str, &str) = ("time_scale", "在真实时钟上加快多少倍");
const REDIS: (&str, &str) = (
    "redis",
    "使用这个 Redis，而不是自己启动：redis://[[用户]:密码@]主机[:端口][/数据库]。用真实时钟，只使用本次运行自己的键，结束后清除",
);
const POSTGRES: (&str, &str) = (
    "postgres",
    "数据库里的锁使用这个 PostgreSQL，而不是自己启动：postgres://用户[:密码]@主机[:端口][/数据库]。用真实时钟，只使用本次运行自己的 schema，\
     结束后删除",
);

const WORDS: [Words; 15] = [
    Words {
        command: "run",
        about: "运行场景，判定结果，画出时间线",
        arguments: &[
            ("files", "场景文件、内置场景的名字（如 expiry/gc-pause），或 - 表示标准输入"),
            ("locks", "使用哪把锁，可重复；不写则运行场景对其有预期的每一把锁"),
            ("settings", "改动场景中的一个值，如 ttl=5s 或 A.work=12s，可重复；改动之后不再有预期"),
            ("seed", "用这个种子抽取延迟、顺序和随机事件"),
            ("runs", "每个运行多少次；与 --seed 同用时，每次用下一个种子"),
            LIVE,
            CLOCK,
            TIME_SCALE,
            REDIS,
            POSTGRES,
            ("open", "在网页中打开这次运行；网页服务持续到程序停止"),
            FORMAT,
            OUTPUT,
            VERBOSE,
        ],
    },
    Words {
        command: "replay",
        about: "根据地址重放一次运行",
        arguments: &[
            ("address", "运行的地址，在报告的最后一行"),
            LIVE,
            CLOCK,
            TIME_SCALE,
            REDIS,
            POSTGRES,
            FORMAT,
            OUTPUT,
            VERBOSE,
        ],
    },
    Words {
        command: "compare",
        about: "对比各种做法：面对每种故障各守住了什么，每个结论都能打开对应的运行",
        arguments: &[
            ("file", "场景：用它自己的故障，把几把锁并排对比；不写则用每种做法面对每种故障"),
            (
                "locks",
                "只对比这些锁，如 token-lua,fenced+fencing；+ 后面写资源的防护：nothing、fencing、version、unique-key、atomic 或 script",
            ),
            ("against", "只面对这些，如 pause,failover；名字见 locklab list threats"),
            ("shard", "只运行全部格子的 N 份中的第 I 份，写出的文件由 locklab merge 合并"),
            (
                "format",
                "格式：text、html（每一格都能打开）、json（见 docs/zh/compare.md）、csv、md；不写则看 -o 文件的扩展名，否则为 text",
            ),
            OUTPUT,
        ],
    },
    Words {
        command: "advise",
        about: "推荐一种保护方式：回答几个问题，每条理由都是跑出来的",
        arguments: &[
            (
                "task",
                "要做的是什么：update（读取后写回）、once（只能做一次）、counter（扣库存、改余额）、several（多个资源）或 job（定时任务）",
            ),
            ("stakes", "执行两次的代价：waste（浪费）、harm（数据出错）或 money（资金损失）"),
            ("check", "资源能检查什么：nothing（什么都不能）、condition（版本号、条件、唯一键）或 token（递增令牌）"),
            ("work", "工作最长需要多久，如 200ms；不知道写 unknown"),
            ("servers", "现有的服务：redis、redlock（互相独立的节点）、zookeeper、etcd、consul、kubernetes、database"),
            ("format", "格式：text 或 json"),
        ],
    },
    Words {
        command: "explore",
        about: "穷举所有时序与故障位置，找出破坏锁的最简单的一次运行，或说明在哪些范围内成立",
        arguments: &[
            ("file", "场景文件、内置场景的名字（如 expiry/gc-pause），或 - 表示标准输入"),
            ("locks", "搜索哪把锁，可重复；不写则搜索场景对其有预期的每一把锁"),
            ("settings", "改动场景中的一个值，如 ttl=5s 或 A.work=12s，可重复"),
            ("faults", "允许发生的故障，如 pause=1,crash=1；不写则与场景中各类故障的数目相同"),
            ("properties", "要问的性质，可重复；不写则全部"),
            ("swarm", "不穷举，而是随机尝试这么多次运行：用于大得无法穷举的空间；找到的运行会先缩小"),
            ("seed", "随机运行的种子"),
            ("budget", "每把锁最多搜索多久"),
            ("memory", "最多占用多少内存，如 500MB 或 2GB"),
            ("threads", "用多少个线程搜索；不写则每个处理器一个。结论与线程数无关"),
            ("divide_after", "查过多少个状态之后，把搜索分成若干份，由各线程或各机器分担"),
            ("shard", "只搜索 N 份中的第 I 份，写出的文件由 locklab merge 合并：用于 N 台机器，N 最多 16"),
            ("format", "格式：text 或 json；不写则看 -o 文件的扩展名，否则为 text"),
            OUTPUT,
        ],
    },
    Words {
        command: "merge",
        about: "合并一次搜索、风险估计或对比的各份结果：与一次运行完全相同",
        arguments: &[
            ("files", "各份写出的文件，顺序不限，须属于同一次搜索、同一次风险估计或同一次对比"),
            ("format", "格式：与写出各份的命令相同；不写则看 -o 文件的扩展名，否则为 text"),
            OUTPUT,
        ],
    },
    Words {
        command: "envelope",
        about: "沿一个量找出成立与被破坏的分界：它经得起多长的停顿？",
        arguments: &[
            ("file", "场景文件、内置场景的名字（如 expiry/gc-pause），或 - 表示标准输入"),
            ("lock", "使用哪把锁；不写则用场景所讲的那把"),
            ("vary", "变化的量：pause、ttl、latency、drift、clock-step 或 lag"),
            ("from", "最小值，如 1ms 或 0ppm"),
            ("to", "最大值"),
            ("step", "先判定的网格点的间距；不写则为整个范围的十六分之一"),
            ("against", "第二个量，用来画二维图：它的每个取值占一行"),
            ("lines", "第二个量取多少个值"),
            (
                "properties",
                "要问的性质，可重复；不写则为 mutual-exclusion、no-overrun、no-stale-write 和 no-lost-update",
            ),
            ("settings", "改动场景中的一个值，如 ttl=5s 或 A.work=12s，可重复"),
            ("faults", "允许发生的故障，如 pause=1,crash=1；不写则与场景中各类故障的数目相同"),
            ("own_moments", "场景的故障留在自己的时刻，只搜索事件的先后顺序"),
            ("budget", "总共最多花多长时间"),
            ("memory", "最多占用多少内存，如 500MB 或 2GB"),
            ("format", "格式：text、json 或 svg；不写则看 -o 文件的扩展名，否则为 text"),
            OUTPUT,
        ],
    },
    Words {
        command: "risk",
        about: "按你自己的数据估计一把锁被破坏的概率",
        arguments: &[
            ("file", "场景文件、内置场景的名字（如 expiry/gc-pause），或 - 表示标准输入"),
            ("model", "模型：各种故障多常发生，TOML 文件，见 docs/zh/risk.md"),
            ("lock", "使用哪把锁；不写则用场景所讲的那把"),
            ("runs", "运行次数；ttl 曲线上的每个点另外再运行四分之一"),
            ("seed", "随机种子：同一种子得到同样的数字，与线程数无关"),
            (
                "properties",
                "要问的性质，可重复；不写则为 mutual-exclusion、no-overrun、no-stale-write 和 no-lost-update",
            ),
            ("settings", "改动场景中的一个值，如 ttl=5s 或 A.work=12s，可重复"),
            ("threads", "线程数；不写则每核一个"),
            ("shard", "只运行 N 份中的第 I 份，写出的文件由 locklab merge 合并"),
            ("format", "格式：text、json 或 svg；不写则看 -o 文件的扩展名，否则为 text"),
            OUTPUT,
        ],
    },
    Words {
        command: "shrink",
        about: "把一次被破坏的运行缩到最小",
        arguments: &[
            ("run", "场景文件或内置场景的名字、运行的地址（L1-...），或内置场景的历史记录（.jsonl）"),
            ("lock", "使用场景时用哪把锁；不写则用场景所讲的那把"),
            ("property", "必须仍被破坏的性质；不写则为该次运行破坏的第一条"),
            ("settings", "改动场景中的一个值，如 ttl=5s 或 A.work=12s，可重复"),
            ("seed", "该次运行的种子（如果有）"),
            ("output", "把最小运行的场景写入这个文件，而不是讲述它"),
        ],
    },
    Words {
        command: "check-history",
        about: "判定并画出一份历史记录",
        arguments: &[("file", "历史记录，由 --format history 写出；- 表示标准输入"), FORMAT, OUTPUT, VERBOSE],
    },
    Words {
        command: "list",
        about: "按名字列出锁、场景、故障、性质等",
        arguments: &[
            ("what", "只列出：locks、guards、scenarios、faults、threats、properties、milestones、happenings 或 totals"),
            ("format", "格式：text 或 json"),
        ],
    },
    Words {
        command: "explain",
        about: "讲解一把锁、一个性质、故障、里程碑、数据或场景",
        arguments: &[("name", "名字，与 locklab list 所列一致")],
    },
    Words {
        command: "serve",
        about: "向本机浏览器提供网页",
        arguments: &[("port", "127.0.0.1 上的端口；0 表示任选一个空闲端口")],
    },
    Words {
        command: "doctor", about: "说明这台机器能做哪些真实运行，还要安装什么", arguments: &[]
    },
    Words { command: "completions", about: "输出 shell 的补全脚本", arguments: &[("shell", "哪种 shell")] },
];

/// The command with its help in Chinese.
pub fn translated(command: Command) -> Command {
    let command = furnished(command.about("看清分布式锁到底保证了什么。"))
        .arg(Arg::new("version").short('V').long("version").action(ArgAction::Version).help("显示版本"))
        .disable_version_flag(true)
        .mut_arg("lang", |lang| lang.help("语言：en 或 zh；不写则由 LOCKLAB_LANG、LC_ALL、LC_MESSAGES 或 LANG 决定"));
    let command = WORDS.iter().fold(command, |command, words| {
        command.mut_subcommand(words.command, |subcommand| {
            let subcommand = furnished(subcommand.about(words.about));
            words.arguments.iter().fold(subcommand, |subcommand, (id, help)| {
                subcommand.mut_arg(id, |argument| {
                    let has_values = argument.get_action().takes_values();
                    argument.help(*help).hide_possible_values(has_values)
                })
            })
        })
    });
    headed(command)
}

/// A command whose own words are Chinese.
fn furnished(command: Command) -> Command {
    command
        .help_template("{about-with-newline}\n用法：{usage}\n\n{all-args}")
        .subcommand_help_heading("命令")
        .disable_help_flag(true)
        .arg(Arg::new("help").short('h').long("help").action(ArgAction::Help).help("显示帮助"))
}

/// The headings above arguments and options, for a command and those below it.
fn headed(command: Command) -> Command {
    let command = command.mut_args(|argument| {
        let heading = if argument.is_positional() { "参数" } else { "选项" };
        argument.help_heading(heading)
    });
    command.mut_subcommands(headed)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::{WORDS, translated};
    use crate::args::Arguments;

    #[test]
    fn every_command_and_argument_is_translated() {
        let command = Arguments::command();
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(names, WORDS.map(|words| words.command));
        for words in &WORDS {
            let subcommand = command.find_subcommand(words.command).unwrap();
            let arguments: BTreeSet<&str> =
                subcommand.get_arguments().map(|argument| argument.get_id().as_str()).collect();
            assert_eq!(arguments, words.arguments.iter().map(|(id, _)| *id).collect(), "{}", words.command);
        }
    }

    #[test]
    fn the_translated_command_is_sound() {
        translated(Arguments::command()).debug_assert();
    }
}
