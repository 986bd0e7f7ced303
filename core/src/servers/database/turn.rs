//! One turn of the server: a statement, the end of a connection or a timer, and everything that follows from it at once.

use std::collections::VecDeque;
use std::sync::Arc;

use super::locks::Lockable;
use super::session::{Kind, Peer, Progress, Session, SessionId, Transaction, Waiting};
use super::sql::Statement;
use super::table::Row;
use super::{Access, Database, SqlError};
use crate::servers::{Delivery, Execution, Outcome};
use crate::time::LocalTime;
use crate::wire::{Command, Reply};

/// A turn.
pub(super) struct Turn<'a> {
    pub database: &'a mut Database,
    pub now: LocalTime,
    /// Sessions that have just got the lock that they waited for.
    pub woken: VecDeque<SessionId>,
    deliveries: Vec<Delivery>,
}

/// How far a statement has come.
pub(super) enum Step {
    /// To its end.
    Done(Reply),
    /// It waits for a lock that another session holds; it stands in the queue.
    Wait(Lockable),
}

impl<'a> Turn<'a> {
    pub fn new(database: &'a mut Database, now: LocalTime) -> Turn<'a> {
        Turn { database, now, woken: VecDeque::new(), deliveries: Vec::new() }
    }

    /// Runs a statement of a peer.
    pub fn execute(mut self, peer: Peer, command: &Command) -> Execution {
        if let Some(error) = self.database.ended.remove(&peer) {
            return error.reply().into();
        }
        let words: Vec<_> = command.words().iter().map(|word| String::from_utf8_lossy(word)).collect();
        let session = self.session_of(peer);
        let started = match Statement::parse(&words.join(" ")) {
            Ok(statement) => self.start(session, Arc::new(statement)),
            Err(error) => Err(error),
        };
        let reply = self.conclude(session, started);
        let deliveries = self.settle();
        let outcome = reply.map_or(Outcome::Blocked { timeout: None }, Outcome::Reply);
        Execution { outcome, deliveries }
    }

    /// Lets everybody go on who has got what it waited for.
    pub fn settle(&mut self) -> Vec<Delivery> {
        while let Some(session) = self.woken.pop_front() {
            let waiting = self.state(session).and_then(|state| state.waiting.take());
            let Some(Waiting { mut progress, what, .. }) = waiting else { continue };
            if matches!(what, Lockable::Advisory(_)) {
                progress.done = 1;
            }
            let step = self.go_on(session, progress);
            self.answer(session, step);
        }
        std::mem::take(&mut self.deliveries)
    }

    /// Ends the wait of a session with an error.
    pub fn cancel(&mut self, session: SessionId, error: SqlError) {
        self.database.locks.stop_waiting(session);
        if let Some(state) = self.state(session) {
            state.waiting = None;
        }
        self.answer(session, Err(error));
    }

    /// Ends a session: what its transaction did is undone, and all of its locks are free.
    pub fn end_session(&mut self, session: SessionId) {
        self.roll_back(session);
        let woken = self.database.locks.end_session(session);
        self.woken.extend(woken);
        self.database.sessions.remove(&session);
        self.database.bound.retain(|_, bound| *bound != session);
        self.database.idle.retain(|idle| *idle != session);
    }

    /// The connection of a session is gone. A server that waits for a lock on its behalf notices when that wait is over.
    pub fn hang_up(&mut self, session: SessionId) {
        self.database.bound.retain(|_, bound| *bound != session);
        match self.state(session) {
            Some(state) if state.waiting.is_some() => state.orphaned = true,
            Some(_) => self.end_session(session),
            None => {}
        }
    }

    pub fn state(&mut self, session: SessionId) -> Option<&mut Session> {
        self.database.sessions.get_mut(&session)
    }

    /// The session that runs a peer's next statement.
    fn session_of(&mut self, peer: Peer) -> SessionId {
        if let Some(session) = self.database.bound.get(&peer) {
            return *session;
        }
        let session = self.database.idle.pop().unwrap_or_else(|| {
            self.database.opened += 1;
            let session = SessionId(self.database.opened);
            self.database.sessions.insert(session, Session::new(self.now.monotonic, peer));
            session
        });
        self.database.bound.insert(peer, session);
        if let Some(state) = self.state(session) {
            state.peer = peer;
        }
        session
    }

    fn start(&mut self, session: SessionId, statement: Arc<Statement>) -> Result<Step, SqlError> {
        let (now, wall) = (self.now.monotonic, self.now.wall);
        let Some(state) = self.state(session) else { return Err(SqlError::aborted()) };
        let kind = state.transaction.as_ref().map(|transaction| transaction.kind);
        if let Some(transaction) = &mut state.transaction {
            transaction.idle_since = None;
        }
        let done = |tag: &str| Ok(Step::Done(Reply::Status(tag.into())));
        match (&*statement, kind) {
            (Statement::Rollback, _) => {
                self.roll_back(session);
                done("ROLLBACK")
            }
            (Statement::Commit, Some(Kind::Aborted)) => {
                self.roll_back(session);
                done("ROLLBACK")
            }
            (Statement::Commit, _) => {
                self.commit(session);
                done("COMMIT")
            }
            (_, Some(Kind::Aborted)) => Err(SqlError::aborted()),
            (Statement::Begin, None) => {
                state.transaction = Some(Transaction::new(Kind::Block, wall));
                done("BEGIN")
            }
            // PostgreSQL only warns that there is a transaction already.
            (Statement::Begin, Some(_)) => done("BEGIN"),
            (Statement::Set(..) | Statement::Create { .. }, Some(_)) => {
                Err(SqlError::unsupported("SET and CREATE TABLE inside a transaction"))
            }
            (Statement::Set(setting, span), None) => {
                state.set(*setting, *span);
                done("SET")
            }
            (Statement::Create { table, columns, primary }, None) => {
                self.create(table, columns, *primary)?;
                done("CREATE TABLE")
            }
            _ => {
                state.transaction.get_or_insert_with(|| Transaction::new(Kind::Single, wall));
                let found = self.snapshot(session, &statement)?;
                let progress = Progress { statement, found, done: 0, count: 0, rows: Vec::new(), started: now };
                self.go_on(session, progress)
            }
        }
    }

    /// Takes a statement on its way, and keeps it where it has to wait.
    fn go_on(&mut self, session: SessionId, mut progress: Progress) -> Result<Step, SqlError> {
        let step = self.advance(session, &mut progress)?;
        if let Step::Wait(what) = &step {
            let waiting = Waiting { progress, what: what.clone(), since: self.now.monotonic, looked: false };
            if let Some(state) = self.state(session) {
                state.waiting = Some(waiting);
            }
        }
        Ok(step)
    }

    fn answer(&mut self, session: SessionId, step: Result<Step, SqlError>) {
        let Some(state) = self.state(session) else { return };
        let (peer, listens) = (state.peer, !state.orphaned && state.cut.is_none());
        if let (Some(message), Some(client), true) = (self.conclude(session, step), peer, listens) {
            self.deliveries.push(Delivery { client, message, answers: true });
        }
    }

    /// After a statement: a transaction of its own ends with it, and so does one in which it failed.
    fn conclude(&mut self, session: SessionId, step: Result<Step, SqlError>) -> Option<Reply> {
        let reply = match step {
            Ok(Step::Wait(_)) => return None,
            Ok(Step::Done(reply)) => {
                self.after_success(session);
                reply
            }
            Err(error) => {
                self.after_failure(session);
                error.reply()
            }
        };
        self.leave(session);
        Some(reply)
    }

    fn after_success(&mut self, session: SessionId) {
        let now = self.now.monotonic;
        match self.state(session).and_then(|state| state.transaction.as_mut()) {
            Some(transaction) if transaction.kind == Kind::Single => self.commit(session),
            Some(transaction) => transaction.idle_since = Some(now),
            None => {}
        }
    }

    /// PostgreSQL undoes a failed transaction, and frees its locks, at the error, not at the ROLLBACK that the client still has to say.
    fn after_failure(&mut self, session: SessionId) {
        let (now, wall) = (self.now.monotonic, self.now.wall);
        let in_block = self.state(session).is_some_and(|state| state.is_in_block());
        self.roll_back(session);
        if in_block && let Some(state) = self.state(session) {
            let mut transaction = Transaction::new(Kind::Aborted, wall);
            transaction.idle_since = Some(now);
            state.transaction = Some(transaction);
        }
    }

    /// A session whose connection is gone ends; one of a pooler is free for the next client.
    fn leave(&mut self, session: SessionId) {
        let now = self.now.monotonic;
        let Some(state) = self.state(session) else { return };
        if state.orphaned {
            return self.end_session(session);
        }
        let Access::Pooled { lifetime } = self.database.settings.access else { return };
        let Some(state) = self.state(session) else { return };
        if state.transaction.is_some() {
            return;
        }
        let old = now - state.opened >= lifetime.micros() as i64;
        self.database.bound.retain(|_, bound| *bound != session);
        if old {
            self.end_session(session);
        } else {
            self.database.idle.push(session);
        }
    }

    fn commit(&mut self, session: SessionId) {
        let wall = self.now.wall;
        let Some(state) = self.state(session) else { return };
        let Some(transaction) = state.transaction.take() else { return };
        let peer = state.peer;
        for (table, key) in &transaction.touched {
            let Some(table) = self.database.tables.get_mut(table) else { continue };
            let lease = table.lease();
            let Some(row) = table.rows.get_mut(key) else { continue };
            let Some(pending) = row.pending.take() else { continue };
            let is_created = match (&row.committed, &pending.values) {
                (None, Some(_)) => true,
                (Some(old), Some(new)) => {
                    pending.is_new || lease.is_some_and(|lease| lease.is_taken_over(old, new, wall))
                }
                (_, None) => false,
            };
            row.committed = pending.values;
            if is_created {
                self.database.created += 1;
                (row.created_by, row.created) = (peer, self.database.created);
            }
            if pending.is_new {
                row.inserted = row.created;
            }
        }
        self.forget_rows_and_locks(session, &transaction);
    }

    pub(super) fn roll_back(&mut self, session: SessionId) {
        let Some(state) = self.state(session) else { return };
        let Some(transaction) = state.transaction.take() else { return };
        for (table, key) in &transaction.touched {
            let row = self.database.tables.get_mut(table).and_then(|table| table.rows.get_mut(key));
            if let Some(row) = row {
                row.pending = None;
            }
        }
        self.forget_rows_and_locks(session, &transaction);
    }

    fn forget_rows_and_locks(&mut self, session: SessionId, transaction: &Transaction) {
        for (table, key) in &transaction.touched {
            if let Some(table) = self.database.tables.get_mut(table) {
                let empty = |row: &Row| row.committed.is_none() && row.pending.is_none();
                if table.rows.get(key).is_some_and(empty) {
                    table.rows.remove(key);
                }
            }
        }
        let woken = self.database.locks.end_transaction(session);
        self.woken.extend(woken);
    }
}
