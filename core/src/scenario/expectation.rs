//! What a scenario expects of a lock.

use std::sync::Arc;

use super::Scenario;
use crate::check::{Amount, Property};
use crate::i18n::Text;

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
    /// Why this lock's run cannot be played on real servers.
    pub not_live: Option<Text>,
}

impl Scenario {
    /// Why a lock's run cannot be played on real servers, where the file says so: of the scenario, or of this lock.
    pub fn not_live(&self, lock: &str) -> Option<&Text> {
        let of_lock = self.expectations.iter().find(|expectation| *expectation.lock == *lock);
        self.not_live.as_ref().or(of_lock.and_then(|expectation| expectation.not_live.as_ref()))
    }
}
