//! What one client is made with.

use std::sync::Arc;

use super::Step;
use crate::history::{CellId, Mode, ResourceKind};
use crate::resource::Statements;
use crate::time::Span;
use crate::wire::{LockId, NodeId};

/// A client's part of the scenario, as its worker needs it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    /// Its name, which a register keeps.
    pub name: Arc<str>,
    /// Its steps.
    pub steps: Vec<Step>,
    /// Its steps as the scenario writes them, for the history.
    pub labels: Vec<Arc<str>>,
    /// How often it does them.
    pub runs: u32,
    /// The time from one start to the next; zero: at once.
    pub every: Span,
    /// The locks by slot, and whether its holds there exclude all others.
    pub locks: Vec<(LockId, Mode)>,
    /// How long it waits for a lock.
    pub wait: Option<Span>,
    /// The pause before a step is tried again.
    pub retry: Span,
    /// How long it waits for the resource.
    pub timeout: Option<Span>,
    /// The cell it works on, and the cell's name.
    pub cell: (CellId, Arc<str>),
    /// What the resource is.
    pub kind: ResourceKind,
    /// What it adds to a ledger.
    pub amount: i64,
    /// Where the resource lives.
    pub home: Home,
    /// When it does not get the lock.
    pub when_refused: Reaction,
    /// When it learns that the lock is lost.
    pub when_lost: Reaction,
    /// When the resource refuses.
    pub when_rejected: Reaction,
    /// How many refused writes it tries again at most, the first try counted; `None`: any number.
    pub attempts: Option<u32>,
    /// When the resource does not answer.
    pub when_unanswered: Reaction,
}

/// Where the resource lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Home {
    /// On a server of its own.
    Own,
    /// In the lock's Redis.
    Redis(NodeId),
    /// In the lock's database.
    Database(NodeId, Statements),
}

/// What a client does when something goes against it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reaction {
    /// It leaves out the rest of its steps (and gives back what it holds).
    #[default]
    Stop,
    /// It goes on as if nothing had happened.
    GoOn,
    /// It tries again: the step that failed, or for a refused write from the last read before it.
    Retry,
}
