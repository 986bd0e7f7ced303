//! What a server keeps for each connection.
//!
//! Only what differs from a fresh connection is kept: most clients of most runs have no session at all.

use super::data::Bytes;
use crate::wire::{ClientId, Command};

/// Who sends a command: a client of the scenario, or an operator.
pub(super) type Caller = Option<ClientId>;

/// The state of one caller's connection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Session {
    pub(super) transaction: Option<Transaction>,
    pub(super) watched: Vec<Watched>,
    /// A watched key was touched: the next EXEC fails.
    pub(super) lost_watch: bool,
    pub(super) channels: Vec<Bytes>,
    pub(super) patterns: Vec<Bytes>,
    pub(super) name: Option<Bytes>,
    pub(super) is_authenticated: bool,
}

impl Session {
    pub(super) fn subscriptions(&self) -> usize {
        self.channels.len() + self.patterns.len()
    }

    /// Ends a transaction and forgets the watched keys, as EXEC, DISCARD and UNWATCH do.
    pub(super) fn unwatch(&mut self) {
        self.watched.clear();
        self.lost_watch = false;
    }
}

/// The commands queued since MULTI.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Transaction {
    pub(super) queue: Vec<Command>,
    /// A command could not be queued: EXEC will refuse.
    pub(super) is_aborted: bool,
}

/// A watched key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Watched {
    pub(super) key: Bytes,
    /// It was past its expiry already when it was watched, so its expiry is no change.
    pub(super) was_expired: bool,
}

/// All sessions, in order of their callers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Sessions(Vec<(Caller, Session)>);

impl Sessions {
    pub(super) fn find(&self, caller: Caller) -> Option<&Session> {
        self.0.iter().find(|(owner, _)| *owner == caller).map(|(_, session)| session)
    }

    pub(super) fn find_mut(&mut self, caller: Caller) -> Option<&mut Session> {
        self.0.iter_mut().find(|(owner, _)| *owner == caller).map(|(_, session)| session)
    }

    /// The caller's session, created if it has none.
    pub(super) fn open(&mut self, caller: Caller) -> &mut Session {
        let index = match self.0.binary_search_by_key(&caller, |(owner, _)| *owner) {
            Ok(index) => index,
            Err(index) => {
                self.0.insert(index, (caller, Session::default()));
                index
            }
        };
        &mut self.0[index].1
    }

    /// Drops the caller's session if it says no more than a fresh connection's would.
    pub(super) fn tidy(&mut self, caller: Caller) {
        self.0.retain(|(owner, session)| *owner != caller || *session != Session::default());
    }

    pub(super) fn close(&mut self, caller: Caller) {
        self.0.retain(|(owner, _)| *owner != caller);
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Caller, &Session)> {
        self.0.iter().map(|(caller, session)| (*caller, session))
    }

    /// Marks the transactions of all who watch `key` as lost; `None`: any watched key. `is_there`: the key exists after the change.
    ///
    /// A key that was past its expiry when it was watched is not compared (Redis' `touchWatchedKey`): its deletion is no change, and until it
    /// has been deleted neither is anything else.
    pub(super) fn touch(&mut self, key: Option<&Bytes>, is_there: bool) {
        for (_, session) in &mut self.0 {
            for watched in session.watched.iter_mut().filter(|watched| key.is_none_or(|key| watched.key == *key)) {
                if watched.was_expired {
                    watched.was_expired = is_there;
                } else {
                    session.lost_watch = true;
                }
            }
        }
    }
}
