//! One thing that a test run needs.

use std::path::Path;

use xshell::{Shell, cmd};

/// Where Debian puts ZooKeeper's classes.
const ZOOKEEPER: &str = "/usr/share/java/zookeeper.jar";

/// Where Debian puts PostgreSQL, a folder for each version.
const POSTGRESQL: &str = "/usr/lib/postgresql";

/// Where Debian puts the pooler, which is not on everybody's PATH.
const PGBOUNCER: &str = "/usr/sbin/pgbouncer";

/// Something that a test run needs beside cargo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// The formatter.
    Rustfmt,
    /// The linter.
    Clippy,
    /// The standard library for the browser.
    WasmTarget,
    /// `redis-server`, for the tests of the Redis model and for live runs.
    RedisServer,
    /// `redis-sentinel`, for live runs with a failover that nobody orders.
    RedisSentinel,
    /// `etcd`, for live runs of its lock.
    Etcd,
    /// ZooKeeper and the Java that it runs on, for live runs of its lock.
    ZooKeeper,
    /// `postgres`, for the tests of the database's model and for live runs of its locks.
    PostgreSql,
    /// `pgbouncer`, for live runs behind a connection pooler.
    PgBouncer,
    /// A browser.
    Chromium,
    /// The program through which a browser is driven.
    ChromeDriver,
    /// A font with Chinese characters, for pictures of the page.
    ChineseFont,
}

impl Need {
    /// Everything that a full test run needs.
    pub const ALL: [Need; 12] = [
        Need::Rustfmt,
        Need::Clippy,
        Need::WasmTarget,
        Need::RedisServer,
        Need::RedisSentinel,
        Need::Etcd,
        Need::ZooKeeper,
        Need::PostgreSql,
        Need::PgBouncer,
        Need::Chromium,
        Need::ChromeDriver,
        Need::ChineseFont,
    ];

    /// Whether it is here.
    pub fn is_met(self, shell: &Shell) -> bool {
        match self {
            Need::Rustfmt => answers(shell, "cargo", &["fmt", "--version"]),
            Need::Clippy => answers(shell, "cargo", &["clippy", "--version"]),
            Need::WasmTarget => has_wasm_target(shell),
            Need::RedisServer => answers(shell, "redis-server", &["--version"]),
            Need::RedisSentinel => answers(shell, "redis-sentinel", &["--version"]),
            Need::Etcd => answers(shell, "etcd", &["--version"]),
            Need::ZooKeeper => answers(shell, "java", &["-version"]) && Path::new(ZOOKEEPER).is_file(),
            Need::PostgreSql => has_postgresql(),
            Need::PgBouncer => Path::new(PGBOUNCER).is_file() || answers(shell, "pgbouncer", &["--version"]),
            Need::Chromium => answers(shell, "chromium", &["--version"]),
            Need::ChromeDriver => answers(shell, "chromedriver", &["--version"]),
            Need::ChineseFont => has_chinese_font(shell),
        }
    }

    /// The Debian packages that bring it; none where it belongs to the Rust toolchain.
    pub fn debian_packages(self) -> &'static [&'static str] {
        match self {
            Need::Rustfmt | Need::Clippy | Need::WasmTarget => &[],
            Need::RedisServer => &["redis-server"],
            Need::RedisSentinel => &["redis-sentinel"],
            Need::Etcd => &["etcd-server"],
            Need::ZooKeeper => &["zookeeper"],
            Need::PostgreSql => &["postgresql"],
            Need::PgBouncer => &["pgbouncer"],
            Need::Chromium => &["chromium"],
            Need::ChromeDriver => &["chromium-driver"],
            Need::ChineseFont => &["fontconfig", "fonts-wqy-microhei"],
        }
    }

    /// What to install where this program installs nothing.
    pub fn advice(self) -> String {
        let (what, how) = match self {
            Need::Rustfmt => ("the formatter", "rustup component add rustfmt"),
            Need::Clippy => ("the linter", "rustup component add clippy"),
            Need::WasmTarget => ("Rust's library for the browser", "rustup target add wasm32-unknown-unknown"),
            Need::RedisServer => {
                ("redis-server on the PATH, 6.0 or newer", "apt install redis-server | brew install redis")
            }
            Need::RedisSentinel => ("redis-sentinel on the PATH", "apt install redis-sentinel | brew install redis"),
            Need::Etcd => ("etcd on the PATH, 3.4 or newer", "apt install etcd-server | brew install etcd"),
            Need::ZooKeeper => (
                "java on the PATH, and ZooKeeper 3.5 or newer where Debian puts it",
                "apt install --no-install-recommends zookeeper",
            ),
            Need::PostgreSql => {
                ("PostgreSQL 15 or newer where Debian puts it", "apt install --no-install-recommends postgresql")
            }
            Need::PgBouncer => ("pgbouncer on the PATH", "apt install pgbouncer | brew install pgbouncer"),
            Need::Chromium => ("chromium on the PATH", "apt install chromium | brew install --cask chromium"),
            Need::ChromeDriver => (
                "chromedriver on the PATH, of chromium's version",
                "apt install chromium-driver | brew install chromedriver",
            ),
            Need::ChineseFont => ("a font with Chinese characters", "apt install fontconfig fonts-wqy-microhei"),
        };
        format!("  {what}: {how}")
    }
}

fn answers(shell: &Shell, program: &str, arguments: &[&str]) -> bool {
    cmd!(shell, "{program} {arguments...}").quiet().ignore_stdout().ignore_stderr().run().is_ok()
}

fn has_postgresql() -> bool {
    let versions = Path::new(POSTGRESQL).read_dir().into_iter().flatten().flatten();
    versions.map(|version| version.path().join("bin/postgres")).any(|program| program.is_file())
}

fn has_wasm_target(shell: &Shell) -> bool {
    let sysroot = cmd!(shell, "rustc --print sysroot").quiet().ignore_stderr().read();
    sysroot.is_ok_and(|sysroot| Path::new(&sysroot).join("lib/rustlib/wasm32-unknown-unknown/lib").is_dir())
}

/// Systems other than Linux come with such fonts.
fn has_chinese_font(shell: &Shell) -> bool {
    let fonts = cmd!(shell, "fc-list :lang=zh").quiet().ignore_stderr().read();
    !cfg!(target_os = "linux") || fonts.is_ok_and(|fonts| !fonts.is_empty())
}
