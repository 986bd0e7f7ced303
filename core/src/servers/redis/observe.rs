//! What an observer beside the server sees, without asking it: the records from which a lock's reading tells the holder.

use super::Redis;
use super::data::{Bytes, Entry, Value};
use super::keyspace::Slot;
use crate::time::{LocalClock, Time};
use crate::wire::{Record, RecordValue, Records};

impl Redis {
    /// The keys that the server shows at `now`, when its clock is `clock`.
    pub fn records(&self, clock: &LocalClock, now: Time) -> Records {
        let shown = self.keys.iter().filter_map(|(key, entry)| Some((key.text(), record(entry, clock, now)?)));
        shown.collect()
    }

    /// One key as [`Redis::records`] shows it; `None` if the server does not show it.
    pub fn record(&self, clock: &LocalClock, now: Time, key: &[u8]) -> Option<Record> {
        let index = self.keys.find(key).taken()?;
        record(self.keys.entry(index), clock, now)
    }

    /// What a key holds, expired or not.
    pub fn entry(&self, key: &[u8]) -> Option<&Entry> {
        match self.keys.find(key) {
            Slot::Taken(index) => Some(self.keys.entry(index)),
            Slot::Free(_) => None,
        }
    }

    /// The least expiry of all keys, in milliseconds of this server's wall clock: when the next key vanishes if nothing else happens.
    pub fn next_expiry(&self) -> Option<i64> {
        self.keys.iter().filter_map(|(_, entry)| entry.expires_at).min()
    }
}

fn record(entry: &Entry, clock: &LocalClock, now: Time) -> Option<Record> {
    if entry.is_expired(clock.read(now).wall_millis()) {
        return None;
    }
    Some(Record {
        value: shown(&entry.value),
        gone_at: entry.expires_at.map(|expiry| gone_at(expiry, clock, now)),
        created_by: entry.created_by,
        created: entry.created,
    })
}

/// The first true instant at which a key with this expiry is no longer shown: the start of the millisecond after it.
fn gone_at(expiry: i64, clock: &LocalClock, now: Time) -> Time {
    /// A clock that shows more than this is beyond any run: some 146,000 years.
    const BEYOND: i64 = i64::MAX / 2;
    match expiry.checked_add(1).and_then(|millis| millis.checked_mul(1_000)) {
        Some(wall) if wall < BEYOND => clock.when_wall(now, wall),
        _ => Time::NEVER,
    }
}

fn shown(value: &Value) -> RecordValue {
    match value {
        Value::Text(text) => RecordValue::Text(text.text()),
        Value::Hash(fields) => {
            RecordValue::Fields(fields.iter().map(|(field, value)| (field.text(), value.text())).collect())
        }
        Value::List(items) => RecordValue::List(items.iter().map(Bytes::text).collect()),
        Value::Set(members) => RecordValue::List(members.iter().map(Bytes::text).collect()),
        Value::Sorted(members) => RecordValue::List(members.iter().map(|(_, member)| member.text()).collect()),
    }
}
