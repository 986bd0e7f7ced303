//! What every client of one service does alike: it numbers its requests, knows what each of them asks, and queues what it wants.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use super::{LockRequest, Output, Params};
use crate::history::{Code, LockEvent, Phase, Refusal};
use crate::time::{LocalTime, Span};
use crate::wire::{Command, NodeId, Reply};

/// The requests of a client of one service, and its outputs. `Q` says what a request asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Desk<Q> {
    node: NodeId,
    timeout: Option<Span>,
    requests: u32,
    open: Vec<Open<Q>>,
    due: VecDeque<Output>,
}

/// A request without an answer yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open<Q> {
    request: LockRequest,
    question: Q,
    /// The local monotonic instant at which it has waited too long; `None`: it may wait for ever.
    late_at: Option<i64>,
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The service answered, be it with an error.
    Reply(Reply),
    /// It did not: whether the command ran is unknown.
    None(Refusal),
}

impl Answer {
    /// Why there is no use in going on, if the service did not answer, or with an error.
    pub fn refusal(&self) -> Option<Refusal> {
        match self {
            Answer::None(why) => Some(why.clone()),
            Answer::Reply(reply) => reply.error_code().map(|code| Refusal::Error(code.into())),
        }
    }

    /// The reply, unless it is an error.
    pub fn ok(&self) -> Option<&Reply> {
        match self {
            Answer::Reply(reply) if reply.error_code().is_none() => Some(reply),
            _ => None,
        }
    }
}

impl<Q: Copy + PartialEq + Hash> Desk<Q> {
    pub fn new(params: &Params) -> Desk<Q> {
        let node = params.nodes.first().copied().unwrap_or_default();
        Desk { node, timeout: params.timeout, requests: 0, open: Vec::new(), due: VecDeque::new() }
    }

    /// Asks the service something, and waits no longer than the time-out.
    pub fn ask(&mut self, now: LocalTime, question: Q, phase: Phase, code: Code, command: Command) {
        let late_at = self.timeout.map(|timeout| later(now.monotonic, timeout));
        self.send(question, phase, code, command, late_at);
    }

    /// Asks for something that the service answers when it happens.
    pub fn ask_and_wait(&mut self, question: Q, phase: Phase, code: Code, command: Command) {
        self.send(question, phase, code, command, None);
    }

    fn send(&mut self, question: Q, phase: Phase, code: Code, command: Command, late_at: Option<i64>) {
        let request = LockRequest(self.requests);
        self.requests += 1;
        self.open.push(Open { request, question, late_at });
        let (to, code, command) = (self.node, Some(code), command.into());
        self.due.push_back(Output::Send { to, request, phase, code, command });
    }

    pub fn tell(&mut self, event: LockEvent) {
        self.due.push_back(Output::Event(event));
    }

    pub fn want(&mut self, output: Output) {
        self.due.push_back(output);
    }

    /// What a request asked that has just been answered; `None`: its answer is no longer wanted.
    pub fn settle(&mut self, request: LockRequest) -> Option<Q> {
        let place = self.open.iter().position(|open| open.request == request)?;
        Some(self.open.remove(place).question)
    }

    /// Whether such a question is open.
    pub fn is_asking(&self, question: Q) -> bool {
        self.open.iter().any(|open| open.question == question)
    }

    /// Drops the questions of which this is true.
    pub fn drop_questions(&mut self, of: impl Fn(Q) -> bool) {
        let due = &mut self.due;
        self.open.retain(|open| {
            let dropped = of(open.question);
            if dropped {
                due.push_back(Output::Cancel { request: open.request });
            }
            !dropped
        });
    }

    /// Drops a request that has waited too long, if there is one: what it asked.
    pub fn take_late(&mut self, now: LocalTime) -> Option<Q> {
        let is_late = |open: &Open<Q>| open.late_at.is_some_and(|late_at| late_at <= now.monotonic);
        let place = self.open.iter().position(is_late)?;
        let Open { request, question, .. } = self.open.remove(place);
        self.due.push_back(Output::Cancel { request });
        Some(question)
    }

    /// The first local instant at which a request has waited too long.
    pub fn late_at(&self) -> Option<i64> {
        self.open.iter().filter_map(|open| open.late_at).min()
    }

    /// The next output; `None`: nothing more to do.
    pub fn poll(&mut self) -> Option<Output> {
        self.due.pop_front()
    }

    /// How many requests have been made.
    pub fn requests(&self) -> u32 {
        self.requests
    }

    pub fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        for open in &self.open {
            let left = open.late_at.map(|late_at| late_at - now.monotonic);
            (self.requests - open.request.0, open.question, left).hash(out);
        }
        out.write_u8(0xff);
        self.due.hash(out);
    }
}

/// A local instant, so much later.
pub(super) fn later(now: i64, span: Span) -> i64 {
    now.saturating_add(i64::try_from(span.micros()).unwrap_or(i64::MAX))
}

/// What is left until a local instant.
pub(super) fn left(now: i64, until: i64) -> Span {
    Span(u64::try_from(until.saturating_sub(now)).unwrap_or(0))
}
