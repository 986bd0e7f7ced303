//! A listing made ready for one client: words to commands, replies to outcomes.

use std::sync::Arc;

use crate::history::{Refusal, Section};
use crate::locks::listing::{Case, Line, Listing, Outcome, Part, Pattern, RenewalTiming, Unit, Word};
use crate::locks::{Identity, Params, Value};
use crate::time::{Span, between};
use crate::wire::{Bytes, Command, NodeId, Reply};

/// What never changes while a client lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Program {
    pub listing: Arc<Listing>,
    pub identity: Identity,
    pub params: Params,
    /// The values of the listing's parameters: its defaults, or what the scenario set.
    values: Vec<Value>,
    /// The words of each line that are the same in every acquisition: written once, so that commands share them.
    constant: Vec<Vec<Option<Bytes>>>,
    /// Whether the lock's token is anybody's business: its acquire section mentions it.
    pub has_token: bool,
    /// The lease, where the listing has one.
    pub lease: Option<Span>,
    /// From one renewal to the next.
    pub renew_every: Option<Span>,
    /// How often one hold is extended at most.
    pub max_renewals: Option<u32>,
    /// Whether the client's wall clock is anybody's business.
    pub reads_clock: bool,
}

/// How a request ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer<'a> {
    Reply(&'a Reply),
    Timeout,
    Disconnected,
}

/// What the placeholders of one acquisition stand for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spoken<'a> {
    pub number: u32,
    pub kept: Option<&'a [Reply]>,
    /// The client's wall clock in milliseconds.
    pub now: i64,
    /// What it shows when a lease that began with this try ends.
    pub until: i64,
}

/// The replies that an acquisition keeps under names, by their index.
pub(super) type Kept = Option<Arc<Vec<Reply>>>;

impl Program {
    pub fn new(listing: Arc<Listing>, params: Params, identity: Identity) -> Program {
        let chosen = |(name, default): &(String, Value)| params.extra.get(name).unwrap_or(default).clone();
        let values = listing.parameters.iter().map(chosen).collect();
        let has_token = listing.mentions(Section::Acquire, |part| *part == Part::Token);
        let lease = listing.has_lease().then_some(params.ttl);
        let renew_every = listing.renewal.map(|timing| match (params.span(super::RENEW_EVERY), timing) {
            (Some(every), _) => every,
            (_, RenewalTiming::Every(every)) => every,
            (_, RenewalTiming::Part(part)) => whole_millis(Span(params.ttl.micros() / u64::from(part))),
        });
        let renew_every = renew_every.map(|every| every.max(Span(1)));
        let max_renewals = params.number(super::MAX_RENEWALS).map(|most| u32::try_from(most).unwrap_or(u32::MAX));
        let reads_clock = listing.reads_clock();
        let constant = Vec::new();
        let mut program = Program {
            listing,
            identity,
            params,
            values,
            constant,
            has_token,
            lease,
            renew_every,
            max_renewals,
            reads_clock,
        };
        program.constant = program.listing.lines.iter().map(|line| program.constant(line)).collect();
        program
    }

    fn constant(&self, line: &Line) -> Vec<Option<Bytes>> {
        let varies = |part: &Part| part.is_clock() || matches!(part, Part::Token | Part::Kept(_));
        let constant =
            |word: &Word| (!word.parts().iter().any(varies)).then(|| Bytes::from(self.word(word, Spoken::default())));
        line.words.iter().map(constant).collect()
    }

    /// Whether the lease is over, by the client's own clock, when a renewal begins that was due then.
    pub fn is_over(&self, now: i64, due: i64) -> bool {
        self.lease.zip(self.renew_every).is_some_and(|(lease, every)| between(due, now) + every >= lease)
    }

    /// Whom the listing asks.
    pub fn node(&self) -> NodeId {
        self.params.nodes.first().copied().unwrap_or_default()
    }

    /// What marks the acquisition of this number.
    pub fn token(&self, number: u32) -> String {
        self.identity.token(self.params.token, number)
    }

    /// The commands of an acquisition, by line; `None` where a line needs a reply that is not there yet.
    pub fn commands(&self, number: u32) -> Arc<[Option<Arc<Command>>]> {
        let token = self.token(number).into();
        let ready = |(index, line): (usize, &Line)| {
            let waits =
                line.words.iter().flat_map(Word::parts).any(|part| part.is_clock() || matches!(part, Part::Kept(_)));
            (!waits).then(|| Arc::new(self.command(index, Spoken { number, ..Spoken::default() }, &token)))
        };
        self.listing.lines.iter().enumerate().map(ready).collect()
    }

    /// The command of one line in an acquisition with this token.
    pub fn command(&self, line: usize, spoken: Spoken, token: &Bytes) -> Command {
        let word = |(word, constant): (&Word, &Option<Bytes>)| match (constant, word.parts()) {
            (Some(constant), _) => constant.clone(),
            (None, [Part::Token]) => token.clone(),
            (None, _) => self.word(word, spoken).into(),
        };
        self.listing.lines[line].words.iter().zip(&self.constant[line]).map(word).collect()
    }

    /// What follows an answer, and why if it is not success.
    pub fn outcome(&self, line: &Line, answer: Answer, spoken: Spoken) -> (Outcome, Refusal) {
        let matches = |pattern: &Pattern| self.matches(pattern, answer, spoken);
        let case = line.cases.iter().find(|case: &&Case| case.patterns.iter().any(matches));
        let why = match answer {
            Answer::Timeout => Refusal::TimedOut,
            Answer::Disconnected => Refusal::Disconnected,
            Answer::Reply(reply) => match reply.error_code() {
                Some(code) => Refusal::Error(code.into()),
                None if case.is_none() && !line.cases.is_empty() => Refusal::Error("UNEXPECTED".into()),
                None if line.section == Section::Acquire => Refusal::Held,
                None => Refusal::NotHolder,
            },
        };
        let outcome = match case {
            Some(case) => case.outcome,
            None if line.cases.is_empty() && matches!(why, Refusal::Held | Refusal::NotHolder) => Outcome::Next,
            None => unlisted(line.section, &why),
        };
        (outcome, why)
    }

    fn matches(&self, pattern: &Pattern, answer: Answer, spoken: Spoken) -> bool {
        match (pattern, answer) {
            (Pattern::Timeout, Answer::Timeout) | (Pattern::Disconnected, Answer::Disconnected) => true,
            (_, Answer::Timeout | Answer::Disconnected) => false,
            (pattern, Answer::Reply(reply)) => match (pattern, reply) {
                (Pattern::Error(None), Reply::Error(_)) => true,
                (Pattern::Error(Some(code)), Reply::Error(_)) => reply.error_code() == Some(code),
                (Pattern::Any, reply) => !matches!(reply, Reply::Error(_)),
                (Pattern::Integer(wanted), Reply::Integer(number)) => wanted == number,
                (Pattern::AtLeast(word), Reply::Integer(_) | Reply::Bulk(_)) => {
                    let number = |text: String| text.parse::<i64>().ok();
                    let (reply, least) = (reply.text().and_then(number), number(self.word(word, spoken)));
                    reply.zip(least).is_some_and(|(reply, least)| reply >= least)
                }
                (Pattern::Status(wanted), Reply::Status(text)) => **wanted == **text,
                (Pattern::Nil, Reply::Nil | Reply::NilArray) => true,
                (Pattern::Text(word), reply) => reply.text().is_some_and(|text| text == self.word(word, spoken)),
                _ => false,
            },
        }
    }

    fn word(&self, word: &Word, spoken: Spoken) -> String {
        let mut text = String::new();
        for part in word.parts() {
            match part {
                Part::Text(plain) => text.push_str(plain),
                Part::Script(source) => text.push_str(source),
                Part::ScriptHash(_, hash) => text.push_str(hash),
                Part::Key => text.push_str(&self.params.key),
                Part::Token => text.push_str(&self.token(spoken.number)),
                Part::Client => text.push_str(&self.identity.name),
                Part::TtlMillis => text.push_str(&self.params.ttl.as_millis().to_string()),
                Part::TtlSeconds => text.push_str(&whole_seconds(self.params.ttl).to_string()),
                Part::NowMillis => text.push_str(&spoken.now.to_string()),
                Part::UntilMillis => text.push_str(&spoken.until.to_string()),
                Part::Kept(index) => {
                    let reply = spoken.kept.and_then(|kept| kept.get(usize::from(*index)));
                    text.push_str(&reply.and_then(Reply::text).unwrap_or_default());
                }
                Part::Parameter(index, unit) => text.push_str(&write_value(&self.values[usize::from(*index)], *unit)),
            }
        }
        text
    }
}

/// What follows an answer that the line does not list. Unknown is treated as unknown: what may have been locked is released first.
fn unlisted(section: Section, why: &Refusal) -> Outcome {
    match (section, why) {
        (Section::Acquire, Refusal::TimedOut | Refusal::Disconnected) => Outcome::ReleaseThenRefused,
        (Section::Acquire, _) => Outcome::Refused,
        (Section::Renew, _) => Outcome::Retry,
        (Section::Release | Section::Check, _) => Outcome::Lost,
    }
}

fn write_value(value: &Value, unit: Unit) -> String {
    match (value, unit) {
        (Value::Span(span), Unit::Seconds) => whole_seconds(*span).to_string(),
        (Value::Span(span), _) => span.as_millis().to_string(),
        (Value::Number(number), _) => number.to_string(),
        (Value::Word(word), _) => word.clone(),
        (Value::Switch(on), _) => u8::from(*on).to_string(),
    }
}

/// At least 1: a lease of no seconds would delete the key at once.
fn whole_seconds(span: Span) -> u64 {
    (span.micros() / 1_000_000).max(1)
}

/// Timers count milliseconds, as a library's do; shorter spans stay exact.
fn whole_millis(span: Span) -> Span {
    match span.as_millis() {
        0 => span,
        millis => Span::from_millis(millis),
    }
}
