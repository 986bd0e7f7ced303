//! What the protected resource answered.

use std::sync::Arc;

use crate::wire::{ClientId, RequestId};

/// A cell of the resource, such as one order; counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u8);

/// What a client shows to the resource to prove its grant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Token {
    /// A number that grows with every grant.
    Number(u64),
    /// Something without an order, such as a UUID.
    Opaque(Arc<str>),
}

/// A request that the resource answered, in the order of acceptance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// Who asked.
    pub client: ClientId,
    /// In which hold; 0 outside any.
    pub hold: u32,
    /// Which of the client's requests.
    pub request: RequestId,
    /// Which cell.
    pub cell: CellId,
    /// What was asked.
    pub operation: Operation,
    /// The token shown, if any.
    pub token: Option<Token>,
    /// What came of it.
    pub outcome: Outcome,
}

/// What is asked of the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// Look at the value.
    Read,
    /// Store what was computed from the value read (a read-modify-write).
    Write,
    /// Check and change in one atomic step at the resource; needs no read before it.
    Atomic,
    /// A call to a third party that cannot check anything.
    Call,
}

/// What the resource did.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It accepted.
    Accepted(Effected),
    /// Its guard refused.
    Refused {
        /// The greatest token seen so far, the current version, or the key that is not new.
        because: Arc<str>,
    },
    /// There was nothing left to take.
    SoldOut,
}

/// The value after an accepted request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Effected {
    /// The version that a write was computed from (an atomic step: the version just before it).
    pub base: u32,
    /// The version now; counts accepted writes of the cell.
    pub version: u32,
    /// The value now, as a person reads it.
    pub value: Arc<str>,
}
