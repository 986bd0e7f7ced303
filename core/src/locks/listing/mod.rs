//! A listing: a lock's code as a few lines of text that a person reads and an interpreter runs.
//!
//! ```text
//! acquire:
//!     SET {key} {token} NX PX {ttl_ms}       -> OK: next, nil: retry
//! release:
//!     EVAL @release 1 {key} {token}          -> 1: next, 0: lost
//!
//! script release:
//!     if redis.call('GET', KEYS[1]) == ARGV[1] then
//!         return redis.call('DEL', KEYS[1])
//!     end
//!     return 0
//! ```
//!
//! The whole grammar, with every rule and default, is in `docs/listing.md`. A listing counts nothing, asks one service and waits for no
//! message: a lock that needs more is a state machine in Rust behind the same [`LockClient`](super::LockClient).

mod error;
mod line;
mod parse;
mod script;
mod template;

pub use error::{ListingError, Problem};
pub use template::{Part, Unit, Word};

use std::sync::Arc;

use super::Value;
use crate::history::Section;
use crate::time::Span;

/// A lock's code, parsed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Listing {
    /// The text as it was written; [`Line::number`] counts its lines.
    pub text: Arc<str>,
    /// The lines of all sections, in the order of the text, each section's lines together.
    pub lines: Vec<Line>,
    /// How the lock is renewed, if it is.
    pub renewal: Option<RenewalTiming>,
    /// What else is said of the renewal's timer.
    pub manner: RenewalManner,
    /// Whether the process counts how often it has entered: only the last release runs the section.
    pub counts_entries: bool,
    /// The listing's own parameters and their defaults, in the order of the text.
    pub parameters: Vec<(String, Value)>,
    /// The names under which replies are kept.
    pub kept: Vec<String>,
    /// The Lua scripts, by name.
    pub scripts: Vec<(String, Arc<str>)>,
    sections: [LineRange; 4],
}

/// A range of lines by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct LineRange {
    from: u16,
    to: u16,
}

/// When a lock is renewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RenewalTiming {
    /// `renew every {ttl}/3`: a part of the lease.
    Part(u32),
    /// `renew every 2s`.
    Every(Span),
}

/// What else is said of a renewal's timer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RenewalManner {
    /// Nothing.
    #[default]
    Plain,
    /// A renewal that is under way when the release begins arms it again: it goes on until it fails, after the release.
    ReArming,
    /// A renewal that would begin after the lease's end, by the client's own clock, is left out, and all that would follow.
    InTime,
}

/// One command of a listing, and what its replies mean.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// The section it belongs to.
    pub section: Section,
    /// Its line in the text, counted from 1.
    pub number: u16,
    /// The name under which its reply is kept, as an index into [`Listing::kept`].
    pub keeps: Option<u8>,
    /// The words of the command.
    pub words: Vec<Word>,
    /// What its replies mean, first match first.
    pub cases: Vec<Case>,
}

/// What one kind of reply means.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// The replies.
    pub patterns: Vec<Pattern>,
    /// What follows.
    pub outcome: Outcome,
}

/// A kind of reply.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// `1`: this integer.
    Integer(i64),
    /// `>=1`: an integer of at least so much.
    AtLeast(Word),
    /// `OK`: this status.
    Status(Box<str>),
    /// `nil`: no value.
    Nil,
    /// `"text"` or `{token}`: this text.
    Text(Word),
    /// `error` or `error CODE`: an error, of this code if one is named.
    Error(Option<Box<str>>),
    /// `timeout`: no reply in time.
    Timeout,
    /// `disconnected`: the connection was refused or reset.
    Disconnected,
    /// `*`: any reply that is not an error.
    Any,
}

/// What follows a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Go on with the next line; after the last one the section has succeeded.
    Next,
    /// Go on with the next line whatever the reply says; a renewal with such a line claims no success.
    Ignore,
    /// The section has succeeded; the rest of its lines is left out.
    Done,
    /// Begin the section again: `acquire` after the retry delay, `renew` at its next tick.
    Retry,
    /// Give up acquiring.
    Refused,
    /// The lock is not, or no longer, this client's.
    Lost,
    /// Never renew again.
    Stop,
    /// Run the release section, whatever comes of it, then begin to acquire again.
    ReleaseThenRetry,
    /// Run the release section, whatever comes of it, then give up acquiring.
    ReleaseThenRefused,
}

impl Outcome {
    /// Every outcome with the words that a listing writes for it.
    const ALL: [(&'static str, Outcome); 9] = [
        ("next", Outcome::Next),
        ("done", Outcome::Done),
        ("ignore", Outcome::Ignore),
        ("retry", Outcome::Retry),
        ("refused", Outcome::Refused),
        ("lost", Outcome::Lost),
        ("stop", Outcome::Stop),
        ("release then retry", Outcome::ReleaseThenRetry),
        ("release then refused", Outcome::ReleaseThenRefused),
    ];

    /// Whether the outcome means something in this section.
    pub fn fits(self, section: Section) -> bool {
        match self {
            Outcome::Next | Outcome::Done | Outcome::Ignore => true,
            Outcome::Retry => matches!(section, Section::Acquire | Section::Renew),
            Outcome::Refused | Outcome::ReleaseThenRetry | Outcome::ReleaseThenRefused => section == Section::Acquire,
            Outcome::Lost => section != Section::Acquire,
            Outcome::Stop => section == Section::Renew,
        }
    }
}

impl Listing {
    /// Parses a listing.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line and column.
    pub fn parse(text: &str) -> Result<Listing, ListingError> {
        parse::listing(text)
    }

    /// The indices of a section's lines in [`Listing::lines`].
    pub fn section(&self, section: Section) -> std::ops::Range<u16> {
        let range = self.sections[slot(section)];
        range.from..range.to
    }

    /// Whether a command of this section mentions such a part.
    pub fn mentions(&self, section: Section, wanted: impl Fn(&Part) -> bool) -> bool {
        let range = self.section(section);
        let lines = &self.lines[usize::from(range.start)..usize::from(range.end)];
        lines.iter().flat_map(|line| &line.words).any(|word| word.parts().iter().any(&wanted))
    }

    /// Whether the lock gives its records an end: a section speaks of the lease.
    pub fn has_lease(&self) -> bool {
        let lease = |part: &Part| matches!(part, Part::TtlMillis | Part::TtlSeconds | Part::UntilMillis);
        self.mentions(Section::Acquire, lease) || self.mentions(Section::Renew, lease)
    }

    /// Whether the lease is asked for in whole seconds.
    pub fn speaks_seconds(&self) -> bool {
        self.lines.iter().flat_map(|line| &line.words).any(|word| word.parts().contains(&Part::TtlSeconds))
    }

    /// Whether a line or a pattern of the lock reads the client's clock.
    pub fn reads_clock(&self) -> bool {
        let compared = |case: &Case| {
            case.patterns.iter().any(|pattern| {
                matches!(pattern, Pattern::AtLeast(word) | Pattern::Text(word) if word.parts().iter().any(Part::is_clock))
            })
        };
        let said = |line: &Line| line.words.iter().any(|word| word.parts().iter().any(Part::is_clock));
        self.lines.iter().any(|line| said(line) || line.cases.iter().any(compared))
    }

    /// Whether the value of the lock's key says until when it is held.
    pub fn stamps(&self) -> bool {
        self.mentions(Section::Acquire, |part| *part == Part::UntilMillis)
    }

    /// Whether it speaks to a database.
    pub fn speaks_sql(&self) -> bool {
        let verb = |line: &Line| match line.words.first().map(Word::parts) {
            Some([Part::Text(verb)]) => SQL.contains(&&**verb),
            _ => false,
        };
        self.lines.iter().any(verb)
    }

    /// Whether the lock hands out a growing number: a reply of `acquire` is kept under the name `fence`.
    pub fn fences(&self) -> bool {
        self.kept.iter().any(|name| name == FENCE)
    }
}

/// The words with which statements of a database begin. Redis has none of them as a command in a listing.
const SQL: [&str; 7] = ["BEGIN", "COMMIT", "DELETE", "INSERT", "ROLLBACK", "SELECT", "UPDATE"];

/// The name under which a listing keeps the number that it hands out as a fencing token.
pub const FENCE: &str = "fence";

fn slot(section: Section) -> usize {
    match section {
        Section::Acquire => 0,
        Section::Release => 1,
        Section::Renew => 2,
        Section::Check => 3,
    }
}

#[cfg(test)]
mod tests;
