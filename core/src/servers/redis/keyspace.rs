//! The keys of one server.
//!
//! A lock needs a handful of keys, and the search clones whole worlds: a sorted vector behind an `Arc` clones for the price of a
//! counter, is found by bisection, and is copied only when a clone writes.

use std::sync::Arc;

use super::data::{Bytes, Entry};

/// The keys and what they hold, in order of their bytes. Expiry is not its business.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Keyspace {
    entries: Arc<Vec<(Bytes, Entry)>>,
}

/// Where a key is, or where it would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// The key is at this index.
    Taken(usize),
    /// The key is absent; it would be inserted at this index.
    Free(usize),
}

impl Slot {
    /// The index of a key that is there.
    pub(super) fn taken(self) -> Option<usize> {
        match self {
            Slot::Taken(index) => Some(index),
            Slot::Free(_) => None,
        }
    }
}

impl Keyspace {
    pub(super) fn find(&self, key: &[u8]) -> Slot {
        match self.entries.binary_search_by(|(name, _)| name.as_slice().cmp(key)) {
            Ok(index) => Slot::Taken(index),
            Err(index) => Slot::Free(index),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(Bytes, Entry)> {
        self.entries.iter()
    }

    pub(super) fn key(&self, index: usize) -> &Bytes {
        &self.entries[index].0
    }

    pub(super) fn entry(&self, index: usize) -> &Entry {
        &self.entries[index].1
    }

    pub(super) fn entry_mut(&mut self, index: usize) -> &mut Entry {
        &mut Arc::make_mut(&mut self.entries)[index].1
    }

    pub(super) fn insert(&mut self, index: usize, key: Bytes, entry: Entry) {
        Arc::make_mut(&mut self.entries).insert(index, (key, entry));
    }

    pub(super) fn remove(&mut self, index: usize) -> (Bytes, Entry) {
        Arc::make_mut(&mut self.entries).remove(index)
    }
}
