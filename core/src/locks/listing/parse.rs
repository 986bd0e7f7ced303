//! From text to a [`Listing`]: first the sections, then what they declare, then their lines.

use std::sync::Arc;

use super::error::{ListingError, Problem};
use super::line::{LineParser, Scope};
use super::{LineRange, Listing, Part, RenewalManner, RenewalTiming, script, slot};
use crate::history::Section;
use crate::i18n::nearest;
use crate::locks::Value;
use crate::time::Span;

/// A lock's code that is longer than this is something else.
const MOST_CHARACTERS: usize = 20_000;

/// One line of the text that is not blank, with its place.
#[derive(Clone, Copy)]
pub(super) struct Raw<'a> {
    /// Counted from 1.
    pub number: u32,
    /// The whole line.
    pub text: &'a str,
}

impl<'a> Raw<'a> {
    /// An error at a piece of this line; `piece` must be a slice of it.
    pub(super) fn error(self, piece: &str, problem: Problem) -> ListingError {
        let offset = (piece.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize).min(self.text.len());
        let column = self.text.get(..offset).map_or(1, |before| before.chars().count() + 1);
        ListingError { line: self.number, column: column as u32, problem }
    }

    fn indent(self) -> usize {
        self.text.len() - self.text.trim_start().len()
    }
}

/// A header and the lines below it.
struct Block<'a> {
    header: Raw<'a>,
    title: &'a str,
    body: Vec<Raw<'a>>,
}

/// Parses a listing.
pub(super) fn listing(text: &str) -> Result<Listing, ListingError> {
    let whole = Raw { number: 1, text: "" };
    if text.len() > MOST_CHARACTERS {
        return Err(whole.error("", Problem::TooLong { most: MOST_CHARACTERS }));
    }
    let mut commands: [Option<Block>; 4] = [const { None }; 4];
    let mut parameters = Vec::new();
    let mut scripts: Vec<(Block, String, Arc<str>)> = Vec::new();
    let (mut renewal, mut manner) = (None, RenewalManner::default());
    let mut counts_entries = false;
    let mut parameters_seen = false;
    for block in blocks(text)? {
        let header = block.header;
        let title = block.title;
        let repeated = || header.error(title, Problem::Repeated { name: title.to_owned() });
        match title.split_whitespace().collect::<Vec<_>>()[..] {
            ["parameters"] => {
                if std::mem::replace(&mut parameters_seen, true) {
                    return Err(repeated());
                }
                parameters = parse_parameters(&block.body)?;
            }
            ["script", name] => {
                if scripts.iter().any(|(_, taken, _)| taken == name) {
                    return Err(repeated());
                }
                let source = parse_script(&block, name)?;
                scripts.push((block, name.to_owned(), source));
            }
            _ => {
                let section = section(&block)?;
                if section == Section::Renew {
                    let (timing, told) = interval(&block)?;
                    (renewal, manner) = (Some(timing), told);
                    if block.body.is_empty() {
                        return Err(header.error(title, Problem::NothingToRenew));
                    }
                }
                counts_entries |= title == COUNTING;
                if commands[slot(section)].replace(block).is_some() {
                    return Err(repeated());
                }
            }
        }
    }
    for (section, name) in [(Section::Acquire, "acquire"), (Section::Release, "release")] {
        if commands[slot(section)].is_none() {
            return Err(whole.error("", Problem::Missing { section: name }));
        }
    }

    let known = scripts.iter().map(|(_, name, source)| (name.clone(), source.clone())).collect();
    let mut parser = LineParser::new(Scope { parameters, scripts: known, kept: Vec::new() });
    let mut sections = [LineRange::default(); 4];
    let mut lines = Vec::new();
    for section in [Section::Acquire, Section::Release, Section::Renew, Section::Check] {
        let Some(block) = &commands[slot(section)] else { continue };
        let from = lines.len() as u16;
        for raw in &block.body {
            lines.push(parser.line(section, *raw)?);
        }
        parser.end_section(section);
        sections[slot(section)] = LineRange { from, to: lines.len() as u16 };
    }

    for (block, name, source) in &scripts {
        let calls = |part: &Part| match part {
            Part::Script(called) | Part::ScriptHash(called, _) => Arc::ptr_eq(called, source),
            _ => false,
        };
        if !lines.iter().flat_map(|line| &line.words).any(|word| word.parts().iter().any(calls)) {
            return Err(block.header.error(block.title, Problem::UnusedScript { name: name.clone() }));
        }
    }
    let Scope { parameters, scripts, kept } = parser.into_scope();
    let text = text.into();
    Ok(Listing { text, lines, renewal, manner, counts_entries, parameters, kept, scripts, sections })
}

/// Cuts the text at its headers: the lines with the least indentation. Comments and blank lines are left out, except in scripts.
fn blocks(text: &str) -> Result<Vec<Block<'_>>, ListingError> {
    let raws = text.lines().zip(1..).map(|(text, number)| Raw { number, text: text.trim_end() });
    let says = |raw: &Raw| !raw.text.is_empty() && !raw.text.trim_start().starts_with('#');
    let margin = raws.clone().filter(says).map(Raw::indent).min().unwrap_or(0);
    let mut blocks: Vec<Block> = Vec::new();
    for raw in raws {
        let in_script = blocks.last().is_some_and(|block| is_script(block.title));
        if !says(&raw) {
            if in_script && (raw.text.is_empty() || raw.indent() > margin) {
                blocks.last_mut().expect("a script's block is open").body.push(raw);
            }
        } else if raw.indent() > margin {
            let Some(block) = blocks.last_mut() else {
                return Err(raw.error(raw.text.trim_start(), Problem::Homeless));
            };
            block.body.push(raw);
        } else {
            let line = raw.text.trim_start();
            let Some(title) = line.strip_suffix(':') else { return Err(raw.error(line, Problem::Homeless)) };
            blocks.push(Block { header: raw, title: title.trim_end(), body: Vec::new() });
        }
    }
    Ok(blocks)
}

fn is_script(title: &str) -> bool {
    title.split_whitespace().next() == Some("script")
}

/// The release of a lock that its process enters more than once.
const COUNTING: &str = "release, counting entries";

fn section(block: &Block) -> Result<Section, ListingError> {
    if block.title == COUNTING {
        return Ok(Section::Release);
    }
    let mut words = block.title.split_whitespace();
    let section = match (words.next(), words.next()) {
        (Some("acquire"), None) => Some(Section::Acquire),
        (Some("release"), None) => Some(Section::Release),
        (Some("check"), None) => Some(Section::Check),
        (Some("renew"), _) => Some(Section::Renew),
        _ => None,
    };
    section.ok_or_else(|| {
        let found = block.title.to_owned();
        let first = block.title.split_whitespace().next().unwrap_or_default();
        let nearest = nearest(first, ["acquire", "release", "renew", "check", "parameters", "script"]);
        block.header.error(block.title, Problem::UnknownSection { found, nearest })
    })
}

/// How often to renew, and what else is said of the timer.
fn interval(block: &Block) -> Result<(RenewalTiming, RenewalManner), ListingError> {
    let found = block.title.strip_prefix("renew").unwrap_or_default().trim();
    let wrong = || block.header.error(block.title, Problem::Interval { found: found.to_owned() });
    let every = found.strip_prefix("every ").ok_or_else(wrong)?.trim();
    let (every, manner) = match every.split_once(',').map(|(every, manner)| (every.trim_end(), manner.trim())) {
        Some((every, "re-arming itself")) => (every, RenewalManner::ReArming),
        Some((every, "while the lease lasts")) => (every, RenewalManner::InTime),
        _ => (every, RenewalManner::Plain),
    };
    if let Some(part) = every.strip_prefix("{ttl}/") {
        let part = part.parse().ok().filter(|part| (2..=1_000).contains(part)).ok_or_else(wrong)?;
        return Ok((RenewalTiming::Part(part), manner));
    }
    let span: Span = every.parse().map_err(|_| wrong())?;
    if span < Span::from_millis(1) {
        return Err(wrong());
    }
    Ok((RenewalTiming::Every(span), manner))
}

fn parse_parameters(body: &[Raw]) -> Result<Vec<(String, Value)>, ListingError> {
    let mut parameters: Vec<(String, Value)> = Vec::new();
    for raw in body {
        let line = raw.text.trim_start();
        let bad_value = |found: &str| raw.error(line, Problem::BadValue { found: found.to_owned() });
        let (name, value) = line.split_once('=').ok_or_else(|| bad_value(line))?;
        let (name, value) = (name.trim_end(), value.trim());
        let taken = parameters.iter().any(|(other, _)| other == name);
        if taken || !is_name(name) || is_reserved(name) || parameters.len() >= usize::from(u8::MAX) {
            return Err(raw.error(name, Problem::BadName { found: name.to_owned() }));
        }
        let value = match (value.parse::<i64>(), value.parse::<Span>()) {
            (Ok(number), _) => Value::Number(number),
            (_, Ok(span)) => Value::Span(span),
            _ => return Err(raw.error(value, Problem::BadValue { found: value.to_owned() })),
        };
        parameters.push((name.to_owned(), value));
    }
    Ok(parameters)
}

fn parse_script(block: &Block, name: &str) -> Result<Arc<str>, ListingError> {
    if !is_name(name) {
        return Err(block.header.error(name, Problem::BadName { found: name.to_owned() }));
    }
    let says = |raw: &&Raw| !raw.text.is_empty();
    let Some(margin) = block.body.iter().filter(says).map(|raw| raw.indent()).min() else {
        return Err(block.header.error(name, Problem::EmptyScript { name: name.to_owned() }));
    };
    let lines: Vec<&str> = block.body.iter().map(|raw| raw.text.get(margin..).unwrap_or_default()).collect();
    let source = lines.join("\n");
    let source = source.trim_end();
    if let Err((line, message)) = script::check(source) {
        let raw = block.body.get(line.saturating_sub(1) as usize).unwrap_or(&block.header);
        return Err(raw.error(raw.text.trim_start(), Problem::Lua { message }));
    }
    Ok(source.into())
}

/// Whether a text can name a reply, a parameter or a script.
pub(super) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| first.is_ascii_lowercase())
        && chars.all(|char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '_')
}

/// Whether a name already stands for something in every listing.
pub(super) fn is_reserved(name: &str) -> bool {
    ["key", "token", "client", "ttl", "ttl_ms", "ttl_s", "now", "now_ms", "until", "until_ms"].contains(&name)
}
