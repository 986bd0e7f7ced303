//! Bending and breaking good inputs.

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256StarStar;

/// The longest input that is made, in bytes.
const LONGEST: usize = 64 * 1024;

/// Numbers at which parsers break.
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "2147483648",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1e308",
    "nan",
    "0.0000000000000000001",
];

/// A source of inputs that is fixed by its seed.
pub struct Mutator {
    random: Xoshiro256StarStar,
    words: &'static [&'static str],
}

impl Mutator {
    /// A source that bends its samples with these words of their language.
    pub fn new(seed: u64, words: &'static [&'static str]) -> Mutator {
        Mutator { random: Xoshiro256StarStar::seed_from_u64(seed), words }
    }

    /// The next input: two samples crossed, or one, then bent a few times; now and then no more than noise.
    pub fn next(&mut self, samples: &[Vec<u8>]) -> Vec<u8> {
        if samples.is_empty() || self.below(50) == 0 {
            let length = self.below(200);
            return (0..length).map(|_| self.byte()).collect();
        }
        let mut input = samples[self.below(samples.len())].clone();
        if self.below(4) == 0 {
            let other = &samples[self.below(samples.len())];
            let (at, from) = (self.below(input.len() + 1), self.below(other.len() + 1));
            input.truncate(at);
            input.extend_from_slice(&other[from..]);
        }
        for _ in 0..1 + self.below(6) {
            self.bend(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn bend(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        let end = (at + 1 + self.below(16)).min(input.len());
        match self.below(9) {
            0 if at < input.len() => input[at] ^= 1 << self.below(8),
            1 if at < input.len() => input[at] = self.byte(),
            2 => drop(input.drain(at..end)),
            3 => insert(input, at, &[self.byte()]),
            4 => self.insert_word(input, at),
            5 => insert(input, at, NUMBERS[self.below(NUMBERS.len())].as_bytes()),
            6 => self.replace_number(input, at),
            7 => self.move_line(input),
            _ => {
                let piece = input[at..end].to_vec();
                for _ in 0..1 + self.below(40) {
                    insert(input, at, &piece);
                }
            }
        }
    }

    fn insert_word(&mut self, input: &mut Vec<u8>, at: usize) {
        if !self.words.is_empty() {
            insert(input, at, self.words[self.below(self.words.len())].as_bytes());
        }
    }

    /// Puts another number in the place of the next one.
    fn replace_number(&mut self, input: &mut Vec<u8>, at: usize) {
        let Some(start) = input[at..].iter().position(u8::is_ascii_digit).map(|offset| at + offset) else { return };
        let length = input[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = NUMBERS[self.below(NUMBERS.len())];
        input.splice(start..start + length, number.bytes());
    }

    /// Copies a line to another place.
    fn move_line(&mut self, input: &mut Vec<u8>) {
        let lines: Vec<Vec<u8>> = input.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        if lines.is_empty() {
            return;
        }
        let line = lines[self.below(lines.len())].clone();
        let at = lines[..self.below(lines.len())].iter().map(Vec::len).sum();
        insert(input, at, &line);
    }

    fn byte(&mut self) -> u8 {
        self.random.next_u32().to_le_bytes()[0]
    }

    /// A number below a bound above 0. The slight preference for small ones does no harm here.
    fn below(&mut self, bound: usize) -> usize {
        (self.random.next_u64() % bound as u64) as usize
    }
}

fn insert(input: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    input.splice(at..at, bytes.iter().copied());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_inputs() {
        let samples = [b"SET lock A-1 NX PX 10000\n".to_vec(), b"GET lock\n".to_vec()];
        let inputs = |seed| {
            let mut mutator = Mutator::new(seed, &["EVAL"]);
            (0..500).map(|_| mutator.next(&samples)).collect::<Vec<_>>()
        };
        assert_eq!(inputs(7), inputs(7));
        assert_ne!(inputs(7), inputs(8));
    }

    #[test]
    fn inputs_stay_within_their_bound() {
        let samples = [vec![b'1'; LONGEST]];
        let mut mutator = Mutator::new(0, &[]);
        assert!((0..500).all(|_| mutator.next(&samples).len() <= LONGEST));
    }
}
