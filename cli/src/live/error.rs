//! Why a live run could not be played.

use std::fmt;
use std::io;

use locklab_core::i18n::Text;
use locklab_core::say;

/// What keeps a live run from being played, with what to do about it.
#[derive(Debug)]
pub enum LiveError {
    /// This machine has no Redis.
    NoRedis,
    /// This machine has no program of this service.
    NotInstalled {
        /// The service.
        what: &'static str,
        /// The Debian packages that bring it.
        packages: &'static str,
    },
    /// A server process did not come up.
    NotStarted {
        /// The server.
        server: &'static str,
        /// The end of its log, or what the system said.
        reason: String,
    },
    /// A server cannot be spoken to, or no longer.
    Unreachable {
        /// Its address, without a password.
        server: String,
        /// What the system said.
        source: io::Error,
    },
    /// A server answered, but will not serve: its answer.
    Refused {
        /// Its address, without a password.
        server: String,
        /// Its answer.
        reply: String,
    },
    /// A server answered, but is not what a run needs.
    Unsuitable {
        /// Its address, without a password.
        server: String,
        /// Why.
        why: Text,
        /// What to do about it.
        hint: Option<Text>,
    },
    /// The operating system refused something that a run needs.
    System {
        /// What was being done.
        what: Text,
        /// What the system said.
        source: io::Error,
    },
    /// The address of a server was mistyped.
    Malformed(Text),
    /// The scenario cannot be played so: not with this lock, not on real servers, not on that server, not by that clock or not this fast. Others may be.
    NotApplicable(Text),
    /// The machine was too slow for the wall clock, and the verdict came out otherwise than it should: the run says nothing.
    Disturbed {
        /// By how many milliseconds the world was late.
        millis: u64,
        /// How many milliseconds the verdict bears.
        bears: u64,
        /// Whether it was played faster than the scenario says.
        is_hastened: bool,
        /// Whether the virtual clock could play it.
        can_be_exact: bool,
    },
    /// The driver and its processes no longer agree: a bug.
    Broken(String),
}

impl LiveError {
    /// Names what was being done, in both languages, when the system refused.
    pub fn system(en: &'static str, zh: &'static str) -> impl FnOnce(io::Error) -> LiveError {
        move |source| LiveError::System { what: Text::new(en, zh), source }
    }

    /// A server that cannot be spoken to.
    pub fn unreachable(server: impl fmt::Display) -> impl FnOnce(io::Error) -> LiveError {
        let server = server.to_string();
        move |source| LiveError::Unreachable { server, source }
    }

    /// Whether what was asked for is at fault, and not this machine or a server.
    pub fn is_bad_input(&self) -> bool {
        matches!(self, LiveError::NotApplicable(_) | LiveError::Malformed(_))
    }

    /// What is wrong.
    pub fn message(&self) -> Text {
        match self {
            LiveError::NoRedis => say!("there is no redis-server on this machine", "这台机器上没有 redis-server"),
            LiveError::NotInstalled { what, .. } => {
                say!("{what} is not installed on this machine", "这台机器上没有安装 {what}", what = *what)
            }
            LiveError::NotStarted { server, reason } => say!(
                "{server} did not start: {reason}",
                "{server} 没有启动成功：{reason}",
                server = *server,
                reason = reason
            ),
            LiveError::Unreachable { server, source } => say!(
                "cannot reach the server {server}: {source}",
                "连不上服务器 {server}：{source}",
                server = server,
                source = source.to_string()
            ),
            LiveError::Refused { server, reply } => say!(
                "the server {server} refuses: {reply}",
                "服务器 {server} 拒绝了请求：{reply}",
                server = server,
                reply = reply
            ),
            LiveError::Unsuitable { server, why, .. } => say!(
                "the server {server} cannot be used: {why}",
                "服务器 {server} 无法使用：{why}",
                server = server,
                why = why
            ),
            LiveError::System { what, source } => {
                say!("failed to {what}: {source}", "无法{what}：{source}", what = what, source = source.to_string())
            }
            LiveError::NotApplicable(why) | LiveError::Malformed(why) => why.clone(),
            LiveError::Disturbed { millis, bears, .. } => say!(
                "this machine was busy and fell {millis} ms behind, where the verdict bears {bears} ms, three times in a row: the run says nothing",
                "这台机器太忙，落后了 {millis} 毫秒，而结论只容得下 {bears} 毫秒，连续三次都这样：这次运行不能说明任何问题",
                millis = millis,
                bears = bears
            ),
            LiveError::Broken(what) => {
                say!("the live run broke off: {what}", "真实运行中断：{what}", what = what)
            }
        }
    }

    /// What a user can do about it.
    pub fn hint(&self) -> Option<Text> {
        match self {
            LiveError::NoRedis => Some(say!(
                "on Debian and Ubuntu: apt-get install redis-server; elsewhere put redis-server on the PATH",
                "在 Debian 和 Ubuntu 上：apt-get install redis-server；其他系统请把 redis-server 放进 PATH"
            )),
            LiveError::NotInstalled { packages, .. } => Some(say!(
                "on Debian and Ubuntu: apt-get install {packages}",
                "在 Debian 和 Ubuntu 上：apt-get install {packages}",
                packages = *packages
            )),
            LiveError::Unreachable { .. } => {
                Some(say!("check that it is running and listens there", "请检查它是否在运行、是否监听这个地址"))
            }
            LiveError::Unsuitable { hint, .. } => hint.clone(),
            // PostgreSQL's codes: a wrong user or password; no line of pg_hba.conf; no such database.
            LiveError::Refused { reply, .. } if reply.starts_with("28P01") => Some(say!(
                "is the password right? postgres://USER:PASSWORD@HOST:PORT/DATABASE",
                "密码对吗？postgres://用户:密码@主机:端口/数据库"
            )),
            LiveError::Refused { reply, .. } if reply.starts_with("28000") => Some(say!(
                "its pg_hba.conf must let this user in from here, without encryption: a line that begins with host",
                "它的 pg_hba.conf 要允许这个用户从这里不加密地连接：以 host 开头的一行"
            )),
            LiveError::Refused { reply, .. } if reply.starts_with("3D000") => Some(say!(
                "name a database that is there: postgres://USER:PASSWORD@HOST:PORT/DATABASE",
                "请写一个存在的数据库：postgres://用户:密码@主机:端口/数据库"
            )),
            LiveError::Refused { reply, .. } if reply.starts_with("NOAUTH") || reply.starts_with("WRONGPASS") => {
                Some(say!(
                    "it wants a password: redis://USER:PASSWORD@HOST:PORT, or redis://:PASSWORD@HOST:PORT",
                    "它需要密码：redis://用户:密码@主机:端口，或 redis://:密码@主机:端口"
                ))
            }
            LiveError::Refused { .. } | LiveError::NotStarted { .. } | LiveError::System { .. } => None,
            LiveError::NotApplicable(_) | LiveError::Malformed(_) | LiveError::Broken(_) => None,
            LiveError::Disturbed { can_be_exact: true, .. } => Some(say!(
                "without --clock and --time-scale the virtual clock plays it, exactly, however busy this machine is",
                "去掉 --clock 和 --time-scale，就由虚拟时钟运行：机器再忙也完全精确"
            )),
            LiveError::Disturbed { is_hastened: true, .. } => Some(say!(
                "use a smaller --time-scale, or stop what else runs here and play it again",
                "请减小 --time-scale，或停掉这台机器上的其他程序再运行一次"
            )),
            LiveError::Disturbed { .. } => Some(say!(
                "stop what else runs here and play it again; without --live it is simulated, exactly",
                "请停掉这台机器上的其他程序再运行一次；去掉 --live 就是模拟运行，完全精确"
            )),
        }
    }
}

impl fmt::Display for LiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message().en)
    }
}

impl std::error::Error for LiveError {}
