//! Which records are new: a database does not say, so whoever looks at it has to remember.

use std::collections::BTreeMap;

use locklab_core::wire::Records;

/// The records of the last look, each with a number of its own.
#[derive(Debug, Default)]
pub struct Ledger {
    known: BTreeMap<String, (String, u64)>,
    created: u64,
}

impl Ledger {
    /// The number of a record: a new one where there was none under the key, or one of another `identity` (who holds it).
    pub fn number(&mut self, key: &str, identity: &str) -> u64 {
        match self.known.get(key) {
            Some((known, number)) if known == identity => *number,
            _ => {
                self.created += 1;
                self.known.insert(key.to_owned(), (identity.to_owned(), self.created));
                self.created
            }
        }
    }

    /// Forgets what a look no longer shows.
    pub fn keep(&mut self, shown: &Records) {
        self.known.retain(|key, _| shown.contains_key(key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_new_when_it_was_away_or_is_another_holders() {
        let mut ledger = Ledger::default();
        let first = ledger.number("claims/lock", "A-1");
        assert_eq!(ledger.number("claims/lock", "A-1"), first);
        let taken_over = ledger.number("claims/lock", "B-1");
        assert_ne!(taken_over, first);
        ledger.keep(&Records::new());
        assert_ne!(ledger.number("claims/lock", "B-1"), taken_over);
    }
}
