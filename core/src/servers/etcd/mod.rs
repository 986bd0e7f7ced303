//! The model of an etcd cluster, seen as one service: keys with revisions, leases, transactions, and waiting for a deletion.
//!
//! # Idea
//!
//! Every write gets the next *revision* of the whole store, so the revision at which a key was created is a number that only grows: a queue
//! in order of arrival and a fencing token in one. A key may hang on a *lease*; when the lease ends, its keys are deleted. The leader counts
//! leases on its monotonic clock, and what is left of a lease is not replicated: a new leader starts every lease at its full time.
//!
//! # Commands
//!
//! As one would type them into etcdctl, a transaction on one line:
//!
//! - `lease grant SECONDS`, `lease keep-alive ID`, `lease revoke ID`
//! - `put KEY VALUE [--lease=ID]`, `get KEY`, `del KEY`
//! - `get PREFIX --first` and `get PREFIX --last-before=REVISION`: of the keys with this prefix the one created first, or last before that
//!   revision (a range sorted by creation, limited to one)
//! - `txn if create(KEY)=REVISION then COMMAND... else COMMAND...`: the commands are `put`, `get` and `del`, each with what belongs to it
//! - `watch KEY --rev=REVISION`: the answer comes when the key is deleted, at once if it has been deleted since that revision
//!
//! # Limits
//!
//! The members and their consensus are one service that is there or not; there is no read that is not linearizable. A lease ends on its
//! instant, where a real leader looks twice a second; a new leader adds nothing for its election, where a real one adds the election
//! time-out. Sources: the pages on API guarantees, leases and transactions of the etcd documentation; issues 9888 and 11456.

mod parse;
mod store;
#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};

use super::lease::Leases;
use super::service::{Delivery, Execution, Outcome, Service};
use super::watch::{self, Watches};
use crate::time::{LocalClock, LocalTime, Span, Time};
use crate::wire::{ClientId, Command, Record, RecordValue, Records, Reply};
pub use parse::{Operation, Request};
use store::Store;

/// The shortest lease in seconds: one and a half times the election time-out of 1 s, rounded up.
const SHORTEST: i64 = 2;

/// The longest lease in seconds, as etcd bounds it.
const LONGEST: i64 = 9_000_000_000;

/// An etcd cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Etcd {
    store: Store,
    leases: Leases,
    /// Who waits for the deletion of which key.
    watches: Watches,
}

impl Etcd {
    fn run(&mut self, now: LocalTime, client: Option<ClientId>, request: Request<'_>) -> Outcome {
        let reply = match request {
            Request::Grant { seconds } => {
                let seconds = seconds.clamp(SHORTEST, LONGEST);
                let lease = self.leases.grant(now.monotonic, Span::from_secs(seconds.cast_unsigned()), ());
                Reply::Array(vec![Reply::bulk(lease.to_string()), Reply::Integer(seconds)])
            }
            Request::KeepAlive { lease } => {
                let seconds = |length: Span| Reply::Integer((length.as_millis() / 1_000).cast_signed());
                self.leases.renew(now.monotonic, lease).map_or_else(no_lease, seconds)
            }
            Request::Revoke { lease } if self.leases.end(lease).is_some() => {
                self.store.delete_all(lease);
                Reply::ok()
            }
            Request::Revoke { .. } => no_lease(),
            Request::Watch { key, revision } => match client {
                Some(client) if self.store.stands_since(key, revision) => {
                    return self.watches.wait(client, key);
                }
                _ => watch::notice(DELETED, key),
            },
            Request::Single(operation) => match self.refusal(&[operation]) {
                Some(refusal) => refusal,
                None => {
                    let revision = self.store.next_revision();
                    self.store.apply(operation, client, revision)
                }
            },
            Request::Transaction { key, created, then, otherwise } => {
                let succeeded = self.store.created(key) == created;
                self.transact(client, succeeded, if succeeded { &then } else { &otherwise })
            }
        };
        Outcome::Reply(reply)
    }

    /// All of a transaction's writes happen at one revision, or none does.
    fn transact(&mut self, client: Option<ClientId>, succeeded: bool, operations: &[Operation<'_>]) -> Reply {
        if let Some(refusal) = self.refusal(operations) {
            return refusal;
        }
        let revision = self.store.next_revision();
        let mut replies = vec![Reply::Integer(i64::from(succeeded))];
        for operation in operations {
            replies.push(self.store.apply(*operation, client, revision));
        }
        Reply::Array(replies)
    }

    /// A put on a lease that is over is refused, and everything with it.
    fn refusal(&self, operations: &[Operation<'_>]) -> Option<Reply> {
        let missing = |operation: &Operation<'_>| matches!(operation, Operation::Put { lease: Some(lease), .. } if !self.leases.is_on(*lease));
        operations.iter().any(missing).then(no_lease)
    }

    fn end_leases(&mut self, now: LocalTime) {
        for (lease, ()) in self.leases.end_overdue(now.monotonic) {
            self.store.delete_all(lease);
        }
    }

    /// Answers those whose key has been deleted.
    fn tell_watchers(&mut self) -> Vec<Delivery> {
        self.watches.answer(DELETED, |key| self.store.created(key) > 0)
    }
}

/// The event of a deletion.
const DELETED: &str = "DELETE";

fn no_lease() -> Reply {
    Reply::Error("NotFound requested lease not found".into())
}

impl Service for Etcd {
    fn execute(&mut self, now: LocalTime, client: Option<ClientId>, command: &Command) -> Execution {
        self.end_leases(now);
        let words = command.texts().unwrap_or_default();
        let outcome = match Request::read(&words) {
            Some(request) => self.run(now, client, request),
            None => Outcome::Reply(Reply::Error(format!("InvalidArgument not a command of this model: {command}"))),
        };
        Execution { outcome, deliveries: self.tell_watchers() }
    }

    fn time_out(&mut self, _now: LocalTime, client: ClientId) -> Reply {
        self.watches.forget(client);
        Reply::Nil
    }

    fn disconnect(&mut self, _now: LocalTime, client: ClientId) -> Vec<Delivery> {
        self.watches.forget(client);
        Vec::new()
    }

    fn expire(&mut self, now: LocalTime) -> Vec<Delivery> {
        self.end_leases(now);
        self.tell_watchers()
    }

    /// Without a leader nobody counts leases.
    fn down(&mut self, _now: LocalTime) {
        self.watches.clear();
        self.leases.stop_counting();
    }

    fn up(&mut self, now: LocalTime, data_kept: bool) {
        if !data_kept {
            *self = Etcd::default();
        }
        self.leases.start_anew(now.monotonic);
    }

    fn records(&self, clock: &LocalClock, now: Time) -> Records {
        let shown = self.store.keys().map(|(key, entry)| {
            let ends = entry.lease.and_then(|lease| self.leases.ends(lease));
            let gone_at = ends.map(|ends| clock.when_monotonic(now, ends));
            let value = RecordValue::Text(entry.value.clone());
            (key.clone(), Record { value, gone_at, created_by: entry.created_by, created: entry.created })
        });
        shown.collect()
    }

    fn remember<H: Hasher>(&self, now: LocalTime, hasher: &mut H) {
        self.store.remember(hasher);
        self.leases.remember(now.monotonic, hasher);
        self.watches.hash(hasher);
    }
}
