//! What is wrong with a listing, and where.

use std::fmt;

use crate::i18n::{Language, Text, did_you_mean};

/// An error in a listing's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ListingError {
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted in characters from 1.
    pub column: u32,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a listing. Where a name is wrong, `nearest` is the allowed name most like it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub enum Problem {
    /// A line outside every section.
    Homeless,
    /// A header that is no section.
    UnknownSection { found: String, nearest: Option<&'static str> },
    /// A section that is there twice.
    Repeated { name: String },
    /// A listing without `acquire:` or `release:`.
    Missing { section: &'static str },
    /// `renew every` without a usable interval.
    Interval { found: String },
    /// A command that no service knows.
    UnknownCommand { found: String, nearest: Option<&'static str> },
    /// A command that is not written in capitals.
    SmallCommand { found: String },
    /// A command that waits for a message, or administers a server.
    ForeignCommand { found: String },
    /// A line without a command.
    NoCommand,
    /// A placeholder that stands for nothing.
    UnknownPlaceholder { found: String, nearest: Option<String>, allowed: Vec<String> },
    /// `{` or `}` without its partner.
    Brace,
    /// A quote without its partner.
    Quote,
    /// A word in single quotes.
    SingleQuote,
    /// `renew every ...:` without a line.
    NothingToRenew,
    /// `@name` without a script of that name.
    UnknownScript { found: String, nearest: Option<String> },
    /// A script that nothing calls.
    UnusedScript { name: String },
    /// A script without a line.
    EmptyScript { name: String },
    /// A script that is no Lua.
    Lua { message: String },
    /// A pattern that matches nothing.
    UnknownPattern { found: String, nearest: Option<&'static str> },
    /// A pattern without an outcome, or an outcome without a pattern.
    NoColon { found: String },
    /// An outcome that does not exist.
    UnknownOutcome { found: String, nearest: Option<&'static str>, allowed: Vec<&'static str> },
    /// An outcome that means nothing in this section.
    Misplaced { outcome: String, section: &'static str, allowed: Vec<&'static str> },
    /// A pattern after `*`, or the same one twice: it can never match.
    Unreachable { pattern: String },
    /// A name that cannot be given to a reply or a parameter.
    BadName { found: String },
    /// A parameter without a usable value.
    BadValue { found: String },
    /// A parameter whose unit is missing or does not fit.
    Unit { name: String, span: bool },
    /// A text that is too long to be a lock's code.
    TooLong { most: usize },
}

impl ListingError {
    /// The same error in a text that stands `lines` lines further down, such as inside a scenario file.
    pub fn moved_down(mut self, lines: u32) -> ListingError {
        self.line += lines;
        self
    }

    /// What is wrong and what is allowed, without the place.
    pub fn message(&self) -> Text {
        self.problem.message()
    }

    /// What to do next.
    pub fn hint(&self) -> Option<Text> {
        self.problem.hint()
    }
}

/// `line 2, column 5: unknown command "SETXN"`, in English.
impl fmt::Display for ListingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.message();
        write!(f, "line {}, column {}: {}", self.line, self.column, message.in_language(Language::English))
    }
}

impl Problem {
    fn message(&self) -> Text {
        match self {
            Problem::Homeless => Text::new(
                "this line belongs to no section: sections are `acquire:`, `release:`, `renew every ...:`, `check:`, `parameters:`, `script NAME:`",
                "这一行不属于任何小节；可用的小节：`acquire:`、`release:`、`renew every ...:`、`check:`、`parameters:`、`script 名字:`",
            ),
            Problem::UnknownSection { found, .. } => Text::new(
                format!(
                    "unknown section \"{found}\": sections are `acquire:`, `release:`, `renew every ...:`, `check:`, `parameters:`, `script NAME:`"
                ),
                format!(
                    "没有小节 \"{found}\"；可用的小节：`acquire:`、`release:`、`renew every ...:`、`check:`、`parameters:`、`script 名字:`"
                ),
            ),
            Problem::Repeated { name } => {
                Text::new(format!("\"{name}\" is here for the second time"), format!("\"{name}\" 重复出现"))
            }
            Problem::Missing { section } => Text::new(
                format!("a listing needs a section `{section}:` (it may be empty)"),
                format!("缺少小节 `{section}:`（可以为空）"),
            ),
            Problem::Interval { found } => Text::new(
                format!("\"{found}\" is not an interval: write `renew every {{ttl}}/3:` or `renew every 2s:`"),
                format!("\"{found}\" 不是间隔；请写 `renew every {{ttl}}/3:` 或 `renew every 2s:`"),
            ),
            Problem::UnknownCommand { found, .. } => {
                Text::new(format!("unknown command \"{found}\""), format!("没有命令 \"{found}\""))
            }
            Problem::SmallCommand { found } => Text::new(
                format!("a command is written in capitals, not \"{found}\""),
                format!("命令要用大写，而不是 \"{found}\""),
            ),
            Problem::ForeignCommand { found } => Text::new(
                format!(
                    "{found} is not for a listing: it sends commands that read or change keys, waits for no message and administers no server"
                ),
                format!("listing 不能用 {found}：它只发送读写键的命令，不等待消息，也不管理服务器"),
            ),
            Problem::NoCommand => Text::new("a line needs a command", "这一行缺少命令"),
            Problem::UnknownPlaceholder { found, allowed, .. } => Text::new(
                format!("nothing is called {{{found}}} here: allowed are {}", braced(allowed)),
                format!("这里没有 {{{found}}}；可用的有 {}", braced(allowed)),
            ),
            Problem::Brace => Text::new("`{` and `}` come in pairs", "`{` 与 `}` 必须成对"),
            Problem::Quote => Text::new("this quote is never closed", "引号没有闭合"),
            Problem::SingleQuote => Text::new("words with spaces are put in double quotes", "带空格的词要用双引号"),
            Problem::NothingToRenew => {
                Text::new("a renewal needs a line that extends the lease", "续期小节至少要有一行来延长租约")
            }
            Problem::UnknownScript { found, .. } => {
                Text::new(format!("there is no `script {found}:`"), format!("没有 `script {found}:`"))
            }
            Problem::UnusedScript { name } => {
                Text::new(format!("no line calls @{name}"), format!("没有任何一行调用 @{name}"))
            }
            Problem::EmptyScript { name } => {
                Text::new(format!("the script \"{name}\" has no line"), format!("脚本 \"{name}\" 是空的"))
            }
            Problem::Lua { message } => {
                Text::new(format!("this is not Lua 5.1: {message}"), format!("这不是合法的 Lua 5.1：{message}"))
            }
            Problem::UnknownPattern { found, .. } => Text::new(
                format!(
                    "\"{found}\" matches no reply: patterns are `1`, `>=1`, `OK`, `nil`, `\"text\"`, `{{token}}`, `error`, `error CODE`, `timeout`, `disconnected`, `*`"
                ),
                format!(
                    "\"{found}\" 不匹配任何回复；可用的模式：`1`、`>=1`、`OK`、`nil`、`\"text\"`、`{{token}}`、`error`、`error CODE`、`timeout`、`disconnected`、`*`"
                ),
            ),
            Problem::NoColon { found } => Text::new(
                format!("after `->` come pairs of `pattern: outcome`, not \"{found}\""),
                format!("`->` 之后应是 `模式: 结果`，而不是 \"{found}\""),
            ),
            Problem::UnknownOutcome { found, allowed, .. } => Text::new(
                format!("unknown outcome \"{found}\": allowed here are {}", allowed.join(", ")),
                format!("没有结果 \"{found}\"；这里可用：{}", allowed.join("、")),
            ),
            Problem::Misplaced { outcome, section, allowed } => Text::new(
                format!("\"{outcome}\" means nothing in `{section}`: allowed here are {}", allowed.join(", ")),
                format!("\"{outcome}\" 在 `{section}` 中没有意义；这里可用：{}", allowed.join("、")),
            ),
            Problem::Unreachable { pattern } => Text::new(
                format!("\"{pattern}\" can never match: an earlier pattern takes everything that it would"),
                format!("\"{pattern}\" 永远匹配不到：前面的模式已经全部覆盖"),
            ),
            Problem::BadName { found } => Text::new(
                format!(
                    "\"{found}\" cannot be a name here: use small letters, digits and _, and no name that is taken"
                ),
                format!("\"{found}\" 不能用作名字；请用小写字母、数字和 _，并且不要与已有名字重复"),
            ),
            Problem::BadValue { found } => Text::new(
                format!("\"{found}\" is no value for a parameter: write a whole number or a span such as `100ms`"),
                format!("\"{found}\" 不能作为参数值；请写整数或时长，如 `100ms`"),
            ),
            Problem::Unit { name, span: true } => Text::new(
                format!("{{{name}}} is a span of time and needs a unit: write {{{name}_ms}} or {{{name}_s}}"),
                format!("{{{name}}} 是时长，需要单位；请写 {{{name}_ms}} 或 {{{name}_s}}"),
            ),
            Problem::Unit { name, span: false } => Text::new(
                format!("{{{name}}} is a number and has no unit: write {{{name}}}"),
                format!("{{{name}}} 是数字，没有单位；请写 {{{name}}}"),
            ),
            Problem::TooLong { most } => {
                Text::new(format!("a listing has at most {most} characters"), format!("listing 最多 {most} 个字符"))
            }
        }
    }

    fn hint(&self) -> Option<Text> {
        let nearest = match self {
            Problem::UnknownSection { nearest, .. }
            | Problem::UnknownCommand { nearest, .. }
            | Problem::UnknownPattern { nearest, .. }
            | Problem::UnknownOutcome { nearest, .. } => nearest.map(str::to_owned),
            Problem::UnknownPlaceholder { nearest, .. } => nearest.as_ref().map(|name| format!("{{{name}}}")),
            Problem::UnknownScript { nearest, .. } => nearest.as_ref().map(|name| format!("@{name}")),
            Problem::SmallCommand { found } => Some(found.to_ascii_uppercase()),
            Problem::UnusedScript { name } => {
                return Some(Text::new(
                    format!("call it with `EVAL @{name} 1 {{key}} ...`, or leave it out"),
                    format!("用 `EVAL @{name} 1 {{key}} ...` 调用它，或者删掉它"),
                ));
            }
            Problem::Homeless => {
                return Some(Text::new(
                    "a section's name stands at the start of its line and ends with `:`; its lines are indented",
                    "小节名顶格书写、以 `:` 结尾，小节里的行要缩进",
                ));
            }
            _ => None,
        };
        nearest.as_deref().map(did_you_mean)
    }
}

fn braced(names: &[String]) -> String {
    names.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(" ")
}
