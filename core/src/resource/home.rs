//! A resource that lives in the lock's own service.

use std::sync::Arc;

use super::{DatabaseHome, RedisHome};
use crate::history::{CellId, Effect, Phase};
use crate::wire::{ClientId, Command, Reply, RequestId};

/// Tells what commands do to a resource that lives in the lock's own service.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Home {
    /// In Redis.
    Redis(RedisHome),
    /// In a database.
    Database(DatabaseHome),
}

/// A command that has been answered, as an observer beside the server sees it.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Whose.
    pub client: ClientId,
    /// Its hold; 0 outside any.
    pub hold: u32,
    /// The request.
    pub request: RequestId,
    /// What it is for.
    pub phase: Phase,
    /// The cell that the client works on.
    pub cell: CellId,
    /// The command.
    pub command: &'a Command,
    /// The reply.
    pub reply: &'a Reply,
}

impl Home {
    /// The commands that fill the cells before the run.
    pub fn set_up(&self, cells: &[Arc<str>]) -> Vec<Command> {
        match self {
            Home::Redis(home) => home.set_up(cells),
            Home::Database(home) => home.set_up(cells),
        }
    }

    /// What an executed command did to the resource.
    pub fn observe(&mut self, seen: Seen<'_>) -> Vec<Effect> {
        match self {
            Home::Redis(home) if seen.phase == Phase::Resource => home.observe(seen).into_iter().collect(),
            Home::Redis(_) => Vec::new(),
            Home::Database(home) => home.observe(seen),
        }
    }

    /// A client's connection is gone.
    pub fn forget(&mut self, client: ClientId) {
        match self {
            Home::Redis(_) => {}
            Home::Database(home) => home.forget(client),
        }
    }
}
