//! A stage for the tests of a lock client: the test is its caller, its service and its clock.

use std::fmt::Write as _;

use expect_test::Expect;

use super::one_service::Inquiry;
use super::{Client, Identity, Input, LockClient, LockRequest, Output, Params, find};
use crate::time::{LocalTime, Span};
use crate::wire::{NodeId, Reply};

/// A client on a stage, and what it did there.
pub(super) struct Stage {
    client: Client,
    now: i64,
    /// How far the wall clock is ahead of the monotonic one.
    pub ahead: i64,
    pub log: String,
    in_flight: Vec<(LockRequest, String)>,
    until: Option<i64>,
}

impl Stage {
    /// A client of a shipped lock, called A, with parameters as they are by default but for `change`.
    pub fn new(lock: &str, change: impl FnOnce(&mut Params)) -> Stage {
        let kind = find(lock).expect("a shipped lock");
        let mut params = kind.default_params("lock".into(), vec![NodeId(0)]);
        change(&mut params);
        kind.check(&params).expect("parameters that the lock accepts");
        let client = kind.build(&params, Identity::new("A"));
        Stage { client, now: 0, ahead: 0, log: String::new(), in_flight: Vec::new(), until: None }
    }

    pub fn give(&mut self, input: Input) -> &mut Stage {
        let at = LocalTime { wall: self.now + self.ahead, monotonic: self.now };
        self.client.handle(at, input);
        loop {
            let output = self.client.poll();
            let clock = Span(self.now as u64);
            let _ = match &output {
                Output::Send { request, command, .. } => {
                    self.in_flight.push((*request, command.to_string()));
                    writeln!(self.log, "{clock} {command}")
                }
                Output::Cancel { request } => {
                    let place = self.in_flight.iter().position(|(open, _)| open == request);
                    let (_, command) = self.in_flight.remove(place.expect("only an open request is cancelled"));
                    writeln!(self.log, "{clock} cancels {command}")
                }
                Output::Event(event) => writeln!(self.log, "{clock} {event:?}"),
                Output::Choose { label, count } => {
                    let _ = writeln!(self.log, "{clock} chooses {label:?} of {count}");
                    self.client.handle(at, Input::Chosen(0));
                    Ok(())
                }
                Output::Wait { until } => {
                    self.until = *until;
                    return self;
                }
            };
        }
    }

    /// The service answers the oldest request that begins like this.
    pub fn answer(&mut self, command: &str, reply: Reply) -> &mut Stage {
        let request = self.take(command);
        self.give(Input::Reply { request, reply })
    }

    /// The oldest request that begins like this gets no answer.
    pub fn break_off(&mut self, command: &str) -> &mut Stage {
        let request = self.take(command);
        self.give(Input::Disconnected { request })
    }

    fn take(&mut self, command: &str) -> LockRequest {
        let place = self.in_flight.iter().position(|(_, sent)| sent.starts_with(command));
        let place = place.unwrap_or_else(|| panic!("nobody has sent {command}; open are {:?}", self.in_flight));
        self.in_flight.remove(place).0
    }

    /// Lets time pass to a local instant in milliseconds, with every timer on its instant.
    pub fn until(&mut self, millis: i64) -> &mut Stage {
        while let Some(until) = self.until.filter(|until| *until <= millis * 1_000) {
            self.now = self.now.max(until);
            self.give(Input::Timer);
        }
        self.now = millis * 1_000;
        self
    }

    /// Lets time pass while the client stands still: a timer that fell due comes late.
    pub fn asleep_until(&mut self, millis: i64) -> &mut Stage {
        self.now = millis * 1_000;
        if self.until.is_some_and(|until| until <= self.now) {
            self.give(Input::Timer);
        }
        self
    }

    pub fn forget_log(&mut self) -> &mut Stage {
        self.log.clear();
        self
    }

    pub fn restart(&mut self) -> &mut Stage {
        self.client = self.client.restarted();
        self.in_flight.clear();
        self.until = None;
        self
    }

    pub fn shows(&self, expected: Expect) {
        expected.assert_eq(&self.log);
    }
}

/// A reply of several parts: numbers as they are, everything else as strings.
pub(super) fn array(parts: &[&str]) -> Reply {
    let part = |part: &&str| part.parse().map_or_else(|_| Reply::bulk(part), Reply::Integer);
    Reply::Array(parts.iter().map(part).collect())
}

/// An error with this code.
pub(super) fn error(code: &str) -> Reply {
    Reply::Error(format!("{code} in so many words"))
}

/// The line of a lock's listing that a question names begins with these words.
pub(super) fn assert_asks(listing: &str, question: impl Inquiry, words: &str) {
    let line = listing.lines().nth(usize::from(question.code().line) - 1).expect("a line of the listing");
    assert!(line.trim_start().starts_with(words), "{question:?}: {line}");
}
