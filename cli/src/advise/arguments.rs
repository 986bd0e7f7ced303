//! What can be typed after `locklab advise`.

use clap::Args;
use locklab_core::compare::advice::{Check, Server, Stakes, Task};
use locklab_core::say;
use locklab_core::time::Span;

use crate::options::{ListFormat, Rule};

/// `locklab advise`. What is not said is asked.
#[derive(Debug, Args)]
pub struct AdviseArguments {
    /// What is done: update, once, counter, several or job.
    #[arg(long, value_name = "TASK")]
    pub task: Option<Task>,
    /// What a double execution costs: waste, harm or money.
    #[arg(long, value_name = "COST")]
    pub stakes: Option<Stakes>,
    /// What the resource can check: nothing, condition or token.
    #[arg(long, value_name = "CHECK")]
    pub check: Option<Check>,
    /// How long the work takes at most, such as 200ms, or unknown.
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", value_parser = work)]
    pub work: Option<Work>,
    /// The servers that there are: redis, redlock (independent nodes), zookeeper, etcd, consul, kubernetes, database.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub servers: Vec<Server>,
    /// How to answer: text or json.
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
}

impl AdviseArguments {
    /// Whether something is not said that has to be known.
    pub fn leaves_questions(&self) -> bool {
        self.task.is_none() || self.stakes.is_none() || self.check.is_none() || self.servers.is_empty()
    }
}

/// How long work takes at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// So long.
    AtMost(Span),
    /// Nobody knows.
    Unknown,
}

impl Work {
    /// The bound, where there is one.
    pub fn bound(self) -> Option<Span> {
        match self {
            Work::AtMost(span) => Some(span),
            Work::Unknown => None,
        }
    }
}

/// A span, or `unknown`.
pub fn work(text: &str) -> Result<Work, Rule> {
    if text == "unknown" {
        return Ok(Work::Unknown);
    }
    text.parse().map(Work::AtMost).map_err(|_| {
        Rule(say!("write a time such as 200ms or 3s, or unknown", "请写一个时间，如 200ms 或 3s；不知道就写 unknown"))
    })
}
