//! What time alone does: time-outs, the look for deadlocks, connections found dead, sessions that a pooler closes.

use super::session::{Kind, Session, SessionId};
use super::turn::Turn;
use super::{Access, Database, SqlError};
use crate::servers::Delivery;
use crate::time::{LocalTime, Span};

/// Something that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Alarm {
    Deadlock,
    LockTimeout,
    StatementTimeout,
    Idle,
    FoundDead,
    TooOld,
}

impl Database {
    /// When time alone changes something next, by the server's monotonic clock in microseconds.
    pub(super) fn next_alarm(&self) -> Option<i64> {
        self.alarms().map(|(at, ..)| at).min()
    }

    /// Does what is due.
    pub(super) fn ring(&mut self, now: LocalTime) -> Vec<Delivery> {
        let mut deliveries = Vec::new();
        // What one alarm does may make another one needless.
        while let Some((at, session, alarm)) = self.alarms().min()
            && at <= now.monotonic
        {
            let mut turn = Turn::new(self, now);
            turn.alarmed(session, alarm);
            deliveries.extend(turn.settle());
        }
        deliveries
    }

    fn alarms(&self) -> impl Iterator<Item = (i64, SessionId, Alarm)> {
        self.sessions.iter().flat_map(|(id, session)| {
            let unused = self.idle.contains(id);
            self.alarms_of(session, unused).into_iter().flatten().map(|(at, alarm)| (at, *id, alarm))
        })
    }

    fn alarms_of(&self, session: &Session, unused: bool) -> [Option<(i64, Alarm)>; 5] {
        let Session { timeouts, waiting, .. } = session;
        let after = |from: i64, span: Span| from.saturating_add(span.micros() as i64);
        let on = |span: Span| span > Span::ZERO;
        let (mut wait, mut lock, mut statement) = (None, None, None);
        if let Some(waiting) = waiting {
            let look = (after(waiting.since, self.settings.deadlock_timeout), Alarm::Deadlock);
            wait = (!waiting.looked).then_some(look);
            lock = on(timeouts.lock).then(|| (after(waiting.since, timeouts.lock), Alarm::LockTimeout));
            let end = after(waiting.progress.started, timeouts.statement);
            statement = on(timeouts.statement).then_some((end, Alarm::StatementTimeout));
        }
        let idle = session.transaction.as_ref().filter(|_| on(timeouts.idle) && waiting.is_none());
        let idle =
            idle.and_then(|transaction| transaction.idle_since).map(|at| (after(at, timeouts.idle), Alarm::Idle));
        let dead =
            session.cut.filter(|_| !session.orphaned).map(|at| (after(at, self.settings.keep_alive), Alarm::FoundDead));
        let old = match self.settings.access {
            Access::Pooled { lifetime } if unused => Some((after(session.opened, lifetime), Alarm::TooOld)),
            Access::Pooled { .. } | Access::Direct => None,
        };
        // A session that is idle waits for no lock.
        [wait, lock.or(idle), statement, dead, old]
    }
}

impl Turn<'_> {
    fn alarmed(&mut self, session: SessionId, alarm: Alarm) {
        match alarm {
            Alarm::Deadlock => {
                if self.database.locks.is_deadlocked(session) {
                    return self.cancel(session, SqlError::deadlock());
                }
                if let Some(waiting) = self.state(session).and_then(|state| state.waiting.as_mut()) {
                    waiting.looked = true;
                }
            }
            Alarm::LockTimeout => self.cancel(session, SqlError::lock_timeout()),
            Alarm::StatementTimeout => self.cancel(session, SqlError::statement_timeout()),
            Alarm::Idle => {
                let Some(state) = self.state(session) else { return };
                let (peer, listens) = (state.peer, state.cut.is_none());
                let open = state.transaction.as_ref().is_some_and(|transaction| transaction.kind != Kind::Single);
                self.end_session(session);
                if open && listens {
                    self.database.ended.insert(peer, SqlError::idle_in_transaction());
                }
            }
            Alarm::FoundDead => self.hang_up(session),
            Alarm::TooOld => self.end_session(session),
        }
    }
}
