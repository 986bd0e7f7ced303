//! One lock of a worker: its client, and what the worker knows of it.

use crate::history::{Mode, Token};
use crate::locks::LockRequest;
use crate::wire::{LockId, RequestId};

/// What the worker knows of one of its locks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Slot<L> {
    pub lock: LockId,
    /// Whether its holds exclude all others.
    pub mode: Mode,
    pub client: L,
    /// The hold that it is inside of; `None`: outside.
    pub inside: Option<u32>,
    /// It is inside although it was refused: nothing is to be given back.
    pub without_lock: bool,
    /// How often it has entered without leaving.
    pub depth: u32,
    pub token: Option<Token>,
    /// The client has been drained since its last input, and wants a timer then.
    pub drained: bool,
    pub until: Option<i64>,
}

impl<L> Slot<L> {
    pub fn new(lock: LockId, mode: Mode, client: L) -> Slot<L> {
        let (inside, without_lock, depth, token, until) = (None, false, 0, None, None);
        Slot { lock, mode, client, inside, without_lock, depth, token, drained: true, until }
    }
}

const SLOT_SHIFT: u32 = 28;

/// The worker's number for a request of the lock in `slot`; its own requests are numbered with slot 15.
pub(super) fn request_id(slot: usize, request: LockRequest) -> RequestId {
    RequestId(((slot as u32) << SLOT_SHIFT) | (request.0 & ((1 << SLOT_SHIFT) - 1)))
}

/// The slot and the lock client's number of a request; slot 15 is the worker itself.
pub(super) fn split_request(request: RequestId) -> (usize, LockRequest) {
    ((request.0 >> SLOT_SHIFT) as usize, LockRequest(request.0 & ((1 << SLOT_SHIFT) - 1)))
}

/// The slot that stands for the worker's own requests.
pub(super) const OWN: usize = 15;
