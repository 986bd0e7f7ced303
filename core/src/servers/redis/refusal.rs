//! Why a command is refused: Redis' error texts.

use std::borrow::Cow;

use crate::wire::Reply;

/// An error reply. Its first word is the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) Cow<'static, str>);

impl Refusal {
    pub(super) const WRONG_TYPE: Refusal =
        Refusal(Cow::Borrowed("WRONGTYPE Operation against a key holding the wrong kind of value"));
    pub(super) const SYNTAX: Refusal = Refusal(Cow::Borrowed("ERR syntax error"));
    pub(super) const NOT_INTEGER: Refusal = Refusal(Cow::Borrowed("ERR value is not an integer or out of range"));
    pub(super) const NOT_FLOAT: Refusal = Refusal(Cow::Borrowed("ERR value is not a valid float"));
    pub(super) const NO_SUCH_KEY: Refusal = Refusal(Cow::Borrowed("ERR no such key"));
    pub(super) const NOT_POSITIVE: Refusal = Refusal(Cow::Borrowed("ERR value is out of range, must be positive"));
    pub(super) const OVERFLOW: Refusal = Refusal(Cow::Borrowed("ERR increment or decrement would overflow"));
    pub(super) const OUT_OF_MEMORY: Refusal =
        Refusal(Cow::Borrowed("OOM command not allowed when used memory > 'maxmemory'."));
    pub(super) const READ_ONLY: Refusal =
        Refusal(Cow::Borrowed("READONLY You can't write against a read only replica."));
    pub(super) const NO_REPLICAS: Refusal = Refusal(Cow::Borrowed("NOREPLICAS Not enough good replicas to write."));
    pub(super) const MASTER_DOWN: Refusal =
        Refusal(Cow::Borrowed("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."));
    pub(super) const SNAPSHOT_FAILED: Refusal = Refusal(Cow::Borrowed(
        "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk. Commands that may modify the data \
         set are disabled, because this instance is configured to report errors during writes if RDB snapshotting fails \
         (stop-writes-on-bgsave-error option). Please check the Redis logs for details about the RDB error.",
    ));
    pub(super) const NO_AUTH: Refusal = Refusal(Cow::Borrowed("NOAUTH Authentication required."));
    pub(super) const WRONG_PASSWORD: Refusal =
        Refusal(Cow::Borrowed("WRONGPASS invalid username-password pair or user is disabled."));
    pub(super) const NO_SCRIPT: Refusal = Refusal(Cow::Borrowed("NOSCRIPT No matching script. Please use EVAL."));

    /// The number of words does not fit the command, named in lower case.
    pub(super) fn wrong_count(name: &str) -> Refusal {
        Refusal(format!("ERR wrong number of arguments for '{name}' command").into())
    }

    /// The expiry is not positive, or too far away.
    pub(super) fn invalid_expiry(name: &str) -> Refusal {
        Refusal(format!("ERR invalid expire time in '{name}' command").into())
    }

    pub(super) fn reply(self) -> Reply {
        Reply::Error(self.0.into_owned())
    }
}

impl From<&'static str> for Refusal {
    fn from(text: &'static str) -> Refusal {
        Refusal(Cow::Borrowed(text))
    }
}

impl From<String> for Refusal {
    fn from(text: String) -> Refusal {
        Refusal(Cow::Owned(text))
    }
}
