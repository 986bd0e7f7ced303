//! Where a value lies on a chart, and which values are written at its edge.

use crate::time::Span;

/// What the numbers of an axis count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Microseconds.
    Micros,
    /// Parts per million.
    Ppm,
}

impl Unit {
    /// A value as a reader sees it.
    pub fn show(self, value: u64) -> String {
        match self {
            Unit::Micros => Span(value).to_string(),
            Unit::Ppm => format!("{value}ppm"),
        }
    }
}

/// A stretch of numbers laid out over a stretch of pixels or columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    pub from: u64,
    pub to: u64,
    pub size: u64,
}

impl Scale {
    /// Where a value lies, from 0 to `size`.
    pub fn place(self, value: u64) -> u64 {
        let whole = self.to.saturating_sub(self.from).max(1);
        let part = value.clamp(self.from, self.to.max(self.from)) - self.from;
        (u128::from(part) * u128::from(self.size) / u128::from(whole)) as u64
    }

    /// Round values, at most about `most` of them.
    pub fn ticks(self, most: u64) -> Vec<u64> {
        let whole = self.to.saturating_sub(self.from).max(1);
        let mut step = 1_u64;
        for factor in [2, 5, 10].into_iter().cycle().zip(0..60) {
            if whole / step <= most {
                break;
            }
            let decade = 10_u64.saturating_pow(factor.1 / 3);
            step = decade.saturating_mul(factor.0);
        }
        let first = self.from.div_ceil(step) * step;
        (0..).map_while(|index: u64| Some(first + index * step).filter(|tick| *tick <= self.to)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        let scale = Scale { from: 1_000, to: 20_000_000, size: 100 };
        assert_eq!(scale.ticks(5), [5_000_000, 10_000_000, 15_000_000, 20_000_000]);
        assert_eq!((scale.place(0), scale.place(20_000_000), scale.place(10_000_500)), (0, 100, 50));
        assert_eq!(Scale { from: 7, to: 7, size: 9 }.ticks(4), [7]);
    }
}
