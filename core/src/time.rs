//! Virtual time: integer microseconds, and the clocks that misread it.
//!
//! There is one true time in a run, [`Time`], counted from its start. Nobody inside the run can read it. Every client and
//! server reads a [`LocalClock`], which may be ahead, drift or step.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};
use std::str::FromStr;

/// A length of time in microseconds, never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(pub u64);

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);

    /// A span of whole milliseconds.
    pub const fn from_millis(millis: u64) -> Span {
        Span(millis * 1_000)
    }

    /// A span of whole seconds.
    pub const fn from_secs(secs: u64) -> Span {
        Span(secs * 1_000_000)
    }

    /// Microseconds.
    pub const fn micros(self) -> u64 {
        self.0
    }

    /// Whole milliseconds, rounded down.
    pub const fn as_millis(self) -> u64 {
        self.0 / 1_000
    }
}

/// Shortest exact form with a unit: `10s`, `1.5s`, `250ms`, `12us`, `2h`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.0;
        if micros == 0 {
            return f.write_str("0s");
        }
        for (unit, size) in [("h", 3_600_000_000), ("m", 60_000_000)] {
            if micros.is_multiple_of(size) {
                return write!(f, "{}{unit}", micros / size);
            }
        }
        let (unit, size) = match micros {
            1_000_000.. => ("s", 1_000_000),
            1_000.. => ("ms", 1_000),
            _ => ("us", 1),
        };
        let (whole, part) = (micros / size, micros % size);
        if part == 0 {
            return write!(f, "{whole}{unit}");
        }
        let digits = size.ilog10() as usize;
        let fraction = format!("{part:0digits$}");
        write!(f, "{whole}.{}{unit}", fraction.trim_end_matches('0'))
    }
}

/// Why a text is not a span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpanError {
    /// It does not begin with digits such as `10` or `1.5`.
    #[error("a span of time begins with a number, such as 10s")]
    NoNumber,
    /// The unit is missing or none of ours.
    #[error("a span of time ends with a unit: us, ms, s, m, h or d")]
    NoUnit,
    /// It is not a whole number of microseconds.
    #[error("nothing shorter than a microsecond is told apart")]
    TooFine,
    /// It does not fit.
    #[error("a span of time is at most 100000d")]
    TooLong,
}

/// A number and its unit, without a space: `10s`, `1.5s`, `250ms`, `12us`, `5m`, `2h`, `100d`.
impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Span, SpanError> {
        let end = text.find(|char: char| !char.is_ascii_digit() && char != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
        if whole.is_empty() || part.is_empty() || part.contains('.') {
            return Err(SpanError::NoNumber);
        }
        let size: u64 = match unit {
            "us" => 1,
            "ms" => 1_000,
            "s" => 1_000_000,
            "m" => 60_000_000,
            "h" => 3_600_000_000,
            "d" => 86_400_000_000,
            _ => return Err(SpanError::NoUnit),
        };
        let part = part.trim_end_matches('0');
        let scale = 10_u128.checked_pow(part.len() as u32).filter(|_| part.len() < 20).ok_or(SpanError::TooFine)?;
        let whole: u128 = whole.parse().map_err(|_| SpanError::TooLong)?;
        let part: u128 = if part.is_empty() { 0 } else { part.parse().map_err(|_| SpanError::TooFine)? };
        if !(part * u128::from(size)).is_multiple_of(scale) {
            return Err(SpanError::TooFine);
        }
        let micros = whole.checked_mul(u128::from(size)).ok_or(SpanError::TooLong)? + part * u128::from(size) / scale;
        if micros > 100_000 * 86_400_000_000 {
            return Err(SpanError::TooLong);
        }
        Ok(Span(micros as u64))
    }
}

/// An instant of the run's true time: microseconds since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub u64);

impl Time {
    /// The start of the run.
    pub const START: Time = Time(0);

    /// Later than any instant of a run.
    pub const NEVER: Time = Time(u64::MAX);

    /// The span since `earlier`, zero when `earlier` is in fact later.
    pub const fn since(self, earlier: Time) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Sub<Span> for Time {
    type Output = Time;
    fn sub(self, span: Span) -> Time {
        Time(self.0.saturating_sub(span.0))
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        *self = *self + other;
    }
}

impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}

/// Seconds since the start with at most six decimals: `12.5s`.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 1_000_000, self.0 % 1_000_000);
        if part == 0 {
            return write!(f, "{whole}s");
        }
        let fraction = format!("{part:06}");
        write!(f, "{whole}.{}s", fraction.trim_end_matches('0'))
    }
}

/// The instant of a local clock that is so much later than another of its instants.
pub fn later(now: i64, by: Span) -> i64 {
    now.saturating_add(i64::try_from(by.micros()).unwrap_or(i64::MAX))
}

/// The span from one instant of a local clock to another, zero when the other is in fact earlier.
pub fn between(from: i64, to: i64) -> Span {
    Span(u64::try_from(to.saturating_sub(from)).unwrap_or(0))
}

/// What one machine's clocks show at one instant, in microseconds.
///
/// `wall` may jump (a clock step); `monotonic` only runs, perhaps too fast or too slow (drift).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalTime {
    /// The calendar clock, in microseconds since the run's epoch; can be negative after a step back.
    pub wall: i64,
    /// The monotonic clock, in microseconds since the run's start.
    pub monotonic: i64,
}

impl LocalTime {
    /// The wall clock in whole milliseconds, rounded down, as a server reads it.
    pub const fn wall_millis(self) -> i64 {
        self.wall.div_euclid(1_000)
    }
}

/// One machine's clock: its error against true time.
///
/// `wall = true + offset + drift`, `monotonic = true + drift`. Drift is parts per million and is accumulated from the instant it was set,
/// so changing it never makes a clock jump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalClock {
    offset: i64,
    drift_ppm: i64,
    drift_since: Time,
    drifted: i64,
}

impl LocalClock {
    /// What this clock shows at `now`.
    pub fn read(&self, now: Time) -> LocalTime {
        let monotonic = now.0 as i64 + self.drifted + self.drift_at(now);
        LocalTime { wall: monotonic + self.offset, monotonic }
    }

    /// The wall clock's error against true time, in microseconds.
    pub fn error(&self, now: Time) -> i64 {
        self.read(now).wall - now.0 as i64
    }

    /// The rate error, in parts per million.
    pub const fn drift_ppm(&self) -> i64 {
        self.drift_ppm
    }

    /// Moves the wall clock by `by` microseconds; the monotonic clock does not notice.
    pub fn step(&mut self, by: i64) {
        self.offset += by;
    }

    /// Sets the rate error from `now` on, in parts per million (positive: runs fast).
    pub fn set_drift(&mut self, now: Time, ppm: i64) {
        self.drifted += self.drift_at(now);
        self.drift_since = now;
        self.drift_ppm = ppm;
    }

    /// The first true instant, not before `now`, at which the wall clock shows at least `wall`.
    pub fn when_wall(&self, now: Time, wall: i64) -> Time {
        self.when(now, wall - self.offset)
    }

    /// The first true instant, not before `now`, at which the monotonic clock shows at least `monotonic`.
    pub fn when_monotonic(&self, now: Time, monotonic: i64) -> Time {
        self.when(now, monotonic)
    }

    fn when(&self, now: Time, monotonic: i64) -> Time {
        if self.read(now).monotonic >= monotonic {
            return now;
        }
        let wanted = i128::from(monotonic) - i128::from(self.drifted);
        if self.drift_ppm == 0 {
            return Time(u64::try_from(wanted).unwrap_or(u64::MAX));
        }
        let since = i128::from(self.drift_since.0);
        let rate = i128::from(1_000_000 + self.drift_ppm).max(1);
        // true + (true - since) * ppm / 1e6 >= wanted, solved for true and rounded up, then corrected for truncation.
        let guess = since + ((wanted - since) * 1_000_000 + rate - 1).div_euclid(rate);
        let mut time = Time(u64::try_from(guess).unwrap_or(u64::MAX)).max(now);
        while self.read(time).monotonic < monotonic && time < Time(i64::MAX as u64) {
            time += Span(1);
        }
        time
    }

    fn drift_at(&self, now: Time) -> i64 {
        if self.drift_ppm == 0 {
            return 0;
        }
        let elapsed = i128::from(now.since(self.drift_since).0);
        (elapsed * i128::from(self.drift_ppm)).div_euclid(1_000_000) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_print_in_their_shortest_exact_form() {
        for (micros, text) in [
            (0, "0s"),
            (12, "12us"),
            (1_500, "1.5ms"),
            (250_000, "250ms"),
            (10_001_000, "10.001s"),
            (35_000_000, "35s"),
            (120_000_000, "2m"),
            (7_200_000_000, "2h"),
        ] {
            assert_eq!(Span(micros).to_string(), text);
        }
    }

    #[test]
    fn spans_are_read_as_they_are_printed() {
        for micros in [12, 1_500, 250_000, 10_001_000, 35_000_000, 120_000_000, 7_200_000_000] {
            assert_eq!(Span(micros).to_string().parse(), Ok(Span(micros)));
        }
        for (text, error) in [
            ("", SpanError::NoNumber),
            ("s", SpanError::NoNumber),
            ("-1s", SpanError::NoNumber),
            (".5s", SpanError::NoNumber),
            ("1.s", SpanError::NoNumber),
            ("1.2.3s", SpanError::NoNumber),
            ("10", SpanError::NoUnit),
            ("10 s", SpanError::NoUnit),
            ("10min", SpanError::NoUnit),
            ("0.5us", SpanError::TooFine),
            ("0.00000000000000000000000000000000000000001s", SpanError::TooFine),
            ("100001d", SpanError::TooLong),
            ("1000000000000000000000000000000000000000000000s", SpanError::TooLong),
        ] {
            assert_eq!(text.parse::<Span>(), Err(error), "{text}");
        }
    }

    #[test]
    fn a_drifting_clock_finds_the_instant_that_it_will_show() {
        let mut clock = LocalClock::default();
        clock.set_drift(Time(5_000_000), -20_000);
        clock.step(-3_000_000);
        for wall in [0, 1, 7_777_777, 1_000_000_000] {
            let at = clock.when_wall(Time(5_000_000), wall);
            assert!(clock.read(at).wall >= wall);
            assert!(at == Time(5_000_000) || clock.read(at - Span(1)).wall < wall);
        }
    }

    #[test]
    fn a_step_moves_the_wall_clock_only() {
        let mut clock = LocalClock::default();
        clock.step(60_000_000);
        assert_eq!(clock.read(Time(1)), LocalTime { wall: 60_000_001, monotonic: 1 });
    }
}
