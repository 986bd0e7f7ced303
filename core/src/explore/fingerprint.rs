//! A short number for a long state.

use std::hash::Hasher;

/// A hasher of 64 bits that is the same on every machine: each word is mixed in by one wide multiplication. Small numbers that follow each other share a word.
#[derive(Clone, Copy, Debug)]
pub struct Fingerprint {
    state: u64,
    spare: u64,
    /// Small numbers that have not been mixed in, and how many bytes they are: at most seven, the eighth is for their number.
    small: u64,
    bytes: u32,
}

const START: u64 = 0x243f_6a88_85a3_08d3;
const SPARE: u64 = 0x1319_8a2e_0370_7344;
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The least length that does not fit into a byte: the byte that stands before it.
const LARGE: usize = u8::MAX as usize;

impl Fingerprint {
    /// Before the first word.
    pub fn new() -> Fingerprint {
        Fingerprint { state: START, spare: SPARE, small: 0, bytes: 0 }
    }

    #[inline(always)]
    fn keep(&mut self, small: u64, bytes: u32) {
        if self.bytes + bytes > 7 {
            self.mix_kept();
        }
        self.small |= small << (8 * self.bytes);
        self.bytes += bytes;
    }

    #[inline(never)]
    fn mix_kept(&mut self) {
        if self.bytes > 0 {
            self.mix(self.small | u64::from(self.bytes) << 56);
            (self.small, self.bytes) = (0, 0);
        }
    }

    #[cold]
    fn write_large(&mut self, word: usize) {
        self.keep(LARGE as u64, 1);
        self.write_u64(word as u64);
    }

    #[inline]
    fn mix(&mut self, word: u64) {
        let wide = u128::from(self.state ^ word) * u128::from(FACTOR | 1);
        let folded = (wide as u64) ^ (wide >> 64) as u64;
        self.spare = self.spare.rotate_left(23).wrapping_add(folded);
        self.state = folded.wrapping_add(self.spare ^ word.rotate_left(32));
    }
}

impl Hasher for Fingerprint {
    fn write(&mut self, bytes: &[u8]) {
        self.mix_kept();
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.mix(u64::from_le_bytes(word.try_into().expect("a chunk has 8 bytes")));
        }
        let rest = words.remainder();
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.mix(u64::from_le_bytes(last) ^ ((rest.len() as u64) << 56));
        }
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.keep(u64::from(word), 1);
    }

    #[inline]
    fn write_u16(&mut self, word: u16) {
        self.keep(u64::from(word), 2);
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.keep(u64::from(word), 4);
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.mix_kept();
        self.mix(word);
    }

    /// Lengths and variants, which are small and many.
    #[inline(always)]
    fn write_usize(&mut self, word: usize) {
        if word < LARGE {
            self.keep(word as u64, 1);
        } else {
            self.write_large(word);
        }
    }

    fn finish(&self) -> u64 {
        let mut last = *self;
        last.mix_kept();
        last.mix(self.spare);
        last.mix(START);
        last.state ^ last.spare
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn small_differences_give_different_numbers() {
        let of = |words: &[u64]| {
            let mut hasher = Fingerprint::new();
            words.iter().for_each(|word| hasher.write_u64(*word));
            hasher.finish()
        };
        let mut seen = BTreeSet::new();
        for first in 0..300 {
            for second in 0..300 {
                assert!(seen.insert(of(&[first, second])), "{first} {second}");
            }
            assert!(seen.insert(of(&[first])));
        }
    }

    #[test]
    fn the_number_is_the_same_for_ever() {
        let mut hasher = Fingerprint::new();
        hasher.write(b"a lease, a holder, a token");
        expect_test::expect!["8b"].assert_eq(&format!("{:x}", hasher.finish() % 251));
    }
}
