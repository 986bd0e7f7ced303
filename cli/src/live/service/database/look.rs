//! What a real PostgreSQL shows of its rows and locks, as the model's records.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use locklab_core::servers::database::sql::Statement;
use locklab_core::servers::database::{Datum, EPOCH, Type};
use locklab_core::time::{Span, Time};
use locklab_core::wire::{ClientId, Record, RecordValue, Records, Reply};

use super::super::super::server::PATIENCE;
use super::connection::Connection;
use super::ledger::Ledger;

/// How late a row may be seen for which its lease's end has come.
const LATE: Span = Span(2_000);

/// A time that lies within so much of the beginning of all runs is a client's own.
const LONGEST_RUN: &str = "7 days";

/// Sessions by their server process: whose, and as the how-manieth opened.
pub type Sessions = BTreeMap<u32, (Option<ClientId>, u32)>;

/// Looks at a database, and remembers what it has seen.
#[derive(Debug, Default)]
pub struct Looker {
    tables: Vec<Shape>,
    /// The names behind the numbers of advisory locks.
    names: BTreeMap<i64, Arc<str>>,
    /// Whose a transaction is that has changed something.
    transactions: BTreeMap<String, Option<ClientId>>,
    /// The ends of leases: the column as it was, and the time.
    ends: BTreeMap<String, (String, Time)>,
    /// Whether somebody held an advisory lock at the last look.
    sees_advisory: bool,
    ledger: Ledger,
}

/// A table's columns.
#[derive(Debug)]
struct Shape {
    name: Arc<str>,
    columns: Vec<Arc<str>>,
    primary: usize,
    /// Where its rows are leases: the places of `locked_by` and `lock_until`.
    lease: Option<(usize, usize)>,
}

impl Looker {
    /// Remembers a table that is made.
    pub fn notice(&mut self, statement: &Statement) {
        let Statement::Create { table, columns, primary } = statement else { return };
        let place =
            |name: &str, kind: Type| columns.iter().position(|column| *column.name == *name && column.kind == kind);
        self.tables.push(Shape {
            name: table.clone(),
            columns: columns.iter().map(|column| column.name.clone()).collect(),
            primary: *primary,
            lease: place("locked_by", Type::Text).zip(place("lock_until", Type::Instant)),
        });
    }

    /// Remembers what an advisory lock's number stands for.
    pub fn name(&mut self, number: i64, name: &Arc<str>) {
        self.names.insert(number, name.clone());
    }

    /// The tables that have been made.
    pub fn tables(&self) -> Vec<Arc<str>> {
        self.tables.iter().map(|table| table.name.clone()).collect()
    }

    /// The server's clock has been moved: every lease may be over, or end at another time.
    pub fn doubt_ends(&mut self) {
        self.ends.values_mut().for_each(|(_, end)| *end = Time::START);
    }

    /// When the next lease ends.
    pub fn next_end(&self) -> Option<Time> {
        self.ends.values().map(|(_, end)| *end).min()
    }

    /// Whether somebody held an advisory lock at the last look.
    pub fn sees_advisory(&self) -> bool {
        self.sees_advisory
    }

    /// All records: rows, row locks, advisory locks.
    pub fn look(&mut self, observer: &mut Connection, sessions: &Sessions, now: Time) -> io::Result<Records> {
        let mut records = Records::new();
        let running = self.running(observer, sessions)?;
        for index in 0..self.tables.len() {
            let question = self.tables[index].question(now);
            for row in observer.rows(&question, PATIENCE)? {
                self.row(index, &row, &running, now, &mut records);
            }
        }
        self.advisory(observer, sessions, &mut records)?;
        self.ledger.keep(&records);
        self.ends.retain(|key, _| records.contains_key(key));
        Ok(records)
    }

    /// The transactions that have changed something and are still open, and their server processes.
    fn running(&mut self, observer: &mut Connection, sessions: &Sessions) -> io::Result<BTreeMap<String, Holder>> {
        let question = "SELECT backend_xid::text, pid FROM pg_stat_activity WHERE backend_xid IS NOT NULL";
        let mut running = BTreeMap::new();
        for row in observer.rows(question, PATIENCE)? {
            let Some((transaction, process)) = row.first().and_then(Reply::text).zip(number(&row, 1)) else { continue };
            let holder = holder(sessions, process);
            self.transactions.insert(transaction.clone(), holder.client);
            running.insert(transaction, holder);
        }
        Ok(running)
    }

    fn row(
        &mut self,
        table: usize,
        row: &[Reply],
        running: &BTreeMap<String, Holder>,
        now: Time,
        records: &mut Records,
    ) {
        let [inserted, locked, left, values @ ..] = row else { return };
        let shape = &self.tables[table];
        let text = |index: usize| values.get(index).and_then(Reply::text);
        let key = format!("{}/{}", shape.name, text(shape.primary).unwrap_or_default());
        if let Some((transaction, holder)) = locked.text().and_then(|locked| running.get_key_value(&locked)) {
            let name = format!("{key} FOR UPDATE");
            let created = self.ledger.number(&name, transaction);
            records.insert(name, holder.record(created));
        }
        let mut fields: BTreeMap<String, String> = shape
            .columns
            .iter()
            .zip(values)
            .filter_map(|(name, value)| Some((name.to_string(), value.text()?)))
            .collect();
        let (mut gone_at, mut identity) = (None, String::new());
        if let Some((locked_by, lock_until)) = shape.lease
            && let Some(until) = text(lock_until)
        {
            let left = left.integer().unwrap_or(0);
            if left <= 0 {
                return;
            }
            let fresh = now + Span(left.unsigned_abs()) + LATE;
            let known = self.ends.get(&key).filter(|(seen, end)| *seen == until && *end > now).map(|(_, end)| *end);
            let end = known.unwrap_or(fresh);
            self.ends.insert(key.clone(), (until, end));
            let micros = i64::try_from(end.0).unwrap_or(i64::MAX);
            fields.insert(shape.columns[lock_until].to_string(), Datum::Instant(micros).to_string());
            (gone_at, identity) = (Some(end), text(locked_by).unwrap_or_default());
        }
        let created_by = inserted.text().and_then(|by| self.transactions.get(&by).copied()).flatten();
        let created = self.ledger.number(&key, &identity);
        records.insert(key, Record { value: RecordValue::Fields(fields), gone_at, created_by, created });
    }

    fn advisory(&mut self, observer: &mut Connection, sessions: &Sessions, records: &mut Records) -> io::Result<()> {
        let question = "SELECT (classid::bigint << 32) | objid::bigint, pid FROM pg_locks \
                        WHERE locktype = 'advisory' AND granted \
                        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        self.sees_advisory = false;
        for row in observer.rows(question, PATIENCE)? {
            let Some((key, process)) = number(&row, 0).zip(number(&row, 1)) else { continue };
            // A server that a user names has locks of others, too.
            let Some(name) = self.names.get(&key).map(|name| format!("advisory/{name}")) else { continue };
            self.sees_advisory = true;
            let created = self.ledger.number(&name, &process.to_string());
            records.insert(name, holder(sessions, process).record(created));
        }
        Ok(())
    }
}

impl Shape {
    /// Who wrote each row, who has locked it, for how many microseconds its lease still lasts, and its columns.
    fn question(&self, now: Time) -> String {
        let left = match self.lease {
            Some(_) => left(now),
            None => "NULL".to_owned(),
        };
        format!("SELECT xmin::text, xmax::text, {left}, {} FROM {}", self.columns.join(", "), self.name)
    }
}

/// For how many microseconds a lease still lasts, as SQL: by the server's clock, or, where a client has written its own time, which begins with the
/// run, by the run's.
fn left(now: Time) -> String {
    let run = EPOCH.saturating_add_unsigned(now.0);
    format!(
        "(extract(epoch FROM lock_until - CASE WHEN lock_until < to_timestamp({EPOCH} / 1000000) + interval '{LONGEST_RUN}' \
         THEN to_timestamp({run} / 1000000.0) ELSE clock_timestamp() END) * 1000000)::bigint"
    )
}

/// Who holds a lock.
#[derive(Clone, Copy, Debug)]
struct Holder {
    client: Option<ClientId>,
    session: u32,
}

impl Holder {
    fn record(self, created: u64) -> Record {
        let value = RecordValue::Fields([("session".to_owned(), self.session.to_string())].into());
        Record { value, gone_at: None, created_by: self.client, created }
    }
}

/// The session of a server process. One whose client is gone is nobody's.
fn holder(sessions: &Sessions, process: i64) -> Holder {
    let session = u32::try_from(process).ok().and_then(|process| sessions.get(&process)).copied();
    let (client, session) = session.unwrap_or((None, 0));
    Holder { client, session }
}

fn number(row: &[Reply], index: usize) -> Option<i64> {
    row.get(index).and_then(Reply::integer)
}
