//! A distribution of spans of time as its user knows it: percentiles, or the pauses of a log.

use rand_core::RngCore;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::time::Span;

/// Parts of a whole: a probability of 1 is a thousand million.
pub const WHOLE: u64 = 1_000_000_000;

/// Spans of time and the share of all that is shorter: between two of them it is even.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantiles {
    /// (share below, in [`WHOLE`]; span), both rising; the first share is 0, the last is [`WHOLE`].
    knots: Vec<(u64, Span)>,
    /// The shares at which it is cut into bands; from 0 to [`WHOLE`].
    cuts: Vec<u64>,
}

/// A band of a distribution: what lies between two percentiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// The share below it, in [`WHOLE`].
    pub from: u64,
    /// The share up to its end.
    pub to: u64,
    /// Its shortest span.
    pub least: Span,
    /// Its longest span.
    pub most: Span,
}

/// Where a log's pauses are cut into bands.
const CUTS: [u64; 7] =
    [0, WHOLE / 2, WHOLE / 10 * 9, WHOLE / 100 * 99, WHOLE / 1_000 * 999, WHOLE / 10_000 * 9_999, WHOLE];

impl Quantiles {
    /// A distribution by percentiles, `None` where they do not rise or do not reach from 0 to [`WHOLE`]. Each is the end of a band.
    pub fn by_percentiles(knots: Vec<(u64, Span)>) -> Option<Quantiles> {
        let rises = knots.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1);
        let is_whole =
            knots.first().is_some_and(|knot| knot.0 == 0) && knots.last().is_some_and(|knot| knot.0 == WHOLE);
        let cuts = knots.iter().map(|knot| knot.0).collect();
        (rises && is_whole && knots.len() > 1).then_some(Quantiles { knots, cuts })
    }

    /// The distribution of a sample; `None` where it is empty.
    pub fn of_sample(mut sample: Vec<Span>) -> Option<Quantiles> {
        sample.sort_unstable();
        let (first, last) = (*sample.first()?, *sample.last()?);
        let share = |index: usize| (index as u64 + 1) * WHOLE / (sample.len() as u64 + 1);
        let mut knots = vec![(0, first)];
        knots.extend(sample.iter().enumerate().map(|(index, span)| (share(index), *span)));
        knots.push((WHOLE, last));
        knots.dedup_by_key(|knot| knot.0);
        Some(Quantiles { knots, cuts: CUTS.to_vec() })
    }

    /// The bands, the shortest first.
    pub fn bands(&self) -> impl Iterator<Item = Band> + '_ {
        self.cuts.windows(2).map(|pair| Band {
            from: pair[0],
            to: pair[1],
            least: self.at(pair[0]),
            most: self.at(pair[1]),
        })
    }

    /// Everything as one band.
    pub fn whole(&self) -> Band {
        Band { from: 0, to: WHOLE, least: self.at(0), most: self.at(WHOLE) }
    }

    /// The span below which a share lies.
    pub fn at(&self, share: u64) -> Span {
        let above = self.knots.partition_point(|knot| knot.0 <= share);
        let Some((from, low)) = above.checked_sub(1).map(|index| self.knots[index]) else { return self.knots[0].1 };
        let Some((to, high)) = self.knots.get(above).copied() else { return low };
        let part = u128::from(share - from) * u128::from((high - low).0) / u128::from(to - from);
        low + Span(part as u64)
    }

    /// A span drawn from a band.
    pub fn draw(&self, band: Band, generator: &mut Xoshiro256PlusPlus) -> Span {
        self.at(band.from + below(generator, band.to - band.from))
    }

    /// The knots as choices take them: shares in units of 2^-32, microseconds above the shortest.
    pub fn table(&self) -> Vec<(u32, u32)> {
        let least = self.at(0);
        let scaled = |(share, span): &(u64, Span)| {
            let share = (u128::from(*share) << 32) / u128::from(WHOLE);
            (u32::try_from(share).unwrap_or(u32::MAX), u32::try_from((*span - least).0).unwrap_or(u32::MAX))
        };
        self.knots.iter().map(scaled).collect()
    }
}

/// A number below `count`, 0 where that is 0.
pub(super) fn below(generator: &mut Xoshiro256PlusPlus, count: u64) -> u64 {
    ((u128::from(generator.next_u64()) * u128::from(count)) >> 64) as u64
}

/// The pauses of a log: of each line the last span of time, where the line is nothing else or speaks of a pause. Java's `[gc] GC(3) Pause Young (Normal) 24M->4M(256M) 3.456ms`
/// is read, and so is a plain list, a span a line.
pub fn pauses_of_log(log: &str) -> Vec<Span> {
    log.lines().filter_map(|line| line_of_log(line.trim())).collect()
}

fn line_of_log(line: &str) -> Option<Span> {
    let last = line.rsplit(|char: char| char.is_whitespace()).next()?;
    let is_alone = last.len() == line.len();
    if is_alone || line.to_ascii_lowercase().contains("pause") { finely(last) } else { None }
}

/// A span that may say more than microseconds, which are cut off.
fn finely(text: &str) -> Option<Span> {
    let unit = text.find(|char: char| char.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(unit);
    let kept = match unit {
        "us" => 0,
        "ms" => 3,
        _ => 6,
    };
    let number = match number.split_once('.') {
        Some((whole, part)) if part.len() > kept && part.bytes().all(|byte| byte.is_ascii_digit()) => {
            if kept == 0 {
                whole.to_owned()
            } else {
                format!("{whole}.{}", &part[..kept])
            }
        }
        _ => number.to_owned(),
    };
    format!("{number}{unit}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_two_percentiles_it_is_even() {
        let knots = vec![(0, Span(0)), (WHOLE / 2, Span(100)), (WHOLE, Span(1_100))];
        let quantiles = Quantiles::by_percentiles(knots).expect("it rises");
        assert_eq!(
            [WHOLE / 4, WHOLE / 2, WHOLE / 4 * 3, WHOLE].map(|share| quantiles.at(share).0),
            [50, 100, 600, 1_100]
        );
        assert_eq!(
            quantiles.bands().map(|band| (band.least.0, band.most.0)).collect::<Vec<_>>(),
            [(0, 100), (100, 1_100)]
        );
        assert_eq!(Quantiles::by_percentiles(vec![(0, Span(5)), (WHOLE, Span(4))]), None);
    }

    #[test]
    fn a_log_of_java_or_a_plain_list_is_read() {
        let log = "[0.5s][info][gc] Using G1\n[2.345s][info][gc] GC(12) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.4567ms\n\
                   [9s][info][gc] GC(13) Concurrent Mark 12ms\n12ms\n1.5s\nnonsense\n";
        assert_eq!(pauses_of_log(log), [Span(3_456), Span(12_000), Span(1_500_000)]);
        let quantiles = Quantiles::of_sample(pauses_of_log(log)).expect("three pauses");
        assert_eq!(
            (quantiles.at(0), quantiles.at(WHOLE / 2), quantiles.at(WHOLE)),
            (Span(3_456), Span(12_000), Span(1_500_000))
        );
        assert_eq!(Quantiles::of_sample(Vec::new()), None);
    }
}
