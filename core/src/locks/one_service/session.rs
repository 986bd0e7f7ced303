//! A session with the service, and the beat that keeps it alive.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use super::{Answer, Known, OneService, Protocol, Work};
use crate::history::LockEvent;
use crate::time::{LocalTime, Span, between, later};
use crate::wire::{Command, Reply};

/// What a client knows of its session, and, as `Own`, of what hangs on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session<Own> {
    pub id: u64,
    /// The local instant from which its time to live is counted.
    heard: i64,
    /// The local instant of the next beat; `None`: it is taken to be over, and kept alive no longer.
    beat: Option<i64>,
    pub own: Own,
}

/// A lock that hangs on a session.
pub trait OnSession: Protocol<Known = Option<Session<<Self as OnSession>::Own>>> {
    /// What else a client knows of what hangs on its session.
    type Own: Clone + Debug + Default + Eq + Hash;

    /// What keeps a session alive.
    const BEAT: Self::Question;

    /// What ends it; nobody waits for the answer.
    const CLOSE: Self::Question;

    /// The command of [`OnSession::BEAT`].
    fn beat(&self, session: u64) -> Command;

    /// The command of [`OnSession::CLOSE`].
    fn close(&self, session: u64) -> Command;

    /// For how long nothing is heard until the client takes its session to be over; `None`: it does not conclude that by itself.
    fn patience(client: &OneService<Self>) -> Option<Span>;

    /// The session is over, or taken to be: a holder has lost its lock, and whoever waits needs another session.
    fn session_is_over(client: &mut OneService<Self>, now: LocalTime) {
        client.stop_beating();
        client.lose();
        if let Work::Acquiring(attempt) = client.work {
            client.desk.drop_questions(|question| question != Self::CLOSE);
            client.known = None;
            client.try_once(now, attempt);
        }
    }
}

impl<P: OnSession> OneService<P> {
    /// The service has opened a session.
    pub fn opened(&mut self, now: LocalTime, id: u64) {
        let beat = Some(later(now.monotonic, self.setup.terms().renew_every));
        self.known = Some(Session { id, heard: now.monotonic, beat, own: P::Own::default() });
    }

    /// Asks about the session. A client without one has nothing that could be there.
    pub fn ask_of_session(&mut self, now: LocalTime, question: P::Question, command: impl Fn(&P, u64) -> Command) {
        match &self.known {
            Some(session) => self.desk.ask(now, question, command(&self.setup, session.id)),
            None => self.answered(now, question, &Answer::Reply(Reply::Nil)),
        }
    }

    /// Keeps the session alive, or notices that nothing has been heard of it for too long.
    pub fn beat(&mut self, now: LocalTime) {
        if self.ends_at().is_some_and(|ends| ends <= now.monotonic) {
            return P::session_is_over(self, now);
        }
        let every = self.setup.terms().renew_every.micros();
        let Some(session) = &mut self.known else { return };
        if let Some(beat) = session.beat.filter(|beat| *beat <= now.monotonic) {
            // Beats that a stopped process has missed are not made up for.
            let missed = between(beat, now.monotonic).micros() / every;
            session.beat = Some(later(beat, Span(every.saturating_mul(missed + 1))));
            self.desk.ask(now, P::BEAT, self.setup.beat(session.id));
        }
    }

    /// What came of a beat.
    pub fn beaten(&mut self, now: LocalTime, answer: &Answer) {
        match answer {
            Answer::Reply(reply) if reply.error_code().is_none() => {
                self.start_anew(now);
                self.extended(now);
            }
            Answer::Reply(_) => P::session_is_over(self, now),
            Answer::None(why) => {
                if self.holds() {
                    self.desk.tell(LockEvent::ExtendFailed { why: why.clone() });
                }
            }
        }
    }

    /// The session's time to live is counted from now on.
    pub fn start_anew(&mut self, now: LocalTime) {
        if let Some(session) = &mut self.known {
            session.heard = now.monotonic;
        }
    }

    pub fn extended(&mut self, now: LocalTime) {
        if self.holds() {
            let valid_for = self.valid_for(now);
            self.desk.tell(LockEvent::Extended { valid_for });
        }
    }

    pub fn stop_beating(&mut self) {
        if let Some(session) = &mut self.known {
            session.beat = None;
        }
    }

    /// Ends the session.
    pub fn close(&mut self, now: LocalTime) {
        if let Some(session) = self.known.take() {
            self.desk.drop_questions(|question| question != P::CLOSE);
            self.desk.ask(now, P::CLOSE, self.setup.close(session.id));
        }
    }

    /// What is left of the session by the client's own clock.
    pub fn valid_for(&self, now: LocalTime) -> Option<Span> {
        let session = self.known.as_ref()?;
        Some(between(now.monotonic, later(session.heard, self.setup.terms().params.ttl)))
    }

    /// When the client next looks after its session.
    pub fn beats_at(&self) -> Option<i64> {
        let beat = self.known.as_ref().and_then(|session| session.beat);
        [beat, self.ends_at()].into_iter().flatten().min()
    }

    /// When it takes the session to be over.
    fn ends_at(&self) -> Option<i64> {
        let session = self.known.as_ref().filter(|session| session.beat.is_some())?;
        Some(later(session.heard, P::patience(self)?))
    }
}

impl<Own: Clone + Debug + Eq + Hash> Known for Option<Session<Own>> {
    fn forget_hold(&mut self) {
        *self = None;
    }

    fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        if let Some(Session { id, heard, beat, own }) = self {
            (id, heard - now.monotonic, beat.map(|beat| beat - now.monotonic), own).hash(out);
        }
    }
}
