//! The model of a ZooKeeper ensemble, seen as one service: sessions, ephemeral sequential znodes, watches.
//!
//! # Idea
//!
//! A client opens a *session* and keeps it alive by whatever it says, a ping if it has nothing else. What it creates as *ephemeral* lives as
//! long as the session does: the ensemble deletes it when it has heard nothing for the session's time-out. *Sequential* znodes get a number
//! that counts creations below their parent; every write gets the next transaction id, the *zxid*. The one of a znode's creation (czxid) is
//! a fencing token.
//!
//! # Commands
//!
//! As one would type them into zkCli. A real connection belongs to one session; here each command names its own (`@1`) as the last word,
//! and an operator's needs none.
//!
//! - `connect MILLISECONDS` opens a session; `ping @1` keeps it; `close @1` ends it
//! - `create -s -e PATH DATA @1` creates an ephemeral sequential znode: its path and its czxid; `create PATH DATA` a lasting one
//! - `ls PATH`: the names of its children, in order
//! - `exists PATH`: its data and its czxid; with `-w` the answer comes when it is deleted, at once if there is none (a real server answers and
//!   then sends the watch's event; here the two are one)
//! - `delete PATH`
//!
//! # Limits
//!
//! The members and their leader are one service that is there or not. Parents exist when they are needed. A session ends on its instant,
//! where a real ensemble rounds up to its next tick; its time-out is taken as asked for, where a real one bounds it by the tick. No ACL, no
//! versions, no child watches. Sources: the Programmer's Guide (sessions, watches) and the lock recipe of the ZooKeeper documentation.

#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};

use super::lease::{LeaseId, Leases};
use super::service::{Delivery, Execution, Outcome, Service};
use super::sorted::Sorted;
use super::watch::Watches;
use crate::time::{LocalClock, LocalTime, Span, Time};
use crate::wire::{ClientId, Command, Record, RecordValue, Records, Reply};

/// The number of a session.
type SessionId = LeaseId;

/// A ZooKeeper ensemble.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ZooKeeper {
    znodes: Sorted<String, Znode>,
    /// How many children have been created below each parent, for the numbers of sequential znodes.
    children: Sorted<String, u64>,
    /// The id of the latest write.
    zxid: u64,
    /// Who is taken to be alive.
    sessions: Leases,
    /// Who is to be told when which znode goes.
    watches: Watches,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Znode {
    data: String,
    /// The write that created it.
    czxid: u64,
    /// The session that it lives and dies with.
    owner: Option<SessionId>,
    created_by: Option<ClientId>,
}

impl ZooKeeper {
    fn run(&mut self, now: LocalTime, client: Option<ClientId>, command: &Command) -> Outcome {
        let words = command.texts().unwrap_or_default();
        if let ["connect", timeout] = words[..] {
            let timeout = timeout.parse();
            return Outcome::Reply(
                timeout.map_or_else(|_| bad_arguments(command), |timeout| self.connect(now, timeout)),
            );
        }
        let (words, session) = match words.split_last() {
            Some((last, words)) if last.starts_with('@') => {
                let Some(session) = last.strip_prefix('@').and_then(|id| id.parse().ok()) else {
                    return Outcome::Reply(bad_arguments(command));
                };
                // Whatever a session says keeps it alive.
                if self.sessions.renew(now.monotonic, session).is_none() {
                    return Outcome::Reply(Reply::Error("SESSIONEXPIRED the session is over".into()));
                }
                (words, Some(session))
            }
            _ => (&words[..], None),
        };
        if let (["exists", "-w", path], Some(client)) = (words, client)
            && self.znodes.contains_key(*path)
        {
            return self.watches.wait(client, path);
        }
        Outcome::Reply(self.answer(client, words, session).unwrap_or_else(|| bad_arguments(command)))
    }

    fn answer(&mut self, client: Option<ClientId>, words: &[&str], session: Option<SessionId>) -> Option<Reply> {
        Some(match (words, session) {
            (["ping"], Some(_)) => Reply::Status("PONG".into()),
            (["close"], Some(session)) => {
                self.sessions.end(session);
                self.end_session(session);
                Reply::ok()
            }
            (["create", "-s", "-e", path, data], Some(session)) => self.create(path, data, client, Some(session)),
            (["create", path, data], _) => self.create(path, data, client, None),
            (["ls", path], _) => Reply::Array(self.below(path).map(|(name, _)| Reply::bulk(name)).collect()),
            (["exists", path] | ["exists", "-w", path], _) => self.exists(path),
            (["delete", path], _) => match self.znodes.remove(*path) {
                Some(_) => {
                    self.zxid += 1;
                    Reply::ok()
                }
                None => Reply::Error(format!("NONODE {path}")),
            },
            _ => return None,
        })
    }

    fn connect(&mut self, now: LocalTime, timeout: u64) -> Reply {
        self.zxid += 1;
        let timeout = Span(timeout.saturating_mul(1_000));
        Reply::bulk(self.sessions.grant(now.monotonic, timeout, ()).to_string())
    }

    fn create(&mut self, path: &str, data: &str, created_by: Option<ClientId>, owner: Option<SessionId>) -> Reply {
        let parent = parent(path).to_owned();
        let number = self.children.or_insert_with(parent, u64::default);
        // Only an ephemeral znode is asked for by number here.
        let path = if owner.is_some() { format!("{path}{number:010}") } else { path.to_owned() };
        if self.znodes.contains_key(&path) {
            return Reply::Error(format!("NODEEXISTS {path}"));
        }
        *number += 1;
        self.zxid += 1;
        let reply = Reply::Array(vec![Reply::bulk(&path), number_reply(self.zxid)]);
        self.znodes.insert(path, Znode { data: data.to_owned(), czxid: self.zxid, owner, created_by });
        reply
    }

    fn exists(&self, path: &str) -> Reply {
        self.znodes
            .get(path)
            .map_or(Reply::Nil, |znode| Reply::Array(vec![Reply::bulk(&znode.data), number_reply(znode.czxid)]))
    }

    /// The children of a path, by name.
    fn below<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (&'a str, &'a Znode)> {
        self.znodes.iter().filter_map(move |(child, znode)| {
            let name = child.strip_prefix(path)?.strip_prefix('/')?;
            (!name.contains('/')).then_some((name, znode))
        })
    }

    fn end_overdue(&mut self, now: LocalTime) {
        for (session, ()) in self.sessions.end_overdue(now.monotonic) {
            self.end_session(session);
        }
    }

    /// A session's end is one write, which deletes all its znodes.
    fn end_session(&mut self, session: SessionId) {
        self.zxid += 1;
        self.znodes.retain(|_, znode| znode.owner != Some(session));
    }

    /// Answers those whose znode is gone.
    fn tell_watchers(&mut self) -> Vec<Delivery> {
        self.watches.answer("NodeDeleted", |path| self.znodes.contains_key(path))
    }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn number_reply(number: u64) -> Reply {
    Reply::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

fn bad_arguments(command: &Command) -> Reply {
    Reply::Error(format!("BADARGUMENTS not a command of this model: {command}"))
}

impl Service for ZooKeeper {
    fn execute(&mut self, now: LocalTime, client: Option<ClientId>, command: &Command) -> Execution {
        self.end_overdue(now);
        let outcome = self.run(now, client, command);
        Execution { outcome, deliveries: self.tell_watchers() }
    }

    fn time_out(&mut self, _now: LocalTime, client: ClientId) -> Reply {
        self.watches.forget(client);
        Reply::Nil
    }

    /// A session outlives its connection; a watch does not.
    fn disconnect(&mut self, _now: LocalTime, client: ClientId) -> Vec<Delivery> {
        self.watches.forget(client);
        Vec::new()
    }

    fn expire(&mut self, now: LocalTime) -> Vec<Delivery> {
        self.end_overdue(now);
        self.tell_watchers()
    }

    /// Without a leader nobody counts sessions.
    fn down(&mut self, _now: LocalTime) {
        self.watches.clear();
        self.sessions.stop_counting();
    }

    /// A new leader gives every session its full time.
    fn up(&mut self, now: LocalTime, data_kept: bool) {
        if !data_kept {
            *self = ZooKeeper::default();
        }
        self.sessions.start_anew(now.monotonic);
    }

    fn records(&self, clock: &LocalClock, now: Time) -> Records {
        let shown = self.znodes.iter().map(|(path, znode)| {
            let ends = znode.owner.and_then(|session| self.sessions.ends(session));
            let gone_at = ends.map(|ends| clock.when_monotonic(now, ends));
            let value = RecordValue::Text(znode.data.clone());
            (path.clone(), Record { value, gone_at, created_by: znode.created_by, created: znode.czxid })
        });
        shown.collect()
    }

    fn remember<H: Hasher>(&self, now: LocalTime, hasher: &mut H) {
        self.zxid.hash(hasher);
        for (path, znode) in self.znodes.iter() {
            (path, &znode.data, znode.czxid, znode.owner, znode.created_by).hash(hasher);
        }
        self.children.hash(hasher);
        self.sessions.remember(now.monotonic, hasher);
        self.watches.hash(hasher);
    }
}
