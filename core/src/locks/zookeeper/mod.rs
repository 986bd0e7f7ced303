//! The lock of the ZooKeeper recipe, as Curator's InterProcessMutex plays it.
//!
//! Everybody puts an ephemeral sequential znode below the lock. The lowest number holds it; everybody else watches only the one just ahead,
//! so a release wakes one client and no herd. The znode lives as long as its client's session; when the session ends the ensemble deletes
//! it, and the client learns that only when it hears of the ensemble again. Nobody interrupts the work meanwhile. Sources: the recipes page
//! of ZooKeeper; Curator's documentation of its mutex and of connection states.

mod kind;
mod session;
mod setup;
#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub(super) use kind::kind;
use session::{Place, Session};
use setup::{Question, Setup};

use super::desk::{Answer, Desk, later, left};
use super::work::{Attempt, Hold, Work};
use super::{Identity, Input, LockClient, Output, Params};
use crate::history::{LockEvent, Refusal, Token};
use crate::time::{LocalTime, Span};
use crate::wire::{Command, Reply};

/// A client of the ZooKeeper lock. It opens a session for each hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZooKeeper {
    setup: Arc<Setup>,
    acquisitions: u32,
    desk: Desk<Question>,
    session: Option<Session>,
    work: Work,
    hold: Option<Hold>,
}

impl ZooKeeper {
    /// A client that holds nothing yet.
    pub fn new(params: &Params, identity: Identity) -> ZooKeeper {
        let acquisitions = identity.acquisitions;
        ZooKeeper::at_rest(Arc::new(Setup::new(params, identity)), acquisitions)
    }

    /// The same client after a crash: it knows nothing, but the name of its next place is still a new one.
    pub fn restarted(&self) -> ZooKeeper {
        ZooKeeper::at_rest(self.setup.clone(), self.acquisitions)
    }

    fn at_rest(setup: Arc<Setup>, acquisitions: u32) -> ZooKeeper {
        let desk = Desk::new(&setup.params);
        ZooKeeper { setup, acquisitions, desk, session: None, work: Work::Idle, hold: None }
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

    /// Whoever is inside enters again without asking: a counter in its memory.
    fn acquire(&mut self, now: LocalTime, wait: Option<Span>) {
        assert!(self.work == Work::Idle, "contract 2: `Acquire` is given only to a client that is idle or holds");
        self.desk.tell(LockEvent::Acquiring);
        match &mut self.hold {
            Some(hold) if !hold.lost => {
                hold.depth += 1;
                return self.desk.tell(LockEvent::Reentered { count: hold.depth });
            }
            _ => (self.hold, self.session) = (None, None),
        }
        self.acquisitions += 1;
        let deadline = wait.map(|wait| later(now.monotonic, wait));
        self.try_once(now, Attempt { number: self.acquisitions, deadline });
    }

    /// From the first step that is still to be done: a session, a place, then who else stands there.
    fn try_once(&mut self, now: LocalTime, attempt: Attempt) {
        self.work = Work::Acquiring(attempt);
        match &mut self.session {
            None => self.ask(now, Question::Connect, self.setup.connect()),
            Some(session) if session.asked => {
                let id = session.id;
                self.ask(now, Question::List, self.setup.list(id));
            }
            Some(session) => {
                session.asked = true;
                let id = session.id;
                self.ask(now, Question::Create, self.setup.create(id, attempt.number));
            }
        }
    }

    fn acquiring(&mut self, now: LocalTime, attempt: Attempt, question: Question, answer: &Answer) {
        let reply = match answer {
            Answer::None(why) => return self.delay(now, attempt, why.clone()),
            Answer::Reply(reply) => reply,
        };
        if reply.error_code().is_some() && question != Question::Connect {
            // The session is over, and with it the place: both are asked for anew.
            self.session = None;
            return self.delay(now, attempt, Refusal::Expired);
        }
        let understood = match question {
            Question::Connect => self.connected(now, attempt, reply),
            Question::Create => self.created(now, reply),
            Question::List => self.listed(now, attempt, reply),
            Question::Own => self.own(now, attempt, reply),
            _ => self.session.as_ref().map(|session| session.id).map(|id| {
                self.ask(now, Question::List, self.setup.list(id));
            }),
        };
        if understood.is_none() {
            self.delay(now, attempt, Refusal::NotHolder);
        }
    }

    fn connected(&mut self, now: LocalTime, attempt: Attempt, reply: &Reply) -> Option<()> {
        let id = u64::try_from(reply.integer()?).ok()?;
        let beat = Some(later(now.monotonic, self.setup.renew_every));
        self.session = Some(Session { id, heard: now.monotonic, beat, asked: false, place: None });
        self.try_once(now, attempt);
        Some(())
    }

    fn created(&mut self, now: LocalTime, reply: &Reply) -> Option<()> {
        let Reply::Array(items) = reply else { return None };
        let [path, czxid] = &items[..] else { return None };
        let place = Place { path: path.text()?.into(), czxid: u64::try_from(czxid.integer()?).ok() };
        let session = self.session.as_mut()?;
        session.place = Some(place);
        let id = session.id;
        self.ask(now, Question::List, self.setup.list(id));
        Some(())
    }

    fn listed(&mut self, now: LocalTime, attempt: Attempt, reply: &Reply) -> Option<()> {
        let Reply::Array(items) = reply else { return None };
        let mut names: Vec<String> = items.iter().filter_map(Reply::text).collect();
        names.sort_by(|one, other| number(one).cmp(number(other)));
        let mine = self.setup.name(attempt.number);
        let session = self.session.as_mut()?;
        let Some(rank) = names.iter().position(|name| name.starts_with(&mine)) else {
            (session.asked, session.place) = (false, None);
            self.try_once(now, attempt);
            return Some(());
        };
        let id = session.id;
        let path = self.setup.path(&names[rank]);
        let place = session.place.get_or_insert_with(|| Place { path: path.as_str().into(), czxid: None });
        match (rank.checked_sub(1), place.czxid) {
            (None, Some(_)) => self.acquired(now, attempt),
            (None, None) => self.ask(now, Question::Own, self.setup.of_place("exists", id, &path)),
            (Some(_), _) if attempt.is_over(now.monotonic) => self.refuse(now, Refusal::Held),
            (Some(ahead), _) => {
                let command = self.setup.watch(id, &self.setup.path(&names[ahead]));
                let (phase, code) = (Question::Watch.phase(), Question::Watch.code());
                self.desk.ask_and_wait(Question::Watch, phase, code, command);
            }
        }
        Some(())
    }

    fn own(&mut self, now: LocalTime, attempt: Attempt, reply: &Reply) -> Option<()> {
        let Reply::Array(items) = reply else { return None };
        let czxid = u64::try_from(items.get(1)?.integer()?).ok();
        self.session.as_mut()?.place.as_mut()?.czxid = czxid;
        self.acquired(now, attempt);
        Some(())
    }

    fn acquired(&mut self, now: LocalTime, attempt: Attempt) {
        self.work = Work::Idle;
        self.hold = Some(Hold { number: attempt.number, depth: 1, lost: false });
        let czxid = self.session.as_ref().and_then(|session| session.place.as_ref()?.czxid);
        self.desk.tell(LockEvent::Acquired { token: czxid.map(Token::Number), valid_for: self.left(now) });
    }

    /// Gives up. The place goes with its session.
    fn refuse(&mut self, now: LocalTime, why: Refusal) {
        self.work = Work::Idle;
        self.close(now);
        self.desk.tell(LockEvent::Refused { why });
    }

    /// Ends the session; nobody waits for the answer.
    fn close(&mut self, now: LocalTime) {
        if let Some(Session { id, .. }) = self.session.take() {
            self.desk.drop_questions(|question| question != Question::Close);
            self.ask(now, Question::Close, self.setup.of_session("close", id));
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
        let Some(hold) = &mut self.hold else {
            unreachable!("contract 2: `Release` is given only to one that holds or has lost its lock")
        };
        self.desk.drop_questions(|question| question == Question::Look);
        self.desk.tell(LockEvent::Releasing);
        if hold.depth > 1 {
            hold.depth -= 1;
            let count = hold.depth;
            self.work = Work::Idle;
            return self.desk.tell(LockEvent::Descended { count });
        }
        self.work = Work::Releasing;
        self.of_place(now, Question::Delete, "delete");
    }

    /// The client forgets its hold whatever the answer; a place that is gone already is none to complain about.
    fn released(&mut self, now: LocalTime, answer: &Answer) {
        (self.work, self.hold) = (Work::Idle, None);
        self.close(now);
        self.desk.tell(match answer {
            Answer::None(why) => LockEvent::ReleaseFailed { why: why.clone() },
            Answer::Reply(_) if answer.ok().is_some() || is_gone(answer) => LockEvent::Released,
            Answer::Reply(_) => LockEvent::ReleaseFailed { why: Refusal::Expired },
        });
    }

    fn pinged(&mut self, now: LocalTime, answer: &Answer) {
        match answer {
            Answer::Reply(reply) if reply.error_code().is_none() => {
                if self.holds() {
                    let valid_for = self.left(now);
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

    /// The session is over, or taken to be: a holder has lost its lock, and whoever waits needs a new place.
    fn session_is_over(&mut self, now: LocalTime) {
        if let Some(session) = &mut self.session {
            session.beat = None;
        }
        if self.holds() {
            self.hold = self.hold.map(|hold| Hold { lost: true, ..hold });
            self.desk.tell(LockEvent::Lost);
        } else if let Work::Acquiring(attempt) = self.work {
            self.desk.drop_questions(|question| question != Question::Close);
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
        self.of_place(now, Question::Look, "exists");
    }

    fn looked(&mut self, answer: &Answer) {
        self.work = Work::Idle;
        let mine = answer.ok().is_some_and(|reply| *reply != Reply::Nil);
        self.desk.tell(LockEvent::Looked { mine });
    }

    fn answered(&mut self, now: LocalTime, question: Question, answer: &Answer) {
        if let (Some(session), Some(_)) = (&mut self.session, answer.ok()) {
            session.heard = now.monotonic;
        }
        match question {
            Question::Ping => self.pinged(now, answer),
            Question::Delete => self.released(now, answer),
            Question::Look => self.looked(answer),
            Question::Close => {}
            Question::Connect | Question::Create | Question::List | Question::Watch | Question::Own => {
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

    /// Pings, or notices that nothing has been heard for too long.
    fn beat(&mut self, now: LocalTime) {
        if self.gives_up_at().is_some_and(|at| at <= now.monotonic) {
            return self.session_is_over(now);
        }
        let every = self.setup.renew_every.micros();
        let Some(session) = &mut self.session else { return };
        if let Some(beat) = session.beat.filter(|beat| *beat <= now.monotonic) {
            // Pings that a stopped process has missed are not made up for.
            let missed = left(beat, now.monotonic).micros() / every;
            session.beat = Some(later(beat, Span(every.saturating_mul(missed + 1))));
            let id = session.id;
            self.ask(now, Question::Ping, self.setup.of_session("ping", id));
        }
    }

    /// When a holder takes its lock to be lost because nothing is heard.
    fn gives_up_at(&self) -> Option<i64> {
        let session = self.session.as_ref().filter(|session| session.beat.is_some() && self.holds())?;
        Some(later(session.heard, self.setup.patience))
    }

    /// What is left of the session by the client's own clock.
    fn left(&self, now: LocalTime) -> Option<Span> {
        let session = self.session.as_ref()?;
        Some(left(now.monotonic, later(session.heard, self.setup.params.ttl)))
    }

    /// Whether the caller counts on the lock. One that is giving it back no longer does.
    fn holds(&self) -> bool {
        self.hold.is_some_and(|hold| !hold.lost) && self.work != Work::Releasing
    }

    fn ask(&mut self, now: LocalTime, question: Question, command: Command) {
        self.desk.ask(now, question, question.phase(), question.code(), command);
    }

    /// Asks about the own place. A client whose session is gone has none.
    fn of_place(&mut self, now: LocalTime, question: Question, verb: &str) {
        let place = self.session.as_ref().and_then(|session| Some((session.id, session.place.as_ref()?.path.clone())));
        match place {
            Some((session, path)) => self.ask(now, question, self.setup.of_place(verb, session, &path)),
            None => self.answered(now, question, &Answer::Reply(Reply::Nil)),
        }
    }

    fn until(&self) -> Option<i64> {
        let work = match &self.work {
            Work::Acquiring(attempt) if self.desk.is_asking(Question::Watch) => attempt.deadline,
            Work::Delaying(_, _, at) => Some(*at),
            _ => None,
        };
        let beat = self.session.as_ref().and_then(|session| session.beat);
        self.desk.late_at().into_iter().chain(work).chain(beat).chain(self.gives_up_at()).min()
    }
}

/// The number at the end of a sequential znode's name.
fn number(name: &str) -> &str {
    name.rsplit_once('-').map_or(name, |(_, number)| number)
}

fn is_gone(answer: &Answer) -> bool {
    matches!(answer, Answer::Reply(reply) if reply.error_code() == Some("NONODE"))
}

impl LockClient for ZooKeeper {
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

impl Hash for ZooKeeper {
    fn hash<H: Hasher>(&self, out: &mut H) {
        self.desk.requests().hash(out);
        self.hash_relative(LocalTime::default(), out);
    }
}
