//! A word with placeholders: `{key}:fence`.

use std::sync::Arc;

/// A word of a command, or a text that a reply is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Word(Box<[Part]>);

/// A piece of a word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Text as it stands.
    Text(Box<str>),
    /// `{key}`: the lock's key.
    Key,
    /// `{token}`: what marks this acquisition.
    Token,
    /// `{client}`: the client's name.
    Client,
    /// `{ttl_ms}`: the lease in milliseconds.
    TtlMillis,
    /// `{ttl_s}`: the lease in whole seconds.
    TtlSeconds,
    /// `{now_ms}`: what the client's wall clock shows when the line is sent or its reply is judged, in milliseconds.
    NowMillis,
    /// `{until_ms}`: what the client's wall clock will show when a lease that begins with this try ends, in milliseconds.
    UntilMillis,
    /// `{name}`: a reply that an earlier line kept, by its index.
    Kept(u8),
    /// A parameter of the listing, by its index.
    Parameter(u8, Unit),
    /// `@name`: a whole Lua script.
    Script(Arc<str>),
    /// `@name` after `EVALSHA`: the script's SHA-1 in hexadecimal; the script itself beside it.
    ScriptHash(Arc<str>, Box<str>),
}

/// How a parameter is written into a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A number or a word, as it is.
    Plain,
    /// A span in milliseconds.
    Millis,
    /// A span in whole seconds.
    Seconds,
}

impl Part {
    /// Whether it follows from the client's clock.
    pub fn is_clock(&self) -> bool {
        matches!(self, Part::NowMillis | Part::UntilMillis)
    }
}

impl Word {
    pub(super) fn new(parts: Vec<Part>) -> Word {
        Word(parts.into())
    }

    /// The pieces, in order.
    pub fn parts(&self) -> &[Part] {
        &self.0
    }
}
