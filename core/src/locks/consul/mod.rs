//! The lock of Consul's API package: a session that acquires a key.
//!
//! The session has a time to live, which the client renews at half of it. Whoever cannot acquire the key waits for its index to grow. When a
//! holder's session is lost, nobody gets the key for the lock-delay: a grace for a holder that has not noticed yet, which helps only one that
//! notices in time. Sources: the sessions page of the Consul documentation; `api/lock.go`; issue 9788.

mod kind;
mod setup;
#[cfg(test)]
mod tests;

pub(super) use kind::kind;
use setup::{Question, Setup};

use super::one_service::{Again, Answer, Attempt, OnSession, OneService, Protocol, Terms};
use crate::history::{LockEvent, Refusal, Token};
use crate::time::{LocalTime, Span};
use crate::wire::{Command, Reply};

/// A client of the Consul lock. It creates a session for each hold.
pub type Consul = OneService<Setup>;

/// The key as the cluster shows it.
struct Seen {
    session: Option<u64>,
    lock_index: u64,
    modify_index: u64,
}

impl Protocol for Setup {
    type Question = Question;
    type Known = Option<super::one_service::Session<()>>;

    /// The library refuses a second acquire of the same lock.
    const AGAIN: Again = Again::Refused;

    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn try_once(client: &mut Consul, now: LocalTime, attempt: Attempt) {
        let (question, command) = match &client.known {
            None => (Question::Create, client.setup.create()),
            Some(session) => (Question::Acquire, client.setup.acquire(session.id, attempt.number)),
        };
        client.desk.ask(now, question, command);
    }

    fn acquiring(client: &mut Consul, now: LocalTime, attempt: Attempt, question: Question, answer: &Answer) {
        let Some(reply) = answer.ok() else {
            let why = answer.refusal().expect("an answer is a reply or the reason why there is none");
            return match (question, answer) {
                // A time to live that Consul does not accept will not be accepted later either.
                (Question::Create, Answer::Reply(_)) => client.refuse(now, why),
                // The session is over; the next try creates another.
                (_, Answer::Reply(_)) => {
                    client.known = None;
                    client.delay(now, attempt, why);
                }
                (_, Answer::None(_)) => client.delay(now, attempt, why),
            };
        };
        match question {
            Question::Create => match reply.integer().and_then(|id| u64::try_from(id).ok()) {
                Some(id) => {
                    client.opened(now, id);
                    client.try_once(now, attempt);
                }
                None => client.refuse(now, Refusal::NotHolder),
            },
            Question::Acquire => {
                let question = if reply.integer() == Some(1) { Question::Index } else { Question::Holder };
                client.desk.ask(now, question, client.setup.get());
            }
            Question::Index => match seen(reply).filter(|seen| is_own(client, seen)) {
                Some(seen) => {
                    let valid_for = client.valid_for(now);
                    client.acquired(attempt, Some(Token::Number(seen.lock_index)), valid_for);
                }
                None => client.delay(now, attempt, Refusal::Expired),
            },
            _ => somebody_holds_it(client, now, attempt, question, seen(reply)),
        }
    }

    fn give_up(client: &mut Consul, now: LocalTime) {
        client.close(now);
    }

    fn keep(client: &mut Consul, now: LocalTime) {
        client.beat(now);
    }

    fn keeps_at(client: &Consul) -> Option<i64> {
        client.beats_at()
    }

    fn renewing(client: &mut Consul, now: LocalTime, _: Question, answer: &Answer) {
        if client.known.is_some() {
            client.beaten(now, answer);
        }
    }

    fn give_back(client: &mut Consul, now: LocalTime) {
        client.ask_of_session(now, Question::Release, Setup::release);
    }

    fn releasing(client: &mut Consul, now: LocalTime, question: Question, answer: &Answer) {
        if question != Question::Release {
            return;
        }
        client.close(now);
        client.released(match answer.refusal() {
            Some(why) => LockEvent::ReleaseFailed { why },
            None if answer.ok().and_then(Reply::integer) == Some(1) => LockEvent::Released,
            None => LockEvent::ReleaseFailed { why: Refusal::NotHolder },
        });
    }

    fn look(client: &mut Consul, now: LocalTime) {
        client.desk.ask(now, Question::Look, client.setup.get());
    }

    fn is_mine(client: &Consul, _: LocalTime, answer: &Answer) -> bool {
        answer.ok().and_then(seen).is_some_and(|seen| is_own(client, &seen))
    }
}

impl OnSession for Setup {
    type Own = ();

    const BEAT: Question = Question::Renew;
    const CLOSE: Question = Question::Destroy;

    fn beat(&self, session: u64) -> Command {
        self.of_session("renew", session)
    }

    fn close(&self, session: u64) -> Command {
        self.of_session("destroy", session)
    }

    /// A session that has not been renewed for as long as it lasts is over.
    fn patience(client: &Consul) -> Option<Span> {
        Some(client.setup.terms.params.ttl)
    }
}

fn somebody_holds_it(client: &mut Consul, now: LocalTime, attempt: Attempt, question: Question, seen: Option<Seen>) {
    match seen {
        Some(Seen { session: Some(_), .. }) if attempt.is_over(now.monotonic) => client.refuse(now, Refusal::Held),
        Some(Seen { session: Some(_), modify_index, .. }) => {
            client.desk.ask(now, Question::Watch, client.setup.watch(modify_index));
        }
        // It has just become free.
        _ if question == Question::Watch => client.try_once(now, attempt),
        // It is free and was not given all the same: the lock-delay.
        _ => client.delay(now, attempt, Refusal::Held),
    }
}

fn seen(reply: &Reply) -> Option<Seen> {
    let Reply::Array(items) = reply else { return None };
    let [_, session, lock_index, modify_index] = &items[..] else { return None };
    let number = |reply: &Reply| reply.integer().and_then(|number| u64::try_from(number).ok());
    Some(Seen { session: number(session), lock_index: number(lock_index)?, modify_index: number(modify_index)? })
}

/// Whether the key belongs to the client's session.
fn is_own(client: &Consul, seen: &Seen) -> bool {
    seen.session.is_some() && seen.session == client.known.map(|session| session.id)
}
