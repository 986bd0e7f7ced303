//! A share of some work: what one of several machines does.

use std::ops::Range;

/// Which share: the `index`-th of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which.
    pub index: u32,
    /// Of how many.
    pub of: u32,
}

impl Shard {
    /// All there is.
    pub const WHOLE: Shard = Shard { index: 1, of: 1 };

    /// Which of so many pieces are done here: every `of`-th, from the `index`-th on.
    pub fn pieces(self, count: usize) -> impl Iterator<Item = usize> {
        (self.index as usize - 1..count).step_by(self.of as usize)
    }

    /// Which of these runs are played here: as many as in the other shards, give or take one.
    pub fn runs(self, all: &Range<u64>) -> Range<u64> {
        let count = u128::from(all.end - all.start);
        let upto = |shards: u32| all.start + (count * u128::from(shards) / u128::from(self.of)) as u64;
        upto(self.index - 1)..upto(self.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shards_together_do_everything_once() {
        for of in [1, 2, 3, 7, 16] {
            let shards = || (1..=of).map(|index| Shard { index, of });
            let mut pieces: Vec<usize> = shards().flat_map(|shard| shard.pieces(16)).collect();
            pieces.sort_unstable();
            assert_eq!(pieces, (0..16).collect::<Vec<_>>());
            let runs: Vec<u64> = shards().flat_map(|shard| shard.runs(&(5..28))).collect();
            assert_eq!(runs, (5..28).collect::<Vec<_>>());
        }
    }
}
