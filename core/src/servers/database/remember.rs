//! What of a server decides what it answers next: for a search that recognises a state which it has met at another time.

use std::hash::{Hash, Hasher};

use super::Database;
use super::datum::Datum;
use super::session::{Found, Session, Waiting};
use super::sql::Statement;
use super::table::Values;
use crate::time::LocalTime;

impl Database {
    /// Feeds the server into a hasher, with instants relative to `now`.
    pub(super) fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        for (name, table) in self.tables.iter() {
            (name, table.rows.len()).hash(out);
            for (key, row) in table.rows.iter() {
                (key, row.created_by).hash(out);
                hash_values(row.committed.as_ref(), now, out);
                row.pending.as_ref().map(|pending| (pending.session, pending.is_new)).hash(out);
                hash_values(row.pending.as_ref().and_then(|pending| pending.values.as_ref()), now, out);
            }
        }
        for (id, session) in self.sessions.iter() {
            id.hash(out);
            session.hash_relative(now, out);
            self.hash_found(session, now, out);
        }
        (self.opened, &self.bound, &self.idle).hash(out);
        self.ended.keys().for_each(|peer| peer.hash(out));
        self.locks.hash_order(out);
    }

    /// The rows that a waiting statement has still to visit, and whether they are still the same.
    fn hash_found(&self, session: &Session, now: LocalTime, out: &mut impl Hasher) {
        let Some(Waiting { progress, .. }) = &session.waiting else { return };
        let (Statement::Insert { table, .. }
        | Statement::Update { table, .. }
        | Statement::Delete { table, .. }
        | Statement::Select { table, .. }) = &*progress.statement
        else {
            return;
        };
        let table = self.tables.get(table);
        for Found { key, values, inserted } in progress.found.iter().skip(progress.done) {
            (key, table.map(|table| table.inserted(key) == *inserted)).hash(out);
            hash_values(Some(values), now, out);
        }
    }
}

impl Session {
    fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        (now.monotonic - self.opened, self.peer, self.timeouts, self.orphaned).hash(out);
        self.cut.map(|at| now.monotonic - at).hash(out);
        if let Some(transaction) = &self.transaction {
            (transaction.kind, now.wall - transaction.began, &transaction.touched).hash(out);
            transaction.idle_since.map(|at| now.monotonic - at).hash(out);
        }
        if let Some(Waiting { progress, what, since, looked }) = &self.waiting {
            (what, now.monotonic - since, looked).hash(out);
            (&progress.statement, progress.done, progress.count, &progress.rows).hash(out);
            (now.monotonic - progress.started).hash(out);
        }
    }
}

fn hash_values(values: Option<&Values>, now: LocalTime, out: &mut impl Hasher) {
    values.is_some().hash(out);
    for value in values.iter().flat_map(|values| values.iter()) {
        match value {
            Datum::Instant(at) => (at - now.wall).hash(out),
            value => value.hash(out),
        }
    }
}
