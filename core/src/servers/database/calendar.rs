//! Instants as PostgreSQL prints them.

use std::fmt;

/// A day and a time of day in UTC.
///
/// The run's epoch is taken for the start of the year 2026, so that the instants of a run look like instants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Calendar {
    year: i64,
    month: i64,
    day: i64,
    micros: i64,
}

/// Days from 1970-01-01 to 2026-01-01.
const EPOCH_DAYS: i64 = 20_454;
const DAY: i64 = 86_400_000_000;

/// The instant at which a run's clocks show 0: what `extract(epoch from ...)` gives there, in microseconds.
pub const EPOCH: i64 = EPOCH_DAYS * DAY;

impl Calendar {
    /// The calendar's view of a run's wall clock. Days to a date: the proleptic Gregorian calendar in eras of 400 years.
    pub(super) fn of(micros: i64) -> Calendar {
        let days = micros.div_euclid(DAY) + EPOCH_DAYS + 719_468;
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        Calendar {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * shifted + 2) / 5 + 1,
            micros: micros.rem_euclid(DAY),
        }
    }
}

/// `2026-01-01 00:00:10.5+00`
impl fmt::Display for Calendar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Calendar { year, month, day, micros } = self;
        let seconds = micros / 1_000_000;
        let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        write!(f, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")?;
        match micros % 1_000_000 {
            0 => {}
            part => f.write_str(format!(".{part:06}").trim_end_matches('0'))?,
        }
        f.write_str("+00")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_print_as_postgresql_prints_them_in_utc() {
        let at = |micros| Calendar::of(micros).to_string();
        assert_eq!(at(0), "2026-01-01 00:00:00+00");
        assert_eq!(at(10_500_000), "2026-01-01 00:00:10.5+00");
        assert_eq!(at(-1), "2025-12-31 23:59:59.999999+00");
        assert_eq!(at(59 * DAY), "2026-03-01 00:00:00+00");
        // 2028 is a leap year.
        assert_eq!(at((365 * 2 + 59) * DAY), "2028-02-29 00:00:00+00");
    }
}
