//! The requests of a client of one service: what each of them asks, and how long its answer is waited for.

use std::hash::{Hash, Hasher};

use super::Inquiry;
use crate::choices::ChoiceLabel;
use crate::history::{LockEvent, Refusal};
use crate::locks::outbox::Outbox;
use crate::locks::{LockRequest, Output, Params};
use crate::time::{LocalTime, Span, later};
use crate::wire::{Command, NodeId, Reply};

/// The requests of a client of one service, and its outputs. `Q` says what a request asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Desk<Q> {
    node: NodeId,
    timeout: Option<Span>,
    open: Vec<Open<Q>>,
    outbox: Outbox,
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
pub enum Answer {
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

impl<Q: Inquiry> Desk<Q> {
    pub fn new(params: &Params) -> Desk<Q> {
        let node = params.nodes.first().copied().unwrap_or_default();
        Desk { node, timeout: params.timeout, open: Vec::new(), outbox: Outbox::default() }
    }

    /// Asks the service something, and waits for the answer no longer than the time-out, unless it is to come when something happens.
    pub fn ask(&mut self, now: LocalTime, question: Q, command: Command) {
        let timeout = self.timeout.filter(|_| !question.is_watch());
        let late_at = timeout.map(|timeout| later(now.monotonic, timeout));
        let request = self.outbox.send(self.node, question.phase(), question.code(), command.into());
        self.open.push(Open { request, question, late_at });
    }

    pub fn tell(&mut self, event: LockEvent) {
        self.outbox.tell(event);
    }

    pub fn choose(&mut self, label: ChoiceLabel, count: u32) {
        self.outbox.choose(label, count);
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

    /// Whether the service is to say when something happens.
    pub fn is_watching(&self) -> bool {
        self.open.iter().any(|open| open.question.is_watch())
    }

    /// Drops the questions of which this is true.
    pub fn drop_questions(&mut self, of: impl Fn(Q) -> bool) {
        let outbox = &mut self.outbox;
        self.open.retain(|open| {
            let dropped = of(open.question);
            if dropped {
                outbox.cancel(open.request);
            }
            !dropped
        });
    }

    /// Drops a request that has waited too long, if there is one: what it asked.
    pub fn take_late(&mut self, now: LocalTime) -> Option<Q> {
        let is_late = |open: &Open<Q>| open.late_at.is_some_and(|late_at| late_at <= now.monotonic);
        let place = self.open.iter().position(is_late)?;
        let Open { request, question, .. } = self.open.remove(place);
        self.outbox.cancel(request);
        Some(question)
    }

    /// The first local instant at which a request has waited too long.
    pub fn late_at(&self) -> Option<i64> {
        self.open.iter().filter_map(|open| open.late_at).min()
    }

    /// The next output; `None`: there is nothing to do but wait.
    pub fn take(&mut self) -> Option<Output> {
        self.outbox.take()
    }

    /// How many requests have been made.
    pub fn requests(&self) -> u32 {
        self.outbox.requests()
    }

    pub fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        for open in &self.open {
            let left = open.late_at.map(|late_at| late_at - now.monotonic);
            (self.requests() - open.request.0, open.question, left).hash(out);
        }
        out.write_u8(0xff);
        self.outbox.hash_relative(out);
    }
}
