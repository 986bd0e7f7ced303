//! The lock of etcd's concurrency package: a queue of keys in the order of their creation, each under its client's lease.
//!
//! A client takes a lease (its session), puts a key on it, and has the lock when no older key is left; it waits for the one just ahead to go,
//! so nobody is woken in vain. While it waits and while it holds it keeps the lease alive. After the wait it reads its own key once more:
//! it may have lost its lease, and its place, while it waited. Source: `client/v3/concurrency` of etcd; issue 11456 for the last look.

mod kind;
mod reply;
mod setup;
#[cfg(test)]
mod tests;

pub(super) use kind::kind;
use reply::{entered, key, lease};
use setup::{Question, Setup};

use super::one_service::{Again, Answer, Attempt, Inquiry, OnSession, OneService, Protocol, Session, Terms, Work};
use crate::history::{LockEvent, Refusal, Token};
use crate::time::{LocalTime, Span};
use crate::wire::{Command, Reply};

/// A client of the etcd lock. It opens a session for each hold: a lease.
pub type Etcd = OneService<Setup>;

/// The key that hangs on a lease.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OwnKey {
    /// The revision at which it was created; 0: it has not been.
    revision: u64,
}

impl Protocol for Setup {
    type Question = Question;
    type Known = Option<Session<OwnKey>>;

    const AGAIN: Again = Again::Asked;

    fn terms(&self) -> &Terms {
        &self.terms
    }

    /// A session, then the own key.
    fn try_once(client: &mut Etcd, now: LocalTime, attempt: Attempt) {
        let (question, command) = match &client.known {
            None => (Question::Grant, client.setup.grant()),
            Some(session) => (Question::Enter, client.setup.enter(session.id, attempt.number)),
        };
        client.desk.ask(now, question, command);
    }

    fn acquiring(client: &mut Etcd, now: LocalTime, attempt: Attempt, question: Question, answer: &Answer) {
        let reply = match answer {
            Answer::None(why) => return client.delay(now, attempt, why.clone()),
            // A put on a lease that is over: the session is gone, and with it the place in the queue.
            Answer::Reply(reply) if reply.error_code().is_some() => return client.refuse(now, Refusal::Expired),
            Answer::Reply(reply) => reply,
        };
        match question {
            Question::Grant => match lease(reply) {
                Some(lease) => {
                    client.opened(now, lease);
                    client.try_once(now, attempt);
                }
                None => client.refuse(now, Refusal::NotHolder),
            },
            Question::Enter => match (entered(reply), &mut client.known) {
                (Some(place), Some(session)) => {
                    session.own.revision = place.revision;
                    if place.is_first {
                        return is_first(client, now, attempt);
                    }
                    if attempt.is_over(now.monotonic) {
                        return client.refuse(now, Refusal::Held);
                    }
                    client.desk.ask(now, Question::Ahead, client.setup.ahead(place.revision));
                }
                _ => client.refuse(now, Refusal::Expired),
            },
            Question::Ahead => match key(reply) {
                Some((ahead, revision)) => {
                    client.desk.ask(now, Question::Watch, client.setup.watch(&ahead, revision));
                }
                None if client.setup.reread => client.ask_of_session(now, Question::Reread, Setup::read),
                None => is_first(client, now, attempt),
            },
            Question::Watch => {
                let revision = client.known.map_or(0, |session| session.own.revision);
                client.desk.ask(now, Question::Ahead, client.setup.ahead(revision));
            }
            Question::Reread if *reply == Reply::Nil => client.refuse(now, Refusal::Expired),
            _ => is_first(client, now, attempt),
        }
    }

    /// What stands in the queue goes with its session, unless an outer hold needs it.
    fn give_up(client: &mut Etcd, now: LocalTime) {
        client.desk.drop_questions(Question::is_watch);
        if client.hold.is_none() {
            client.close(now);
        }
    }

    fn keep(client: &mut Etcd, now: LocalTime) {
        client.beat(now);
    }

    fn keeps_at(client: &Etcd) -> Option<i64> {
        client.beats_at()
    }

    fn renewing(client: &mut Etcd, now: LocalTime, question: Question, answer: &Answer) {
        if question != Question::Keep {
            retaking(client, now, question, answer);
        } else if client.known.is_some() {
            client.beaten(now, answer);
        }
    }

    fn give_back(client: &mut Etcd, now: LocalTime) {
        client.ask_of_session(now, Question::Leave, Setup::delete);
    }

    /// The library deletes its key and looks no further: also where nothing was left to delete, and also where an outer hold needed it.
    fn releasing(client: &mut Etcd, now: LocalTime, question: Question, answer: &Answer) {
        let Some(mut hold) = client.hold.filter(|_| question == Question::Leave) else { return };
        hold.depth -= 1;
        if hold.depth == 0 {
            client.close(now);
        }
        client.released(match answer.refusal() {
            Some(why) => LockEvent::ReleaseFailed { why },
            None if hold.depth > 0 => LockEvent::Descended { count: hold.depth },
            None => LockEvent::Released,
        });
        client.hold = Some(hold).filter(|hold| hold.depth > 0);
    }

    fn look(client: &mut Etcd, now: LocalTime) {
        client.ask_of_session(now, Question::Look, Setup::read);
    }

    fn is_mine(_: &Etcd, _: LocalTime, answer: &Answer) -> bool {
        answer.ok().is_some_and(|reply| *reply != Reply::Nil)
    }
}

impl OnSession for Setup {
    type Own = OwnKey;

    const BEAT: Question = Question::Keep;
    const CLOSE: Question = Question::Revoke;

    fn beat(&self, lease: u64) -> Command {
        self.keep(lease)
    }

    fn close(&self, lease: u64) -> Command {
        self.revoke(lease)
    }

    /// A lease of which nothing has been heard for as long as it lasts is over. One that retakes asks the cluster instead.
    fn patience(client: &Etcd) -> Option<Span> {
        (!client.setup.retake).then_some(client.setup.terms.params.ttl)
    }

    /// A client that waits finds out when it reads its own key.
    fn session_is_over(client: &mut Etcd, now: LocalTime) {
        if client.setup.retake && client.holds() {
            return client.desk.ask(now, Question::Regrant, client.setup.grant());
        }
        client.stop_beating();
        client.lose();
    }
}

/// Nobody stands before the client.
fn is_first(client: &mut Etcd, now: LocalTime, attempt: Attempt) {
    client.work = Work::Idle;
    let Some(session) = client.known else { return client.refuse(now, Refusal::Expired) };
    if let Some(hold) = &mut client.hold {
        hold.depth += 1;
        let count = hold.depth;
        return client.desk.tell(LockEvent::Reentered { count });
    }
    let valid_for = client.valid_for(now);
    client.acquired(attempt, Some(Token::Number(session.own.revision)), valid_for);
}

/// Another session for a hold whose own is over: if nobody is ahead, the hold goes on as if nothing had been.
fn retaking(client: &mut Etcd, now: LocalTime, question: Question, answer: &Answer) {
    let held = client.hold.filter(|_| client.holds());
    let (Some(hold), Some(reply)) = (held, answer.ok()) else { return client.lose() };
    if question == Question::Regrant {
        let Some(lease) = lease(reply) else {
            client.known = None;
            return client.lose();
        };
        client.opened(now, lease);
        return client.desk.ask(now, Question::Reenter, client.setup.enter(lease, hold.number));
    }
    match (entered(reply), &mut client.known) {
        (Some(place), Some(session)) if place.is_first => {
            session.own.revision = place.revision;
            client.extended(now);
        }
        _ => {
            client.lose();
            client.close(now);
        }
    }
}
