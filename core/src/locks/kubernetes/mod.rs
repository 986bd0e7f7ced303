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

pub(super) use kind::kind;
use record::Observed;
use setup::{Question, Setup};

use super::one_service::{Again, Answer, Attempt, Inquiry, Known, OneService, Protocol, Terms};
use crate::history::{LockEvent, Phase, Refusal, Token};
use crate::time::{LocalTime, Span, between, later};
use crate::wire::Reply;

/// A candidate, or the leader.
pub type Kubernetes = OneService<Setup>;

/// What a candidate knows of the record, and a leader of its term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    observed: Option<Observed>,
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

impl Known for Knowledge {
    /// The record was seen as it was, whoever leads.
    fn forget_hold(&mut self) {
        self.term = None;
    }

    fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        if let Some(observed) = &self.observed {
            observed.hash_relative(now, out);
        }
        self.term.map(|term| (term.beat - now.monotonic, term.stops - now.monotonic)).hash(out);
    }
}

impl Protocol for Setup {
    type Question = Question;
    type Known = Knowledge;

    /// Whoever leads already goes on: the record knows it by its name.
    const AGAIN: Again = Again::Counted;

    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn jitter_micros(&self) -> u32 {
        self.terms.params.jitter_micros()
    }

    fn try_once(client: &mut Kubernetes, now: LocalTime, _: Attempt) {
        client.desk.ask(now, Question::Get, client.setup.get());
    }

    fn acquiring(client: &mut Kubernetes, now: LocalTime, attempt: Attempt, question: Question, answer: &Answer) {
        let Some(reply) = answer.ok() else {
            // Another was faster, or nobody answered: both mean to wait.
            let why = match answer {
                Answer::None(why) => why.clone(),
                Answer::Reply(_) => Refusal::Held,
            };
            return client.delay(now, attempt, why);
        };
        let seen = Observed::read(now, reply);
        if question != Question::Get {
            return match seen {
                Some(seen) => written(client, now, attempt, seen),
                None => client.delay(now, attempt, Refusal::NotHolder),
            };
        }
        if *reply == Reply::Nil {
            return client.desk.ask(now, Question::Create, client.setup.create(now, attempt.number));
        }
        if let Some(seen) = seen {
            Observed::note(&mut client.known.observed, seen);
        }
        match &client.known.observed {
            Some(observed) if observed.holder.is_empty() || !observed.is_on(&client.setup, now) => {
                let command = client.setup.replace(now, attempt.number, observed);
                client.desk.ask(now, Question::Take, command);
            }
            _ => client.delay(now, attempt, Refusal::Held),
        }
    }

    fn keep(client: &mut Kubernetes, now: LocalTime) {
        match client.known.term {
            Some(term) if term.stops <= now.monotonic => stop(client),
            Some(term) if term.beat <= now.monotonic => {
                let next = later(now.monotonic, client.setup.terms.params.retry.max(Span(1)));
                client.known.term = Some(Term { beat: next, ..term });
                // A try whose answer is still missing is one try.
                if ![Question::Reread, Question::Renew].into_iter().any(|question| client.desk.is_asking(question)) {
                    client.desk.ask(now, Question::Reread, client.setup.get());
                }
            }
            _ => {}
        }
    }

    fn keeps_at(client: &Kubernetes) -> Option<i64> {
        client.known.term.map(|term| term.beat.min(term.stops))
    }

    fn renewing(client: &mut Kubernetes, now: LocalTime, question: Question, answer: &Answer) {
        // Whoever gives back no longer asks what became of a renewal.
        let leads = |client: &Kubernetes| client.known.term.is_some();
        let Some(hold) = client.hold.filter(|hold| !hold.lost && leads(client)) else { return };
        let name = client.setup.terms.token(hold.number);
        let seen = answer.ok().and_then(|reply| Observed::read(now, reply));
        match (question, seen) {
            (Question::Reread, Some(seen)) if seen.holder == name => {
                let command = client.setup.replace(now, hold.number, &seen);
                client.known.observed = Some(seen);
                client.desk.ask(now, Question::Renew, command);
            }
            // Another leads, or nobody does.
            (Question::Reread, _) if answer.ok().is_some() => stop(client),
            (Question::Renew, Some(seen)) => {
                client.known.observed = Some(seen);
                let valid_for = Some(renewed(client, now));
                client.desk.tell(LockEvent::Extended { valid_for });
            }
            _ => {
                let why = answer.refusal().unwrap_or(Refusal::NotHolder);
                client.desk.tell(LockEvent::ExtendFailed { why });
            }
        }
    }

    fn give_back(client: &mut Kubernetes, now: LocalTime) {
        client.known.term = None;
        if client.hold.is_some_and(|hold| hold.lost) {
            client.released(LockEvent::ReleaseFailed { why: Refusal::NotHolder });
        } else if !client.setup.releases {
            // It only stops to renew; the record stays as it is.
            client.released(LockEvent::Released);
        } else {
            client.desk.ask(now, Question::Last, client.setup.get());
        }
    }

    fn releasing(client: &mut Kubernetes, now: LocalTime, question: Question, answer: &Answer) {
        let name = client.hold.map(|hold| client.setup.terms.token(hold.number));
        let seen = answer.ok().and_then(|reply| Observed::read(now, reply));
        if let (Question::Last, Some(seen)) = (question, &seen)
            && name.as_ref() == Some(&seen.holder)
        {
            return client.desk.ask(now, Question::Release, client.setup.release(now, seen));
        }
        client.released(match answer {
            Answer::None(why) => LockEvent::ReleaseFailed { why: why.clone() },
            Answer::Reply(_) if question == Question::Release && seen.is_some() => LockEvent::Released,
            Answer::Reply(_) => LockEvent::ReleaseFailed { why: Refusal::NotHolder },
        });
    }

    fn look(client: &mut Kubernetes, now: LocalTime) {
        client.desk.ask(now, Question::Look, client.setup.get());
    }

    fn is_mine(client: &Kubernetes, now: LocalTime, answer: &Answer) -> bool {
        let holder = answer.ok().and_then(|reply| Observed::read(now, reply)).map(|seen| seen.holder);
        client.hold.is_some_and(|hold| holder == Some(client.setup.terms.token(hold.number)))
    }
}

/// The candidate has written itself into the record.
fn written(client: &mut Kubernetes, now: LocalTime, attempt: Attempt, written: Observed) {
    let token = Some(Token::Opaque(written.holder.as_str().into()));
    client.known.observed = Some(written);
    let valid_for = Some(renewed(client, now));
    client.acquired(attempt, token, valid_for);
}

/// A term begins, or goes on: for how long the leader takes it to last.
fn renewed(client: &mut Kubernetes, now: LocalTime) -> Span {
    let beat = later(now.monotonic, client.setup.terms.renew_every);
    let stops = later(beat, client.setup.renew_deadline);
    client.known.term = Some(Term { beat, stops });
    between(now.monotonic, stops)
}

/// The leader leads no longer, and no longer tries to.
fn stop(client: &mut Kubernetes) {
    client.known.term = None;
    client.desk.drop_questions(|question| question.phase() == Phase::Renew);
    client.lose();
}
