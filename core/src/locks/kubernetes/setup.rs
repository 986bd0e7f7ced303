//! What never changes while a candidate lives: its parameters, made ready, and its commands.

use crate::history::{Code, Section};
use crate::locks::one_service::{Inquiry, Terms};
use crate::locks::{Identity, Params};
use crate::time::{LocalTime, Span};
use crate::wire::Command;

use super::record::Observed;

/// The lock as a person reads it; the lines that [`Question::code`] names are its lines.
pub(super) const CODE: &str = include_str!("kubernetes.txt");

/// What the API server is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// For the record, by a candidate.
    Get,
    /// To create it.
    Create,
    /// To take it over.
    Take,
    /// For the record, by the leader.
    Reread,
    /// To write it anew.
    Renew,
    /// For the record once more, before it is given back.
    Last,
    /// To write nobody into it.
    Release,
    /// Who leads, because the caller asks.
    Look,
}

impl Inquiry for Question {
    fn code(self) -> Code {
        let (section, line) = match self {
            Question::Get => (Section::Acquire, 4),
            Question::Create => (Section::Acquire, 5),
            Question::Take => (Section::Acquire, 7),
            Question::Reread => (Section::Renew, 10),
            Question::Renew => (Section::Renew, 11),
            Question::Last => (Section::Release, 14),
            Question::Release => (Section::Release, 15),
            Question::Look => (Section::Check, 17),
        };
        Code { section, line }
    }

    fn is_watch(self) -> bool {
        false
    }
}

/// By what a candidate judges whether a leader's term is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judges {
    /// How long ago it saw the record change, by its own monotonic clock.
    Observed,
    /// The time written in the record, against its own wall clock.
    RenewTime,
}

/// The words for [`Judges`].
pub(super) const JUDGES: &[&str] = &["observed", "renew-time"];

/// A candidate's parameters, made ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub terms: Terms,
    pub renew_deadline: Span,
    pub judges: Judges,
    /// The length of a term that a candidate assumes, whatever the record says.
    pub assumes: Option<Span>,
    /// Whether a release is written at all.
    pub releases: bool,
}

impl Setup {
    pub fn new(params: &Params, identity: Identity) -> Setup {
        let by_record = params.word("judges") == Some("renew-time");
        Setup {
            terms: Terms::new(params, identity, params.retry),
            renew_deadline: params.span("renew_deadline").unwrap_or(Span(params.ttl.micros() / 3 * 2)),
            judges: if by_record { Judges::RenewTime } else { Judges::Observed },
            assumes: params.span("assumes"),
            releases: params.switch("release_on_cancel").unwrap_or(true),
        }
    }

    pub fn get(&self) -> Command {
        Command::new(["get", "lease", &*self.terms.params.key])
    }

    /// Writes the record with this candidate as its holder.
    pub fn create(&self, now: LocalTime, number: u32) -> Command {
        let fields = self.fields(now, &self.terms.token(number), 0, self.terms.params.ttl);
        let words = ["create", "lease", &self.terms.params.key].map(str::to_owned);
        Command::new(words.into_iter().chain(fields))
    }

    /// Writes the record over the version that was seen, with this candidate as its holder.
    pub fn replace(&self, now: LocalTime, number: u32, seen: &Observed) -> Command {
        let token = self.terms.token(number);
        let transitions = seen.transitions + u64::from(seen.holder != token);
        self.over(seen, self.fields(now, &token, transitions, self.terms.params.ttl))
    }

    /// Writes the record over the version that was seen, with no holder and a second to run.
    pub fn release(&self, now: LocalTime, seen: &Observed) -> Command {
        self.over(seen, self.fields(now, "", seen.transitions, Span::from_secs(1)))
    }

    fn over(&self, seen: &Observed, fields: [String; 4]) -> Command {
        let version = format!("resourceVersion={}", seen.version);
        let words = ["replace", "lease", &self.terms.params.key, &version].map(str::to_owned);
        Command::new(words.into_iter().chain(fields))
    }

    fn fields(&self, now: LocalTime, holder: &str, transitions: u64, duration: Span) -> [String; 4] {
        let sign = if now.wall < 0 { "-" } else { "" };
        [
            format!("holderIdentity={holder}"),
            format!("leaseDurationSeconds={}", duration.micros().div_ceil(1_000_000)),
            format!("leaseTransitions={transitions}"),
            format!("renewTime={sign}{}", Span(now.wall.unsigned_abs())),
        ]
    }
}
