//! Leader election on a Kubernetes Lease, as client-go plays it.
//!
//! The API server counts no time. A candidate reads the record every few seconds and notes, on its own clock, when it last saw it change; when
//! it has not changed for its whole duration, the candidate writes itself in, and the resource version lets one of several succeed. The leader
//! writes the record anew all the time, and stops when it has not managed to for its renew deadline, which is shorter than the lease. So two
//! candidates' clocks may be apart, but not run at different rates; and a leader that cannot stop in time is not fenced. Sources:
//! `tools/leaderelection` of client-go, and what its package documentation says of fencing.

mod kind;
mod record;
mod setup;
#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub(super) use kind::kind;
use record::Observed;
use setup::{Question, Setup};

use super::desk::{Answer, Desk, later, left};
use super::work::{Attempt, Hold, Work};
use super::{Identity, Input, LockClient, Output, Params};
use crate::choices::ChoiceLabel;
use crate::history::{LockEvent, Refusal, Token};
use crate::time::{LocalTime, Span};
use crate::wire::{Command, Reply};

/// A candidate, or the leader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kubernetes {
    setup: Arc<Setup>,
    acquisitions: u32,
    desk: Desk<Question>,
    observed: Option<Observed>,
    work: Work,
    hold: Option<Hold>,
    term: Option<Term>,
}

/// A leader's own account of its term. Local monotonic instants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term {
    /// When it next tries to renew.
    beat: i64,
    /// When it stops unless it has renewed.
    stops: i64,
}

impl Kubernetes {
    /// A candidate that has seen nothing yet.
    pub fn new(params: &Params, identity: Identity) -> Kubernetes {
        let acquisitions = identity.acquisitions;
        Kubernetes::at_rest(Arc::new(Setup::new(params, identity)), acquisitions)
    }

    /// The same candidate after a crash: it knows nothing, but its next name is still a new one.
    pub fn restarted(&self) -> Kubernetes {
        Kubernetes::at_rest(self.setup.clone(), self.acquisitions)
    }

    fn at_rest(setup: Arc<Setup>, acquisitions: u32) -> Kubernetes {
        let desk = Desk::new(&setup.params);
        Kubernetes { setup, acquisitions, desk, observed: None, work: Work::Idle, hold: None, term: None }
    }

    /// Writes what the client will do from here on into a hash, with local times and request numbers relative to now.
    pub fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        self.acquisitions.hash(out);
        self.desk.hash_relative(now, out);
        if let Some(observed) = &self.observed {
            observed.hash_relative(now, out);
        }
        self.work.hash_relative(now.monotonic, out);
        self.hold.hash(out);
        self.term.map(|term| (term.beat - now.monotonic, term.stops - now.monotonic)).hash(out);
    }

    /// How many requests it has made so far.
    pub fn requests(&self) -> u32 {
        self.desk.requests()
    }

    /// Whoever leads already goes on: the record knows it by its name.
    fn acquire(&mut self, now: LocalTime, wait: Option<Span>) {
        assert!(self.work == Work::Idle, "contract 2: `Acquire` is given only to a client that is idle or holds");
        self.desk.tell(LockEvent::Acquiring);
        match &mut self.hold {
            Some(hold) if !hold.lost => {
                hold.depth += 1;
                return self.desk.tell(LockEvent::Reentered { count: hold.depth });
            }
            _ => self.hold = None,
        }
        self.acquisitions += 1;
        let deadline = wait.map(|wait| later(now.monotonic, wait));
        self.try_once(now, Attempt { number: self.acquisitions, deadline });
    }

    fn try_once(&mut self, now: LocalTime, attempt: Attempt) {
        self.work = Work::Acquiring(attempt);
        self.ask(now, Question::Get, self.setup.get());
    }

    fn acquiring(&mut self, now: LocalTime, attempt: Attempt, question: Question, answer: &Answer) {
        let Some(reply) = answer.ok() else {
            // Another was faster, or nobody answered: both mean to wait.
            let why = match answer {
                Answer::None(why) => why.clone(),
                Answer::Reply(_) => Refusal::Held,
            };
            return self.delay(now, attempt, why);
        };
        let seen = Observed::read(now, reply);
        if question != Question::Get {
            return match seen {
                Some(seen) => self.acquired(now, attempt, seen),
                None => self.delay(now, attempt, Refusal::NotHolder),
            };
        }
        if *reply == Reply::Nil {
            return self.ask(now, Question::Create, self.setup.create(now, attempt.number));
        }
        if let Some(seen) = seen {
            Observed::note(&mut self.observed, seen);
        }
        match &self.observed {
            Some(observed) if observed.holder.is_empty() || !observed.is_on(&self.setup, now) => {
                let command = self.setup.replace(now, attempt.number, observed);
                self.ask(now, Question::Take, command);
            }
            _ => self.delay(now, attempt, Refusal::Held),
        }
    }

    fn acquired(&mut self, now: LocalTime, attempt: Attempt, written: Observed) {
        self.work = Work::Idle;
        self.hold = Some(Hold { number: attempt.number, depth: 1, lost: false });
        let token = Some(Token::Opaque(written.holder.as_str().into()));
        self.observed = Some(written);
        let valid_for = Some(self.renewed(now));
        self.desk.tell(LockEvent::Acquired { token, valid_for });
    }

    /// A term begins, or goes on: for how long the leader takes it to last.
    fn renewed(&mut self, now: LocalTime) -> Span {
        let beat = later(now.monotonic, self.setup.renew_every);
        let stops = later(beat, self.setup.renew_deadline);
        self.term = Some(Term { beat, stops });
        left(now.monotonic, stops)
    }

    fn refuse(&mut self, why: Refusal) {
        self.work = Work::Idle;
        self.desk.tell(LockEvent::Refused { why });
    }

    fn delay(&mut self, now: LocalTime, attempt: Attempt, why: Refusal) {
        let jitter = u32::try_from(self.setup.params.jitter.micros()).unwrap_or(u32::MAX - 1);
        if jitter == 0 || attempt.is_over(now.monotonic) {
            return self.delay_by(now, attempt, why, 0);
        }
        self.desk.want(Output::Choose { label: ChoiceLabel::Jitter, count: jitter.saturating_add(1) });
        self.work = Work::Drawing(attempt, why);
    }

    fn delay_by(&mut self, now: LocalTime, attempt: Attempt, why: Refusal, jitter: u32) {
        let at = later(now.monotonic, self.setup.params.retry.max(Span(1)) + Span(u64::from(jitter)));
        if attempt.deadline.is_some_and(|deadline| at > deadline) {
            return self.refuse(why);
        }
        self.work = Work::Delaying(attempt, why, at);
    }

    fn renewing(&mut self, now: LocalTime, question: Question, answer: &Answer) {
        // Whoever gives back no longer asks what became of a renewal.
        let Some(hold) = self.hold.filter(|hold| !hold.lost && self.term.is_some()) else { return };
        let name = self.setup.token(hold.number);
        let seen = answer.ok().and_then(|reply| Observed::read(now, reply));
        match (question, seen) {
            (Question::Reread, Some(seen)) if seen.holder == name => {
                let command = self.setup.replace(now, hold.number, &seen);
                self.observed = Some(seen);
                self.ask(now, Question::Renew, command);
            }
            // Another leads, or nobody does.
            (Question::Reread, _) if answer.ok().is_some() => self.lose(),
            (Question::Renew, Some(seen)) => {
                self.observed = Some(seen);
                let valid_for = Some(self.renewed(now));
                self.desk.tell(LockEvent::Extended { valid_for });
            }
            _ => {
                let why = answer.refusal().unwrap_or(Refusal::NotHolder);
                self.desk.tell(LockEvent::ExtendFailed { why });
            }
        }
    }

    fn lose(&mut self) {
        self.term = None;
        self.desk.drop_questions(|question| question.phase() == crate::history::Phase::Renew);
        if let Some(hold) = self.hold.as_mut().filter(|hold| !hold.lost) {
            hold.lost = true;
            self.desk.tell(LockEvent::Lost);
        }
    }

    fn release(&mut self, now: LocalTime) {
        let Some(hold) = &mut self.hold else {
            unreachable!("contract 2: `Release` is given only to one that holds or has lost its lock")
        };
        self.desk.drop_questions(|question| question == Question::Look);
        self.work = Work::Idle;
        self.desk.tell(LockEvent::Releasing);
        if hold.depth > 1 {
            hold.depth -= 1;
            let count = hold.depth;
            return self.desk.tell(LockEvent::Descended { count });
        }
        let Hold { lost, .. } = *hold;
        self.term = None;
        if lost || !self.setup.releases {
            self.hold = None;
            // One that does not release only stops to renew; the record stays as it is.
            return self.desk.tell(if lost {
                LockEvent::ReleaseFailed { why: Refusal::NotHolder }
            } else {
                LockEvent::Released
            });
        }
        self.work = Work::Releasing;
        self.ask(now, Question::Last, self.setup.get());
    }

    fn releasing(&mut self, now: LocalTime, question: Question, answer: &Answer) {
        let name = self.hold.map(|hold| self.setup.token(hold.number));
        let seen = answer.ok().and_then(|reply| Observed::read(now, reply));
        if let (Question::Last, Some(seen)) = (question, &seen)
            && name.as_ref() == Some(&seen.holder)
        {
            let command = self.setup.release(now, seen);
            return self.ask(now, Question::Release, command);
        }
        (self.work, self.hold) = (Work::Idle, None);
        self.desk.tell(match answer {
            Answer::None(why) => LockEvent::ReleaseFailed { why: why.clone() },
            Answer::Reply(_) if question == Question::Release && seen.is_some() => LockEvent::Released,
            Answer::Reply(_) => LockEvent::ReleaseFailed { why: Refusal::NotHolder },
        });
    }

    fn check(&mut self, now: LocalTime) {
        assert!(
            self.work == Work::Idle,
            "contract 2: `Check` is given only to a client that holds and does nothing else"
        );
        self.work = Work::Looking;
        self.ask(now, Question::Look, self.setup.get());
    }

    fn looked(&mut self, now: LocalTime, answer: &Answer) {
        self.work = Work::Idle;
        let holder = answer.ok().and_then(|reply| Observed::read(now, reply)).map(|seen| seen.holder);
        let mine = self.hold.is_some_and(|hold| holder == Some(self.setup.token(hold.number)));
        self.desk.tell(LockEvent::Looked { mine });
    }

    fn answered(&mut self, now: LocalTime, question: Question, answer: &Answer) {
        match question {
            Question::Reread | Question::Renew => self.renewing(now, question, answer),
            Question::Last | Question::Release => self.releasing(now, question, answer),
            Question::Look => self.looked(now, answer),
            Question::Get | Question::Create | Question::Take => {
                if let Work::Acquiring(attempt) = self.work {
                    self.acquiring(now, attempt, question, answer);
                }
            }
        }
    }

    fn timer(&mut self, now: LocalTime) {
        while let Some(question) = self.desk.take_late(now) {
            self.answered(now, question, &Answer::None(Refusal::TimedOut));
        }
        if let Some(term) = self.term {
            if term.stops <= now.monotonic {
                self.lose();
            } else if term.beat <= now.monotonic {
                // A try whose answer is still missing is one try.
                let is_trying = self.desk.is_asking(Question::Reread) || self.desk.is_asking(Question::Renew);
                let next = later(now.monotonic, self.setup.params.retry.max(Span(1)));
                self.term = Some(Term { beat: next, ..term });
                if !is_trying {
                    self.ask(now, Question::Reread, self.setup.get());
                }
            }
        }
        if let Work::Delaying(attempt, _, at) = self.work
            && at <= now.monotonic
        {
            self.try_once(now, attempt);
        }
    }

    fn chosen(&mut self, now: LocalTime, index: u32) {
        match std::mem::take(&mut self.work) {
            Work::Drawing(attempt, why) => self.delay_by(now, attempt, why, index),
            work => self.work = work,
        }
    }

    fn ask(&mut self, now: LocalTime, question: Question, command: Command) {
        self.desk.ask(now, question, question.phase(), question.code(), command);
    }

    fn until(&self) -> Option<i64> {
        let work = match &self.work {
            Work::Delaying(_, _, at) => Some(*at),
            _ => None,
        };
        let term = self.term.map(|term| term.beat.min(term.stops));
        self.desk.late_at().into_iter().chain(work).chain(term).min()
    }
}

impl LockClient for Kubernetes {
    fn handle(&mut self, now: LocalTime, input: Input) {
        let (request, answer) = match input {
            Input::Acquire { wait } => return self.acquire(now, wait),
            Input::Release => return self.release(now),
            Input::Check => return self.check(now),
            Input::Timer => return self.timer(now),
            Input::Chosen(index) => return self.chosen(now, index),
            Input::Reply { request, reply } => (request, Answer::Reply(reply)),
            Input::Disconnected { request } => (request, Answer::None(Refusal::Disconnected)),
            // It subscribes to nothing.
            Input::Push { .. } => return,
        };
        if let Some(question) = self.desk.settle(request) {
            self.answered(now, question, &answer);
        }
    }

    fn poll(&mut self) -> Output {
        self.desk.poll().unwrap_or_else(|| Output::Wait { until: self.until() })
    }
}

impl Hash for Kubernetes {
    fn hash<H: Hasher>(&self, out: &mut H) {
        self.desk.requests().hash(out);
        self.hash_relative(LocalTime::default(), out);
    }
}
