//! Runs of a script that differ only in names.
//!
//! Most lock scripts only compare strings and pass them on: "if the value is my token, delete the key". What such a script does depends on
//! which of its strings are equal, not on what they are, so a run with token `A-1` tells all about a run with token `A-2`. For these
//! scripts, and for no others, what is remembered is kept in symbols: the script's own literals first, then its keys and arguments, then
//! what came back, each string once. A string that is there already is the same symbol, so the pattern of symbols *is* the
//! pattern of equalities.
//!
//! A script counts as one that only compares if a look at its words finds nothing else: `redis.call`, `redis.pcall`, `KEYS[n]`, `ARGV[n]`, its own
//! locals, plain literals, `==`, `~=`, `and`, `or`, `not`, `if`, `return`. No loop, no arithmetic, no order, no concatenation, no library.

use super::engine::Ending;
use crate::wire::{Bytes, Reply};

/// A string of a run: a symbol, or just what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Piece {
    /// Whatever string this symbol stands for in the run at hand.
    Symbol(u16),
    /// This string.
    Fixed(Bytes),
}

/// A reply in pieces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    Integer(Piece),
    Bulk(Piece),
    Array(Vec<Shape>),
    /// A status, an error, nothing: told apart by what they are.
    Plain(Reply),
}

/// The end of a run in pieces.
#[derive(Clone, Debug)]
pub(super) enum EndShape {
    Reply(Shape),
    Other(Ending),
}

/// The strings of one run, by symbol.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    strings: Vec<Bytes>,
    /// The script looks into its strings: none of them is a mere symbol.
    looks_inside: bool,
}

impl Symbols {
    /// For a script with these literals; `None`: it does more than compare.
    pub(super) fn new(literals: Option<&[Bytes]>) -> Symbols {
        /// Most runs have no more keys, arguments and replies.
        const FEW: usize = 6;
        let known = literals.unwrap_or_default();
        let mut strings = Vec::with_capacity(known.len() + FEW);
        strings.extend_from_slice(known);
        Symbols { strings, looks_inside: literals.is_none() }
    }

    /// The piece of a string that the run is given; a new one becomes the next symbol.
    pub(super) fn given(&mut self, string: &Bytes) -> Piece {
        self.symbol(string, || string.clone())
    }

    /// The piece of a string that the script itself sends: one that it was given, else one that it always makes.
    pub(super) fn sent(&self, string: &[u8]) -> Piece {
        match self.find(string) {
            Some(symbol) if !self.looks_inside => Piece::Symbol(symbol),
            _ => Piece::Fixed(string.into()),
        }
    }

    /// The shape of a reply that the run received; its new strings become symbols.
    pub(super) fn received(&mut self, reply: &Reply) -> Shape {
        match reply {
            Reply::Integer(number) => {
                let digits = number.to_string();
                Shape::Integer(self.symbol(digits.as_bytes(), || digits.as_str().into()))
            }
            Reply::Bulk(bytes) => Shape::Bulk(self.symbol(bytes, || bytes.as_slice().into())),
            Reply::Array(items) => Shape::Array(items.iter().map(|item| self.received(item)).collect()),
            Reply::Status(_) | Reply::Error(_) | Reply::Nil | Reply::NilArray => Shape::Plain(reply.clone()),
        }
    }

    /// The shape of what the script returns.
    pub(super) fn ended(&self, ending: &Ending) -> EndShape {
        match ending {
            Ending::Reply(reply) => EndShape::Reply(self.returned(reply)),
            other => EndShape::Other(other.clone()),
        }
    }

    fn returned(&self, reply: &Reply) -> Shape {
        match reply {
            Reply::Integer(number) => Shape::Integer(self.sent(number.to_string().as_bytes())),
            Reply::Bulk(bytes) => Shape::Bulk(self.sent(bytes)),
            Reply::Array(items) => Shape::Array(items.iter().map(|item| self.returned(item)).collect()),
            Reply::Status(_) | Reply::Error(_) | Reply::Nil | Reply::NilArray => Shape::Plain(reply.clone()),
        }
    }

    /// A piece as the string that it stands for here.
    pub(super) fn string<'a>(&'a self, piece: &'a Piece) -> &'a Bytes {
        match piece {
            Piece::Symbol(symbol) => &self.strings[usize::from(*symbol)],
            Piece::Fixed(string) => string,
        }
    }

    /// The end of a run as it is here.
    pub(super) fn ending(&self, shape: &EndShape) -> Ending {
        match shape {
            EndShape::Reply(shape) => Ending::Reply(self.reply(shape)),
            EndShape::Other(ending) => ending.clone(),
        }
    }

    fn reply(&self, shape: &Shape) -> Reply {
        match shape {
            Shape::Integer(piece) => {
                let digits = std::str::from_utf8(self.string(piece)).ok().and_then(|digits| digits.parse().ok());
                Reply::Integer(digits.expect("the symbol of an integer is its digits"))
            }
            Shape::Bulk(piece) => Reply::Bulk(self.string(piece).to_vec()),
            Shape::Array(items) => Reply::Array(items.iter().map(|item| self.reply(item)).collect()),
            Shape::Plain(reply) => reply.clone(),
        }
    }

    fn find(&self, string: &[u8]) -> Option<u16> {
        self.strings.iter().position(|known| **known == *string).map(|place| place as u16)
    }

    fn symbol(&mut self, string: &[u8], own: impl FnOnce() -> Bytes) -> Piece {
        // Beyond any lock's script; from there on a run is only equal to itself.
        const MOST_SYMBOLS: usize = 1_000;
        if self.looks_inside || self.strings.len() >= MOST_SYMBOLS {
            return Piece::Fixed(own());
        }
        Piece::Symbol(self.find(string).unwrap_or_else(|| {
            self.strings.push(own());
            self.strings.len() as u16 - 1
        }))
    }
}

/// The literals of a script that only compares strings and passes them on; `None` for any other.
pub(super) fn literals(source: &[u8]) -> Option<Vec<Bytes>> {
    let source = std::str::from_utf8(source).ok()?;
    let tokens = tokens(source)?;
    let mut locals: Vec<&str> = Vec::new();
    let mut literals: Vec<Bytes> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &tokens[before]);
        let next = tokens.get(index + 1);
        match token {
            Token::Literal(text) => literals.push((*text).into()),
            Token::Name(name) => match *name {
                "if" | "then" | "else" | "elseif" | "end" | "return" | "and" | "or" | "not" | "local" | "nil"
                | "true" | "false" => {}
                "redis" if next == Some(&Token::Sign(".")) => {}
                "call" | "pcall" if before == Some(&Token::Sign(".")) && next == Some(&Token::Sign("(")) => {}
                "KEYS" | "ARGV" if next == Some(&Token::Sign("[")) => {}
                name if before == Some(&Token::Name("local")) => locals.push(name),
                name if before != Some(&Token::Sign(".")) && locals.contains(&name) => {}
                _ => return None,
            },
            Token::Sign("[") if !matches!(before, Some(Token::Name("KEYS" | "ARGV"))) => return None,
            Token::Sign(".") if before != Some(&Token::Name("redis")) => return None,
            // A call of anything but redis.call, or a table as an argument, is not looked into.
            Token::Sign("(") if matches!(before, Some(Token::Name(name)) if locals.contains(name)) => return None,
            Token::Sign(_) => {}
        }
    }
    Some(literals)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Name(&'a str),
    /// A string without its quotes, or a whole number.
    Literal(&'a str),
    Sign(&'static str),
}

/// The tokens of a script; `None` at the first that a comparing script has no use for.
fn tokens(source: &str) -> Option<Vec<Token<'_>>> {
    const SIGNS: [&str; 10] = ["==", "~=", "=", "(", ")", "[", "]", ",", ";", "."];
    let mut tokens: Vec<Token> = Vec::new();
    let mut rest = source.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = if let Some(comment) = rest.strip_prefix("--") {
            if comment.starts_with('[') {
                return None;
            }
            rest = comment.split_once('\n').map_or("", |(_, after)| after).trim_start();
            continue;
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = rest.find(|char: char| !char.is_ascii_alphanumeric() && char != '_').unwrap_or(rest.len());
            (Token::Name(&rest[..length]), length)
        } else if first.is_ascii_digit() {
            let length = rest.find(|char: char| !char.is_ascii_alphanumeric() && char != '.').unwrap_or(rest.len());
            let digits = &rest[..length];
            // Only numbers that Lua prints as they are written.
            if digits.len() > 15
                || digits.contains(|char: char| !char.is_ascii_digit())
                || (digits.starts_with('0') && length > 1)
            {
                return None;
            }
            (Token::Literal(digits), length)
        } else if matches!(first, '\'' | '"') {
            let text = &rest[1..];
            let end = text.find(first)?;
            if text[..end].contains(['\\', '\n', '\r']) {
                return None;
            }
            (Token::Literal(&text[..end]), end + 2)
        } else {
            let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign))?;
            if rest.starts_with("..") {
                return None;
            }
            (Token::Sign(sign), sign.len())
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compares(source: &str) -> bool {
        literals(source.as_bytes()).is_some()
    }

    #[test]
    fn a_script_that_only_compares_is_told_from_one_that_looks_inside() {
        assert!(compares(
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end"
        ));
        assert!(compares(
            "local ok = redis.call('SET', KEYS[1], ARGV[1], 'NX') -- take it\nif not ok then return nil end\nreturn 1"
        ));
        for looks_inside in [
            "return redis.call('SET', KEYS[1], ARGV[1] .. 'x')",
            "return tonumber(ARGV[1]) + 1",
            "if redis.call('GET', KEYS[1]) < ARGV[1] then return 1 end",
            "return redis.call('HGETALL', KEYS[1])[1]",
            "local f = redis.call return f('GET', KEYS[1])",
            "for i = 1, 3 do redis.call('INCR', KEYS[1]) end",
            "return #ARGV",
            "return string.sub(ARGV[1], 1)",
            "return unknown",
            "return redis.sha1hex(ARGV[1])",
            "return redis.call('SET', KEYS[1], 1.5)",
            "return redis.call('SET', KEYS[1], 'a\\n')",
            "return {ARGV[1]}",
            "return -1",
        ] {
            assert!(!compares(looks_inside), "{looks_inside}");
        }
    }

    #[test]
    fn equal_strings_are_one_symbol_and_a_literal_is_known_from_an_argument() {
        let literals = literals(b"return redis.call('SET', KEYS[1], 30)").expect("it only compares");
        let mut symbols = Symbols::new(Some(&literals));
        assert_eq!(symbols.given(&"lock".into()), Piece::Symbol(3));
        assert_eq!(
            symbols.given(&"30".into()),
            Piece::Symbol(2),
            "the literal 30 and the argument 30 cannot be told apart"
        );
        assert_eq!(symbols.given(&"lock".into()), Piece::Symbol(3));
        assert_eq!(symbols.received(&Reply::Integer(30)), Shape::Integer(Piece::Symbol(2)));
        assert_eq!(symbols.received(&Reply::Bulk(b"30".to_vec())), Shape::Bulk(Piece::Symbol(2)));
    }
}
