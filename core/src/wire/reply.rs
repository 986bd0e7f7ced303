//! A reply: what a server answers.

use std::fmt;

/// A reply in the shapes of RESP2, which serve every service.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reply {
    /// A status, such as `OK`.
    Status(String),
    /// An error: its code is the first word, such as `ERR`, `WRONGTYPE`, `READONLY`.
    Error(String),
    /// An integer.
    Integer(i64),
    /// A string of bytes.
    Bulk(Vec<u8>),
    /// No such value.
    Nil,
    /// A list of replies.
    Array(Vec<Reply>),
    /// A list that is not there (RESP2's null array, such as EXEC after a lost WATCH).
    NilArray,
}

impl Reply {
    /// The status `OK`.
    pub fn ok() -> Reply {
        Reply::Status("OK".into())
    }

    /// A string reply.
    pub fn bulk(text: impl AsRef<[u8]>) -> Reply {
        Reply::Bulk(text.as_ref().to_vec())
    }

    /// An error's code, its first word; `None` for any other reply.
    pub fn error_code(&self) -> Option<&str> {
        match self {
            Reply::Error(text) => text.split(' ').next(),
            _ => None,
        }
    }

    /// The text of a status or of a string that is UTF-8, or the digits of an integer.
    pub fn text(&self) -> Option<String> {
        match self {
            Reply::Status(text) => Some(text.clone()),
            Reply::Bulk(bytes) => String::from_utf8(bytes.clone()).ok(),
            Reply::Integer(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// The number of an integer reply, or of a string that holds one.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Reply::Integer(number) => Some(*number),
            Reply::Bulk(bytes) => std::str::from_utf8(bytes).ok()?.parse().ok(),
            _ => None,
        }
    }
}

/// One line: `OK`, `(error) READONLY ...`, `(integer) 1`, `"text"`, `(nil)`, `[1, "a"]`.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Status(text) => f.write_str(text),
            Reply::Error(text) => write!(f, "(error) {text}"),
            Reply::Integer(number) => write!(f, "(integer) {number}"),
            Reply::Bulk(bytes) => write_quoted(f, bytes),
            Reply::Nil | Reply::NilArray => f.write_str("(nil)"),
            Reply::Array(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str("]")
            }
        }
    }
}

/// Writes one word of a command, quoted only where a reader or redis-cli needs it.
pub(super) fn write_word(f: &mut fmt::Formatter<'_>, word: &[u8]) -> fmt::Result {
    let plain = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'\\');
    match std::str::from_utf8(word) {
        Ok(text) if !word.is_empty() && word.iter().all(plain) => f.write_str(text),
        _ => write_quoted(f, word),
    }
}

fn write_quoted(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    f.write_str("\"")?;
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            match char {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                char if char.is_control() => write!(f, "\\x{:02x}", char as u32)?,
                char => write!(f, "{char}")?,
            }
        }
        for byte in chunk.invalid() {
            write!(f, "\\x{byte:02x}")?;
        }
    }
    f.write_str("\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Command;

    #[test]
    fn commands_and_replies_print_as_redis_cli_shows_them() {
        let command = Command::new(["SET", "lock", "a b", "NX"]);
        assert_eq!(command.to_string(), "SET lock \"a b\" NX");
        let reply = Reply::Array(vec![Reply::Integer(1), Reply::bulk("锁"), Reply::Nil]);
        assert_eq!(reply.to_string(), "[(integer) 1, \"锁\", (nil)]");
        assert_eq!(Reply::Bulk(vec![b'a', 0xff, b'\n']).to_string(), "\"a\\xff\\n\"");
        assert_eq!(Reply::Error("READONLY You".into()).error_code(), Some("READONLY"));
    }
}
