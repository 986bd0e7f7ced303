//! What a lock client reports of itself.

use std::sync::Arc;

use super::Token;
use crate::time::Span;

/// A report of a lock client, by its own account.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub enum LockEvent {
    /// It starts to acquire.
    Acquiring,
    /// It read its clock to decide whether what it has is still valid (Redlock's last look).
    Checked,
    /// It has the lock, as far as it knows. `valid_for` is what it believes is left of its lease.
    Acquired { token: Option<Token>, valid_for: Option<Span> },
    /// It was already inside and may go on; `count` is its depth from 2.
    Reentered { count: u32 },
    /// It gave up acquiring.
    Refused { why: Refusal },
    /// It looked whether the lock is still its own.
    Looked { mine: bool },
    /// A renewal took effect, as far as it knows.
    Extended { valid_for: Option<Span> },
    /// A renewal failed; it may try again.
    ExtendFailed { why: Refusal },
    /// It learned that the lock is no longer its own.
    Lost,
    /// It starts to release.
    Releasing,
    /// It gave back an inner hold; `count` is its depth now.
    Descended { count: u32 },
    /// It released.
    Released,
    /// Its release freed nothing, or it does not know.
    ReleaseFailed { why: Refusal },
}

/// Why a lock client did not get what it asked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refusal {
    /// Somebody else holds it, and the wait is over.
    Held,
    /// Too late: what it got was no longer valid by its own clock.
    Expired,
    /// No quorum.
    NoQuorum,
    /// It is not, or no longer, the holder.
    NotHolder,
    /// No answer in time: whether the command ran is unknown.
    TimedOut,
    /// The connection is refused or reset.
    Disconnected,
    /// The server answered with this error code.
    Error(Arc<str>),
}

/// Whether a hold excludes all others, or only those that exclude.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Alone.
    #[default]
    Exclusive,
    /// Together with other readers.
    Shared,
}
