//! The lock of etcd's concurrency package: a queue of keys in the order of their creation, each under its client's lease.
//!
//! A client takes a lease (its session), puts a key on it, and has the lock when no older key is left; it waits for the one just ahead to go,
//! so nobody is woken in vain. While it waits and while it holds it keeps the lease alive. After the wait it reads its own key once more:
//! it may have lost its lease, and its place, while it waited. Source: `client/v3/concurrency` of etcd; issue 11456 for the last look.

mod kind;
mod session;
mod setup;
#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub(super) use kind::kind;
use session::Session;
use setup::{Question, Setup};

use super::desk::{Answer, Desk, later, left};
use super::work::{Attempt, Hold, Work};
use super::{Identity, Input, LockClient, Output, Params};
use crate::history::{LockEvent, Refusal, Token};
use crate::time::{LocalTime, Span};
use crate::wire::{Command, Reply};

/// A client of the etcd lock. It opens a session for each hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Etcd {
    setup: Arc<Setup>,
    acquisitions: u32,
    desk: Desk<Question>,
    session: Option<Session>,
    work: Work,
    hold: Option<Hold>,
}

impl Etcd {
    /// A client that holds nothing yet.
    pub fn new(params: &Params, identity: Identity) -> Etcd {
        let acquisitions = identity.acquisitions;
        Etcd::at_rest(Arc::new(Setup::new(params, identity)), acquisitions)
    }

    /// The same client after a crash: it knows nothing, but its next token is still a new one.
    pub fn restarted(&self) -> Etcd {
        Etcd::at_rest(self.setup.clone(), self.acquisitions)
    }

    fn at_rest(setup: Arc<Setup>, acquisitions: u32) -> Etcd {
        let desk = Desk::new(&setup.params);
        Etcd { setup, acquisitions, desk, session: None, work: Work::Idle, hold: None }
    }

    /// Writes what the client will do from here on into a hash, with local times and request numbers relative to now.
    pub fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        self.acquisitions.hash(out);
        self.desk.hash_relative(now, out);
        if let Some(session) = &self.session {
            session.hash_relative(now.monotonic, out);
        }
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
            self.session = None;
        }
        self.acquisitions += 1;
        let attempt = Attempt { number: self.acquisitions, deadline: wait.map(|wait| later(now.monotonic, wait)) };
        self.try_once(now, attempt);
    }

    /// From the first step that is still to be done: a session, then the own key.
    fn try_once(&mut self, now: LocalTime, attempt: Attempt) {
        self.work = Work::Acquiring(attempt);
        match self.session {
            None => self.ask(now, Question::Grant, self.setup.grant()),
            Some(session) => self.ask(now, Question::Enter, self.setup.enter(session.lease, attempt.number)),
        }
    }

    fn acquiring(&mut self, now: LocalTime, attempt: Attempt, question: Question, answer: &Answer) {
        let Some(reply) = answer.ok() else {
            // A put on a lease that is over: the session is gone, and with it the place in the queue.
            let why = answer.refusal().expect("an answer is a reply or the reason why there is none");
            return match answer {
                Answer::Reply(_) => self.refuse(now, Refusal::Expired),
                Answer::None(_) => self.delay(now, attempt, why),
            };
        };
        match question {
            Question::Grant => {
                let Some(session) = granted(now, reply, self.setup.renew_every) else {
                    return self.refuse(now, Refusal::NotHolder);
                };
                self.session = Some(session);
                self.try_once(now, attempt);
            }
            Question::Enter => match (entered(reply), &mut self.session) {
                (Some(place), Some(session)) => {
                    session.revision = place.revision;
                    if place.is_first {
                        return self.acquired(now, attempt);
                    }
                    if attempt.is_over(now.monotonic) {
                        return self.refuse(now, Refusal::Held);
                    }
                    self.ask(now, Question::Ahead, self.setup.ahead(place.revision));
                }
                _ => self.refuse(now, Refusal::Expired),
            },
            Question::Ahead => match key(reply) {
                Some((ahead, revision)) => {
                    let command = self.setup.watch(&ahead, revision);
                    let (phase, code) = (Question::Watch.phase(), Question::Watch.code());
                    self.desk.ask_and_wait(Question::Watch, phase, code, command);
                }
                None if self.setup.reread => self.with_session(now, Question::Reread, Setup::read),
                None => self.acquired(now, attempt),
            },
            Question::Watch => {
                let revision = self.session.map_or(0, |session| session.revision);
                self.ask(now, Question::Ahead, self.setup.ahead(revision));
            }
            Question::Reread if *reply == Reply::Nil => self.refuse(now, Refusal::Expired),
            _ => self.acquired(now, attempt),
        }
    }

    fn acquired(&mut self, now: LocalTime, attempt: Attempt) {
        self.work = Work::Idle;
        let Some(session) = self.session else { return self.refuse(now, Refusal::Expired) };
        if let Some(hold) = &mut self.hold {
            hold.depth += 1;
            let count = hold.depth;
            return self.desk.tell(LockEvent::Reentered { count });
        }
        self.hold = Some(Hold { number: attempt.number, depth: 1, lost: false });
        let token = Some(Token::Number(session.revision));
        self.desk.tell(LockEvent::Acquired { token, valid_for: Some(self.left(now, session)) });
    }

    /// Gives up. What stands in the queue goes with its session, unless an outer hold needs it.
    fn refuse(&mut self, now: LocalTime, why: Refusal) {
        self.work = Work::Idle;
        if self.hold.is_none() {
            self.close(now);
        }
        self.desk.tell(LockEvent::Refused { why });
    }

    /// Ends the session; nobody waits for the answer.
    fn close(&mut self, now: LocalTime) {
        if let Some(Session { lease, .. }) = self.session.take() {
            self.desk.drop_questions(|question| question != Question::Revoke);
            self.ask(now, Question::Revoke, self.setup.revoke(lease));
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
        self.with_session(now, Question::Leave, Setup::delete);
    }

    /// The library deletes its key and looks no further: also where nothing was left to delete, and also where an outer hold needed it.
    fn released(&mut self, now: LocalTime, answer: &Answer) {
        self.work = Work::Idle;
        let Some(mut hold) = self.hold.take() else { return };
        hold.depth -= 1;
        if hold.depth > 0 {
            self.hold = Some(hold);
        } else {
            self.close(now);
        }
        self.desk.tell(match answer.refusal() {
            Some(why) => LockEvent::ReleaseFailed { why },
            None if hold.depth > 0 => LockEvent::Descended { count: hold.depth },
            None => LockEvent::Released,
        });
    }

    fn kept(&mut self, now: LocalTime, answer: &Answer) {
        let Some(session) = &mut self.session else { return };
        match answer {
            Answer::Reply(reply) if reply.error_code().is_none() => {
                session.heard = now.monotonic;
                self.extended(now);
            }
            Answer::Reply(_) => self.session_is_over(now),
            Answer::None(why) => {
                if self.holds() {
                    self.desk.tell(LockEvent::ExtendFailed { why: why.clone() });
                }
            }
        }
    }

    fn extended(&mut self, now: LocalTime) {
        if let Some(session) = self.session.filter(|_| self.holds()) {
            let valid_for = Some(self.left(now, session));
            self.desk.tell(LockEvent::Extended { valid_for });
        }
    }

    /// The lease is over. A client that waits finds out when it reads its own key.
    fn session_is_over(&mut self, now: LocalTime) {
        if self.setup.retake && self.holds() {
            return self.ask(now, Question::Regrant, self.setup.grant());
        }
        if let Some(session) = &mut self.session {
            session.beat = None;
        }
        self.lose();
    }

    fn lose(&mut self) {
        if self.holds() {
            self.hold = self.hold.map(|hold| Hold { lost: true, ..hold });
            self.desk.tell(LockEvent::Lost);
        }
    }

    /// Another session for a hold whose own is over: if nobody is ahead, the hold goes on as if nothing had been.
    fn retaking(&mut self, now: LocalTime, question: Question, answer: &Answer) {
        let (Some(hold), Some(reply)) = (self.hold.filter(|_| self.holds()), answer.ok()) else { return self.lose() };
        if question == Question::Regrant {
            self.session = granted(now, reply, self.setup.renew_every);
            return match self.session {
                Some(session) => self.ask(now, Question::Reenter, self.setup.enter(session.lease, hold.number)),
                None => self.lose(),
            };
        }
        match (entered(reply), &mut self.session) {
            (Some(place), Some(session)) if place.is_first => {
                session.revision = place.revision;
                self.extended(now);
            }
            _ => {
                self.lose();
                self.close(now);
            }
        }
    }

    fn check(&mut self, now: LocalTime) {
        assert!(
            self.work == Work::Idle,
            "contract 2: `Check` is given only to a client that holds and does nothing else"
        );
        self.work = Work::Looking;
        self.with_session(now, Question::Look, Setup::read);
    }

    fn looked(&mut self, answer: &Answer) {
        self.work = Work::Idle;
        let mine = answer.ok().is_some_and(|reply| *reply != Reply::Nil);
        self.desk.tell(LockEvent::Looked { mine });
    }

    fn answered(&mut self, now: LocalTime, question: Question, answer: &Answer) {
        match question {
            Question::Keep => self.kept(now, answer),
            Question::Regrant | Question::Reenter => self.retaking(now, question, answer),
            Question::Leave => self.released(now, answer),
            Question::Look => self.looked(answer),
            Question::Revoke => {}
            Question::Grant | Question::Enter | Question::Ahead | Question::Watch | Question::Reread => {
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
                self.desk.drop_questions(|question| question == Question::Watch);
                self.refuse(now, Refusal::Held);
            }
            Work::Delaying(attempt, _, at) if at <= now.monotonic => self.try_once(now, attempt),
            _ => {}
        }
    }

    /// Keeps the session alive, or notices that nothing has been heard of it for as long as it lasts.
    fn beat(&mut self, now: LocalTime) {
        let Some(session) = self.session else { return };
        if self.ends_at(session).is_some_and(|ends| ends <= now.monotonic) {
            return self.session_is_over(now);
        }
        if let Some(beat) = session.beat.filter(|beat| *beat <= now.monotonic) {
            // Beats that a stopped process has missed are not made up for.
            let missed = left(beat, now.monotonic).micros() / self.setup.renew_every.micros();
            let next = later(beat, Span(self.setup.renew_every.micros().saturating_mul(missed + 1)));
            self.session = Some(Session { beat: Some(next), ..session });
            self.ask(now, Question::Keep, self.setup.keep(session.lease));
        }
    }

    /// When the client takes its session to be over by its own clock. One that retakes asks the cluster instead.
    fn ends_at(&self, session: Session) -> Option<i64> {
        let counts = session.beat.is_some() && !self.setup.retake;
        counts.then(|| later(session.heard, self.setup.params.ttl))
    }

    fn left(&self, now: LocalTime, session: Session) -> Span {
        left(now.monotonic, later(session.heard, self.setup.params.ttl))
    }

    /// Whether the caller counts on the lock. One that is giving it back no longer does.
    fn holds(&self) -> bool {
        self.hold.is_some_and(|hold| !hold.lost) && self.work != Work::Releasing
    }

    fn ask(&mut self, now: LocalTime, question: Question, command: Command) {
        self.desk.ask(now, question, question.phase(), question.code(), command);
    }

    /// Asks about the own key. A client whose session is gone has no key that could be there.
    fn with_session(&mut self, now: LocalTime, question: Question, command: impl Fn(&Setup, u64) -> Command) {
        match self.session {
            Some(session) => self.ask(now, question, command(&self.setup, session.lease)),
            None => self.answered(now, question, &Answer::Reply(Reply::Nil)),
        }
    }

    fn until(&self) -> Option<i64> {
        let work = match &self.work {
            Work::Acquiring(attempt) if self.desk.is_asking(Question::Watch) => attempt.deadline,
            Work::Delaying(_, _, at) => Some(*at),
            _ => None,
        };
        let session = self.session.and_then(|session| session.beat.into_iter().chain(self.ends_at(session)).min());
        self.desk.late_at().into_iter().chain(work).chain(session).min()
    }
}

/// A session of a lease that has just been granted.
fn granted(now: LocalTime, reply: &Reply, renew_every: Span) -> Option<Session> {
    let Reply::Array(items) = reply else { return None };
    let lease = u64::try_from(items.first()?.integer()?).ok()?;
    let beat = Some(later(now.monotonic, renew_every));
    Some(Session { lease, revision: 0, heard: now.monotonic, beat })
}

/// A place in the queue.
struct Place {
    revision: u64,
    is_first: bool,
}

/// The place that a transaction found: the own key has just been put, or was there already.
fn entered(reply: &Reply) -> Option<Place> {
    let Reply::Array(items) = reply else { return None };
    let [succeeded, mine, first] = &items[..] else { return None };
    let revision = match succeeded.integer()? {
        0 => key(mine)?.1,
        _ => u64::try_from(mine.integer()?).ok()?,
    };
    Some(Place { revision, is_first: key(first)?.1 == revision })
}

/// A key and the revision of its creation, as `get` shows them.
fn key(reply: &Reply) -> Option<(String, u64)> {
    let Reply::Array(items) = reply else { return None };
    Some((items.first()?.text()?, u64::try_from(items.get(2)?.integer()?).ok()?))
}

impl LockClient for Etcd {
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

impl Hash for Etcd {
    fn hash<H: Hasher>(&self, out: &mut H) {
        self.desk.requests().hash(out);
        self.hash_relative(LocalTime::default(), out);
    }
}
