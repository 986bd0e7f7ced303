//! From a text to its symbols.

use super::super::SqlError;

/// A symbol of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    /// A name or keyword, in small letters as PostgreSQL reads it.
    Word(String),
    /// Digits, perhaps with a fraction.
    Number(String),
    /// What stood in single quotes.
    Quoted(String),
    /// A mark: `(`, `)`, `,`, `*`, `=`, `<>`, `<=`, `>=`, `<`, `>`, `+`, `-`, `||`.
    Mark(&'static str),
}

/// Longer marks first.
const MARKS: [&str; 14] = ["<>", "!=", "<=", ">=", "||", "(", ")", ",", "*", "=", "<", ">", "+", "-"];

impl Symbol {
    /// As it stood in the text, for an error.
    pub fn text(&self) -> &str {
        match self {
            Symbol::Word(text) | Symbol::Number(text) | Symbol::Quoted(text) => text,
            Symbol::Mark(mark) => mark,
        }
    }
}

/// Splits a statement; a last semicolon is left out.
///
/// # Errors
/// 42601 at a character that begins no symbol, or an unclosed quote.
pub(super) fn symbols(text: &str) -> Result<Vec<Symbol>, SqlError> {
    let mut symbols = Vec::new();
    let text = text.trim().trim_end_matches(';');
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let length = |fits: fn(char) -> bool| rest.find(|char| !fits(char)).unwrap_or(rest.len());
        let (symbol, length) = if first.is_ascii_alphabetic() || first == '_' {
            let length = length(|char| char.is_ascii_alphanumeric() || char == '_');
            (Symbol::Word(rest[..length].to_ascii_lowercase()), length)
        } else if first.is_ascii_digit() {
            let length = length(|char| char.is_ascii_digit() || char == '.');
            (Symbol::Number(rest[..length].to_owned()), length)
        } else if first == '\'' {
            quoted(rest)?
        } else {
            let mark = MARKS.into_iter().find(|mark| rest.starts_with(mark));
            let mark = mark.ok_or_else(|| SqlError::syntax(first.encode_utf8(&mut [0; 4])))?;
            (Symbol::Mark(if mark == "!=" { "<>" } else { mark }), mark.len())
        };
        symbols.push(symbol);
        rest = rest[length..].trim_start();
    }
    Ok(symbols)
}

/// A text in single quotes, in which two of them stand for one; and its length in the source.
fn quoted(source: &str) -> Result<(Symbol, usize), SqlError> {
    let mut text = String::new();
    let mut chars = source.char_indices().skip(1).peekable();
    while let Some((index, char)) = chars.next() {
        match char {
            '\'' if chars.peek().is_some_and(|(_, next)| *next == '\'') => {
                chars.next();
                text.push('\'');
            }
            '\'' => return Ok((Symbol::Quoted(text), index + 1)),
            char => text.push(char),
        }
    }
    Err(SqlError::new("42601", format!("unterminated quoted string at or near \"{source}\"")))
}
