//! A resource that lives in the lock's own Redis, as one string key a cell.
//!
//! Redis keeps no versions. To judge lost updates, this observer beside the server counts them: it sees every command for the resource in the
//! order of execution, simulated or live.

use std::sync::Arc;

use super::Seen;
use super::value::initial_text;
use crate::history::{CellId, Effect, Effected, Operation, Outcome, ResourceKind};
use crate::wire::{ClientId, Command, Reply};

/// The Lua script of an atomic step: checks and changes in one go, and answers the new value, or nil when nothing is left.
/// `KEYS[1]` is the cell, `ARGV` the kind, the client's name and the amount.
pub const SCRIPT: &str = "\
local value = redis.call('GET', KEYS[1])
local changed
if ARGV[1] == 'register' then
  changed = (value and value ~= '') and (value .. ' ' .. ARGV[2]) or ARGV[2]
else
  local number = tonumber(value or '0')
  if ARGV[1] == 'stock' and number <= 0 then return false end
  changed = string.format('%d', number + tonumber(ARGV[3]))
end
redis.call('SET', KEYS[1], changed)
return changed
";

/// Counts the versions of cells that live in Redis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RedisHome {
    kind: ResourceKind,
    initial: i64,
    versions: Vec<u32>,
    read: Vec<(ClientId, CellId, u32)>,
}

impl RedisHome {
    /// An observer of that many cells.
    pub fn new(kind: ResourceKind, initial: i64, cells: usize) -> RedisHome {
        RedisHome { kind, initial, versions: vec![0; cells.max(1)], read: Vec::new() }
    }

    /// The commands that fill the cells before the run.
    pub fn set_up(&self, cells: &[Arc<str>]) -> Vec<Command> {
        cells.iter().map(|cell| Command::new(["SET", cell, &initial_text(self.kind, self.initial)])).collect()
    }

    /// What an executed command for the resource did; `None` for a reply that tells of no effect (an error).
    pub fn observe(&mut self, seen: Seen<'_>) -> Option<Effect> {
        let Seen { client, hold, request, cell, command, reply, .. } = seen;
        let index = usize::from(cell.0).min(self.versions.len() - 1);
        let version = self.versions[index];
        let (operation, outcome) = match (command.word(0)?, reply) {
            ("GET", Reply::Bulk(_) | Reply::Nil) => {
                self.read.retain(|(reader, of, _)| (*reader, *of) != (client, cell));
                self.read.push((client, cell, version));
                let value = reply.text().map_or_else(|| initial_text(self.kind, self.initial), Arc::from);
                (Operation::Read, Outcome::Accepted(Effected { base: version, version, value }))
            }
            ("SET", Reply::Status(_)) => {
                let read = self.read.iter().find(|(reader, of, _)| (*reader, *of) == (client, cell));
                let base = read.map_or(version, |(_, _, version)| *version);
                (Operation::Write, self.accept(index, base, command.word(2)?))
            }
            ("EVAL", Reply::Bulk(_)) => (Operation::Atomic, self.accept(index, version, &reply.text()?)),
            ("EVAL", Reply::Nil) => (Operation::Atomic, Outcome::SoldOut),
            _ => return None,
        };
        // Redis is shown no token: it could not check one.
        Some(Effect { client, hold, request, cell, operation, token: None, outcome })
    }

    fn accept(&mut self, index: usize, base: u32, value: &str) -> Outcome {
        self.versions[index] += 1;
        Outcome::Accepted(Effected { base, version: self.versions[index], value: Arc::from(value) })
    }
}
