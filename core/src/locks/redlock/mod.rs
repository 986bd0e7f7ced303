//! Redlock: a majority of Redis nodes that know nothing of each other.
//!
//! Every try asks all nodes for the same key with the same token, reads the clock *after* the replies, and has the lock if a quorum of the
//! configured nodes said yes and something is left of the lease: `ttl - elapsed - drift`. Otherwise it releases everywhere, also where no yes
//! came from, since a reply may be lost where the command was not. Source: the distributed-locks page of the Redis documentation.
//!
//! Libraries differ from it in switches: what each one is called and does stands in [`kind`], what a library sets, in its preset.

mod ballot;
mod extend;
mod kind;
mod setup;
mod state;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use ballot::{Ballot, Open};
pub(super) use kind::kind;
use setup::{Act, CleanUp, Extension, OnFailure, Setup, Vote};
use state::{Attempt, Hold, Renewal, Work};

use super::outbox::Outbox;
use super::{Identity, Input, LockClient, LockRequest, Output, Params};
use crate::choices::ChoiceLabel;
use crate::history::{LockEvent, Refusal, Token};
use crate::time::{LocalTime, Span, between, later};
use crate::wire::NodeId;

/// A Redlock client.
///
/// Two are equal when they stand at the same step, at the same local times, with the same tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redlock {
    setup: Arc<Setup>,
    acquisitions: u32,
    work: Work,
    /// The innermost last. Redlock is not reentrant: an inner acquire competes with the outer hold.
    holds: Vec<Hold>,
    outbox: Outbox,
}

impl Redlock {
    /// A client that holds nothing yet.
    pub fn new(params: &Params, identity: Identity) -> Redlock {
        let acquisitions = identity.acquisitions;
        Redlock::at_rest(Arc::new(Setup::new(params, identity)), acquisitions)
    }

    /// Whether it counts by its wall clock. No command of it asks for a server's.
    pub fn tells_wall_clock(&self) -> bool {
        self.setup.on_wall_clock
    }

    /// The same client after a crash: it knows nothing, but its next token is still a new one.
    pub fn restarted(&self) -> Redlock {
        Redlock::at_rest(self.setup.clone(), self.acquisitions)
    }

    fn at_rest(setup: Arc<Setup>, acquisitions: u32) -> Redlock {
        Redlock { setup, acquisitions, work: Work::Idle, holds: Vec::new(), outbox: Outbox::default() }
    }

    /// Writes what the client will do from here on into a hash, with local times and request numbers relative to now.
    pub fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        let clock = self.setup.clock(now);
        self.acquisitions.hash(out);
        self.work.hash_relative(now.monotonic, clock, self.requests(), out);
        self.holds.len().hash(out);
        for hold in &self.holds {
            hold.hash_relative(now.monotonic, clock, self.requests(), out);
        }
        self.outbox.hash_relative(out);
    }

    /// How many requests it has made so far.
    pub fn requests(&self) -> u32 {
        self.outbox.requests()
    }

    fn acquire(&mut self, now: LocalTime, wait: Option<Span>) {
        assert!(self.work.is_idle(), "contract 2: `Acquire` is given only to a client that is idle or holds");
        self.acquisitions += 1;
        let deadline = wait.map(|wait| later(now.monotonic, wait));
        self.tell(LockEvent::Acquiring);
        let delay = self.setup.params.retry;
        self.attempt(now, Attempt { number: self.acquisitions, deadline, began: None, delay });
    }

    fn attempt(&mut self, now: LocalTime, attempt: Attempt) {
        if !self.setup.rotated {
            return self.ask_for_lock(now, attempt, 0);
        }
        self.outbox.choose(ChoiceLabel::NodeOrder, self.setup.nodes() as u32);
        self.work = Work::Ordering(attempt);
    }

    fn ask_for_lock(&mut self, now: LocalTime, mut attempt: Attempt, first: usize) {
        attempt.began.get_or_insert(self.setup.clock(now));
        let ballot = self.ballot(now, Act::Lock, attempt.number, self.setup.nodes_from(first));
        self.work = Work::Asking(attempt, ballot);
    }

    /// All nodes that matter have answered, or have had their time: the last look at the clock, then the verdict.
    fn asked(&mut self, now: LocalTime, attempt: Attempt, ballot: Ballot) {
        if !ballot.has_quorum(&self.setup) {
            return self.undo(now, attempt, ballot.refusal(&self.setup), ballot.granted);
        }
        let began = attempt.began.expect("a try that asks has begun");
        let left = self.left(began, now);
        if self.setup.checked {
            self.tell(LockEvent::Checked);
            if left == Span::ZERO || left < self.setup.least_left {
                return self.undo(now, attempt, Refusal::Expired, ballot.granted);
            }
        }
        if let Some(why) = ballot.trouble.filter(|_| self.setup.error_is_fatal) {
            // An exception, on a path that gives nothing back.
            return self.tell(LockEvent::Refused { why });
        }
        self.holds.push(self.hold(now, attempt.number, left));
        let token = Some(Token::Opaque(self.setup.token(attempt.number).into()));
        self.tell(LockEvent::Acquired { token, valid_for: Some(left) });
    }

    fn hold(&self, now: LocalTime, number: u32, left: Span) -> Hold {
        let renewal = self
            .setup
            .extension
            .map_or(Renewal::Off, |extension| Renewal::Due(later(now.monotonic, extension.every.max(Span(1)))));
        Hold { number, ends: self.ends(now, left), renewal }
    }

    /// When a client that minds counts its lock as lost.
    fn ends(&self, now: LocalTime, left: Span) -> Option<i64> {
        let minds = |extension: Extension| extension.on_failure == OnFailure::LoseAtTheEnd;
        self.setup.extension.filter(|extension| minds(*extension)).map(|_| later(now.monotonic, left))
    }

    /// What is left of a lease whose first command was sent at `began`.
    fn left(&self, began: i64, now: LocalTime) -> Span {
        let until = later(began, self.setup.params.ttl - self.setup.drift);
        between(self.setup.clock(now), until)
    }

    fn undo(&mut self, now: LocalTime, attempt: Attempt, why: Refusal, granted: Vec<NodeId>) {
        let nodes = match self.setup.clean_up {
            CleanUp::Everywhere => self.setup.nodes_from(0),
            CleanUp::Granted => granted,
            CleanUp::AtTheEnd | CleanUp::Never => Vec::new(),
        };
        if nodes.is_empty() {
            return self.delay(now, attempt, why);
        }
        let ballot = self.ballot(now, Act::Free, attempt.number, nodes);
        self.work = Work::Undoing(attempt, why, ballot);
    }

    fn delay(&mut self, now: LocalTime, mut attempt: Attempt, why: Refusal) {
        if !self.setup.from_first_try {
            attempt.began = None;
        }
        let jitter = self.setup.params.jitter_micros();
        if jitter == 0 {
            return self.delay_by(now, attempt, why, 0);
        }
        self.outbox.choose(ChoiceLabel::Jitter, jitter + 1);
        self.work = Work::Drawing(attempt, why);
    }

    fn delay_by(&mut self, now: LocalTime, mut attempt: Attempt, why: Refusal, jitter: u32) {
        let at = later(now.monotonic, attempt.delay.max(Span(1)) + Span(u64::from(jitter)));
        attempt.delay = self.setup.params.next_delay(attempt.delay);
        if attempt.deadline.is_some_and(|deadline| at > deadline) {
            return self.give_up(now, &attempt, why);
        }
        self.work = Work::Delaying(attempt, at);
    }

    fn give_up(&mut self, now: LocalTime, attempt: &Attempt, why: Refusal) {
        if self.setup.clean_up != CleanUp::AtTheEnd {
            return self.tell(LockEvent::Refused { why });
        }
        let ballot = self.ballot(now, Act::Free, attempt.number, self.setup.nodes_from(0));
        self.work = Work::GivingUp(why, ballot);
    }

    fn release(&mut self, now: LocalTime) {
        if let Work::Looking(ballot) = std::mem::take(&mut self.work) {
            self.cancel(&ballot);
        }
        // A renewal that is in flight is not waited for: what is sent is sent, and its answers are ignored.
        let hold = self.holds.pop();
        let hold = hold.expect("contract 2: `Release` is given only to one that holds or has lost its lock");
        self.tell(LockEvent::Releasing);
        let ballot = self.ballot(now, Act::Free, hold.number, self.setup.nodes_from(0));
        self.work = Work::Releasing(ballot);
    }

    fn released(&mut self, ballot: &Ballot) {
        self.tell(if ballot.has_quorum(&self.setup) || !self.setup.release_is_counted {
            LockEvent::Released
        } else {
            LockEvent::ReleaseFailed { why: ballot.refusal(&self.setup) }
        });
    }

    fn check(&mut self, now: LocalTime) {
        assert!(self.work.is_idle(), "contract 2: `Check` is given only to a client that holds and does nothing else");
        let Some(number) = self.holds.last().map(|hold| hold.number) else {
            return self.tell(LockEvent::Looked { mine: false });
        };
        let ballot = self.ballot(now, Act::Look, number, self.setup.nodes_from(0));
        self.work = Work::Looking(ballot);
    }

    fn ballot(&mut self, now: LocalTime, act: Act, number: u32, nodes: Vec<NodeId>) -> Ballot {
        let mut ballot = Ballot::new(&self.setup, act, number, nodes);
        self.ask(now, &mut ballot);
        ballot
    }

    /// Asks all nodes, or the next one.
    fn ask(&mut self, now: LocalTime, ballot: &mut Ballot) {
        while ballot.asked < ballot.nodes.len() && (self.setup.parallel || ballot.open.is_empty()) {
            let node = ballot.nodes[ballot.asked];
            ballot.asked += 1;
            let (phase, code, command) = (ballot.act.phase(), ballot.act.code(), ballot.command.clone());
            let request = self.outbox.send(node, phase, code, command);
            ballot.open.push(Open { request, node, at: now.monotonic });
        }
    }

    fn cancel(&mut self, ballot: &Ballot) {
        ballot.open.iter().for_each(|open| self.outbox.cancel(open.request));
    }

    fn answered(&mut self, now: LocalTime, request: LockRequest, vote: impl FnOnce(&Setup, &Ballot) -> Vote) {
        let waits = |ballot: Option<&Ballot>| ballot.is_some_and(|ballot| ballot.waits_for(request));
        if waits(self.work.ballot()) {
            if let Some(ballot) = self.work.ballot_mut() {
                settle(&self.setup, ballot, request, vote);
            }
            self.go_on(now);
        } else if let Some(place) = self.holds.iter().position(|hold| waits(hold.renewal.ballot())) {
            if let Some(ballot) = self.holds[place].renewal.ballot_mut() {
                settle(&self.setup, ballot, request, vote);
            }
            self.renewal_goes_on(now, place);
        }
    }

    /// Asks the next node, or ends a round that is over.
    fn go_on(&mut self, now: LocalTime) {
        let mut work = std::mem::take(&mut self.work);
        if let Some(ballot) = work.ballot_mut()
            && !self.is_over(now, ballot)
        {
            self.work = work;
            return;
        }
        match work {
            Work::Asking(attempt, ballot) => self.asked(now, attempt, ballot),
            Work::Undoing(attempt, why, _) => self.delay(now, attempt, why),
            Work::GivingUp(why, _) => self.tell(LockEvent::Refused { why }),
            Work::Releasing(ballot) => self.released(&ballot),
            Work::Looking(ballot) => self.tell(LockEvent::Looked { mine: ballot.has_quorum(&self.setup) }),
            idle @ (Work::Idle | Work::Ordering(_) | Work::Drawing(..) | Work::Delaying(..)) => self.work = idle,
        }
    }

    fn is_over(&mut self, now: LocalTime, ballot: &mut Ballot) -> bool {
        if ballot.is_over(&self.setup) {
            return true;
        }
        self.ask(now, ballot);
        false
    }

    fn timer(&mut self, now: LocalTime) {
        if let Some(ballot) = self.work.ballot_mut() {
            if let Some(timeout) = self.setup.params.timeout {
                let cancelled = ballot.settle_late(now.monotonic, timeout);
                if !cancelled.is_empty() {
                    cancelled.into_iter().for_each(|request| self.outbox.cancel(request));
                    self.go_on(now);
                }
            }
        } else if matches!(&self.work, Work::Delaying(_, at) if *at <= now.monotonic)
            && let Work::Delaying(attempt, _) = std::mem::take(&mut self.work)
        {
            self.attempt(now, attempt);
        }
        (0..self.holds.len()).for_each(|place| self.renewal_timer(now, place));
    }

    fn chosen(&mut self, now: LocalTime, index: u32) {
        match std::mem::take(&mut self.work) {
            Work::Ordering(attempt) => self.ask_for_lock(now, attempt, index as usize),
            Work::Drawing(attempt, why) => self.delay_by(now, attempt, why, index),
            work => self.work = work,
        }
    }

    fn tell(&mut self, event: LockEvent) {
        self.outbox.tell(event);
    }

    fn work_until(&self) -> Option<i64> {
        match &self.work {
            Work::Delaying(_, at) => Some(*at),
            work => work.ballot().and_then(|ballot| ballot.late_at(self.setup.params.timeout)),
        }
    }

    fn until(&self) -> Option<i64> {
        let holds = self.holds.iter().flat_map(|hold| [hold.ends, self.renewal_until(&hold.renewal)]);
        self.work_until().into_iter().chain(holds.flatten()).min()
    }
}

fn settle(setup: &Setup, ballot: &mut Ballot, request: LockRequest, vote: impl FnOnce(&Setup, &Ballot) -> Vote) {
    if let Some(node) = ballot.settle(request) {
        let vote = vote(setup, ballot);
        ballot.count(node, vote);
    }
}

impl LockClient for Redlock {
    fn handle(&mut self, now: LocalTime, input: Input) {
        match input {
            Input::Acquire { wait } => self.acquire(now, wait),
            Input::Release => self.release(now),
            Input::Check => self.check(now),
            Input::Reply { request, reply } => {
                self.answered(now, request, |setup, ballot| setup.vote(ballot.act, ballot.number, &reply));
            }
            Input::Disconnected { request } => self.answered(now, request, |_, _| Vote::Unknown(Refusal::Disconnected)),
            Input::Timer => self.timer(now),
            Input::Chosen(index) => self.chosen(now, index),
            // It subscribes to nothing.
            Input::Push { .. } => {}
        }
    }

    fn poll(&mut self) -> Output {
        self.outbox.take().unwrap_or_else(|| Output::Wait { until: self.until() })
    }
}

impl Hash for Redlock {
    fn hash<H: Hasher>(&self, out: &mut H) {
        self.requests().hash(out);
        self.hash_relative(LocalTime::default(), out);
    }
}

#[cfg(test)]
mod tests;
