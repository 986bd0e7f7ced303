//! A client's session on a real PostgreSQL, and when the server may do something to it by itself.

use std::time::{Duration, Instant};

use locklab_core::servers::database::sql::{Setting, Statement};
use locklab_core::wire::Reply;

use super::connection::Connection;

/// How long after its time the server may still be at it.
const GRACE: Duration = Duration::from_millis(500);

/// A session: a connection, and what goes on there.
#[derive(Debug)]
pub struct Session {
    pub connection: Connection,
    /// As the how-manieth session of the run it was opened.
    pub number: u32,
    /// Since when its statement waits for a lock.
    pub waiting: Option<Instant>,
    /// The server has ended it: what its client will be told.
    pub ended: Option<Reply>,
    /// Since when it does nothing.
    idle: Instant,
    timeouts: Vec<(Setting, Duration)>,
}

impl Session {
    /// A session that has just been opened.
    pub fn new(connection: Connection, number: u32) -> Session {
        Session { connection, number, waiting: None, ended: None, idle: Instant::now(), timeouts: Vec::new() }
    }

    /// Remembers a time-out that its client asks for.
    pub fn notice(&mut self, statement: &Statement) {
        if let Statement::Set(setting, span) = statement {
            self.timeouts.retain(|(known, _)| known != setting);
            self.timeouts.push((*setting, Duration::from_micros(span.micros())));
        }
    }

    /// Its statement has been answered.
    pub fn answered(&mut self) {
        (self.waiting, self.idle) = (None, Instant::now());
    }

    /// When the server may next end a wait, a statement or the session by itself.
    pub fn due(&self, deadlock: Duration) -> Option<Instant> {
        let timeout = |wanted: Setting| {
            self.timeouts.iter().find(|(setting, span)| *setting == wanted && !span.is_zero()).map(|(_, span)| *span)
        };
        match self.waiting {
            Some(since) => {
                // Whoever is not in a circle at that time waits on, and does not look again.
                let looks = Some(since + deadlock).filter(|look| *look + GRACE > Instant::now());
                let lock = timeout(Setting::LockTimeout).map(|span| since + span);
                let statement = timeout(Setting::StatementTimeout).map(|span| since + span);
                looks.into_iter().chain(lock).chain(statement).min()
            }
            None if self.ended.is_none() && self.connection.is_in_transaction() => {
                timeout(Setting::IdleInTransaction).map(|span| self.idle + span)
            }
            None => None,
        }
    }
}
