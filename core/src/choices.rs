//! The one source of nondeterminism.
//!
//! Wherever a run could go on in more than one way (a delay within its range, the order of simultaneous events, jitter, loss) it asks
//! [`Choices`] for an index. Index 0 is always the default: shortest delay, file order, nothing lost. A written timeline takes every default,
//! a seed draws, a search enumerates, a replay repeats.

use std::sync::Arc;

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What is being chosen; shown when a run is told choice by choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChoiceLabel {
    /// Which of several simultaneous events comes first.
    Order,
    /// A message's delay: microseconds above the link's shortest.
    Delay,
    /// Whether a message is lost (1) or not (0).
    Loss,
    /// Whether a message arrives twice (1) or once (0).
    Duplicate,
    /// A client's jitter: microseconds added to its retry delay.
    Jitter,
    /// The node that a client asks first.
    NodeOrder,
    /// Where a searched fault strikes.
    Fault,
    /// How long a searched pause, delay or step is: an index into the bounds printed with the verdict.
    Length,
}

/// One choice that was not the default: the how-manieth it was, and its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Taken {
    /// Counts all choices of the run from 0.
    pub at: u32,
    /// The index chosen, above 0.
    pub index: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    Default,
    Seeded(Box<Xoshiro256PlusPlus>),
    Sampled { generator: Box<Xoshiro256PlusPlus>, delays: Arc<[(u32, u32)]> },
    Swarm { generator: Box<Xoshiro256PlusPlus>, rates: Rates },
    Replayed { taken: Vec<Taken>, next: usize },
    Enumerated { answers: Vec<u32>, asked: Vec<Asked> },
}

/// How often a run of a swarm takes what is not the default, in units of 2^-32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rates {
    fault: u32,
    length: u32,
    order: u32,
}

/// A question that a search was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What was chosen.
    pub label: ChoiceLabel,
    /// How many there were.
    pub count: u32,
}

/// Answers every question of a run, and remembers what was not the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    source: Source,
    asked: u32,
    taken: Vec<Taken>,
}

impl Choices {
    /// Takes every default.
    pub fn scripted() -> Choices {
        Choices::from(Source::Default)
    }

    /// Draws from xoshiro256++ seeded by SplitMix64, as its authors' reference does.
    pub fn seeded(seed: u64) -> Choices {
        Choices::from(Source::Seeded(Box::new(Xoshiro256PlusPlus::seed_from_u64(seed))))
    }

    /// Draws like a seed, but a message's delay from a distribution: (probability in units of 2^-32, index), both rising, the first 0. Between two of them it is even.
    pub fn sampled(seed: u64, delays: Arc<[(u32, u32)]>) -> Choices {
        Choices::from(Source::Sampled { generator: Box::new(Xoshiro256PlusPlus::seed_from_u64(seed)), delays })
    }

    /// Draws the choices of one run of a swarm: how often a fault strikes, how soon it ends and how often the order is turned are drawn first, each as a power of two.
    pub fn swarm(seed: u64, run: u64) -> Choices {
        let start = Xoshiro256PlusPlus::seed_from_u64(seed).next_u64().wrapping_add(run);
        let mut generator = Box::new(Xoshiro256PlusPlus::seed_from_u64(start));
        let mut rate = |most: u32| 1 << (31 - below(&mut generator, most));
        let rates = Rates { fault: rate(8), length: rate(6), order: rate(4) };
        Choices::from(Source::Swarm { generator, rates })
    }

    /// Repeats a run: these choices, in rising order of `at`, and defaults elsewhere.
    pub fn replayed(taken: Vec<Taken>) -> Choices {
        Choices::from(Source::Replayed { taken, next: 0 })
    }

    /// Takes what a search says, through [`Choices::prepare`], and remembers what was asked.
    pub fn enumerated() -> Choices {
        Choices::from(Source::Enumerated { answers: Vec::new(), asked: Vec::new() })
    }

    /// For a search: the answers to the next questions, then defaults; forgets what was asked before.
    pub fn prepare(&mut self, answers: &[u32]) {
        if let Source::Enumerated { answers: next, asked } = &mut self.source {
            next.clear();
            next.extend_from_slice(answers);
            asked.clear();
        }
    }

    /// What a search has been asked since it prepared its answers.
    pub fn asked(&self) -> &[Asked] {
        match &self.source {
            Source::Enumerated { asked, .. } => asked,
            Source::Default
            | Source::Seeded(_)
            | Source::Sampled { .. }
            | Source::Swarm { .. }
            | Source::Replayed { .. } => &[],
        }
    }

    /// An index below `count`; 0 without asking anybody when `count` is 0 or 1.
    ///
    /// Where a searched fault strikes and how long it lasts is no choice of the run that is found: there the faults are the scenario's.
    pub fn choose(&mut self, label: ChoiceLabel, count: u32) -> u32 {
        if count < 2 {
            return 0;
        }
        let at = self.asked;
        let counts = !matches!(label, ChoiceLabel::Fault | ChoiceLabel::Length);
        self.asked += u32::from(counts);
        let index = match &mut self.source {
            Source::Default => 0,
            Source::Seeded(generator) => below(generator, count),
            Source::Swarm { generator, rates } => {
                let rate = match label {
                    ChoiceLabel::Fault => Some(rates.fault),
                    ChoiceLabel::Length => Some(rates.length),
                    ChoiceLabel::Order | ChoiceLabel::NodeOrder => Some(rates.order),
                    ChoiceLabel::Delay | ChoiceLabel::Jitter | ChoiceLabel::Loss | ChoiceLabel::Duplicate => None,
                };
                match rate {
                    None => below(generator, count),
                    Some(rate) if (generator.next_u64() >> 32) < u64::from(rate) => 1 + below(generator, count - 1),
                    Some(_) => 0,
                }
            }
            Source::Sampled { generator, delays } if label == ChoiceLabel::Delay => {
                distributed(generator, delays).min(count - 1)
            }
            Source::Sampled { generator, .. } => below(generator, count),
            Source::Replayed { taken, next } => match taken.get(*next) {
                Some(choice) if choice.at == at => {
                    *next += 1;
                    choice.index.min(count - 1)
                }
                _ => 0,
            },
            Source::Enumerated { answers, asked } => {
                let index = answers.get(asked.len()).copied().unwrap_or(0);
                asked.push(Asked { label, count });
                index.min(count - 1)
            }
        };
        if index > 0 && counts {
            self.taken.push(Taken { at, index });
        }
        index
    }

    /// The choices so far that were not the default.
    pub fn taken(&self) -> &[Taken] {
        &self.taken
    }

    fn from(source: Source) -> Choices {
        Choices { source, asked: 0, taken: Vec::new() }
    }
}

/// A number below `count` from the generator's high bits (multiply-shift; its bias is below 2^-32).
fn below(generator: &mut Xoshiro256PlusPlus, count: u32) -> u32 {
    ((u128::from(generator.next_u64()) * u128::from(count)) >> 64) as u32
}

/// An index from a table of a distribution.
fn distributed(generator: &mut Xoshiro256PlusPlus, table: &[(u32, u32)]) -> u32 {
    let drawn = (generator.next_u64() >> 32) as u32;
    let above = table.partition_point(|(probability, _)| *probability <= drawn);
    let Some((from, low)) = above.checked_sub(1).map(|index| table[index]) else { return 0 };
    let (to, high) = table.get(above).copied().unwrap_or((u32::MAX, low));
    let part = u64::from(drawn - from) * u64::from(high.saturating_sub(low)) / u64::from((to - from).max(1));
    low + part as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_of_what_a_seed_took_takes_the_same() {
        let mut seeded = Choices::seeded(7);
        let drawn: Vec<u32> = (1..200).map(|count| seeded.choose(ChoiceLabel::Delay, count % 7)).collect();
        let mut replayed = Choices::replayed(seeded.taken().to_vec());
        let repeated: Vec<u32> = (1..200).map(|count| replayed.choose(ChoiceLabel::Delay, count % 7)).collect();
        assert_eq!(drawn, repeated);
        assert_eq!(seeded.taken(), replayed.taken());
        assert!(drawn.iter().any(|index| *index > 0));
    }

    #[test]
    fn delays_follow_their_distribution() {
        // Half below 10, nine tenths below 20, the rest up to 1,000.
        let part = |tenths: u64| ((tenths << 32) / 10) as u32;
        let table: Arc<[(u32, u32)]> = vec![(0, 0), (part(5), 10), (part(9), 20), (u32::MAX, 1_000)].into();
        let mut choices = Choices::sampled(3, table);
        let drawn: Vec<u32> = (0..10_000).map(|_| choices.choose(ChoiceLabel::Delay, 1_001)).collect();
        let below = |limit| drawn.iter().filter(|index| **index < limit).count();
        assert!(below(10).abs_diff(5_000) < 200 && below(20).abs_diff(9_000) < 150, "{} {}", below(10), below(20));
        assert!(below(510).abs_diff(9_500) < 100 && below(1_000) == 10_000);
    }

    #[test]
    fn a_seed_means_the_same_numbers_for_ever() {
        let mut seeded = Choices::seeded(1);
        let drawn: Vec<u32> = (0..8).map(|_| seeded.choose(ChoiceLabel::Order, 1_000)).collect();
        assert_eq!(drawn, [811, 747, 100, 746, 184, 590, 986, 523]);
    }
}
