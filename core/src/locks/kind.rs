//! A lock as a person chooses it: its name, its code, its parameters and its promises.

use std::fmt;
use std::sync::Arc;

use super::listing::{Listing, ListingError};
use super::{Client, Identity, Interpreter, MAX_RENEWALS, Params, RENEW_EVERY, Reading, TokenForm, Value};
use crate::history::Promises;
use crate::i18n::{Language, Text, did_you_mean, nearest};
use crate::time::Span;

/// A lock that a scenario can name.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its canonical name.
    pub name: Arc<str>,
    /// Other names that it answers to.
    pub aliases: &'static [&'static str],
    /// Whether it is a mechanism of its own or somebody's setting of one.
    pub standing: Standing,
    /// One sentence.
    pub summary: Text,
    /// *Idea*, *Steps*, *What breaks it*, in Markdown.
    pub explanation: Text,
    /// Its code as a person reads it.
    pub code: Arc<str>,
    /// The servers that it needs.
    pub needs: Needs,
    /// What it promises, as far as a property asks.
    pub promises: Promises,
    /// Whether what it locks ends by itself.
    pub has_lease: bool,
    /// What holds where a scenario says nothing.
    pub defaults: Defaults,
    /// The parameters that only this lock knows.
    pub parameters: Vec<Parameter>,
    /// What runs.
    pub implementation: Implementation,
}

/// What a lock is among the others: the whole comparison has a row for every mechanism, and for a preset only when it is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Standing {
    /// A mechanism of its own.
    #[default]
    Mechanism,
    /// The numbers and switches that a library or an article gives to a mechanism.
    Preset,
}

/// The servers that a lock needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Needs {
    /// One Redis, or a master with replicas.
    Redis,
    /// Redis nodes that know nothing of each other: this many unless the scenario says otherwise.
    IndependentRedis {
        /// How many.
        nodes: u8,
    },
    /// A ZooKeeper ensemble.
    ZooKeeper,
    /// An etcd cluster.
    Etcd,
    /// A Kubernetes API server.
    Kubernetes,
    /// A Consul cluster.
    Consul,
    /// A relational database.
    Database,
}

/// What holds where a scenario says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Defaults {
    /// The lease.
    pub ttl: Span,
    /// The delay between two tries.
    pub retry: Span,
    /// The greatest random addition to it.
    pub jitter: Span,
    /// How long to wait for a reply; `None`: until the connection breaks.
    pub timeout: Option<Span>,
    /// How a client marks the lock as its own.
    pub token: TokenForm,
}

/// A lease of 10 s, a try every 100 ms, no jitter, no time-out, a unique token.
impl Default for Defaults {
    fn default() -> Defaults {
        Defaults {
            ttl: Span::from_secs(10),
            retry: Span::from_millis(100),
            jitter: Span::ZERO,
            timeout: None,
            token: TokenForm::Unique,
        }
    }
}

/// A parameter that only some locks know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in a scenario.
    pub name: String,
    /// What it may be.
    pub range: Range,
    /// What it is unless said; `None`: it follows from the others, as the summary says.
    pub default: Option<Value>,
    /// One sentence.
    pub summary: Text,
}

/// What a parameter may be. Bounds are included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Range {
    /// `true` or `false`.
    Switch,
    /// A whole number.
    Number {
        /// The least.
        least: i64,
        /// The greatest.
        most: i64,
    },
    /// A span of time.
    Span {
        /// The shortest.
        least: Span,
        /// The longest.
        most: Span,
    },
    /// One of these words.
    Word(&'static [&'static str]),
}

/// What runs a lock.
#[derive(Clone, Debug)]
pub enum Implementation {
    /// The interpreter.
    Listing(Arc<Listing>),
    /// A state machine in Rust.
    Machine {
        /// Makes a client.
        build: fn(&Params, Identity) -> Client,
        /// Makes the reading of its records.
        reading: fn(&Params) -> Reading,
    },
}

/// The longest lease that a scenario may ask for.
pub const LONGEST_TTL: Span = Span::from_secs(100 * 86_400);

impl Kind {
    /// A user's own lock.
    ///
    /// # Errors
    /// What is wrong with the listing, and where.
    pub fn from_listing(name: &str, text: &str) -> Result<Kind, ListingError> {
        let listing = Listing::parse(text)?;
        let parameters = listing_parameters(&listing);
        let promises = Promises { exclusion: true, fencing: listing.fences(), overtaking: None };
        Ok(Kind {
            name: name.into(),
            aliases: &[],
            standing: Standing::Mechanism,
            summary: Text::new("A lock of one's own.", "自己写的锁。"),
            explanation: Text::default(),
            code: listing.text.clone(),
            needs: if listing.speaks_sql() { Needs::Database } else { Needs::Redis },
            promises,
            has_lease: listing.has_lease(),
            defaults: Defaults::default(),
            parameters,
            implementation: Implementation::Listing(Arc::new(listing)),
        })
    }

    /// Makes a client. The parameters must have passed [`check`](Kind::check); those that are not there are what the lock has by default.
    pub fn build(&self, params: &Params, identity: Identity) -> Client {
        let mut params = params.clone();
        for Parameter { name, default, .. } in &self.parameters {
            if let (Some(default), false) = (default, params.extra.contains_key(name)) {
                params.extra.insert(name.clone(), default.clone());
            }
        }
        match &self.implementation {
            Implementation::Listing(listing) => Client::Listing(Interpreter::new(listing.clone(), params, identity)),
            Implementation::Machine { build, .. } => build(&params, identity),
        }
    }

    /// How to read from the records who holds the lock.
    pub fn reading(&self, params: &Params) -> Reading {
        match &self.implementation {
            Implementation::Listing(_) if !self.promises.exclusion => Reading::Nobody,
            Implementation::Listing(_) if self.needs == Needs::Database => Reading::Session { key: params.key.clone() },
            Implementation::Listing(listing) if listing.stamps() => Reading::Stamped { key: params.key.clone() },
            Implementation::Listing(_) => Reading::Creator { key: params.key.clone() },
            Implementation::Machine { reading, .. } => reading(params),
        }
    }

    /// Parameters as the lock has them by default.
    pub fn default_params(&self, key: Arc<str>, nodes: Vec<crate::wire::NodeId>) -> Params {
        let Defaults { ttl, retry, jitter, timeout, token } = self.defaults;
        Params { key, ttl, retry, backoff: Span::ZERO, jitter, timeout, token, nodes, extra: Default::default() }
    }

    /// Checks parameters against what the lock can do with them.
    ///
    /// # Errors
    /// The first that is unknown, of another kind, or out of range.
    pub fn check(&self, params: &Params) -> Result<(), ParamError> {
        let wrong = |name: &str, problem| Err(ParamError { name: name.to_owned(), problem });
        let range = Range::Span { least: Span::from_millis(1), most: LONGEST_TTL };
        if !range.contains(&Value::Span(params.ttl)) {
            return wrong("ttl", ParamProblem::Range(range));
        }
        if !params.ttl.micros().is_multiple_of(1_000) {
            return wrong("ttl", ParamProblem::Whole("ms"));
        }
        if self.speaks_seconds() && !params.ttl.micros().is_multiple_of(1_000_000) {
            return wrong("ttl", ParamProblem::Whole("s"));
        }
        for (name, span, least) in
            [("retry", params.retry, 1), ("backoff", params.backoff, 0), ("jitter", params.jitter, 0)]
        {
            let range = Range::Span { least: Span(least), most: Span::from_secs(3_600) };
            if !range.contains(&Value::Span(span)) {
                return wrong(name, ParamProblem::Range(range));
            }
        }
        params.extra.iter().try_for_each(|(name, value)| self.parameter(name)?.check(value))
    }

    /// A parameter that only this lock knows, by name.
    ///
    /// # Errors
    /// The lock has no such parameter.
    pub fn parameter(&self, name: &str) -> Result<&Parameter, ParamError> {
        self.parameters.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            let allowed: Vec<String> = self.parameters.iter().map(|parameter| parameter.name.clone()).collect();
            let nearest = nearest(name, allowed.iter().map(String::as_str)).map(str::to_owned);
            let lock = self.name.to_string();
            ParamError { name: name.to_owned(), problem: ParamProblem::Unknown { lock, allowed, nearest } }
        })
    }

    /// Whether it is no lock at all: it sends nothing to any server.
    pub fn asks_nobody(&self) -> bool {
        matches!(&self.implementation, Implementation::Listing(listing) if listing.lines.is_empty())
    }

    /// etcd and Kubernetes count leases in whole seconds, and so do some commands of Redis.
    fn speaks_seconds(&self) -> bool {
        match &self.implementation {
            Implementation::Listing(listing) => listing.speaks_seconds(),
            Implementation::Machine { .. } => matches!(self.needs, Needs::Etcd | Needs::Kubernetes),
        }
    }
}

impl Parameter {
    /// Reads a value as `--set NAME=VALUE` writes it.
    ///
    /// # Errors
    /// It is of another kind, or out of range.
    pub fn parse(&self, text: &str) -> Result<Value, ParamError> {
        let value = match &self.range {
            Range::Switch => text.parse().ok().map(Value::Switch),
            Range::Number { .. } => text.parse().ok().map(Value::Number),
            Range::Span { .. } => text.parse().ok().map(Value::Span),
            Range::Word(_) => Some(Value::Word(text.to_owned())),
        };
        let value = value.ok_or_else(|| self.out_of_range())?;
        self.check(&value)?;
        Ok(value)
    }

    /// Checks a value.
    ///
    /// # Errors
    /// It is of another kind, or out of range.
    pub fn check(&self, value: &Value) -> Result<(), ParamError> {
        if self.range.contains(value) { Ok(()) } else { Err(self.out_of_range()) }
    }

    fn out_of_range(&self) -> ParamError {
        ParamError { name: self.name.clone(), problem: ParamProblem::Range(self.range.clone()) }
    }
}

impl Range {
    /// Whether a value is of this kind and within the bounds.
    pub fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Range::Switch, Value::Switch(_)) => true,
            (Range::Number { least, most }, Value::Number(number)) => (least..=most).contains(&number),
            (Range::Span { least, most }, Value::Span(span)) => (least..=most).contains(&span),
            (Range::Word(words), Value::Word(word)) => words.contains(&word.as_str()),
            _ => false,
        }
    }

    /// What is allowed, in words: `a whole number from 1 to 15`.
    pub fn describe(&self) -> Text {
        match self {
            Range::Switch => Text::new("true or false", "true 或 false"),
            Range::Number { least: i64::MIN, most: i64::MAX } => Text::new("a whole number", "整数"),
            Range::Number { least, most } => {
                Text::new(format!("a whole number from {least} to {most}"), format!("{least} 到 {most} 的整数"))
            }
            Range::Span { least, most } => {
                Text::new(format!("a span of time from {least} to {most}"), format!("{least} 到 {most} 的时长"))
            }
            Range::Word(words) => {
                Text::new(format!("one of {}", words.join(", ")), format!("{} 之一", words.join("、")))
            }
        }
    }
}

/// A parameter that a lock cannot use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ParamError {
    /// The parameter.
    pub name: String,
    /// What is wrong.
    pub problem: ParamProblem,
}

/// What is wrong with a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamProblem {
    /// The lock has no such parameter.
    Unknown {
        /// The lock.
        lock: String,
        /// Those that it has.
        allowed: Vec<String>,
        /// The most like it.
        nearest: Option<String>,
    },
    /// It is none of these.
    Range(Range),
    /// It must be a whole number of this unit.
    Whole(&'static str),
}

impl ParamError {
    /// What is wrong and what is allowed.
    pub fn message(&self) -> Text {
        let name = &self.name;
        match &self.problem {
            ParamProblem::Unknown { lock, allowed, .. } if allowed.is_empty() => Text::new(
                format!("the lock {lock} has no parameter \"{name}\", and none of its own at all"),
                format!("锁 {lock} 没有参数 \"{name}\"，它没有自己的参数"),
            ),
            ParamProblem::Unknown { lock, allowed, .. } => Text::new(
                format!("the lock {lock} has no parameter \"{name}\": it has {}", allowed.join(", ")),
                format!("锁 {lock} 没有参数 \"{name}\"；它有 {}", allowed.join("、")),
            ),
            ParamProblem::Range(range) => {
                let range = range.describe();
                Text::new(format!("\"{name}\" must be {}", range.en), format!("\"{name}\" 必须是 {}", range.zh))
            }
            ParamProblem::Whole("s") => Text::new(
                format!("\"{name}\" must be whole seconds: this lock asks for its lease in seconds"),
                format!("\"{name}\" 必须是整秒：这个锁以秒为单位设置租约"),
            ),
            ParamProblem::Whole(_) => Text::new(
                format!("\"{name}\" must be whole milliseconds: a server counts no less"),
                format!("\"{name}\" 必须是整毫秒：服务器不会计得更细"),
            ),
        }
    }

    /// What to do next.
    pub fn hint(&self) -> Option<Text> {
        let ParamProblem::Unknown { nearest: Some(nearest), .. } = &self.problem else { return None };
        Some(did_you_mean(nearest))
    }
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().in_language(Language::English))
    }
}

/// The parameters of a lock that is a listing: its own, and how often it renews.
pub(super) fn listing_parameters(listing: &Listing) -> Vec<Parameter> {
    let own = listing.parameters.iter().map(|(name, default)| {
        let range = match default {
            Value::Span(_) => Range::Span { least: Span::ZERO, most: LONGEST_TTL },
            _ => Range::Number { least: i64::MIN, most: i64::MAX },
        };
        let summary = Text::new("A parameter of the listing.", "listing 的参数。");
        Parameter { name: name.clone(), range, default: Some(default.clone()), summary }
    });
    let renew_every = listing.renewal.map(|_| Parameter {
        name: RENEW_EVERY.to_owned(),
        range: Range::Span { least: Span::from_millis(1), most: LONGEST_TTL },
        default: None,
        summary: Text::new(
            "From one renewal to the next; unless said, what the listing says.",
            "两次续期之间的间隔；不写则按 listing 所写。",
        ),
    });
    let max_renewals = listing.renewal.map(|_| Parameter {
        name: MAX_RENEWALS.to_owned(),
        range: Range::Number { least: 1, most: i64::from(u32::MAX) },
        default: None,
        summary: Text::new(
            "How often one hold is extended at most; unless said, without bound.",
            "一次持有最多续期几次；不写则不限。",
        ),
    });
    own.chain(renew_every).chain(max_renewals).collect()
}
