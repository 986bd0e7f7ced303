//! What a scenario expects of a lock.

use std::sync::Arc;

use super::Milestone;
use crate::time::Span;
use crate::wire::ClientId;

/// What is expected when one lock plays the scenario. It is exact: whatever is not named must not break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The lock's canonical name.
    pub lock: Arc<str>,
    /// The properties that break, by their canonical names; every other one that applies must hold.
    pub broken: Vec<Arc<str>>,
    /// What must happen. Never empty where nothing breaks: a lock that nobody ever gets cannot break anything.
    pub happens: Vec<Happening>,
    /// The totals that are known, by their canonical names; others may be anything.
    pub totals: Vec<(Arc<str>, Amount)>,
}

/// A milestone that a client must come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Happening {
    /// Who.
    pub client: ClientId,
    /// What.
    pub milestone: Milestone,
}

/// A total's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Amount {
    /// A length of time.
    Span(Span),
    /// A number of times.
    Count(u64),
}
