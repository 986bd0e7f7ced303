//! A command: words on the way to a server.

use std::fmt;

use super::Bytes;

/// A command as its words; the first is the command's name.
///
/// Words are bytes, as Redis takes them. Commands are shared (`Arc<Command>`) and never changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Command {
    words: Box<[Bytes]>,
}

impl Command {
    /// A command of these words.
    pub fn new<W: AsRef<[u8]>>(words: impl IntoIterator<Item = W>) -> Command {
        Command { words: words.into_iter().map(|word| Bytes::from(word.as_ref())).collect() }
    }

    /// A command as it is written on one line: words between spaces; one with spaces in it stands in double quotes, in which `\"`, `\\`, `\n`, `\r` and `\t`
    /// mean what they mean elsewhere; an SQL statement stands as it is. `None` where a quote is not closed, another escape stands, or there is no word at all.
    pub fn from_line(line: &str) -> Option<Command> {
        let statement = Command::sql(line);
        if statement.is_sql() {
            return Some(statement);
        }
        let mut words = Vec::new();
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (word, after) = match rest.strip_prefix('"') {
                Some(quoted) => unquoted(quoted)?,
                None => (rest[..end].to_owned(), &rest[end..]),
            };
            words.push(word);
            rest = after.trim_start();
        }
        (!words.is_empty()).then(|| Command::new(words))
    }

    /// An SQL statement: its words as they stand between spaces, but for spaces within single quotes.
    pub fn sql(statement: &str) -> Command {
        let mut quoted = false;
        let words = statement.split(|char: char| {
            quoted ^= char == '\'';
            char.is_whitespace() && !quoted
        });
        Command::new(words.filter(|word| !word.is_empty()))
    }

    /// Whether it is an SQL statement about rows or locks. Redis has one command of these names, `SELECT`, which is followed by a number.
    pub fn is_sql(&self) -> bool {
        let [name, second, ..] = &*self.words else { return false };
        match &**name {
            b"INSERT" | b"UPDATE" | b"DELETE" | b"CREATE" => true,
            b"SELECT" => !second.iter().all(u8::is_ascii_digit),
            _ => false,
        }
    }

    /// The words, name first.
    pub fn words(&self) -> &[Bytes] {
        &self.words
    }

    /// The first word as text, in upper case; empty for an empty command.
    pub fn name(&self) -> String {
        self.words.first().map(|word| String::from_utf8_lossy(word).to_ascii_uppercase()).unwrap_or_default()
    }

    /// All words as text; `None` if one of them is not UTF-8.
    pub fn texts(&self) -> Option<Vec<&str>> {
        self.words.iter().map(|word| std::str::from_utf8(word).ok()).collect()
    }

    /// One word as text, if it is there and is UTF-8.
    pub fn word(&self, index: usize) -> Option<&str> {
        self.words.get(index).and_then(|word| std::str::from_utf8(word).ok())
    }
}

/// A command that shares its words.
impl FromIterator<Bytes> for Command {
    fn from_iter<W: IntoIterator<Item = Bytes>>(words: W) -> Command {
        Command { words: words.into_iter().collect() }
    }
}

/// A word up to its closing quote, and what follows it.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        word.push(match letter {
            '"' => return Some((word, &text[at + 1..])),
            '\\' => match letters.next()?.1 {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                same @ ('"' | '\\') => same,
                _ => return None,
            },
            letter => letter,
        });
    }
    None
}

/// As redis-cli would take it; words that need it are quoted, bytes outside UTF-8 escaped. An SQL statement as it was written.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sql = self.is_sql();
        for (index, word) in self.words.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            if sql && let Ok(text) = std::str::from_utf8(word) {
                f.write_str(text)?;
                continue;
            }
            super::reply::write_word(f, word)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_is_written_on_a_line_is_read_back() {
        for words in
            [&["DEL", "lock"][..], &["SCRIPT", "LOAD", "if a == \"b\\\" then\n\treturn 0\nend"], &["SET", "k", ""]]
        {
            let command = Command::new(words);
            assert_eq!(Command::from_line(&command.to_string()), Some(command));
        }
        assert_eq!(Command::from_line("  GET   lock "), Some(Command::new(["GET", "lock"])));
    }

    #[test]
    fn what_is_no_command_is_not_taken_for_one() {
        for line in ["", "  ", "SET k \"open", "SET k \"\\q\""] {
            assert_eq!(Command::from_line(line), None, "{line}");
        }
    }
}
