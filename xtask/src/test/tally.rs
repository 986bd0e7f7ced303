//! How many passed, how many failed.

use std::fmt;
use std::ops::Add;

/// How many checks passed, how many failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Checks that passed.
    pub passed: usize,
    /// Checks that failed.
    pub failed: usize,
}

impl Tally {
    /// One check, passed.
    pub const PASSED: Tally = Tally { passed: 1, failed: 0 };
    /// One check, failed.
    pub const FAILED: Tally = Tally { passed: 0, failed: 1 };

    /// One check with this outcome.
    pub fn one(passed: bool) -> Self {
        if passed { Self::PASSED } else { Self::FAILED }
    }

    /// The sum of what the test runner of cargo says: one `test result:` a binary.
    pub fn of_cargo_output(output: &str) -> Self {
        let results = output.lines().filter_map(|line| line.trim().strip_prefix("test result: "));
        results.map(Self::of_words).fold(Self::default(), Add::add)
    }

    /// What nextest says in its summary: `Summary [ 1.2s] 12 tests run: 11 passed (1 slow), 1 failed, 3 skipped`.
    pub fn of_nextest_output(output: &str) -> Self {
        let summaries = output.lines().filter(|line| line.trim_start().starts_with("Summary ["));
        let counts = summaries.filter_map(|line| line.split_once("run: ").map(|(_, counts)| counts));
        counts.map(Self::of_words).next_back().unwrap_or_default()
    }

    /// Reads `11 passed; 1 failed; ...`, in which each number stands before its word.
    fn of_words(text: &str) -> Self {
        let words: Vec<&str> = text.split(|character: char| !character.is_alphanumeric()).collect();
        let count = |wanted: &[&str]| -> usize {
            words
                .windows(2)
                .filter(|pair| wanted.contains(&pair[1]))
                .filter_map(|pair| pair[0].parse::<usize>().ok())
                .sum()
        };
        Self { passed: count(&["passed"]), failed: count(&["failed", "timed"]) }
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_results_of_all_binaries_of_cargo_add_up() {
        let output = "\ntest result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
                      test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s\n";
        assert_eq!(Tally::of_cargo_output(output), Tally { passed: 7, failed: 2 });
    }

    #[test]
    fn the_summary_of_nextest_is_read_with_its_side_remarks() {
        let output = "     Summary [   0.012s] 14 tests run: 11 passed (2 slow), 2 failed, 1 timed out, 3 skipped\n";
        assert_eq!(Tally::of_nextest_output(output), Tally { passed: 11, failed: 3 });
    }

    #[test]
    fn the_sum_reads_as_promised() {
        assert_eq!((Tally::PASSED + Tally::FAILED).to_string(), "1 passed, 1 failed");
    }
}
