//! What a scenario expects of a lock.

use std::sync::Arc;

use crate::check::{Amount, Property};

/// What is expected when one lock plays the scenario. It is exact: whatever is not named must not break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The lock's canonical name.
    pub lock: Arc<str>,
    /// The properties that break; every other one that applies must hold.
    pub broken: Vec<Property>,
    /// What must happen, such as `B.write-refused`. Never empty where nothing breaks: a lock that nobody ever gets cannot break anything.
    pub happens: Vec<Arc<str>>,
    /// The figures that are known, by their canonical names; others may be anything.
    pub totals: Vec<(&'static str, Amount)>,
}
