//! One step of a client, as the scenario writes it.

use std::fmt;

use crate::time::Span;

/// One step of a client. `slot` counts the client's locks from 0; most have only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// `lock`: wait for the lock (or enter it once more); without it the remaining steps are skipped.
    Lock {
        /// Which lock.
        slot: u8,
    },
    /// `unlock`: give it back.
    Unlock {
        /// Which lock.
        slot: u8,
    },
    /// `check`: ask the lock's service whether the lock is still held; stop if it is not.
    Check {
        /// Which lock.
        slot: u8,
    },
    /// `read`: read the resource.
    Read,
    /// `3s`: compute for so long.
    Work(Span),
    /// `write`: store what was read, changed by this client.
    Write,
    /// `atomic`: check and change in one atomic step at the resource, without a read.
    Atomic,
    /// `call`: call a third party that cannot check anything.
    Call,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, slot) = match self {
            Step::Lock { slot } => ("lock", *slot),
            Step::Unlock { slot } => ("unlock", *slot),
            Step::Check { slot } => ("check", *slot),
            Step::Read => ("read", 0),
            Step::Work(span) => return span.fmt(f),
            Step::Write => ("write", 0),
            Step::Atomic => ("atomic", 0),
            Step::Call => ("call", 0),
        };
        match slot {
            0 => f.write_str(word),
            slot => write!(f, "{word} {}", slot + 1),
        }
    }
}
