//! How simple a run is.

use crate::time::Time;

/// How simple a run is: fewest faults first, then fewest choices, then shortest. Packed into one number, which compares in that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost(u64);

const TIME_BITS: u32 = 44;
const CHOICE_BITS: u32 = 12;

impl Cost {
    /// Before the first step.
    pub const NOTHING: Cost = Cost(0);

    /// The cost of a run. More than 255 faults, 4,095 choices or 203 days count as that many.
    pub fn new(faults: u32, choices: u32, length: Time) -> Cost {
        let faults = u64::from(faults.min((1 << (64 - TIME_BITS - CHOICE_BITS)) - 1));
        let choices = u64::from(choices.min((1 << CHOICE_BITS) - 1));
        let length = length.0.min((1 << TIME_BITS) - 1);
        Cost(faults << (TIME_BITS + CHOICE_BITS) | choices << TIME_BITS | length)
    }

    /// The same faults and choices in a run of this length.
    pub(super) fn lasting(self, length: Time) -> Cost {
        Cost::new(self.faults(), self.choices(), length)
    }

    /// How many faults.
    pub fn faults(self) -> u32 {
        (self.0 >> (TIME_BITS + CHOICE_BITS)) as u32
    }

    /// How many choices that were not the default.
    pub fn choices(self) -> u32 {
        (self.0 >> TIME_BITS) as u32 & ((1 << CHOICE_BITS) - 1)
    }

    /// How long the run is.
    pub fn length(self) -> Time {
        Time(self.0 & ((1 << TIME_BITS) - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_faults_come_before_fewer_choices_before_a_shorter_run() {
        let simple = Cost::new(1, 0, Time(9_000_000));
        let chosen = Cost::new(1, 1, Time(5));
        let hard = Cost::new(2, 0, Time(1));
        assert!(Cost::NOTHING < simple && simple < chosen && chosen < hard);
        assert_eq!((chosen.faults(), chosen.choices(), chosen.length()), (1, 1, Time(5)));
    }
}
