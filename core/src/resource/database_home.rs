//! A resource that lives in the lock's own database, as one row a cell.
//!
//! What a transaction writes is there for others, and counts, when it commits: until then this observer beside the server keeps it back, and forgets it
//! with a transaction that is undone. It sees every statement of every client in the order of execution, simulated or live.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Statements;
use super::home::Seen;
use crate::history::{CellId, Effect, Effected, Guard, Operation, Outcome, Phase, ResourceKind};
use crate::wire::{ClientId, Command, Reply};

/// Counts the versions of cells that live in a database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DatabaseHome {
    statements: Statements,
    initial: i64,
    versions: Vec<u32>,
    /// The token or the stamp that the last accepted write left in each cell.
    marks: Vec<String>,
    read: BTreeMap<(ClientId, CellId), u32>,
    /// Who is inside a transaction block, and what it has written there.
    open: BTreeMap<ClientId, Vec<Effect>>,
}

impl DatabaseHome {
    /// An observer of that many cells.
    pub fn new(statements: Statements, initial: i64, cells: usize) -> DatabaseHome {
        let versions = vec![0; cells.max(1)];
        let marks = vec!["0".to_owned(); versions.len()];
        DatabaseHome { statements, initial, versions, marks, read: BTreeMap::new(), open: BTreeMap::new() }
    }

    /// The statements that make the rows before the run.
    pub fn set_up(&self, cells: &[Arc<str>]) -> Vec<Command> {
        self.statements.set_up(cells, self.initial)
    }

    /// What an executed statement did to the resource, as far as it counts now.
    pub fn observe(&mut self, seen: Seen<'_>) -> Vec<Effect> {
        let Seen { client, command, reply, .. } = seen;
        match (command.name().as_str(), reply) {
            ("BEGIN", Reply::Status(_)) => {
                self.open.entry(client).or_default();
                Vec::new()
            }
            ("COMMIT", Reply::Status(tag)) => {
                let written = self.open.remove(&client).unwrap_or_default();
                if tag == "COMMIT" {
                    written.into_iter().map(|effect| self.count(effect)).collect()
                } else {
                    Vec::new()
                }
            }
            ("ROLLBACK", _) => {
                self.open.remove(&client);
                Vec::new()
            }
            _ => {
                if let (Reply::Error(_), Some(written)) = (reply, self.open.get_mut(&client)) {
                    // The transaction has been undone, though its client has not said so yet.
                    written.clear();
                }
                if seen.phase == Phase::Resource { self.answered(seen).into_iter().collect() } else { Vec::new() }
            }
        }
    }

    /// A client's connection is gone: what it had not committed will never count.
    pub fn forget(&mut self, client: ClientId) {
        self.open.remove(&client);
    }

    fn answered(&mut self, seen: Seen<'_>) -> Option<Effect> {
        let Seen { client, hold, request, cell, command, reply, .. } = seen;
        let operation = operation(command)?;
        let index = usize::from(cell.0).min(self.versions.len() - 1);
        let mut outcome = self.statements.outcome(operation, reply);
        if let Outcome::Refused { because } = &mut outcome
            && let Some(reason) = self.reason(index, command)
        {
            *because = reason;
        }
        if let Outcome::Accepted(effected) = &mut outcome {
            if let Some(mark) = mark(command) {
                self.marks[index] = mark;
            }
            let committed = self.versions[index];
            let own = self.open.get(&client).map_or(0, |written| written.iter().filter(|one| one.cell == cell).count());
            (effected.base, effected.version) = (committed + own as u32, committed + own as u32);
            match operation {
                Operation::Read => drop(self.read.insert((client, cell), effected.version)),
                Operation::Write => {
                    effected.base = self.read.get(&(client, cell)).copied().unwrap_or(effected.base);
                    effected.value = written_value(command).unwrap_or_default();
                }
                Operation::Atomic | Operation::Call => {}
            }
        }
        let effect = Effect { client, hold, request, cell, operation, token: None, outcome };
        let counts = matches!(effect.outcome, Outcome::Accepted(_)) && operation != Operation::Read;
        match self.open.get_mut(&client) {
            Some(written) if counts => {
                written.push(effect);
                None
            }
            _ if counts => Some(self.count(effect)),
            _ => Some(effect),
        }
    }

    /// Why a guard in a statement found no row, as far as an observer knows.
    fn reason(&self, index: usize, command: &Command) -> Option<Arc<str>> {
        match self.statements.guard {
            Guard::Version => Some(Arc::from(self.versions[index].to_string())),
            Guard::StateMachine => Some(Arc::from("done")),
            Guard::UniqueKey => {
                command.words().last().map(|key| Arc::from(String::from_utf8_lossy(key).trim_matches(['(', ')', '\''])))
            }
            Guard::Fencing | Guard::Timestamp => Some(Arc::from(self.marks[index].as_str())),
            Guard::None => None,
        }
    }

    /// A write counts from now on.
    fn count(&mut self, mut effect: Effect) -> Effect {
        let index = usize::from(effect.cell.0).min(self.versions.len() - 1);
        if let Outcome::Accepted(Effected { base, version, value }) = &mut effect.outcome {
            if effect.operation == Operation::Atomic {
                *base = self.versions[index];
            }
            self.versions[index] += 1;
            *version = self.versions[index];
            if self.statements.kind == ResourceKind::Job && value.is_empty() {
                *value = Arc::from(version.to_string());
            }
        }
        effect
    }
}

/// What a statement of the resource does: each operation has a verb of its own.
pub fn operation(command: &Command) -> Option<Operation> {
    let returns = command.words().iter().any(|word| **word == *b"RETURNING");
    match command.name().as_str() {
        "SELECT" => Some(Operation::Read),
        "UPDATE" if returns => Some(Operation::Atomic),
        "UPDATE" => Some(Operation::Write),
        "INSERT" => Some(Operation::Atomic),
        _ => None,
    }
}

/// The token or the stamp that an UPDATE leaves in its row.
fn mark(command: &Command) -> Option<String> {
    let words = command.words();
    let place = words.iter().position(|word| **word == *b"fence" || **word == *b"changed_ms")?;
    let set = command.word(place + 1) == Some("=");
    command.word(place + 2).filter(|_| set).map(str::to_owned)
}

/// The value that an UPDATE stores: what stands after `SET value =`.
fn written_value(command: &Command) -> Option<Arc<str>> {
    let word = command.word(5)?;
    Some(Arc::from(word.trim_end_matches(',').trim_matches('\'')))
}
