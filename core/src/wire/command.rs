//! A command: words on the way to a server.

use std::fmt;

/// A command as its words; the first is the command's name.
///
/// Words are bytes, as Redis takes them. Commands are shared (`Arc<Command>`) and never changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Command {
    words: Box<[Box<[u8]>]>,
}

impl Command {
    /// A command of these words.
    pub fn new<W: AsRef<[u8]>>(words: impl IntoIterator<Item = W>) -> Command {
        Command { words: words.into_iter().map(|word| Box::from(word.as_ref())).collect() }
    }

    /// The words, name first.
    pub fn words(&self) -> &[Box<[u8]>] {
        &self.words
    }

    /// The first word as text, in upper case; empty for an empty command.
    pub fn name(&self) -> String {
        self.words.first().map(|word| String::from_utf8_lossy(word).to_uppercase()).unwrap_or_default()
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

/// As redis-cli would take it; words that need it are quoted, bytes outside UTF-8 escaped.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, word) in self.words.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            super::reply::write_word(f, word)?;
        }
        Ok(())
    }
}
