//! Redisson's locks: a hash from owner to hold count, a watchdog that renews it, messages that wake who waits.
//!
//! *Idea.* The lock is a hash; its one field names client and thread, its value counts the holds, so its owner may enter again. Without a
//! lease of the caller's the key lives for the watchdog's time, and the client renews it every third of that, for as long as its process runs.
//! Who is refused is told how long the key will live at most, subscribes, asks once more, and then waits for a message or for that time.
//!
//! *Variants.* One machine runs them all; they differ in their listings, and in little else: a fair lock's queue, a read/write lock's two
//! sides, a fenced lock's counter, a spin lock's growing delay. [`Multi`] takes several of them as one.
//!
//! Source: the behaviour of Redisson 4 as its source shows it; the scripts are written anew.

mod code;
mod kind;
mod multi;
mod setup;
mod state;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub(super) use kind::kinds;
pub use multi::Multi;
use setup::{Act, Call, Flavor, Setup, WatchdogStops};
use state::{Attempt, Sent, Watchdog, Work};

use super::outbox::Outbox;
use super::{Identity, Input, LockClient, LockRequest, Output, Params};
use crate::history::{LockEvent, Refusal, Token};
use crate::time::{LocalTime, Span, between, later};
use crate::wire::Reply;

/// How often a lock that no replica confirms is tried.
const CONFIRMED_TRIES: u32 = 4;

/// A spin lock's longest delay is `1 ms << 7`.
const LONGEST_SPIN: u32 = 7;

/// A client of one of Redisson's locks.
///
/// Two are equal when they stand at the same step, at the same local times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redisson {
    setup: Arc<Setup>,
    /// How many releases it has sent: each has a name of its own.
    releases: u32,
    work: Work,
    /// How often its caller has been told "acquired" without having released.
    holds: u32,
    /// It listens for releases.
    listens: bool,
    /// A message came while it was busy: the next refusal is not waited for.
    woken: bool,
    watchdog: Watchdog,
    /// The holds that the watchdog counts.
    registered: u32,
    /// A lease other than the caller's, in milliseconds (a multi-lock's child).
    lease_ms: Option<i64>,
    outbox: Outbox,
}

/// What came of a request.
#[derive(Clone, Copy, Debug)]
enum Answer<'a> {
    Reply(&'a Reply),
    TimedOut,
    Disconnected,
}

impl Redisson {
    fn new(flavor: Flavor, params: &Params, identity: Identity) -> Redisson {
        Redisson::at_rest(Arc::new(Setup::new(flavor, params, identity)))
    }

    /// The same client after a crash: it knows nothing, and is another owner.
    pub fn restarted(&self) -> Redisson {
        let mut setup = Setup::clone(&self.setup);
        setup.identity.acquisitions += 1;
        Redisson::at_rest(Arc::new(setup))
    }

    fn at_rest(setup: Arc<Setup>) -> Redisson {
        Redisson {
            setup,
            releases: 0,
            work: Work::Idle,
            holds: 0,
            listens: false,
            woken: false,
            watchdog: Watchdog::Off,
            registered: 0,
            lease_ms: None,
            outbox: Outbox::default(),
        }
    }

    /// Writes what the client will do from here on into a hash, with local times and request numbers relative to now.
    pub fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        self.work.hash_relative(now.monotonic, self.requests(), out);
        self.watchdog.hash_relative(now.monotonic, self.requests(), out);
        (self.holds, self.listens, self.woken, self.registered, self.lease_ms).hash(out);
        if self.setup.latched {
            self.releases.hash(out);
        }
        self.outbox.hash_relative(out);
    }

    /// How many requests it has made so far.
    pub fn requests(&self) -> u32 {
        self.outbox.requests()
    }

    /// From now on it asks for this lease, in milliseconds, instead of the caller's; nothing keeps it up.
    fn ask_for_lease(&mut self, millis: Option<i64>) {
        self.lease_ms = millis;
    }

    fn acquire(&mut self, now: LocalTime, wait: Option<Span>) {
        assert!(self.work.is_idle(), "contract 2: `Acquire` is given only to a client that is idle or holds");
        self.tell(LockEvent::Acquiring);
        let deadline = wait.map(|wait| later(now.monotonic, wait));
        self.ask(now, Attempt { deadline, began: now.monotonic, refused: 0, unconfirmed: 0 });
    }

    fn ask(&mut self, now: LocalTime, mut attempt: Attempt) {
        attempt.began = now.monotonic;
        self.work = Work::Asking(attempt, self.send(now, Act::Acquire));
    }

    fn asked(&mut self, now: LocalTime, attempt: Attempt, answer: Answer) {
        match answer {
            Answer::Reply(Reply::Nil) => self.given(now, attempt, None),
            Answer::Reply(Reply::Array(items)) => match items.first().and_then(Reply::integer) {
                Some(token) => self.given(now, attempt, u64::try_from(token).ok()),
                None => self.give_up(now, unexpected(answer)),
            },
            Answer::Reply(Reply::Integer(left)) => self.refused(now, attempt, *left),
            Answer::TimedOut if self.setup.resends => self.ask(now, attempt),
            _ => self.give_up(now, unexpected(answer)),
        }
    }

    /// The server says that it has the lock.
    fn given(&mut self, now: LocalTime, attempt: Attempt, token: Option<u64>) {
        if self.setup.replicas == 0 {
            return self.acquired(now, attempt, token);
        }
        self.work = Work::Confirming(attempt, token, self.send(now, Act::Confirm));
    }

    fn confirmed(&mut self, now: LocalTime, mut attempt: Attempt, token: Option<u64>, answer: Answer) {
        let replicas = match answer {
            Answer::Reply(reply) => reply.integer().unwrap_or(0),
            Answer::TimedOut | Answer::Disconnected => 0,
        };
        // One is enough, however many there are.
        if replicas > 0 || !self.setup.sync_checked {
            return self.acquired(now, attempt, token);
        }
        attempt.unconfirmed += 1;
        if self.setup.sync_undone {
            self.releases += 1;
            self.work = Work::Undoing(attempt, self.send(now, Act::Release));
        } else {
            self.try_again(now, attempt);
        }
    }

    /// After a try that no replica confirmed.
    fn try_again(&mut self, now: LocalTime, attempt: Attempt) {
        if attempt.unconfirmed >= CONFIRMED_TRIES {
            return self.give_up(now, Refusal::TimedOut);
        }
        self.work = Work::Waiting(attempt, Some(later(now.monotonic, self.setup.sync_delay)));
    }

    fn acquired(&mut self, now: LocalTime, attempt: Attempt, token: Option<u64>) {
        self.stop_listening(now);
        self.holds += 1;
        if self.lease_ms.is_none() && self.setup.lease.is_none() {
            self.registered += 1;
            if self.watchdog == Watchdog::Off {
                self.watchdog = Watchdog::Due(later(now.monotonic, self.setup.renew_every()));
            }
        }
        let event = match self.holds {
            1 => {
                LockEvent::Acquired { token: token.map(Token::Number), valid_for: Some(self.left(attempt.began, now)) }
            }
            count => LockEvent::Reentered { count },
        };
        self.tell(event);
    }

    /// Another has it, for at most `left` milliseconds; below zero: nobody knows for how long.
    fn refused(&mut self, now: LocalTime, mut attempt: Attempt, left: i64) {
        if attempt.deadline.is_some_and(|deadline| deadline <= now.monotonic) {
            return self.give_up(now, Refusal::Held);
        }
        if self.setup.flavor == Flavor::Spin {
            let delay = Span::from_millis(1 << attempt.refused.min(LONGEST_SPIN));
            attempt.refused = attempt.refused.saturating_add(1);
            return self.wait(attempt, Some(later(now.monotonic, delay)));
        }
        if !self.listens {
            self.work = Work::Subscribing(attempt, self.send(now, Act::Subscribe));
        } else if std::mem::take(&mut self.woken) {
            self.ask(now, attempt);
        } else {
            // A hint of nothing would make it ask again at once, and again.
            let left = u64::try_from(left).ok().map(|left| Span::from_millis(left).max(self.setup.params.retry));
            self.wait(attempt, left.map(|left| later(now.monotonic, left)));
        }
    }

    fn wait(&mut self, attempt: Attempt, until: Option<i64>) {
        let until = [until, attempt.deadline].into_iter().flatten().min();
        self.work = Work::Waiting(attempt, until);
    }

    fn subscribed(&mut self, now: LocalTime, attempt: Attempt, answer: Answer) {
        if !matches!(answer, Answer::Reply(Reply::Array(_))) {
            return self.give_up(now, unexpected(answer));
        }
        self.listens = true;
        self.woken = false;
        // A release between the refusal and the subscription was announced to nobody.
        self.ask(now, attempt);
    }

    /// The wait is over: by a message, or by its time.
    fn wake(&mut self, now: LocalTime, attempt: Attempt) {
        if attempt.deadline.is_some_and(|deadline| deadline <= now.monotonic) {
            return self.give_up(now, Refusal::Held);
        }
        self.ask(now, attempt);
    }

    fn give_up(&mut self, now: LocalTime, why: Refusal) {
        self.work = Work::Idle;
        self.stop_listening(now);
        if self.setup.flavor == Flavor::Fair {
            self.work = Work::Leaving(why, self.send(now, Act::Leave));
        } else {
            self.tell(LockEvent::Refused { why });
        }
    }

    fn stop_listening(&mut self, now: LocalTime) {
        if std::mem::take(&mut self.listens) {
            // Nothing depends on the answer.
            self.send(now, Act::Unsubscribe);
        }
    }

    fn release(&mut self, now: LocalTime) {
        if let Work::Checking(sent) = std::mem::take(&mut self.work) {
            self.outbox.cancel(sent.request);
        }
        assert!(self.holds > 0, "contract 2: `Release` is given only to one that holds or has lost its lock");
        self.tell(LockEvent::Releasing);
        self.releases += 1;
        self.work = Work::Releasing(self.send(now, Act::Release));
    }

    fn released(&mut self, now: LocalTime, answer: Answer) {
        if self.setup.resends && matches!(answer, Answer::TimedOut) {
            self.work = Work::Releasing(self.send(now, Act::Release));
            return;
        }
        self.holds -= 1;
        self.count_down(answer);
        self.tell(match answer {
            // What the server still counts, its caller does not learn.
            Answer::Reply(Reply::Integer(_)) if self.holds == 0 => LockEvent::Released,
            Answer::Reply(Reply::Integer(_)) => LockEvent::Descended { count: self.holds },
            Answer::Reply(Reply::Nil) => LockEvent::ReleaseFailed { why: Refusal::NotHolder },
            _ => LockEvent::ReleaseFailed { why: unexpected(answer) },
        });
    }

    /// One hold less for the watchdog, which does not ask what came of the release.
    fn count_down(&mut self, answer: Answer) {
        if self.setup.other_thread {
            return;
        }
        self.registered = match (self.setup.watchdog_stops, answer) {
            (WatchdogStops::Unlock, _) => self.registered.saturating_sub(1),
            (WatchdogStops::Free, Answer::Reply(Reply::Integer(1))) => 0,
            (WatchdogStops::Free, _) => self.registered,
        };
        if self.registered == 0 && self.watchdog != Watchdog::Stale {
            self.watchdog = Watchdog::Off;
        }
    }

    fn check(&mut self, now: LocalTime) {
        assert!(self.work.is_idle(), "contract 2: `Check` is given only to a client that holds and does nothing else");
        self.work = Work::Checking(self.send(now, Act::Check));
    }

    fn renew(&mut self, now: LocalTime) {
        let sent = self.send(now, Act::Renew);
        self.watchdog = Watchdog::Running { sent, fired: now.monotonic };
    }

    fn renewed(&mut self, now: LocalTime, fired: i64, answer: Answer) {
        let next = Watchdog::Due(later(fired, self.setup.renew_every()).max(now.monotonic));
        let why = match answer {
            Answer::Reply(Reply::Integer(1)) => {
                self.watchdog = next;
                // One that a release has overtaken extends nothing any more.
                if !matches!(self.work, Work::Releasing(_)) {
                    let valid_for = Some(self.left(fired, now));
                    self.tell(LockEvent::Extended { valid_for });
                }
                return;
            }
            Answer::Reply(Reply::Integer(_)) => {
                // The hash is gone, or another's. The registration is dropped, and nobody is told.
                self.registered = 0;
                self.watchdog = Watchdog::Off;
                Refusal::NotHolder
            }
            _ => {
                self.watchdog = next;
                unexpected(answer)
            }
        };
        if self.setup.goes_stale {
            self.watchdog = Watchdog::Stale;
        }
        self.tell(LockEvent::ExtendFailed { why });
    }

    fn answered(&mut self, now: LocalTime, request: LockRequest, answer: Answer) {
        if self.work.sent().is_some_and(|sent| sent.request == request) {
            return self.work_answered(now, answer);
        }
        if let Watchdog::Running { sent, fired } = self.watchdog
            && sent.request == request
        {
            self.renewed(now, fired, answer);
        }
    }

    fn work_answered(&mut self, now: LocalTime, answer: Answer) {
        match std::mem::take(&mut self.work) {
            Work::Asking(attempt, _) => self.asked(now, attempt, answer),
            Work::Subscribing(attempt, _) => self.subscribed(now, attempt, answer),
            Work::Confirming(attempt, token, _) => self.confirmed(now, attempt, token, answer),
            Work::Undoing(attempt, _) => self.try_again(now, attempt),
            Work::Leaving(why, _) => self.tell(LockEvent::Refused { why }),
            Work::Releasing(_) => self.released(now, answer),
            Work::Checking(_) => {
                let mine = matches!(answer, Answer::Reply(Reply::Integer(1)));
                self.tell(LockEvent::Looked { mine });
            }
            idle @ (Work::Idle | Work::Waiting(..)) => self.work = idle,
        }
    }

    fn pushed(&mut self, now: LocalTime, message: &Reply) {
        let Reply::Array(items) = message else { return };
        let [kind, channel, _] = items.as_slice() else { return };
        let is_mine = self.listens && kind.text().as_deref() == Some("message");
        if !is_mine || channel.text() != self.setup.channel() {
            return;
        }
        match self.work {
            Work::Waiting(attempt, _) => self.wake(now, attempt),
            _ => self.woken = true,
        }
    }

    fn timer(&mut self, now: LocalTime) {
        match self.work {
            Work::Waiting(attempt, Some(until)) if until <= now.monotonic => self.wake(now, attempt),
            _ => {
                if let Some(request) = self.late(now, self.work.sent()) {
                    self.outbox.cancel(request);
                    self.work_answered(now, Answer::TimedOut);
                }
            }
        }
        match self.watchdog {
            Watchdog::Due(at) if at <= now.monotonic => self.renew(now),
            Watchdog::Running { sent, fired } => {
                if let Some(request) = self.late(now, Some(&sent)) {
                    self.outbox.cancel(request);
                    self.renewed(now, fired, Answer::TimedOut);
                }
            }
            Watchdog::Off | Watchdog::Due(_) | Watchdog::Stale => {}
        }
    }

    fn send(&mut self, now: LocalTime, act: Act) -> Sent {
        let other_thread = act == Act::Release && self.setup.other_thread;
        let call = Call { now, lease_ms: self.lease_ms, other_thread, number: self.releases };
        let (code, command) = self.setup.command(act, &call).expect("a test asks every listing for every act");
        let request = self.outbox.send(self.setup.node(), act.phase(), code, command);
        Sent { request, at: now.monotonic }
    }

    fn tell(&mut self, event: LockEvent) {
        self.outbox.tell(event);
    }

    /// What is left of a lease that began at the earliest when its command was sent.
    fn left(&self, began: i64, now: LocalTime) -> Span {
        let lease = self.setup.lease.unwrap_or(self.setup.params.ttl);
        let lease = self.lease_ms.map_or(lease, |lease| Span::from_millis(u64::try_from(lease).unwrap_or(0)));
        lease - between(began, now.monotonic)
    }

    /// The request that has waited too long for its reply.
    fn late(&self, now: LocalTime, sent: Option<&Sent>) -> Option<LockRequest> {
        sent.filter(|sent| self.late_at(sent).is_some_and(|at| at <= now.monotonic)).map(|sent| sent.request)
    }

    fn late_at(&self, sent: &Sent) -> Option<i64> {
        self.setup.params.late_at(sent.at)
    }

    fn until(&self) -> Option<i64> {
        let work = match &self.work {
            Work::Waiting(_, until) => *until,
            work => work.sent().and_then(|sent| self.late_at(sent)),
        };
        let watchdog = match &self.watchdog {
            Watchdog::Off | Watchdog::Stale => None,
            Watchdog::Due(at) => Some(*at),
            Watchdog::Running { sent, .. } => self.late_at(sent),
        };
        work.into_iter().chain(watchdog).min()
    }
}

impl LockClient for Redisson {
    fn handle(&mut self, now: LocalTime, input: Input) {
        match input {
            Input::Acquire { wait } => self.acquire(now, wait),
            Input::Release => self.release(now),
            Input::Check => self.check(now),
            Input::Reply { request, reply } => self.answered(now, request, Answer::Reply(&reply)),
            Input::Disconnected { request } => self.answered(now, request, Answer::Disconnected),
            Input::Push { message, .. } => self.pushed(now, &message),
            Input::Timer => self.timer(now),
            // It asks for no choice.
            Input::Chosen(_) => {}
        }
    }

    fn poll(&mut self) -> Output {
        self.outbox.take().unwrap_or_else(|| Output::Wait { until: self.until() })
    }
}

impl Hash for Redisson {
    fn hash<H: Hasher>(&self, out: &mut H) {
        self.requests().hash(out);
        self.hash_relative(LocalTime::default(), out);
    }
}

/// Why an answer that is none of those expected is a failure.
fn unexpected(answer: Answer) -> Refusal {
    match answer {
        Answer::Reply(reply) => Refusal::Error(reply.error_code().unwrap_or("UNEXPECTED").into()),
        Answer::TimedOut => Refusal::TimedOut,
        Answer::Disconnected => Refusal::Disconnected,
    }
}

#[cfg(test)]
mod tests;
