//! A client of a lock on one service, as far as all such clients are alike.
//!
//! What the caller asks for, tries that fail and the delays between them, a lock that is entered once more, answers that come too late: all
//! that is here. What is asked of the service, and what its answers mean, is each lock's own [`Protocol`]. Where a lock hangs on a session
//! that its client keeps alive, [`OnSession`] says the rest.

mod desk;
mod protocol;
mod session;
mod terms;
mod work;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub use desk::{Answer, Desk};
pub use protocol::{Again, Inquiry, Known, Protocol};
pub use session::{OnSession, Session};
pub use terms::Terms;
pub use work::{Attempt, Hold, Work};

use super::{Input, LockClient, Output};
use crate::choices::ChoiceLabel;
use crate::history::{LockEvent, Phase, Refusal, Token};
use crate::time::{LocalTime, Span, later};

/// A client of a lock on one service. `P` says which lock it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneService<P: Protocol> {
    /// What never changes while it lives.
    pub(super) setup: Arc<P>,
    pub(super) desk: Desk<P::Question>,
    /// What it knows of the service.
    pub(super) known: P::Known,
    pub(super) work: Work,
    pub(super) hold: Option<Hold>,
    acquisitions: u32,
}

impl<P: Protocol> OneService<P> {
    /// A client that holds nothing yet.
    pub fn new(setup: P) -> OneService<P> {
        let acquisitions = setup.terms().identity.acquisitions;
        OneService::at_rest(Arc::new(setup), acquisitions)
    }

    /// The same client after a crash: it knows nothing, but its next acquisition still has a new number.
    pub fn restarted(&self) -> OneService<P> {
        OneService::at_rest(self.setup.clone(), self.acquisitions)
    }

    fn at_rest(setup: Arc<P>, acquisitions: u32) -> OneService<P> {
        let desk = Desk::new(&setup.terms().params);
        OneService { setup, desk, known: P::Known::default(), work: Work::Idle, hold: None, acquisitions }
    }

    /// Writes what the client will do from here on into a hash, with local times and request numbers relative to now.
    pub fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        self.acquisitions.hash(out);
        self.desk.hash_relative(now, out);
        self.known.hash_relative(now, out);
        self.work.hash_relative(now.monotonic, out);
        self.hold.hash(out);
    }

    /// How many requests it has made so far.
    pub fn requests(&self) -> u32 {
        self.desk.requests()
    }

    fn acquire(&mut self, now: LocalTime, wait: Option<Span>) {
        assert!(self.work == Work::Idle, "contract 2: `Acquire` is given only to a client that is idle or holds");
        self.desk.tell(LockEvent::Acquiring);
        if self.hold.is_some_and(|hold| hold.lost) {
            self.hold = None;
            self.known.forget_hold();
        }
        match (&mut self.hold, P::AGAIN) {
            (Some(_), Again::Refused) => return self.desk.tell(LockEvent::Refused { why: Refusal::Held }),
            (Some(hold), Again::Counted) => {
                hold.depth += 1;
                return self.desk.tell(LockEvent::Reentered { count: hold.depth });
            }
            (Some(_), Again::Asked) | (None, _) => {}
        }
        self.acquisitions += 1;
        let deadline = wait.map(|wait| later(now.monotonic, wait));
        self.try_once(now, Attempt { number: self.acquisitions, deadline });
    }

    /// From the first step that is still to be taken.
    pub fn try_once(&mut self, now: LocalTime, attempt: Attempt) {
        self.work = Work::Acquiring(attempt);
        P::try_once(self, now, attempt);
    }

    /// The service has given the lock.
    pub fn acquired(&mut self, attempt: Attempt, token: Option<Token>, valid_for: Option<Span>) {
        self.work = Work::Idle;
        self.hold = Some(Hold { number: attempt.number, depth: 1, lost: false });
        self.desk.tell(LockEvent::Acquired { token, valid_for });
    }

    pub fn refuse(&mut self, now: LocalTime, why: Refusal) {
        self.work = Work::Idle;
        P::give_up(self, now);
        self.desk.tell(LockEvent::Refused { why });
    }

    /// Another try, after the delay between two.
    pub fn delay(&mut self, now: LocalTime, attempt: Attempt, why: Refusal) {
        let jitter = self.setup.jitter_micros();
        if jitter == 0 || attempt.is_over(now.monotonic) {
            return self.delay_by(now, attempt, why, 0);
        }
        self.desk.choose(ChoiceLabel::Jitter, jitter + 1);
        self.work = Work::Drawing(attempt, why);
    }

    fn delay_by(&mut self, now: LocalTime, attempt: Attempt, why: Refusal, jitter: u32) {
        let retry = self.setup.terms().params.retry.max(Span(1));
        let at = later(now.monotonic, retry + Span(u64::from(jitter)));
        if attempt.deadline.is_some_and(|deadline| at > deadline) {
            return self.refuse(now, why);
        }
        self.work = Work::Delaying(attempt, why, at);
    }

    fn release(&mut self, now: LocalTime) {
        let Some(hold) = &mut self.hold else {
            unreachable!("contract 2: `Release` is given only to one that holds or has lost its lock")
        };
        self.desk.drop_questions(|question| question.phase() == Phase::Check);
        self.desk.tell(LockEvent::Releasing);
        if P::AGAIN == Again::Counted && hold.depth > 1 {
            hold.depth -= 1;
            let count = hold.depth;
            self.work = Work::Idle;
            return self.desk.tell(LockEvent::Descended { count });
        }
        self.work = Work::Releasing;
        P::give_back(self, now);
    }

    /// The hold is forgotten, whatever came of the release.
    pub fn released(&mut self, outcome: LockEvent) {
        (self.work, self.hold) = (Work::Idle, None);
        self.desk.tell(outcome);
    }

    /// A holder learns that the lock is no longer its own.
    pub fn lose(&mut self) {
        if self.holds() {
            self.hold = self.hold.map(|hold| Hold { lost: true, ..hold });
            self.desk.tell(LockEvent::Lost);
        }
    }

    fn check(&mut self, now: LocalTime) {
        assert!(
            self.work == Work::Idle,
            "contract 2: `Check` is given only to a client that holds and does nothing else"
        );
        self.work = Work::Looking;
        P::look(self, now);
    }

    /// A question has been answered, or will not be.
    pub fn answered(&mut self, now: LocalTime, question: P::Question, answer: &Answer) {
        if answer.ok().is_some() {
            P::heard(self, now);
        }
        match question.phase() {
            Phase::Acquire => {
                if let Work::Acquiring(attempt) = self.work {
                    P::acquiring(self, now, attempt, question, answer);
                }
            }
            Phase::Renew => P::renewing(self, now, question, answer),
            Phase::Release => P::releasing(self, now, question, answer),
            Phase::Check => {
                self.work = Work::Idle;
                let mine = P::is_mine(self, now, answer);
                self.desk.tell(LockEvent::Looked { mine });
            }
            Phase::Resource => unreachable!("a lock client asks nothing about the resource"),
        }
    }

    fn timer(&mut self, now: LocalTime) {
        while let Some(question) = self.desk.take_late(now) {
            self.answered(now, question, &Answer::None(Refusal::TimedOut));
        }
        P::keep(self, now);
        match self.work {
            Work::Acquiring(attempt) if attempt.is_over(now.monotonic) && self.desk.is_watching() => {
                self.refuse(now, Refusal::Held);
            }
            Work::Delaying(attempt, _, at) if at <= now.monotonic => self.try_once(now, attempt),
            _ => {}
        }
    }

    fn chosen(&mut self, now: LocalTime, index: u32) {
        match std::mem::take(&mut self.work) {
            Work::Drawing(attempt, why) => self.delay_by(now, attempt, why, index),
            work => self.work = work,
        }
    }

    /// Whether the caller counts on the lock. One that is giving it back no longer does.
    pub fn holds(&self) -> bool {
        self.hold.is_some_and(|hold| !hold.lost) && self.work != Work::Releasing
    }

    fn until(&self) -> Option<i64> {
        let work = match &self.work {
            Work::Acquiring(attempt) if self.desk.is_watching() => attempt.deadline,
            Work::Delaying(_, _, at) => Some(*at),
            _ => None,
        };
        [self.desk.late_at(), work, P::keeps_at(self)].into_iter().flatten().min()
    }
}

impl<P: Protocol> LockClient for OneService<P> {
    fn handle(&mut self, now: LocalTime, input: Input) {
        let (request, answer) = match input {
            Input::Acquire { wait } => return self.acquire(now, wait),
            Input::Release => return self.release(now),
            Input::Check => return self.check(now),
            Input::Timer => return self.timer(now),
            Input::Chosen(index) => return self.chosen(now, index),
            Input::Reply { request, reply } => (request, Answer::Reply(reply)),
            Input::Disconnected { request } => (request, Answer::None(Refusal::Disconnected)),
            // It subscribes to nothing: what it waits for comes as an answer.
            Input::Push { .. } => return,
        };
        if let Some(question) = self.desk.settle(request) {
            self.answered(now, question, &answer);
        }
    }

    fn poll(&mut self) -> Output {
        self.desk.take().unwrap_or_else(|| Output::Wait { until: self.until() })
    }
}

impl<P: Protocol> Hash for OneService<P> {
    fn hash<H: Hasher>(&self, out: &mut H) {
        self.requests().hash(out);
        self.hash_relative(LocalTime::default(), out);
    }
}
