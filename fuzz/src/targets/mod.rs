//! What is fuzzed.

mod commands;
mod history;
mod listing;
mod replay;
mod scenario;

/// Something that reads text from outside.
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// Good inputs, to be bent.
    pub samples: fn() -> Vec<Vec<u8>>,
    /// Words of its language.
    pub words: &'static [&'static str],
    /// Reads an input and does with it what a user would have it do. A panic is a bug; an error is an answer.
    pub run: fn(&[u8]),
}

/// Every target.
pub const TARGETS: [Target; 5] = [scenario::TARGET, listing::TARGET, replay::TARGET, commands::TARGET, history::TARGET];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_survives_its_own_samples() {
        for target in &TARGETS {
            let samples = (target.samples)();
            assert!(!samples.is_empty(), "{} has no sample", target.name);
            samples.iter().for_each(|sample| (target.run)(sample));
        }
    }
}
