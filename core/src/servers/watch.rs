//! Watches: who is to be told when what goes.

use super::service::{Delivery, Outcome};
use crate::wire::{ClientId, Reply};

/// Who waits until which key or znode is gone, first come first. Each is answered once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Watches(Vec<(ClientId, String)>);

impl Watches {
    /// A client waits, for as long as it takes.
    pub fn wait(&mut self, client: ClientId, key: &str) -> Outcome {
        self.0.push((client, key.to_owned()));
        Outcome::Blocked { timeout: None }
    }

    /// A client waits no longer.
    pub fn forget(&mut self, client: ClientId) {
        self.0.retain(|(watcher, _)| *watcher != client);
    }

    /// Nobody waits any longer.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Answers those whose key does not stand any more, each with `event` and the key.
    pub fn answer(&mut self, event: &str, stands: impl Fn(&str) -> bool) -> Vec<Delivery> {
        let gone = self.0.extract_if(.., |(_, key)| !stands(key));
        gone.map(|(client, key)| Delivery { client, message: notice(event, &key), answers: true }).collect()
    }
}

/// What a watcher is told.
pub(super) fn notice(event: &str, key: &str) -> Reply {
    Reply::Array(vec![Reply::bulk(event), Reply::bulk(key)])
}
