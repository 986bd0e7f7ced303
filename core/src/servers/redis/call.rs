//! One command while it runs: the server, the instant, the caller, and what has happened so far.
//!
//! All changes of the keyspace go through here, so that none can miss the replication stream or a watcher.

use super::data::{Bytes, Entry, Value};
use super::effect::{Cause, Change, Effect};
use super::keyspace::Slot;
use super::outcome::{Delivery, Execution, Outcome};
use super::refusal::Refusal;
use super::session::Caller;
use super::{Redis, Role};
use crate::time::LocalTime;
use crate::wire::{ClientId, Command, Reply};

/// The words of a command.
pub(super) type Words<'a> = &'a [Bytes];

/// What a command answers.
pub(super) type Answer = Result<Reply, Refusal>;

/// From where a command is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// By a client.
    Direct,
    /// By EXEC: it cannot block.
    Transaction,
    /// By a script: it cannot block.
    Script,
}

/// A command while it runs. Time stands still in it.
pub(super) struct Call<'a> {
    pub(super) redis: &'a mut Redis,
    pub(super) now: LocalTime,
    /// The wall clock in milliseconds.
    pub(super) now_ms: i64,
    pub(super) caller: Caller,
    pub(super) context: Context,
    pub(super) effects: Vec<Effect>,
    pub(super) deliveries: Vec<(ClientId, Delivery)>,
}

impl<'a> Call<'a> {
    pub(super) fn new(redis: &'a mut Redis, now: LocalTime, caller: Caller) -> Call<'a> {
        Call {
            redis,
            now,
            now_ms: now.wall_millis(),
            caller,
            context: Context::Direct,
            effects: Vec::new(),
            deliveries: Vec::new(),
        }
    }

    /// Serves those who wait for a list, and hands over what happened.
    pub(super) fn finish(mut self, outcome: Outcome) -> Execution {
        if !self.redis.waiting.is_empty() {
            self.serve_waiting();
        }
        if !self.redis.replicas.is_empty() {
            self.note_written();
        }
        Execution { outcome, effects: self.effects, deliveries: self.deliveries }
    }

    /// Remembers up to where this caller has seen the stream, for its WAIT.
    fn note_written(&mut self) {
        let (caller, offset) = (self.caller, self.redis.offset);
        match self.redis.written.binary_search_by_key(&caller, |(owner, _)| *owner) {
            Ok(index) => self.redis.written[index].1 = offset,
            Err(index) => self.redis.written.insert(index, (caller, offset)),
        }
    }

    /// Finds a key. A master deletes it if it is past its expiry; a replica only hides it.
    pub(super) fn locate(&mut self, key: &[u8]) -> Slot {
        let slot = self.redis.keys.find(key);
        let Slot::Taken(index) = slot else { return slot };
        if !self.redis.keys.entry(index).is_expired(self.now_ms) {
            return slot;
        }
        if self.redis.role == Role::Master {
            self.remove(index, Cause::Expired);
        }
        Slot::Free(index)
    }

    /// What a key holds, if it is there.
    pub(super) fn entry(&mut self, key: &[u8]) -> Option<&Entry> {
        let index = self.locate(key).taken()?;
        Some(self.redis.keys.entry(index))
    }

    /// The string at a key; refused if the key holds something else.
    pub(super) fn text(&mut self, key: &[u8]) -> Result<Option<Bytes>, Refusal> {
        match self.entry(key).map(|entry| &entry.value) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text.clone())),
            Some(_) => Err(Refusal::WRONG_TYPE),
        }
    }

    /// Sets a string with the given expiry.
    pub(super) fn set_text(&mut self, slot: Slot, key: &Bytes, text: Bytes, expires_at: Option<i64>) {
        let value = Value::Text(text.clone());
        let key = match slot {
            Slot::Taken(index) => {
                let entry = self.redis.keys.entry_mut(index);
                entry.value = value;
                entry.expires_at = expires_at;
                self.redis.keys.key(index).clone()
            }
            Slot::Free(index) => self.create(index, key, value, expires_at),
        };
        self.record(Change::Set { key, value: text, expires_at });
    }

    /// Keeps a changed collection, or deletes the key if nothing is left in it. The expiry stays.
    pub(super) fn keep(&mut self, slot: Slot, key: &Bytes, value: Value, words: Words<'_>) {
        let command: Command = words.iter().cloned().collect();
        let (key, value) = match slot {
            Slot::Taken(index) if value.is_empty() => (self.redis.keys.remove(index).0, None),
            Slot::Taken(index) => {
                self.redis.keys.entry_mut(index).value = value.clone();
                (self.redis.keys.key(index).clone(), Some(value))
            }
            Slot::Free(_) if value.is_empty() => return,
            Slot::Free(index) => (self.create(index, key, value.clone(), None), Some(value)),
        };
        self.record(Change::Edit { key, value, command });
    }

    fn create(&mut self, index: usize, key: &Bytes, value: Value, expires_at: Option<i64>) -> Bytes {
        let key = key.clone();
        self.redis.created += 1;
        let entry = Entry { value, expires_at, created_by: self.caller, created: self.redis.created };
        self.redis.keys.insert(index, key.clone(), entry);
        key
    }

    /// Sets or removes the expiry of a key that is there.
    pub(super) fn set_expiry(&mut self, index: usize, expires_at: Option<i64>) {
        self.redis.keys.entry_mut(index).expires_at = expires_at;
        let key = self.redis.keys.key(index).clone();
        self.record(match expires_at {
            Some(at) => Change::ExpireAt { key, at },
            None => Change::Persist { key },
        });
    }

    /// Deletes a key that is there.
    pub(super) fn remove(&mut self, index: usize, cause: Cause) -> Entry {
        let (key, entry) = self.redis.keys.remove(index);
        self.record(Change::Delete { key, cause });
        entry
    }

    pub(super) fn evict(&mut self, key: &[u8]) {
        if let Slot::Taken(index) = self.redis.keys.find(key)
            && self.redis.role == Role::Master
        {
            self.remove(index, Cause::Evicted);
        }
    }

    pub(super) fn expire_all(&mut self) {
        if self.redis.role != Role::Master {
            return;
        }
        for index in (0..self.redis.keys.len()).rev() {
            if self.redis.keys.entry(index).is_expired(self.now_ms) {
                self.remove(index, Cause::Expired);
            }
        }
    }

    /// Puts a change into the replication stream and tells those who watch the key.
    pub(super) fn record(&mut self, change: Change) {
        if !self.redis.sessions.is_empty() {
            match &change {
                Change::Flush => self.redis.sessions.touch(None, false),
                change => {
                    if let Some(key) = change.key() {
                        let is_there = self.redis.keys.find(key).taken().is_some();
                        self.redis.sessions.touch(Some(key), is_there);
                    }
                }
            }
        }
        self.redis.offset += 1;
        let by = match &change {
            Change::Delete { cause: Cause::Expired | Cause::Evicted, .. } => None,
            _ => self.caller,
        };
        self.effects.push(Effect { by, change });
    }
}
