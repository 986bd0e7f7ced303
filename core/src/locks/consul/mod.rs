//! The lock of Consul's API package: a session that acquires a key.
//!
//! The session has a time to live, which the client renews at half of it. Whoever cannot acquire the key waits for its index to grow. When a
//! holder's session is lost, nobody gets the key for the lock-delay: a grace for a holder that has not noticed yet, which helps only one that
//! notices in time. Sources: the sessions page of the Consul documentation; `api/lock.go`; issue 9788.

mod kind;
mod setup;
#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub(super) use kind::kind;
use setup::{Question, Setup};

use super::desk::{Answer, Desk, later, left};
use super::work::{Attempt, Hold, Work};
use super::{Identity, Input, LockClient, Output, Params};
use crate::history::{LockEvent, Refusal, Token};
use crate::time::{LocalTime, Span};
use crate::wire::{Command, Reply};

/// A client of the Consul lock. It creates a session for each hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consul {
    setup: Arc<Setup>,
    acquisitions: u32,
    desk: Desk<Question>,
    session: Option<Session>,
    work: Work,
    hold: Option<Hold>,
}

/// What a client knows of its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Session {
    id: u64,
    /// The local instant at which its time was last started anew.
    renewed: i64,
    /// The local instant of the next renewal; `None`: it is over, and renewed no longer.
    beat: Option<i64>,
}

/// The key as the cluster shows it.
struct Seen {
    session: Option<u64>,
    lock_index: u64,
    modify_index: u64,
}

impl Consul {
    /// A client that holds nothing yet.
    pub fn new(params: &Params, identity: Identity) -> Consul {
        let acquisitions = identity.acquisitions;
        Consul::at_rest(Arc::new(Setup::new(params, identity)), acquisitions)
    }

    /// The same client after a crash: it knows nothing, but its next token is still a new one.
    pub fn restarted(&self) -> Consul {
        Consul::at_rest(self.setup.clone(), self.acquisitions)
    }

    fn at_rest(setup: Arc<Setup>, acquisitions: u32) -> Consul {
        let desk = Desk::new(&setup.params);
        Consul { setup, acquisitions, desk, session: None, work: Work::Idle, hold: None }
    }

    /// Writes what the client will do from here on into a hash, with local times and request numbers relative to now.
    pub fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        self.acquisitions.hash(out);
        self.desk.hash_relative(now, out);
        if let Some(Session { id, renewed, beat }) = self.session {
            (id, renewed - now.monotonic, beat.map(|beat| beat - now.monotonic)).hash(out);
        }
        self.work.hash_relative(now.monotonic, out);
        self.hold.hash(out);
    }

    /// How many requests it has made so far.
    pub fn requests(&self) -> u32 {
        self.desk.requests()
    }

    /// The library refuses a second acquire of the same lock.
    fn acquire(&mut self, now: LocalTime, wait: Option<Span>) {
        assert!(self.work == Work::Idle, "contract 2: `Acquire` is given only to a client that is idle or holds");
        self.desk.tell(LockEvent::Acquiring);
        if self.holds() {
            return self.desk.tell(LockEvent::Refused { why: Refusal::Held });
        }
        (self.hold, self.session) = (None, None);
        self.acquisitions += 1;
        let deadline = wait.map(|wait| later(now.monotonic, wait));
        self.try_once(now, Attempt { number: self.acquisitions, deadline });
    }

    fn try_once(&mut self, now: LocalTime, attempt: Attempt) {
        self.work = Work::Acquiring(attempt);
        match self.session {
            None => self.ask(now, Question::Create, self.setup.create()),
            Some(session) => self.ask(now, Question::Acquire, self.setup.acquire(session.id, attempt.number)),
        }
    }

    fn acquiring(&mut self, now: LocalTime, attempt: Attempt, question: Question, answer: &Answer) {
        let Some(reply) = answer.ok() else {
            let why = answer.refusal().expect("an answer is a reply or the reason why there is none");
            return match (question, answer) {
                // A time to live that Consul does not accept will not be accepted later either.
                (Question::Create, Answer::Reply(_)) => self.refuse(now, why),
                // The session is over; the next try creates another.
                (_, Answer::Reply(_)) => {
                    self.session = None;
                    self.delay(now, attempt, why);
                }
                (_, Answer::None(_)) => self.delay(now, attempt, why),
            };
        };
        match question {
            Question::Create => match reply.integer().and_then(|id| u64::try_from(id).ok()) {
                Some(id) => {
                    let beat = Some(later(now.monotonic, self.setup.renew_every));
                    self.session = Some(Session { id, renewed: now.monotonic, beat });
                    self.try_once(now, attempt);
                }
                None => self.refuse(now, Refusal::NotHolder),
            },
            Question::Acquire if reply.integer() == Some(1) => self.ask(now, Question::Index, self.setup.get()),
            Question::Acquire => self.ask(now, Question::Holder, self.setup.get()),
            Question::Index => match (seen(reply), self.session) {
                (Some(seen), Some(session)) if seen.session == Some(session.id) => {
                    self.acquired(now, attempt, session, seen.lock_index);
                }
                _ => self.delay(now, attempt, Refusal::Expired),
            },
            _ => self.somebody_holds_it(now, attempt, question, seen(reply)),
        }
    }

    fn somebody_holds_it(&mut self, now: LocalTime, attempt: Attempt, question: Question, seen: Option<Seen>) {
        match seen {
            Some(Seen { session: Some(_), .. }) if attempt.is_over(now.monotonic) => self.refuse(now, Refusal::Held),
            Some(Seen { session: Some(_), modify_index, .. }) => {
                let command = self.setup.watch(modify_index);
                self.desk.ask_and_wait(Question::Watch, Question::Watch.phase(), Question::Watch.code(), command);
            }
            // It has just become free.
            _ if question == Question::Watch => self.try_once(now, attempt),
            // It is free and was not given all the same: the lock-delay.
            _ => self.delay(now, attempt, Refusal::Held),
        }
    }

    fn acquired(&mut self, now: LocalTime, attempt: Attempt, session: Session, lock_index: u64) {
        self.work = Work::Idle;
        self.hold = Some(Hold { number: attempt.number, depth: 1, lost: false });
        let valid_for = Some(self.left(now, session));
        self.desk.tell(LockEvent::Acquired { token: Some(Token::Number(lock_index)), valid_for });
    }

    fn refuse(&mut self, now: LocalTime, why: Refusal) {
        self.work = Work::Idle;
        self.close(now);
        self.desk.tell(LockEvent::Refused { why });
    }

    /// Ends the session; nobody waits for the answer.
    fn close(&mut self, now: LocalTime) {
        if let Some(Session { id, .. }) = self.session.take() {
            self.desk.drop_questions(|question| question != Question::Destroy);
            self.ask(now, Question::Destroy, self.setup.of_session("destroy", id));
        }
    }

    fn delay(&mut self, now: LocalTime, attempt: Attempt, why: Refusal) {
        let at = later(now.monotonic, self.setup.params.retry.max(Span(1)));
        if attempt.deadline.is_some_and(|deadline| at > deadline) {
            return self.refuse(now, why);
        }
        self.work = Work::Delaying(attempt, why, at);
    }

    fn release(&mut self, now: LocalTime) {
        assert!(self.hold.is_some(), "contract 2: `Release` is given only to one that holds or has lost its lock");
        self.desk.drop_questions(|question| question == Question::Look);
        self.desk.tell(LockEvent::Releasing);
        self.work = Work::Releasing;
        match self.session {
            Some(session) => self.ask(now, Question::Release, self.setup.release(session.id)),
            None => self.released(now, &Answer::Reply(Reply::Integer(0))),
        }
    }

    fn released(&mut self, now: LocalTime, answer: &Answer) {
        (self.work, self.hold) = (Work::Idle, None);
        self.close(now);
        self.desk.tell(match answer.refusal() {
            Some(why) => LockEvent::ReleaseFailed { why },
            None if answer.ok().and_then(Reply::integer) == Some(1) => LockEvent::Released,
            None => LockEvent::ReleaseFailed { why: Refusal::NotHolder },
        });
    }

    fn renewed(&mut self, now: LocalTime, answer: &Answer) {
        let Some(session) = &mut self.session else { return };
        match answer {
            Answer::Reply(reply) if reply.error_code().is_none() => {
                session.renewed = now.monotonic;
                let session = *session;
                if self.holds() {
                    let valid_for = Some(self.left(now, session));
                    self.desk.tell(LockEvent::Extended { valid_for });
                }
            }
            Answer::Reply(_) => self.session_is_over(now),
            Answer::None(why) => {
                if self.holds() {
                    self.desk.tell(LockEvent::ExtendFailed { why: why.clone() });
                }
            }
        }
    }

    /// The session is over, or taken to be: a holder has lost its lock, and whoever waits needs another session.
    fn session_is_over(&mut self, now: LocalTime) {
        if let Some(session) = &mut self.session {
            session.beat = None;
        }
        if self.holds() {
            self.hold = self.hold.map(|hold| Hold { lost: true, ..hold });
            self.desk.tell(LockEvent::Lost);
        } else if let Work::Acquiring(attempt) = self.work {
            self.desk.drop_questions(|question| question != Question::Destroy);
            self.session = None;
            self.try_once(now, attempt);
        }
    }

    fn check(&mut self, now: LocalTime) {
        assert!(
            self.work == Work::Idle,
            "contract 2: `Check` is given only to a client that holds and does nothing else"
        );
        self.work = Work::Looking;
        self.ask(now, Question::Look, self.setup.get());
    }

    fn looked(&mut self, answer: &Answer) {
        self.work = Work::Idle;
        let holder = answer.ok().and_then(seen).and_then(|seen| seen.session);
        let mine = holder.is_some() && holder == self.session.map(|session| session.id);
        self.desk.tell(LockEvent::Looked { mine });
    }

    fn answered(&mut self, now: LocalTime, question: Question, answer: &Answer) {
        match question {
            Question::Renew => self.renewed(now, answer),
            Question::Release => self.released(now, answer),
            Question::Look => self.looked(answer),
            Question::Destroy => {}
            Question::Create | Question::Acquire | Question::Index | Question::Holder | Question::Watch => {
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
        self.beat(now);
        match self.work {
            Work::Acquiring(attempt) if attempt.is_over(now.monotonic) && self.desk.is_asking(Question::Watch) => {
                self.refuse(now, Refusal::Held);
            }
            Work::Delaying(attempt, _, at) if at <= now.monotonic => self.try_once(now, attempt),
            _ => {}
        }
    }

    /// Renews the session, or notices that it has not been renewed for as long as it lasts.
    fn beat(&mut self, now: LocalTime) {
        if self.ends_at().is_some_and(|ends| ends <= now.monotonic) {
            return self.session_is_over(now);
        }
        let every = self.setup.renew_every.micros();
        let Some(session) = &mut self.session else { return };
        if let Some(beat) = session.beat.filter(|beat| *beat <= now.monotonic) {
            // Renewals that a stopped process has missed are not made up for.
            let missed = left(beat, now.monotonic).micros() / every;
            session.beat = Some(later(beat, Span(every.saturating_mul(missed + 1))));
            let id = session.id;
            self.ask(now, Question::Renew, self.setup.of_session("renew", id));
        }
    }

    /// When the client takes its session to be over by its own clock.
    fn ends_at(&self) -> Option<i64> {
        let session = self.session.filter(|session| session.beat.is_some())?;
        Some(later(session.renewed, self.setup.params.ttl))
    }

    fn left(&self, now: LocalTime, session: Session) -> Span {
        left(now.monotonic, later(session.renewed, self.setup.params.ttl))
    }

    /// Whether the caller counts on the lock. One that is giving it back no longer does.
    fn holds(&self) -> bool {
        self.hold.is_some_and(|hold| !hold.lost) && self.work != Work::Releasing
    }

    fn ask(&mut self, now: LocalTime, question: Question, command: Command) {
        self.desk.ask(now, question, question.phase(), question.code(), command);
    }

    fn until(&self) -> Option<i64> {
        let work = match &self.work {
            Work::Acquiring(attempt) if self.desk.is_asking(Question::Watch) => attempt.deadline,
            Work::Delaying(_, _, at) => Some(*at),
            _ => None,
        };
        let beat = self.session.and_then(|session| session.beat);
        self.desk.late_at().into_iter().chain(work).chain(beat).chain(self.ends_at()).min()
    }
}

fn seen(reply: &Reply) -> Option<Seen> {
    let Reply::Array(items) = reply else { return None };
    let [_, session, lock_index, modify_index] = &items[..] else { return None };
    let number = |reply: &Reply| reply.integer().and_then(|number| u64::try_from(number).ok());
    Some(Seen { session: number(session), lock_index: number(lock_index)?, modify_index: number(modify_index)? })
}

impl LockClient for Consul {
    fn handle(&mut self, now: LocalTime, input: Input) {
        let (request, answer) = match input {
            Input::Acquire { wait } => return self.acquire(now, wait),
            Input::Release => return self.release(now),
            Input::Check => return self.check(now),
            Input::Timer => return self.timer(now),
            Input::Reply { request, reply } => (request, Answer::Reply(reply)),
            Input::Disconnected { request } => (request, Answer::None(Refusal::Disconnected)),
            // It draws nothing, and what it waits for comes as an answer.
            Input::Chosen(_) | Input::Push { .. } => return,
        };
        if let Some(question) = self.desk.settle(request) {
            self.answered(now, question, &answer);
        }
    }

    fn poll(&mut self) -> Output {
        self.desk.poll().unwrap_or_else(|| Output::Wait { until: self.until() })
    }
}

impl Hash for Consul {
    fn hash<H: Hasher>(&self, out: &mut H) {
        self.desk.requests().hash(out);
        self.hash_relative(LocalTime::default(), out);
    }
}
