//! How simple a run is.

use crate::i18n::Text;
use crate::say;
use crate::time::Time;

/// How simple a run is: fewest faults first, then fewest choices, then shortest. Packed into one number, which compares in that order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

    /// What a search has looked at in full that has come to runs with as many faults and choices.
    pub fn done_before(self) -> Text {
        let (faults, choices) = (self.faults(), self.choices());
        match (faults, choices) {
            (0, 0) => say!("not even the run without a fault", "连没有故障的运行都还没查完"),
            (_, 0) => {
                say!("every run with fewer than {faults} faults", "少于 {faults} 个故障的全部运行", faults = faults)
            }
            (0, _) => say!(
                "every run without a fault and with fewer than {choices} other choices",
                "没有故障、其他选择少于 {choices} 个的全部运行",
                choices = choices
            ),
            (..) => say!(
                "every run with fewer than {faults} faults, and with {faults} those with fewer than {choices} other choices",
                "少于 {faults} 个故障的全部运行，以及 {faults} 个故障、其他选择少于 {choices} 个的运行",
                faults = faults,
                choices = choices
            ),
        }
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
