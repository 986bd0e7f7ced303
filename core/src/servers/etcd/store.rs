//! The keys and the revision of the store.

use std::hash::{Hash, Hasher};

use super::parse::Operation;
use crate::servers::sorted::Sorted;
use crate::wire::{ClientId, Reply};

/// The keys of a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Store {
    /// The revision of the latest write.
    revision: u64,
    keys: Sorted<String, Entry>,
}

impl Default for Store {
    /// An empty store is at revision 1 from its birth.
    fn default() -> Store {
        Store { revision: 1, keys: Sorted::new() }
    }
}

/// One key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub value: String,
    /// The revision at which it was created; what a lock takes as its fencing token.
    pub created: u64,
    /// The revision at which it was last written.
    pub written: u64,
    pub lease: Option<u64>,
    pub created_by: Option<ClientId>,
}

impl Store {
    pub fn keys(&self) -> impl Iterator<Item = (&String, &Entry)> {
        self.keys.iter()
    }

    /// The revision that the next write gets.
    pub fn next_revision(&self) -> u64 {
        self.revision + 1
    }

    /// At which revision a key was created; 0: it does not exist.
    pub fn created(&self, key: &str) -> u64 {
        self.keys.get(key).map_or(0, |entry| entry.created)
    }

    /// Whether a key has been there, undeleted, since a revision.
    pub fn stands_since(&self, key: &str, revision: u64) -> bool {
        (1..=revision).contains(&self.created(key))
    }

    /// Does one operation; a write happens at this revision.
    pub fn apply(&mut self, operation: Operation<'_>, client: Option<ClientId>, revision: u64) -> Reply {
        match operation {
            Operation::Put { key, value, lease } => {
                self.put(key, value, lease, client, revision);
                Reply::Integer(i64::try_from(revision).unwrap_or(i64::MAX))
            }
            Operation::Delete { key } => {
                let found = self.keys.remove(key).is_some();
                if found {
                    self.revision = revision;
                }
                Reply::Integer(i64::from(found))
            }
            Operation::Get { key } => self.keys.get_key_value(key).map_or(Reply::Nil, shown),
            Operation::First { prefix } => {
                self.below(prefix).min_by_key(|(_, entry)| entry.created).map_or(Reply::Nil, shown)
            }
            Operation::LastBefore { prefix, revision } => {
                let earlier = self.below(prefix).filter(|(_, entry)| entry.created < revision);
                earlier.max_by_key(|(_, entry)| entry.created).map_or(Reply::Nil, shown)
            }
        }
    }

    fn put(&mut self, key: &str, value: &str, lease: Option<u64>, created_by: Option<ClientId>, revision: u64) {
        self.revision = revision;
        let fresh = Entry { value: value.to_owned(), created: revision, written: revision, lease, created_by };
        match self.keys.get_mut(key) {
            Some(entry) => *entry = Entry { created: entry.created, created_by: entry.created_by, ..fresh },
            None => drop(self.keys.insert(key.to_owned(), fresh)),
        }
    }

    /// Deletes all keys of a lease, at one revision.
    pub fn delete_all(&mut self, lease: u64) {
        let before = self.keys.len();
        self.keys.retain(|_, entry| entry.lease != Some(lease));
        if self.keys.len() < before {
            self.revision += 1;
        }
    }

    fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a String, &'a Entry)> {
        self.keys.iter().filter(move |(key, _)| key.starts_with(prefix))
    }

    /// Feeds the keys into a hasher. Revisions are told as they are: clients compare them with what they saw, the resource with its tokens.
    pub fn remember<H: Hasher>(&self, hasher: &mut H) {
        self.revision.hash(hasher);
        for (key, entry) in self.keys.iter() {
            (key, &entry.value, entry.created, entry.written, entry.lease, entry.created_by).hash(hasher);
        }
        hasher.write_u8(0xff);
    }
}

/// A key as `get` shows it: its name, its value, the revisions of its creation and of its last write.
fn shown((key, entry): (&String, &Entry)) -> Reply {
    let number = |revision: u64| Reply::Integer(i64::try_from(revision).unwrap_or(i64::MAX));
    Reply::Array(vec![Reply::bulk(key), Reply::bulk(&entry.value), number(entry.created), number(entry.written)])
}
