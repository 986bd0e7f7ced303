//! One line: `[name =] COMMAND [-> pattern: outcome, ...]`.

use std::sync::Arc;

use super::error::{ListingError, Problem};
use super::parse::{Raw, is_name, is_reserved};
use super::{Case, Line, Outcome, Part, Pattern, SQL, Unit, Word, script};
use crate::history::Section;
use crate::i18n::nearest;
use crate::locks::Value;

/// What a line may name.
pub(super) struct Scope {
    pub parameters: Vec<(String, Value)>,
    pub scripts: Vec<(String, Arc<str>)>,
    pub kept: Vec<String>,
}

/// Parses lines in the order acquire, release, renew, check, and collects the names that they keep.
pub(super) struct LineParser {
    scope: Scope,
    /// Which of the kept names can be used here: what `acquire` keeps, everywhere; what another section keeps, only there.
    visible: Vec<u8>,
    from_acquire: usize,
}

/// A word of the text, and whether it stood in quotes.
struct Token<'a> {
    text: &'a str,
    quoted: bool,
}

impl LineParser {
    pub(super) fn new(scope: Scope) -> LineParser {
        LineParser { scope, visible: Vec::new(), from_acquire: 0 }
    }

    pub(super) fn into_scope(self) -> Scope {
        self.scope
    }

    pub(super) fn end_section(&mut self, section: Section) {
        if section == Section::Acquire {
            self.from_acquire = self.visible.len();
        }
        self.visible.truncate(self.from_acquire);
    }

    pub(super) fn line(&mut self, section: Section, raw: Raw) -> Result<Line, ListingError> {
        let text = raw.text.trim_start();
        let (command, cases) = match find_outside(text, "->") {
            Some(arrow) => (&text[..arrow], Some(&text[arrow + 2..])),
            None => (text, None),
        };
        let mut tokens = tokens(raw, command)?;
        let name = match &tokens[..] {
            [name, equals, ..] if equals.text == "=" && !equals.quoted => Some(name.text),
            _ => None,
        };
        if name.is_some() {
            tokens.drain(..2);
        }
        check_command(raw, text, &tokens)?;
        let mut words: Vec<Word> = tokens.iter().map(|token| self.word(raw, token)).collect::<Result<_, _>>()?;
        if tokens[0].text == "EVALSHA" {
            for word in &mut words {
                if let [Part::Script(source)] = word.parts() {
                    *word = Word::new(vec![Part::ScriptHash(source.clone(), script::hash(source))]);
                }
            }
        }
        let cases = cases.map_or(Ok(Vec::new()), |cases| self.cases(section, raw, cases))?;
        let keeps = name.map(|name| self.keep(raw, name)).transpose()?;
        Ok(Line { section, number: raw.number as u16, keeps, words, cases })
    }

    fn keep(&mut self, raw: Raw, name: &str) -> Result<u8, ListingError> {
        let bad = || raw.error(name, Problem::BadName { found: name.to_owned() });
        let taken = self.scope.kept.iter().any(|kept| kept == name);
        if taken || !is_name(name) || is_reserved(name) || self.parameter(name).is_some() {
            return Err(bad());
        }
        let index = u8::try_from(self.scope.kept.len()).map_err(|_| bad())?;
        self.scope.kept.push(name.to_owned());
        self.visible.push(index);
        Ok(index)
    }

    fn word(&self, raw: Raw, token: &Token) -> Result<Word, ListingError> {
        if let (Some(name), false) = (token.text.strip_prefix('@'), token.quoted) {
            return self.script(raw, name);
        }
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut rest = token.text;
        while let Some(char) = rest.chars().next() {
            let after = &rest[char.len_utf8()..];
            rest = match char {
                '{' | '}' if after.starts_with(char) => {
                    plain.push(char);
                    &after[1..]
                }
                '{' => {
                    let end = after.find('}').ok_or_else(|| raw.error(rest, Problem::Brace))?;
                    if !plain.is_empty() {
                        parts.push(Part::Text(std::mem::take(&mut plain).into()));
                    }
                    parts.push(self.placeholder(raw, &after[..end])?);
                    &after[end + 1..]
                }
                '}' => return Err(raw.error(rest, Problem::Brace)),
                '\\' if token.quoted => {
                    let escaped = after.chars().next().unwrap_or('\\');
                    plain.push(match escaped {
                        'n' => '\n',
                        't' => '\t',
                        other => other,
                    });
                    after.get(escaped.len_utf8()..).unwrap_or_default()
                }
                char => {
                    plain.push(char);
                    after
                }
            };
        }
        if !plain.is_empty() || parts.is_empty() {
            parts.push(Part::Text(plain.into()));
        }
        Ok(Word::new(parts))
    }

    fn script(&self, raw: Raw, name: &str) -> Result<Word, ListingError> {
        let found = self.scope.scripts.iter().find(|(script, _)| script == name);
        let Some((_, source)) = found else {
            let nearest = nearest(name, self.scope.scripts.iter().map(|(name, _)| name.as_str())).map(str::to_owned);
            return Err(raw.error(name, Problem::UnknownScript { found: name.to_owned(), nearest }));
        };
        Ok(Word::new(vec![Part::Script(source.clone())]))
    }

    fn placeholder(&self, raw: Raw, name: &str) -> Result<Part, ListingError> {
        match name {
            "key" => return Ok(Part::Key),
            "token" => return Ok(Part::Token),
            "client" => return Ok(Part::Client),
            "ttl_ms" => return Ok(Part::TtlMillis),
            "ttl_s" => return Ok(Part::TtlSeconds),
            "now_ms" => return Ok(Part::NowMillis),
            "until_ms" => return Ok(Part::UntilMillis),
            _ => {}
        }
        if let Some(index) = self.visible.iter().find(|index| self.scope.kept[usize::from(**index)] == name) {
            return Ok(Part::Kept(*index));
        }
        for (suffix, unit) in [("_ms", Unit::Millis), ("_s", Unit::Seconds), ("", Unit::Plain)] {
            let Some(stem) = name.strip_suffix(suffix) else { continue };
            let Some((index, span)) = self.parameter(stem) else { continue };
            if span == (unit == Unit::Plain) {
                return Err(raw.error(name, Problem::Unit { name: stem.to_owned(), span }));
            }
            return Ok(Part::Parameter(index, unit));
        }
        let allowed = self.placeholders();
        let nearest = nearest(name, allowed.iter().map(String::as_str)).map(str::to_owned);
        Err(raw.error(name, Problem::UnknownPlaceholder { found: name.to_owned(), nearest, allowed }))
    }

    fn placeholders(&self) -> Vec<String> {
        let fixed = ["key", "token", "client", "ttl_ms", "ttl_s", "now_ms", "until_ms"].map(str::to_owned);
        let kept = self.visible.iter().map(|index| self.scope.kept[usize::from(*index)].clone());
        let parameters = self.scope.parameters.iter().map(|(name, value)| match value {
            Value::Span(_) => format!("{name}_ms"),
            _ => name.clone(),
        });
        fixed.into_iter().chain(kept).chain(parameters).collect()
    }

    /// A parameter's index, and whether it is a span.
    fn parameter(&self, name: &str) -> Option<(u8, bool)> {
        let index = self.scope.parameters.iter().position(|(parameter, _)| parameter == name)?;
        Some((index as u8, matches!(self.scope.parameters[index].1, Value::Span(_))))
    }

    fn cases(&self, section: Section, raw: Raw, text: &str) -> Result<Vec<Case>, ListingError> {
        let mut cases: Vec<Case> = Vec::new();
        for piece in split_outside(text, ',') {
            let piece = piece.trim();
            let Some(colon) = find_outside(piece, ":") else {
                return Err(raw.error(piece, Problem::NoColon { found: piece.to_owned() }));
            };
            let outcome = outcome(section, raw, piece[colon + 1..].trim())?;
            let mut patterns: Vec<Pattern> = Vec::new();
            for found in split_outside(&piece[..colon], '|') {
                let found = found.trim();
                let pattern = self.pattern(raw, found)?;
                let mut earlier = cases.iter().flat_map(|case| &case.patterns).chain(&patterns);
                if earlier.any(|earlier| covers(earlier, &pattern)) {
                    return Err(raw.error(found, Problem::Unreachable { pattern: found.to_owned() }));
                }
                patterns.push(pattern);
            }
            cases.push(Case { patterns, outcome });
        }
        Ok(cases)
    }

    fn pattern(&self, raw: Raw, found: &str) -> Result<Pattern, ListingError> {
        let token = |text| Token { text, quoted: false };
        let unknown = || {
            let nearest = nearest(found, ["OK", "nil", "error", "timeout", "disconnected", "{token}", "*"]);
            raw.error(found, Problem::UnknownPattern { found: found.to_owned(), nearest })
        };
        if let Ok(number) = found.parse() {
            return Ok(Pattern::Integer(number));
        }
        if let Some(least) = found.strip_prefix(">=") {
            let word = self.word(raw, &token(least.trim()))?;
            let fits = match word.parts() {
                [Part::Text(text)] => text.parse::<i64>().is_ok(),
                [Part::Parameter(_, Unit::Plain) | Part::Kept(_) | Part::NowMillis | Part::UntilMillis] => true,
                _ => false,
            };
            return if fits { Ok(Pattern::AtLeast(word)) } else { Err(unknown()) };
        }
        if found.starts_with('"') {
            let inner = found.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or_else(unknown)?;
            return self.word(raw, &Token { text: inner, quoted: true }).map(Pattern::Text);
        }
        if found.starts_with('{') {
            return self.word(raw, &token(found)).map(Pattern::Text);
        }
        match found.split_whitespace().collect::<Vec<_>>()[..] {
            ["nil"] => Ok(Pattern::Nil),
            ["*"] => Ok(Pattern::Any),
            ["OK"] => Ok(Pattern::Status("OK".into())),
            [status @ ("QUEUED" | "BEGIN" | "COMMIT" | "ROLLBACK")] => Ok(Pattern::Status(status.into())),
            ["timeout"] => Ok(Pattern::Timeout),
            ["disconnected"] => Ok(Pattern::Disconnected),
            ["error"] => Ok(Pattern::Error(None)),
            ["error", code] if code.chars().all(|char| char.is_ascii_uppercase() || char.is_ascii_digit()) => {
                Ok(Pattern::Error(Some(code.into())))
            }
            _ => Err(unknown()),
        }
    }
}

fn check_command(raw: Raw, text: &str, tokens: &[Token]) -> Result<(), ListingError> {
    let Some(command) = tokens.first() else { return Err(raw.error(text, Problem::NoCommand)) };
    let found = command.text;
    if (COMMANDS.contains(&found) || SQL.contains(&found)) && !command.quoted {
        return Ok(());
    }
    let found = found.to_owned();
    let upper = found.to_ascii_uppercase();
    if COMMANDS.contains(&upper.as_str()) || SQL.contains(&upper.as_str()) {
        return Err(raw.error(command.text, Problem::SmallCommand { found }));
    }
    if FOREIGN_COMMANDS.contains(&upper.as_str()) {
        return Err(raw.error(command.text, Problem::ForeignCommand { found }));
    }
    let nearest = nearest(&found, COMMANDS);
    Err(raw.error(command.text, Problem::UnknownCommand { found, nearest }))
}

fn outcome(section: Section, raw: Raw, found: &str) -> Result<Outcome, ListingError> {
    let allowed: Vec<&str> =
        Outcome::ALL.iter().filter(|(_, outcome)| outcome.fits(section)).map(|(name, _)| *name).collect();
    let words = found.split_whitespace().collect::<Vec<_>>().join(" ");
    match Outcome::ALL.iter().find(|(name, _)| *name == words) {
        Some((_, outcome)) if outcome.fits(section) => Ok(*outcome),
        Some(_) => {
            let section = match section {
                Section::Acquire => "acquire",
                Section::Release => "release",
                Section::Renew => "renew",
                Section::Check => "check",
            };
            Err(raw.error(found, Problem::Misplaced { outcome: words, section, allowed }))
        }
        None => {
            let nearest = nearest(&words, allowed.iter().copied());
            Err(raw.error(found, Problem::UnknownOutcome { found: words, nearest, allowed }))
        }
    }
}

/// Whether everything that `later` matches is taken by `earlier`.
fn covers(earlier: &Pattern, later: &Pattern) -> bool {
    match (earlier, later) {
        (Pattern::Any, Pattern::Error(_) | Pattern::Timeout | Pattern::Disconnected) => false,
        (Pattern::Any, _) | (Pattern::Error(None), Pattern::Error(_)) => true,
        _ => earlier == later,
    }
}

fn tokens<'a>(raw: Raw<'a>, text: &'a str) -> Result<Vec<Token<'a>>, ListingError> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let sql = tokens.iter().any(|token: &Token| !token.quoted && SQL.contains(&token.text));
        let (token, after) = if sql {
            let end = statement_word(rest).ok_or_else(|| raw.error(rest, Problem::Quote))?;
            (Token { text: &rest[..end], quoted: false }, &rest[end..])
        } else if let Some(inner) = rest.strip_prefix('"') {
            let end = closing_quote(inner).ok_or_else(|| raw.error(rest, Problem::Quote))?;
            (Token { text: &inner[..end], quoted: true }, &inner[end + 1..])
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            (Token { text: &rest[..end], quoted: false }, &rest[end..])
        };
        if !token.quoted && !sql && ["=>", "→", ":", "-"].contains(&token.text) {
            return Err(raw.error(token.text, Problem::NoColon { found: token.text.to_owned() }));
        }
        if !token.quoted && !sql && token.text.starts_with('\'') {
            return Err(raw.error(token.text, Problem::SingleQuote));
        }
        tokens.push(token);
        rest = after.trim_start();
    }
    Ok(tokens)
}

/// Where a word of an SQL statement ends: at a space outside single quotes.
fn statement_word(text: &str) -> Option<usize> {
    let mut quoted = false;
    let end = text.char_indices().find(|(_, char)| {
        quoted ^= *char == '\'';
        char.is_whitespace() && !quoted
    });
    if quoted { None } else { Some(end.map_or(text.len(), |(index, _)| index)) }
}

fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(index, char)| {
        let closes = char == '"' && !escaped;
        escaped = char == '\\' && !escaped;
        closes.then_some(index)
    })
}

/// Where `wanted` first stands outside quotes and braces.
fn find_outside(text: &str, wanted: &str) -> Option<usize> {
    let mut quoted = false;
    let mut escaped = false;
    let mut depth = 0_u32;
    for (index, char) in text.char_indices() {
        if !quoted && depth == 0 && text[index..].starts_with(wanted) {
            return Some(index);
        }
        match char {
            '"' if !escaped => quoted = !quoted,
            '{' if !quoted => depth += 1,
            '}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        escaped = quoted && char == '\\' && !escaped;
    }
    None
}

fn split_outside(text: &str, separator: char) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(end) = find_outside(rest, separator.encode_utf8(&mut [0; 4])) {
        pieces.push(&rest[..end]);
        rest = &rest[end + separator.len_utf8()..];
    }
    pieces.push(rest);
    pieces
}

/// The commands that a listing may send: those that read and change keys, and BLPOP, which waits for its own reply. Commands that wait for a
/// message, administer a server or leave the connection in another state are not a listing's business.
const COMMANDS: [&str; 85] = [
    "APPEND",
    "BLPOP",
    "COPY",
    "DECR",
    "DECRBY",
    "DEL",
    "DELEX",
    "DISCARD",
    "DUMP",
    "ECHO",
    "EVAL",
    "EVALSHA",
    "EVAL_RO",
    "EXEC",
    "EXISTS",
    "EXPIRE",
    "EXPIREAT",
    "EXPIRETIME",
    "FCALL",
    "GET",
    "GETDEL",
    "GETEX",
    "GETRANGE",
    "GETSET",
    "HDEL",
    "HEXISTS",
    "HGET",
    "HGETALL",
    "HINCRBY",
    "HKEYS",
    "HLEN",
    "HMGET",
    "HMSET",
    "HSET",
    "HSETNX",
    "HVALS",
    "INCR",
    "INCRBY",
    "LINDEX",
    "LLEN",
    "LPOP",
    "LPUSH",
    "LRANGE",
    "LREM",
    "LTRIM",
    "MGET",
    "MSET",
    "MSETNX",
    "MULTI",
    "PERSIST",
    "PEXPIRE",
    "PEXPIREAT",
    "PEXPIRETIME",
    "PING",
    "PSETEX",
    "PTTL",
    "PUBLISH",
    "RENAME",
    "RENAMENX",
    "RPOP",
    "RPUSH",
    "SADD",
    "SCARD",
    "SCRIPT",
    "SET",
    "SETEX",
    "SETNX",
    "SETRANGE",
    "SISMEMBER",
    "SMEMBERS",
    "SREM",
    "STRLEN",
    "TIME",
    "TOUCH",
    "TTL",
    "TYPE",
    "UNLINK",
    "UNWATCH",
    "WAIT",
    "WATCH",
    "ZADD",
    "ZCARD",
    "ZRANGE",
    "ZREM",
    "ZSCORE",
];

/// Commands that exist, and that a listing may not send.
const FOREIGN_COMMANDS: [&str; 21] = [
    "BLMOVE",
    "BLMPOP",
    "BRPOP",
    "BRPOPLPUSH",
    "BZPOPMAX",
    "BZPOPMIN",
    "CLIENT",
    "CLUSTER",
    "CONFIG",
    "DEBUG",
    "FAILOVER",
    "FLUSHALL",
    "FLUSHDB",
    "KEYS",
    "MONITOR",
    "PSUBSCRIBE",
    "REPLICAOF",
    "SELECT",
    "SHUTDOWN",
    "SUBSCRIBE",
    "XREAD",
];
