//! Master and replica, failover, restart.
//!
//! A master counts its effects; a replica applies them in order and acknowledges how far it is. The world carries both, with whatever
//! delay or loss it likes. Nothing here makes a write wait for a replica: only WAIT does, and only for those that are connected.

use super::Redis;
use super::call::{Answer, Call, Context, Words};
use super::data::{Bytes, Entry, Value};
use super::effect::{Change, Effect};
use super::keyspace::{Keyspace, Slot};
use super::number;
use super::outcome::{Blocked, Delivery, Outcome};
use super::refusal::Refusal;
use crate::time::{LocalTime, Span};
use crate::wire::{ClientId, NodeId, Reply};

/// The place of a server in replication.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// It accepts writes.
    #[default]
    Master,
    /// It copies a master and refuses writes.
    Replica {
        /// The master's host, as REPLICAOF was given it.
        host: Bytes,
        /// The master's port.
        port: u16,
        /// Whether it is connected to the master.
        link: Link,
    },
}

/// The connection of a replica to its master.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Link {
    /// Effects arrive.
    Up,
    /// They do not.
    Down,
}

/// The keys of a server at one instant: a snapshot, an append-only file up to some write, or what a full synchronisation sends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Image {
    keys: Keyspace,
    offset: u64,
}

/// What a server finds on its disk when it starts again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Nothing: no persistence was configured.
    Nothing,
    /// All that it had: an append-only file, and no power loss.
    Everything,
    /// What it had at an earlier instant: a snapshot, or an append-only file whose tail was lost with the power.
    Image(Image),
}

impl Redis {
    /// The place in replication.
    pub fn role(&self) -> &Role {
        &self.role
    }

    /// How many effects this server has put into, or taken from, the replication stream.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The keys as they are now, to be kept for [`Redis::restart`] or sent to a replica. Costs no more than a counter.
    pub fn image(&self) -> Image {
        Image { keys: self.keys.clone(), offset: self.offset }
    }

    /// Starts the process again. Connections, subscriptions, transactions and the script cache are gone; time has gone on for the keys.
    pub fn restart(&mut self, kept: Kept) {
        match kept {
            Kept::Nothing => self.load(&Image { keys: Keyspace::default(), offset: self.offset }),
            Kept::Everything => {}
            Kept::Image(image) => self.load(&image),
        }
        self.sessions.clear();
        self.waiting.clear();
        self.replicas.clear();
        self.written.clear();
        self.flush_scripts();
        if let Role::Replica { link, .. } = &mut self.role {
            *link = Link::Down;
        }
    }

    /// Becomes a master, as REPLICAOF NO ONE does. It keeps the keys that it has.
    pub fn promote(&mut self) {
        self.role = Role::Master;
    }

    /// Becomes a replica of `node`, not yet connected to it. It keeps its keys until the first synchronisation.
    pub fn replicate_from(&mut self, node: NodeId) {
        self.role = Role::Replica { host: Bytes::from(HOST.as_bytes()), port: port_of(node), link: Link::Down };
        self.replicas.clear();
        self.written.clear();
    }

    /// Connects a replica to its master, or cuts it off. A master has no such link.
    pub fn set_link(&mut self, new: Link) {
        if let Role::Replica { link, .. } = &mut self.role {
            *link = new;
        }
    }

    /// Replaces all keys by a master's, as a full synchronisation does.
    pub fn load(&mut self, image: &Image) {
        self.keys = image.keys.clone();
        self.offset = image.offset;
        self.created = self.created.max(self.keys.iter().map(|(_, entry)| entry.created).max().unwrap_or(0));
        self.sessions.touch(None, false);
    }

    /// Applies one effect of the master. Returns what subscribers of this replica receive.
    pub fn apply(&mut self, now: LocalTime, effect: &Effect) -> Vec<(ClientId, Delivery)> {
        self.offset += 1;
        match &effect.change {
            Change::Set { key, value, expires_at } => {
                self.put(key, effect.by, Value::Text(value.clone()));
                self.put_expiry(key, *expires_at);
            }
            Change::Edit { key, value: Some(value), .. } => self.put(key, effect.by, value.clone()),
            Change::Edit { key, value: None, .. } | Change::Delete { key, .. } => {
                if let Slot::Taken(index) = self.keys.find(key) {
                    self.keys.remove(index);
                }
            }
            Change::ExpireAt { key, at } => self.put_expiry(key, Some(*at)),
            Change::Persist { key } => self.put_expiry(key, None),
            Change::Flush => self.keys = Keyspace::default(),
            Change::Publish { channel, message } => {
                let mut call = Call::new(self, now, effect.by);
                call.deliver(channel, message);
                return call.deliveries;
            }
        }
        let is_there = effect.change.key().is_some_and(|key| self.keys.find(key).taken().is_some());
        self.sessions.touch(effect.change.key(), is_there);
        Vec::new()
    }

    fn put(&mut self, key: &Bytes, created_by: Option<ClientId>, value: Value) {
        match self.keys.find(key) {
            Slot::Taken(index) => self.keys.entry_mut(index).value = value,
            Slot::Free(index) => {
                self.created += 1;
                let entry = Entry { value, expires_at: None, created_by, created: self.created };
                self.keys.insert(index, key.clone(), entry);
            }
        }
    }

    fn put_expiry(&mut self, key: &Bytes, expires_at: Option<i64>) {
        if let Slot::Taken(index) = self.keys.find(key) {
            self.keys.entry_mut(index).expires_at = expires_at;
        }
    }

    /// Counts a replica as connected, with nothing acknowledged beyond `offset`.
    pub fn attach(&mut self, replica: NodeId, offset: u64) {
        self.detach(replica);
        self.replicas.push((replica, offset));
        self.replicas.sort_unstable();
    }

    /// No longer counts a replica as connected.
    pub fn detach(&mut self, replica: NodeId) {
        self.replicas.retain(|(node, _)| *node != replica);
    }

    /// Notes that a connected replica has applied all effects up to `offset`.
    pub fn acknowledge(&mut self, replica: NodeId, offset: u64) {
        if let Some((_, acknowledged)) = self.replicas.iter_mut().find(|(node, _)| *node == replica) {
            *acknowledged = (*acknowledged).max(offset);
        }
    }

    /// How many connected replicas have acknowledged `offset`: what WAIT answers.
    pub fn acknowledged(&self, offset: u64) -> u64 {
        self.replicas.iter().filter(|(_, acknowledged)| *acknowledged >= offset).count() as u64
    }
}

const HOST: &str = "127.0.0.1";

/// The port that the model gives to a node.
fn port_of(node: NodeId) -> u16 {
    6379 + u16::from(node.0)
}

impl Call<'_> {
    /// Answers at once if enough replicas have acknowledged the caller's writes; else the world answers for the server.
    pub(super) fn wait(&mut self, words: Words<'_>) -> Result<Outcome, Refusal> {
        if matches!(self.redis.role, Role::Replica { .. }) {
            return Err("ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica is configured \
                        to be writable (which is not the default) writes to replicas are just local and are not propagated."
                .into());
        }
        let replicas = number::integer(&words[1]).ok_or(Refusal::NOT_INTEGER)?;
        let timeout = number::integer(&words[2]).ok_or("ERR timeout is not an integer or out of range")?;
        if timeout < 0 {
            return Err("ERR timeout is negative".into());
        }
        let written = &self.redis.written;
        let offset = written.iter().find(|(caller, _)| *caller == self.caller).map_or(0, |(_, offset)| *offset);
        let acknowledged = self.redis.acknowledged(offset);
        let wanted = u64::try_from(replicas).unwrap_or(0);
        if acknowledged >= wanted || self.context != Context::Direct {
            return Ok(Outcome::Reply(Reply::Integer(acknowledged as i64)));
        }
        let timeout = (timeout > 0).then(|| Span((timeout as u64).saturating_mul(1_000)));
        Ok(Outcome::Blocked(Blocked::Wait { replicas: wanted, timeout, offset }))
    }

    pub(super) fn replicaof(&mut self, words: Words<'_>) -> Answer {
        if words[1].eq_ignore_ascii_case(b"NO") && words[2].eq_ignore_ascii_case(b"ONE") {
            self.redis.promote();
            return Ok(Reply::ok());
        }
        let port = number::integer(&words[2]).and_then(|port| u16::try_from(port).ok());
        let port = port.ok_or("ERR Invalid master port")?;
        let host = words[1].clone();
        if matches!(&self.redis.role, Role::Replica { host: old, port: same, .. } if *old == host && *same == port) {
            return Ok(Reply::Status("OK Already connected to specified master".into()));
        }
        self.redis.role = Role::Replica { host, port, link: Link::Down };
        self.redis.replicas.clear();
        self.redis.written.clear();
        Ok(Reply::ok())
    }

    pub(super) fn role(&mut self) -> Answer {
        let redis = &self.redis;
        Ok(Reply::Array(match &redis.role {
            Role::Master => {
                let replicas = redis.replicas.iter().map(|(node, offset)| {
                    let (port, offset) = (port_of(*node).to_string(), offset.to_string());
                    Reply::Array(vec![Reply::bulk(HOST), Reply::bulk(port), Reply::bulk(offset)])
                });
                // A server without replicas keeps no stream.
                let offset = if redis.replicas.is_empty() { 0 } else { redis.offset };
                vec![Reply::bulk("master"), Reply::Integer(offset as i64), Reply::Array(replicas.collect())]
            }
            Role::Replica { host, port, link } => {
                let (state, offset) = match link {
                    Link::Up => ("connected", redis.offset as i64),
                    Link::Down => ("connect", -1),
                };
                let port = Reply::Integer(i64::from(*port));
                vec![Reply::bulk("slave"), Reply::bulk(&**host), port, Reply::bulk(state), Reply::Integer(offset)]
            }
        }))
    }
}
