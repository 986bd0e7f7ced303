//! The model of a Kubernetes API server, as far as a leader election sees it: Lease objects and their resource versions.
//!
//! # Idea
//!
//! The API server is a store with optimistic locking and nothing else. A Lease is a few fields that its writers fill in; the server
//! looks at none of them, counts no time, and never lets a Lease end. What makes an election work is one rule: a `replace` that names a
//! `resourceVersion` is refused if the object has changed since. Everything about time is the candidates' business.
//!
//! # Commands
//!
//! As one would say them to kubectl, with the object's fields as words:
//!
//! - `get lease NAME` gives the fields, name after name, or nothing.
//! - `create lease NAME FIELD=VALUE...` fails with `AlreadyExists`.
//! - `replace lease NAME resourceVersion=N FIELD=VALUE...` fails with `NotFound`, or with `Conflict` if N is not the object's version.
//! - `delete lease NAME` fails with `NotFound`.
//!
//! # Limits
//!
//! One namespace, Leases only, no watch, no admission, no rate limit; the cluster's etcd below it is taken to be always there. Source: the
//! API conventions (concurrency control) and the Lease reference of the Kubernetes documentation.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use super::service::{Delivery, Execution, Service};
use super::sorted::Sorted;
use crate::time::{LocalClock, LocalTime, Time, between};
use crate::wire::{ClientId, Command, Record, RecordValue, Records, Reply};

/// An API server and its Leases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kubernetes {
    leases: Sorted<String, Lease>,
    /// The resource version of the latest write: one counter for all objects.
    version: u64,
}

/// A Lease object.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lease {
    /// What its writers filled in.
    fields: BTreeMap<String, String>,
    /// The write that made it what it is.
    version: u64,
    created: u64,
    created_by: Option<ClientId>,
    /// When it was last written, by the server's monotonic clock.
    written: i64,
}

/// The name under which the object's own version is read and named.
const VERSION: &str = "resourceVersion";

/// When the server last wrote the object, as its `managedFields` say; shown to observers, not to clients.
const WRITTEN: &str = "written";

impl Kubernetes {
    fn run(&mut self, now: LocalTime, client: Option<ClientId>, command: &Command) -> Reply {
        let words = command.texts().unwrap_or_default();
        let [verb, "lease" | "leases", name, ref fields @ ..] = words[..] else {
            return Reply::Error(format!("BadRequest the server does not know this request: {command}"));
        };
        match (verb, fields) {
            ("get", []) => self.leases.get(name).map_or(Reply::Nil, Lease::shown),
            ("create", fields) => self.create(now, client, name, fields),
            ("replace", fields) => self.replace(now, name, fields),
            ("delete", []) => match self.leases.remove(name) {
                Some(_) => Reply::ok(),
                None => not_found(name),
            },
            _ => Reply::Error(format!("BadRequest the server does not know this request: {command}")),
        }
    }

    fn create(&mut self, now: LocalTime, client: Option<ClientId>, name: &str, fields: &[&str]) -> Reply {
        let Some((None, fields)) = read(fields) else { return bad_fields() };
        if self.leases.contains_key(name) {
            return Reply::Error(format!("AlreadyExists leases \"{name}\" already exists"));
        }
        self.version += 1;
        let version = self.version;
        let lease = Lease { fields, version, created: version, created_by: client, written: now.monotonic };
        let reply = lease.shown();
        self.leases.insert(name.to_owned(), lease);
        reply
    }

    fn replace(&mut self, now: LocalTime, name: &str, fields: &[&str]) -> Reply {
        let Some((known, fields)) = read(fields) else { return bad_fields() };
        let Some(lease) = self.leases.get_mut(name) else { return not_found(name) };
        // A replace that names no version overwrites whatever is there.
        if known.is_some_and(|known| known != lease.version) {
            let text = "the object has been modified; please apply your changes to the latest version and try again";
            return Reply::Error(format!("Conflict {text}"));
        }
        self.version += 1;
        (lease.fields, lease.version, lease.written) = (fields, self.version, now.monotonic);
        lease.shown()
    }
}

impl Lease {
    fn shown(&self) -> Reply {
        let version = (VERSION, self.version.to_string());
        let fields = self.fields.iter().map(|(name, value)| (name.as_str(), value.clone()));
        Reply::Array(
            fields.chain([version]).flat_map(|(name, value)| [Reply::bulk(name), Reply::bulk(value)]).collect(),
        )
    }
}

/// Fields and their values, and the version that was named.
fn read(words: &[&str]) -> Option<(Option<u64>, BTreeMap<String, String>)> {
    let mut fields = BTreeMap::new();
    for word in words {
        let (name, value) = word.split_once('=')?;
        fields.insert(name.to_owned(), value.to_owned());
    }
    match fields.remove(VERSION) {
        Some(version) => Some((Some(version.parse().ok()?), fields)),
        None => Some((None, fields)),
    }
}

fn not_found(name: &str) -> Reply {
    Reply::Error(format!("NotFound leases \"{name}\" not found"))
}

fn bad_fields() -> Reply {
    Reply::Error(
        "BadRequest fields are written NAME=VALUE, and a resourceVersion is a number that only a replace names".into(),
    )
}

impl Service for Kubernetes {
    fn execute(&mut self, now: LocalTime, client: Option<ClientId>, command: &Command) -> Execution {
        self.run(now, client, command).into()
    }

    fn time_out(&mut self, _now: LocalTime, _client: ClientId) -> Reply {
        Reply::Nil
    }

    fn disconnect(&mut self, _now: LocalTime, _client: ClientId) -> Vec<Delivery> {
        Vec::new()
    }

    fn expire(&mut self, _now: LocalTime) -> Vec<Delivery> {
        Vec::new()
    }

    fn down(&mut self, _now: LocalTime) {}

    fn up(&mut self, _now: LocalTime, data_kept: bool) {
        if !data_kept {
            self.leases.clear();
        }
    }

    /// The Leases. `written` is the true instant of the last write, from which an observer tells how long a term lasts.
    fn records(&self, clock: &LocalClock, now: Time) -> Records {
        let elapsed = |since: i64| between(since, clock.read(now).monotonic);
        let shown = self.leases.iter().map(|(name, lease)| {
            let mut fields = lease.fields.clone();
            fields.insert(VERSION.to_owned(), lease.version.to_string());
            fields.insert(WRITTEN.to_owned(), (now - elapsed(lease.written)).to_string());
            let (created_by, created) = (lease.created_by, lease.created);
            (name.clone(), Record { value: RecordValue::Fields(fields), gone_at: None, created_by, created })
        });
        shown.collect()
    }

    fn remember<H: Hasher>(&self, now: LocalTime, hasher: &mut H) {
        self.version.hash(hasher);
        for (name, lease) in self.leases.iter() {
            (name, &lease.fields, lease.version, lease.created_by).hash(hasher);
            (now.monotonic - lease.written).hash(hasher);
        }
    }
}

#[cfg(test)]
mod tests;
