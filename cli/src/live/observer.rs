//! An observer beside a real server: reads all of its keys in one step, and tells what has changed since.
//!
//! It asks over a connection of its own, with one script, so that what it sees is one instant. It changes nothing, except that a
//! server forgets an expired key when somebody looks.
//!
//! On a clock that runs, a key may end between a command and the look that follows. A server does not say which of its keys have ended, but it
//! counts them: what is gone was deleted by the command, unless the count has gone up.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant as RealInstant};

use locklab_core::history::KeyChange;
use locklab_core::sim::{Change, Instant};
use locklab_core::time::{LocalClock, Time};
use locklab_core::wire::{ClientId, Command, Record, RecordValue, Records, Reply};

use super::resp::Connection;
use super::server::PATIENCE;

/// How many keys have ended so far, or -1; and keys with their type, their remaining life in milliseconds, and their value: those that are named, or
/// all. A key that is over counts as ended once somebody has asked for it.
const SCRIPT: &str = "\
for _, key in ipairs(KEYS) do redis.call('EXISTS', key) end
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
local stats = redis.pcall('INFO', 'stats')
local ended = type(stats) == 'string' and stats:match('expired_keys:(%d+)') or -1
return {tonumber(ended), found}";

/// How far apart two readings of one expiry may lie on a clock that runs.
const JITTER: Duration = Duration::from_millis(25);

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
            && u128::from(now.abs_diff(then)) <= JITTER.as_millis()
        {
            self.expires_at = before.expires_at;
        }
    }
}

/// What a look shows.
struct View {
    /// The keys.
    keys: BTreeMap<String, Seen>,
    /// How many keys of the server have ended since it was started; `None`: it does not say.
    ended: Option<u64>,
    /// How long the look took at most.
    took: Duration,
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
    /// How many keys of the server have ended, as it counts; `None`: it does not say.
    ended: Option<u64>,
    origins: BTreeMap<String, Origin>,
    created: u64,
}

impl Observer {
    /// An observer that has not looked yet.
    pub fn new(scope: Scope, clock_runs: bool) -> Observer {
        Observer { scope, clock_runs, ..Observer::default() }
    }

    /// Looks at the server and tells what has changed, in order of keys. New keys were created by `by`; gone ones went by `lost`, unless they have ended.
    pub fn look(
        &mut self,
        connection: &mut Connection,
        at: Instant<'_>,
        by: Option<ClientId>,
        lost: KeyChange,
    ) -> io::Result<Vec<Change>> {
        let view = self.see(connection, at)?;
        let ended = if self.clock_runs { self.ended(&view, at) } else { BTreeSet::new() };
        self.ended = view.ended;
        let before = std::mem::replace(&mut self.seen, view.keys);
        let mut changes = Vec::new();
        for key in before.keys().filter(|key| !self.seen.contains_key(*key)) {
            self.origins.remove(key);
            let change = if ended.contains(key) { KeyChange::Expired } else { lost };
            changes.push(Change { key: Arc::from(key.as_str()), change, record: None });
        }
        for (key, seen) in &self.seen {
            let change = match before.get(key) {
                Some(old) if old == seen => continue,
                Some(_) if ended.contains(key) => {
                    // The key has ended a moment before the world expects it; whoever came then has created it anew.
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

    fn see(&self, connection: &mut Connection, at: Instant<'_>) -> io::Result<View> {
        let mut keys: Vec<&str> = Vec::new();
        if let Scope::Under { keys: known, .. } = &self.scope {
            // Without any key the script would look at all.
            if known.is_empty() {
                return Ok(View { keys: BTreeMap::new(), ended: None, took: Duration::ZERO });
            }
            keys.extend(known.iter().map(String::as_str));
        }
        // A clock that stands still ends no key between two looks, and a question for one would change the stream that replicas get.
        let earlier: Vec<&str> =
            if self.clock_runs { self.seen.keys().map(String::as_str).collect() } else { Vec::new() };
        let count = earlier.len().to_string();
        let words = ["EVAL", SCRIPT, &count].into_iter().chain(earlier).chain(keys);
        let begun = RealInstant::now();
        let reply = connection.call(&Command::new(words), PATIENCE)?;
        let took = begun.elapsed();
        let unexpected = || io::Error::other(format!("the observer did not understand: {reply}"));
        let Reply::Array(parts) = &reply else { return Err(unexpected()) };
        let [Reply::Integer(ended), Reply::Array(items)] = parts.as_slice() else { return Err(unexpected()) };
        let now = at.local().wall_millis();
        let keys = items.iter().map(|item| seen(item, now).ok_or_else(unexpected));
        let mut keys: BTreeMap<String, Seen> = keys.collect::<io::Result<_>>()?;
        if self.clock_runs {
            for (key, seen) in &mut keys {
                self.seen.get(key).into_iter().for_each(|before| seen.steady(before));
            }
        }
        Ok(View { keys, ended: u64::try_from(*ended).ok(), took })
    }

    /// The keys of the last look that have ended since: of those whose time has come and that are gone, or another's, as many as the server has counted.
    /// Those that were to end first have.
    fn ended(&self, view: &View, at: Instant<'_>) -> BTreeSet<String> {
        let latest = at.local().wall_millis() + i64::try_from((view.took + JITTER).as_millis()).unwrap_or(i64::MAX / 2);
        // On somebody's server others' keys end, too; there a key whose value is the same has been prolonged.
        let is_other = |old: &Seen, new: &Seen| match self.scope {
            Scope::All => old != new,
            Scope::Under { .. } => old.value != new.value,
        };
        let has_gone = |key: &str, old: &Seen| view.keys.get(key).is_none_or(|new| is_other(old, new));
        let candidates = self.seen.iter().filter_map(|(key, old)| Some((old.expires_at?, key, old)));
        let mut gone: Vec<(i64, &String)> = candidates
            .filter(|(expiry, key, old)| *expiry <= latest && has_gone(key, old))
            .map(|(expiry, key, _)| (expiry, key))
            .collect();
        gone.sort();
        let count = match (self.ended, view.ended) {
            // A server that was started again counts anew.
            (Some(before), Some(now)) => now.checked_sub(before).unwrap_or(now),
            _ => u64::MAX,
        };
        gone.into_iter().take(usize::try_from(count).unwrap_or(usize::MAX)).map(|(_, key)| key.clone()).collect()
    }
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
    use std::thread;

    use locklab_core::wire::NodeId;

    use super::super::server::{Persistence, RedisProgram, RedisServer};
    use super::*;

    /// Who sends the commands.
    const B: Option<ClientId> = Some(ClientId(1));

    /// A server on a clock that runs, and an observer beside it.
    struct Watched {
        connection: Connection,
        observer: Observer,
        begun: RealInstant,
        _server: RedisServer,
        _folder: tempfile::TempDir,
    }

    impl Watched {
        fn start() -> Watched {
            let folder = tempfile::tempdir().unwrap();
            let program = RedisProgram::find().expect("redis-server is installed: apt-get install redis-server");
            let server =
                RedisServer::start(&program, folder.path().join("node"), Persistence::Nothing, Vec::new(), None)
                    .unwrap();
            let connection = server.connect().unwrap();
            let observer = Observer::new(Scope::All, true);
            Watched { connection, observer, begun: RealInstant::now(), _server: server, _folder: folder }
        }

        fn call(&mut self, words: &[&str]) -> Reply {
            self.connection.call(&Command::new(words), PATIENCE).unwrap()
        }

        /// What has changed since the last look, and the client's command in between is what it went by.
        fn look(&mut self) -> Vec<(String, KeyChange)> {
            let now = Time(u64::try_from(self.begun.elapsed().as_micros()).unwrap());
            let clock = LocalClock::default();
            let at = Instant { node: NodeId(0), now, clock: &clock };
            let changes = self.observer.look(&mut self.connection, at, B, KeyChange::Deleted).unwrap();
            changes.iter().map(|change| (change.key.to_string(), change.change)).collect()
        }
    }

    fn told(key: &str, change: KeyChange) -> (String, KeyChange) {
        (key.to_owned(), change)
    }

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

    #[test]
    fn a_key_that_ends_after_a_command_and_before_the_look_was_not_deleted_by_it() {
        let mut watched = Watched::start();
        watched.call(&["SET", "lock", "A-1", "PX", "200"]);
        assert_eq!(watched.look(), [told("lock", KeyChange::Created)]);
        assert_eq!(watched.call(&["SET", "lock", "B-1", "NX", "PX", "200"]), Reply::Nil, "A still holds it");
        thread::sleep(Duration::from_millis(210));
        assert_eq!(watched.look(), [told("lock", KeyChange::Expired)]);
    }

    #[test]
    fn a_key_that_a_command_deletes_a_moment_before_its_end_was_deleted() {
        let mut watched = Watched::start();
        watched.call(&["SET", "lock", "A-1", "PX", "200"]);
        watched.look();
        thread::sleep(Duration::from_millis(185));
        let deleted = watched.call(&["DEL", "lock"]) == Reply::Integer(1);
        // A machine that overslept has found it gone, and then it had ended.
        let change = if deleted { KeyChange::Deleted } else { KeyChange::Expired };
        assert_eq!(watched.look(), [told("lock", change)]);
    }

    #[test]
    fn of_two_keys_that_are_gone_the_one_that_was_deleted_is_told_apart_from_the_one_that_ended() {
        let mut watched = Watched::start();
        watched.call(&["SET", "ends", "A-1", "PX", "200"]);
        watched.call(&["SET", "lock", "A-1", "PX", "215"]);
        watched.look();
        assert_eq!(watched.call(&["DEL", "lock"]), Reply::Integer(1));
        thread::sleep(Duration::from_millis(210));
        assert_eq!(watched.look(), [told("ends", KeyChange::Expired), told("lock", KeyChange::Deleted)]);
    }

    #[test]
    fn a_key_that_ended_and_was_set_again_is_another_even_with_the_same_value() {
        let mut watched = Watched::start();
        watched.call(&["SET", "lock", "locked", "PX", "200"]);
        watched.look();
        thread::sleep(Duration::from_millis(210));
        assert_eq!(watched.call(&["SET", "lock", "locked", "NX", "PX", "10000"]), Reply::ok());
        assert_eq!(watched.look(), [told("lock", KeyChange::Expired), told("lock", KeyChange::Created)]);
        watched.call(&["PEXPIRE", "lock", "20000"]);
        assert_eq!(watched.look(), [told("lock", KeyChange::Changed)]);
    }
}
