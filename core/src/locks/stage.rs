//! A stage for the tests of a lock client: the test is its caller, its service and its clock.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hasher};

use expect_test::Expect;

use super::one_service::Inquiry;
use super::{Client, Identity, Input, LockClient, LockRequest, Output, Params, find};
use crate::time::{LocalTime, Span};
use crate::wire::{NodeId, Reply};

/// A client on a stage, and what it did there.
pub(super) struct Stage {
    pub client: Client,
    pub now: i64,
    /// How far the wall clock is ahead of the monotonic one.
    pub ahead: i64,
    pub log: String,
    /// The requests without an answer, the oldest first.
    pub in_flight: Vec<Sent>,
    pub until: Option<i64>,
    /// What is chosen from so many.
    pub chooses: fn(u32) -> u32,
    writes: fn(&Output) -> String,
}

/// A request without an answer.
#[derive(Debug)]
pub(super) struct Sent {
    pub to: NodeId,
    pub request: LockRequest,
    /// How the log writes it.
    line: String,
}

impl Stage {
    /// A client of a shipped lock, called A, with parameters as they are by default but for `change`. The log writes the commands that it sends.
    pub fn new(lock: &str, change: impl FnOnce(&mut Params)) -> Stage {
        let command = |output: &Output| match output {
            Output::Send { command, .. } => command.to_string(),
            other => unreachable!("{other:?} is not sent"),
        };
        Stage::of(client(lock, 1, change), command)
    }

    /// Any client. The log writes what it sends as `writes` says.
    pub fn of(client: Client, writes: fn(&Output) -> String) -> Stage {
        let (log, in_flight) = (String::new(), Vec::new());
        Stage { client, now: 0, ahead: 0, log, in_flight, until: None, chooses: |_| 0, writes }
    }

    pub fn give(&mut self, input: Input) -> &mut Stage {
        let at = self.local();
        self.client.handle(at, input);
        loop {
            let output = self.client.poll();
            let line = match &output {
                Output::Send { to, request, .. } => {
                    let line = (self.writes)(&output);
                    self.in_flight.push(Sent { to: *to, request: *request, line: line.clone() });
                    line
                }
                Output::Cancel { request } => {
                    let place = self.in_flight.iter().position(|sent| sent.request == *request);
                    let sent = self.in_flight.remove(place.expect("only an open request is cancelled"));
                    format!("cancels {}", sent.line)
                }
                Output::Event(event) => format!("{event:?}"),
                Output::Choose { label, count } => {
                    self.client.handle(at, Input::Chosen((self.chooses)(*count)));
                    format!("chooses {label:?} of {count}")
                }
                Output::Wait { until } => {
                    self.until = *until;
                    return self;
                }
            };
            let _ = writeln!(self.log, "{} {line}", Span(self.now as u64));
        }
    }

    /// What the client's clocks show.
    pub fn local(&self) -> LocalTime {
        LocalTime { wall: self.now + self.ahead, monotonic: self.now }
    }

    pub fn acquire(&mut self, wait: Option<Span>) -> &mut Stage {
        self.give(Input::Acquire { wait })
    }

    pub fn release(&mut self) -> &mut Stage {
        self.give(Input::Release)
    }

    /// The oldest request is answered.
    pub fn reply(&mut self, reply: Reply) -> &mut Stage {
        let Sent { request, .. } = self.in_flight.remove(0);
        self.give(Input::Reply { request, reply })
    }

    /// The oldest request gets no answer.
    pub fn disconnect(&mut self) -> &mut Stage {
        let Sent { request, .. } = self.in_flight.remove(0);
        self.give(Input::Disconnected { request })
    }

    /// Some nodes answer what they are asked, in this order.
    pub fn reply_from(&mut self, nodes: impl IntoIterator<Item = u8>, reply: &Reply) -> &mut Stage {
        for node in nodes {
            let request = self.take_from(node);
            self.give(Input::Reply { request, reply: reply.clone() });
        }
        self
    }

    /// What some nodes are asked gets no answer.
    pub fn disconnect_from(&mut self, nodes: impl IntoIterator<Item = u8>) -> &mut Stage {
        for node in nodes {
            let request = self.take_from(node);
            self.give(Input::Disconnected { request });
        }
        self
    }

    fn take_from(&mut self, node: u8) -> LockRequest {
        let place = self.in_flight.iter().position(|sent| sent.to.0 == node).expect("the node is being asked");
        self.in_flight.remove(place).request
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
        let place = self.in_flight.iter().position(|sent| sent.line.starts_with(command));
        let place = place.unwrap_or_else(|| panic!("nobody has sent {command}; open are {:?}", self.in_flight));
        self.in_flight.remove(place).request
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

    /// Lets time pass to the client's next timer.
    pub fn time_passes(&mut self) -> &mut Stage {
        self.now = self.until.expect("a timer is set").max(self.now);
        self.give(Input::Timer)
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

    /// Shows what was written since it was last asked.
    pub fn says(&mut self, expected: Expect) -> &mut Stage {
        expected.assert_eq(&std::mem::take(&mut self.log));
        self
    }

    /// What the client will do from here on, as a search tells it from others.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.client.hash_relative(self.local(), &mut hasher);
        hasher.finish()
    }
}

/// A client of a shipped lock, called A, before so many nodes, with parameters as they are by default but for `change`.
pub(super) fn client(lock: &str, nodes: u8, change: impl FnOnce(&mut Params)) -> Client {
    let kind = find(lock).expect("a shipped lock");
    let mut params = kind.default_params("lock".into(), (0..nodes).map(NodeId).collect());
    change(&mut params);
    kind.check(&params).expect("parameters that the lock accepts");
    kind.build(&params, Identity::new("A"))
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
