//! A request to the resource.

use std::sync::Arc;

use crate::history::{CellId, Effect, Operation, Outcome, Token};
use crate::wire::{ClientId, RequestId};

/// A request to the resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ask {
    /// In which hold; 0 outside any.
    pub hold: u32,
    /// Which cell.
    pub cell: CellId,
    /// What is asked.
    pub operation: Operation,
    /// What proves the grant.
    pub token: Option<Token>,
    /// What was read before a write: the version, and the value that the client made of it. `None`: a write without a read before it.
    pub write: Option<(u32, Arc<str>)>,
    /// What a ledger adds in an atomic step.
    pub amount: i64,
    /// What makes the write unique, for a guard by unique key.
    pub unique: Arc<str>,
}

impl Ask {
    /// What the history keeps of the request and its outcome.
    pub fn effect(&self, client: ClientId, request: RequestId, outcome: Outcome) -> Effect {
        let Ask { hold, cell, operation, ref token, .. } = *self;
        Effect { client, hold, request, cell, operation, token: token.clone(), outcome }
    }
}
