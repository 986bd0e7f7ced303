//! What an observer beside the server sees: rows, and who holds which lock.

use std::collections::BTreeMap;

use super::Database;
use super::datum::Datum;
use super::locks::Lockable;
use super::table::{Row, Table, Values};
use crate::time::{LocalClock, Time};
use crate::wire::{Record, RecordValue, Records};

impl Database {
    /// The committed rows as `table/key`, the row locks as `table/key FOR UPDATE`, the advisory locks as `advisory/key`.
    ///
    /// A row that is a lease (it has the columns `locked_by` and `lock_until`) is there while the lease lasts by the server's wall clock.
    pub(super) fn all_records(&self, clock: &LocalClock, now: Time) -> Records {
        let wall = clock.read(now).wall;
        let mut records = Records::new();
        for table in self.tables.values() {
            for (key, row) in table.rows.iter() {
                let Some(values) = &row.committed else { continue };
                let until = table.lease().and_then(|lease| lease.until(values));
                if until.is_some_and(|until| until <= wall) {
                    continue;
                }
                let gone_at = until.map(|until| clock.when_wall(now, until));
                records.insert(format!("{}/{key}", table.name), record_of(table, row, values, gone_at));
            }
        }
        for (what, hold) in self.locks.all() {
            let (key, depth) = match what {
                Lockable::Row(table, key) => (format!("{table}/{key} FOR UPDATE"), None),
                Lockable::Advisory(key) => (format!("advisory/{key}"), Some(hold.depth)),
            };
            let session = ("session".to_owned(), hold.holder.0.to_string());
            let depth = depth.map(|depth| ("depth".to_owned(), depth.to_string()));
            let fields = [session].into_iter().chain(depth).collect();
            let value = RecordValue::Fields(fields);
            records.insert(key, Record { value, gone_at: None, created_by: hold.by, created: hold.number });
        }
        records
    }
}

fn record_of(table: &Table, row: &Row, values: &Values, gone_at: Option<Time>) -> Record {
    let columns = table.columns.iter().zip(values.iter());
    let shown = columns.filter(|(_, value)| **value != Datum::Null);
    let fields: BTreeMap<String, String> =
        shown.map(|(column, value)| (column.name.to_string(), value.to_string())).collect();
    Record { value: RecordValue::Fields(fields), gone_at, created_by: row.created_by, created: row.created }
}
