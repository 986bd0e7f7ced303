//! An observer beside a real server: reads all of its keys in one step, and tells what has changed since.
//!
//! It asks over a connection of its own, with one script, so that what it sees is one instant. It changes nothing, except that a
//! server forgets an expired key when somebody looks.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

use locklab_core::history::KeyChange;
use locklab_core::sim::{Change, Instant};
use locklab_core::time::{LocalClock, Time};
use locklab_core::wire::{ClientId, Command, Record, RecordValue, Records, Reply};

use super::resp::Connection;
use super::server::PATIENCE;

/// Keys with their type, their remaining life in milliseconds, and their value: those that are named, or all.
const SCRIPT: &str = "\
local found = {}
for _, key in ipairs(#ARGV > 0 and ARGV or redis.call('KEYS', '*')) do
  local kind = redis.call('TYPE', key).ok
  local value = ''
  if kind == 'string' then value = redis.call('GET', key)
  elseif kind == 'hash' then value = redis.call('HGETALL', key)
  elseif kind == 'list' then value = redis.call('LRANGE', key, 0, -1)
  elseif kind == 'set' then value = redis.call('SMEMBERS', key)
  elseif kind == 'zset' then value = redis.call('ZRANGE', key, 0, -1)
  end
  if kind ~= 'none' then found[#found + 1] = {key, kind, redis.call('PTTL', key), value} end
end
return found";

/// How far apart two readings of one expiry may lie on a clock that runs, in milliseconds.
const JITTER: i64 = 25;

/// Which keys an observer looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// All: the server is the run's own.
    #[default]
    All,
    /// Those of the run: the server is somebody's, and has other keys too.
    Under {
        /// What they begin with.
        prefix: String,
        /// All that are known.
        keys: BTreeSet<String>,
    },
}

/// A key as the server shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    value: RecordValue,
    /// The last millisecond of the server's wall clock at which it is there.
    expires_at: Option<i64>,
}

impl Seen {
    /// The expiry as it was read before, where this reading differs by no more than the jitter of a clock that runs.
    fn steady(&mut self, before: &Seen) {
        if let (Some(now), Some(then)) = (self.expires_at, before.expires_at)
            && now.abs_diff(then) <= JITTER.unsigned_abs()
        {
            self.expires_at = before.expires_at;
        }
    }

    fn was_about_to_end(&self, at: Instant<'_>) -> bool {
        self.expires_at.is_some_and(|expiry| expiry <= at.local().wall_millis() + JITTER)
    }
}

/// Where a key came from: its creator, and the count of creations on this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Who created it; `None`: an operator or the set-up.
    pub by: Option<ClientId>,
    /// The how-manieth creation it was.
    pub created: u64,
}

/// What is known of one server's keys.
#[derive(Debug, Default)]
pub struct Observer {
    /// Which keys are looked at.
    pub scope: Scope,
    /// Whether the server's clock runs while it is being looked at, so that an expiry is never read twice alike.
    clock_runs: bool,
    seen: BTreeMap<String, Seen>,
    origins: BTreeMap<String, Origin>,
    created: u64,
}

impl Observer {
    /// An observer that has not looked yet.
    pub fn new(scope: Scope, clock_runs: bool) -> Observer {
        Observer { scope, clock_runs, ..Observer::default() }
    }

    /// Looks at the server and tells what has changed, in order of keys. New keys were created by `by`, gone ones went by `lost`.
    pub fn look(
        &mut self,
        connection: &mut Connection,
        at: Instant<'_>,
        by: Option<ClientId>,
        lost: KeyChange,
    ) -> io::Result<Vec<Change>> {
        let seen = see(connection, &self.scope, at)?;
        let before = std::mem::replace(&mut self.seen, seen);
        let mut changes = Vec::new();
        for key in before.keys().filter(|key| !self.seen.contains_key(*key)) {
            self.origins.remove(key);
            changes.push(Change { key: Arc::from(key.as_str()), change: lost, record: None });
        }
        for (key, seen) in &mut self.seen {
            let old = before.get(key);
            if let Some(old) = old.filter(|_| self.clock_runs) {
                seen.steady(old);
            }
            let change = match old {
                Some(old) if old == seen => continue,
                Some(old) if self.clock_runs && old.was_about_to_end(at) && old.value != seen.value => {
                    // On a running clock the key may end a moment before the world expects it; whoever came then has created it anew.
                    self.origins.remove(key);
                    changes.push(Change { key: Arc::from(key.as_str()), change: KeyChange::Expired, record: None });
                    KeyChange::Created
                }
                Some(_) => KeyChange::Changed,
                None => KeyChange::Created,
            };
            if !self.origins.contains_key(key) {
                self.created += 1;
                self.origins.insert(key.clone(), Origin { by, created: self.created });
            }
            let record = record(seen, self.origins[key], at.clock, at.now);
            changes.push(Change { key: Arc::from(key.as_str()), change, record: Some(record) });
        }
        Ok(changes)
    }

    /// Whether the server still shows a key that is over by now.
    pub fn has_overdue(&self, at: Instant<'_>) -> bool {
        let now = at.local().wall_millis();
        self.seen.values().any(|seen| seen.expires_at.is_some_and(|expiry| expiry < now))
    }

    /// All records as they were last seen, their ends by this clock.
    pub fn records(&self, at: Instant<'_>) -> Records {
        let records = self.seen.iter();
        records.map(|(key, seen)| (key.clone(), record(seen, self.origins[key], at.clock, at.now))).collect()
    }

    /// Notes a creation that the stream of a master brings, before the replica is looked at.
    pub fn expect(&mut self, key: &str, by: Option<ClientId>) {
        self.created += 1;
        self.origins.insert(key.into(), Origin { by, created: self.created });
    }

    /// Notes a deletion that the stream of a master brings.
    pub fn forget(&mut self, key: &str) {
        self.origins.remove(key);
    }

    /// Takes over what a synchronisation brings from a master.
    pub fn adopt(&mut self, master: &Observer) {
        self.origins = master.origins.clone();
        self.created = self.created.max(master.created);
    }
}

fn see(connection: &mut Connection, scope: &Scope, at: Instant<'_>) -> io::Result<BTreeMap<String, Seen>> {
    let mut words = vec!["EVAL", SCRIPT, "0"];
    if let Scope::Under { keys, .. } = scope {
        // Without any key the script would look at all.
        if keys.is_empty() {
            return Ok(BTreeMap::new());
        }
        words.extend(keys.iter().map(String::as_str));
    }
    let reply = connection.call(&Command::new(words), PATIENCE)?;
    let unexpected = || io::Error::other(format!("the observer did not understand: {reply}"));
    let Reply::Array(items) = &reply else { return Err(unexpected()) };
    let now = at.local().wall_millis();
    items.iter().map(|item| seen(item, now).ok_or_else(unexpected)).collect()
}

fn seen(item: &Reply, now: i64) -> Option<(String, Seen)> {
    let Reply::Array(fields) = item else { return None };
    let [Reply::Bulk(key), Reply::Bulk(kind), Reply::Integer(left), value] = fields.as_slice() else { return None };
    let value = match (kind.as_slice(), value) {
        (b"hash", Reply::Array(items)) => {
            RecordValue::Fields(items.chunks_exact(2).map(|pair| (text(&pair[0]), text(&pair[1]))).collect())
        }
        (b"set", Reply::Array(items)) => {
            let mut members: Vec<String> = items.iter().map(text).collect();
            members.sort();
            RecordValue::List(members)
        }
        (_, Reply::Array(items)) => RecordValue::List(items.iter().map(text).collect()),
        (_, value) => RecordValue::Text(text(value)),
    };
    let expires_at = (*left >= 0).then(|| now + left);
    Some((String::from_utf8_lossy(key).into_owned(), Seen { value, expires_at }))
}

fn text(reply: &Reply) -> String {
    match reply {
        Reply::Bulk(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        other => other.text().unwrap_or_default(),
    }
}

fn record(seen: &Seen, origin: Origin, clock: &LocalClock, now: Time) -> Record {
    /// A clock that shows more than this is beyond any run.
    const BEYOND: i64 = i64::MAX / 2;
    let gone_at =
        seen.expires_at.map(|expiry| match expiry.checked_add(1).and_then(|millis| millis.checked_mul(1_000)) {
            Some(wall) if wall < BEYOND => clock.when_wall(now, wall),
            _ => Time::NEVER,
        });
    Record { value: seen.value.clone(), gone_at, created_by: origin.by, created: origin.created }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expiry_set_anew_to_the_same_end_has_not_moved() {
        let seen =
            |value: &str, expires_at| Seen { value: RecordValue::Text(value.into()), expires_at: Some(expires_at) };
        let mut left_by_one_reader = seen("1", 31_002);
        left_by_one_reader.steady(&seen("2", 31_000));
        assert_eq!(left_by_one_reader, seen("1", 31_000));
        let mut renewed = seen("2", 41_000);
        renewed.steady(&seen("2", 31_000));
        assert_eq!(renewed, seen("2", 41_000));
    }
}
