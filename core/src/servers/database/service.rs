//! The database as the world sees it.

use std::hash::Hasher;

use super::Database;
use super::turn::Turn;
use crate::servers::{Delivery, Execution, Service};
use crate::time::{LocalClock, LocalTime, Time};
use crate::wire::{ClientId, Command, Records, Reply};

impl Service for Database {
    fn execute(&mut self, now: LocalTime, client: Option<ClientId>, command: &Command) -> Execution {
        Turn::new(self, now).execute(client, command)
    }

    /// A statement's time-outs are the server's own: see [`due`](Service::due).
    fn time_out(&mut self, _now: LocalTime, _client: ClientId) -> Reply {
        super::SqlError::statement_timeout().reply()
    }

    fn disconnect(&mut self, now: LocalTime, client: ClientId) -> Vec<Delivery> {
        self.ended.remove(&Some(client));
        let session = self.bound.get(&Some(client)).copied();
        let mut turn = Turn::new(self, now);
        if let Some(session) = session {
            turn.hang_up(session);
        }
        turn.settle()
    }

    /// With a keep-alive time the session stays, with its transaction and its locks, until that time is over.
    fn cut_off(&mut self, now: LocalTime, client: ClientId) -> Vec<Delivery> {
        if self.settings.keep_alive.micros() == 0 {
            return self.disconnect(now, client);
        }
        self.ended.remove(&Some(client));
        if let Some(session) = self.bound.remove(&Some(client)).and_then(|session| self.sessions.get_mut(&session)) {
            session.cut = Some(now.monotonic);
        }
        Vec::new()
    }

    fn expire(&mut self, now: LocalTime) -> Vec<Delivery> {
        self.ring(now)
    }

    fn due(&self, clock: &LocalClock, now: Time) -> Option<Time> {
        self.next_alarm().map(|at| clock.when_monotonic(now, at))
    }

    fn down(&mut self, _now: LocalTime) {
        for row in self.tables.values_mut().flat_map(|table| table.rows.values_mut()) {
            row.pending = None;
        }
        for table in self.tables.values_mut() {
            table.rows.retain(|_, row| row.committed.is_some());
        }
        self.sessions.clear();
        self.bound.clear();
        self.idle.clear();
        self.ended.clear();
        self.locks.clear();
    }

    /// What was committed is on its disk. Without its data it has its tables, and nothing in them.
    fn up(&mut self, _now: LocalTime, data_kept: bool) {
        if !data_kept {
            self.tables.values_mut().for_each(|table| table.rows.clear());
        }
    }

    fn records(&self, clock: &LocalClock, now: Time) -> Records {
        self.all_records(clock, now)
    }

    fn remember<H: Hasher>(&self, now: LocalTime, hasher: &mut H) {
        self.hash_relative(now, hasher);
    }
}
