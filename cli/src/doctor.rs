//! `locklab doctor`: what this machine can do live, and what to install.

use std::env;
use std::fmt::Write as _;
use std::path::PathBuf;

use locklab_core::i18n::{Language, Text};
use locklab_core::say;

use crate::failure::{Ending, Failure};
use crate::live::{self, Checkup, LiveError};
use crate::output::Output;
use crate::terminal::{ALARM, FAINT, FINE, STRONG};

/// Looks at this machine and says what it can do.
pub fn doctor(language: Language) -> Result<Ending, Failure> {
    let Checkup { redis, virtual_clock, etcd, zookeeper, sqlite, postgresql, pgbouncer } = live::checkup();
    let mut page = Page { language, text: String::new() };
    page.heading(&say!("Without any server", "不需要任何服务器"));
    page.good("locklab run", &say!("simulated runs, judged and drawn", "模拟运行、判定与绘图"));
    page.heading(&say!("Live runs (--live)", "真实运行（--live）"));
    match &redis {
        Ok((path, version)) => page.good("redis-server", &Text::same(format!("{version}, {}", path.display()))),
        Err(error) => page.bad("redis-server", &error.message(), "apt-get install redis-server"),
    }
    match &virtual_clock {
        Ok(()) => page.good(
            "--clock virtual",
            &say!(
                "a real redis-server follows the virtual clock to the millisecond",
                "真实的 redis-server 跟随虚拟时钟，精确到毫秒"
            ),
        ),
        Err(error) => page.missing("--clock virtual", &error.message()),
    }
    page.heading(&say!("For some locks", "部分锁需要"));
    for (title, installed) in [("etcd", &etcd), ("ZooKeeper", &zookeeper)] {
        match installed {
            Ok(version) => {
                let words = say!("{version}, on the wall clock", "{version}，使用真实时钟", version = version);
                page.good(title, &words);
            }
            Err(LiveError::NotInstalled { packages, .. }) => {
                let words = say!("missing, for locks on {title}", "未安装，基于 {title} 的锁需要它", title = title);
                page.bad(title, &words, &format!("apt-get install {packages}"));
            }
            Err(error) => page.missing(title, &error.message()),
        }
    }
    page.good(
        "SQLite",
        &say!(
            "{version}, a part of this program: a version column, a conditional UPDATE, a unique key",
            "{version}，已内置：版本列、条件 UPDATE、唯一键",
            version = sqlite
        ),
    );
    match &postgresql {
        Ok(folder) => page.good("PostgreSQL", &Text::same(folder.display().to_string())),
        Err(error) => page.bad("PostgreSQL", &error.message(), "apt-get install postgresql"),
    }
    match &pgbouncer {
        Ok(version) => page.good(
            "PgBouncer",
            &say!("{version}, in front of a PostgreSQL", "{version}，放在 PostgreSQL 前面", version = version),
        ),
        Err(LiveError::NotInstalled { packages, .. }) => {
            let words = say!("a connection pooler in front of PostgreSQL", "PostgreSQL 前面的连接池");
            page.bad("PgBouncer", &words, &format!("apt-get install {packages}"));
        }
        Err(error) => page.missing("PgBouncer", &error.message()),
    }
    page.simulated_only("Kubernetes, Consul");
    match sentinel() {
        Some(path) => page.good("redis-sentinel", &Text::same(path.display().to_string())),
        None => {
            let purpose =
                say!("missing, for failovers that Sentinel decides", "未安装，由 Sentinel 决定的故障转移需要它");
            page.bad("redis-sentinel", &purpose, "apt-get install redis-sentinel");
        }
    }
    Output::standard().write(&page.text)?;
    Ok(Ending::AsExpected)
}

/// Where Redis' Sentinel is, if it is on the PATH.
fn sentinel() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let files = || ["redis-sentinel", "valkey-sentinel"].iter();
    folders.iter().flat_map(|folder| files().map(|file| folder.join(file))).find(|path| path.is_file())
}

struct Page {
    language: Language,
    text: String,
}

impl Page {
    fn heading(&mut self, words: &Text) {
        let gap = if self.text.is_empty() { "" } else { "\n" };
        let words = words.in_language(self.language);
        let _ = writeln!(self.text, "{gap}{STRONG}{words}{STRONG:#}");
    }

    fn good(&mut self, name: &str, words: &Text) {
        let words = words.in_language(self.language);
        let _ = writeln!(self.text, "  {FINE}✓{FINE:#} {name:<16} {words}");
    }

    fn simulated_only(&mut self, names: &str) {
        let words = say!("simulated only", "只能模拟");
        let words = words.in_language(self.language);
        let _ = writeln!(self.text, "  {FAINT}-{FAINT:#} {names:<16} {words}");
    }

    fn missing(&mut self, name: &str, words: &Text) {
        let words = words.in_language(self.language);
        let _ = writeln!(self.text, "  {ALARM}✗{ALARM:#} {name:<16} {words}");
    }

    fn bad(&mut self, name: &str, words: &Text, install: &str) {
        self.missing(name, words);
        let debian = match self.language {
            Language::English => "on Debian and Ubuntu",
            Language::Chinese => "在 Debian 和 Ubuntu 上",
        };
        let _ = writeln!(self.text, "    {:<16} {FAINT}{debian}: {install}{FAINT:#}", "");
    }
}
