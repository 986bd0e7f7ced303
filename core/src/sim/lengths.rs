//! Faults of a fixed length, or one out of a range: an adversary then chooses where they strike, and nothing else.
//!
//! A client notices nothing between two things that happen to it. So a pause that begins anywhere between them does the same as any other, but for its end:
//! it is placed once, with the window of instants in which it may end, and where it ends decides where it began.

use super::adversary::FaultClass;
use crate::time::{Span, Time};

/// How long a fault of each class lasts, how far a clock steps, how late a message comes; a class without a length is as long as an adversary likes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lengths([Option<(Span, Span)>; FaultClass::ALL.len()]);

impl Lengths {
    /// The length of a class, from and to; `None`: any.
    pub fn of(&self, class: FaultClass) -> Option<(Span, Span)> {
        self.0[class as usize]
    }

    /// The same lengths with this one for a class.
    pub fn with(self, class: FaultClass, length: Span) -> Lengths {
        self.between(class, length, length)
    }

    /// The same lengths with a range for a class. Only for one that lasts; how far a clock steps and how late a message comes is always the longest.
    pub fn between(mut self, class: FaultClass, least: Span, most: Span) -> Lengths {
        self.0[class as usize] = Some((least.min(most), most));
        self
    }

    /// The classes with a length, with the longest of each.
    pub fn each(&self) -> impl Iterator<Item = (FaultClass, Span)> + '_ {
        FaultClass::ALL.iter().filter_map(|(_, class)| Some((*class, self.of(*class)?.1)))
    }
}

/// The instants at which a fault with a length may end, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Window {
    /// As if it had struck as soon as possible.
    pub from: Time,
    /// As if it had struck as late as possible.
    pub to: Time,
    /// The earliest instant at which it may have begun.
    pub soonest: Time,
}

impl Window {
    /// The ends worth trying after `now` and up to `late`, before the next thing happens; and whether it must be one of them.
    pub fn ends(self, now: Time, late: Time) -> (Vec<Time>, bool) {
        if self.to <= now {
            return (vec![now], true);
        }
        let (first, last) = (self.from.max(now + Span(1)), self.to.min(late));
        let mut ends = vec![first, last];
        ends.dedup();
        if first > last {
            ends.clear();
        }
        (ends, self.to <= late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_tried_at_both_ends_of_each_stretch_and_left_at_its_own() {
        let window = Window { from: Time(10), to: Time(20), soonest: Time(1) };
        assert_eq!(window.ends(Time(2), Time(9)), (vec![], false));
        assert_eq!(window.ends(Time(9), Time(15)), (vec![Time(10), Time(15)], false));
        assert_eq!(window.ends(Time(15), Time(16)), (vec![Time(16)], false));
        assert_eq!(window.ends(Time(16), Time(90)), (vec![Time(17), Time(20)], true));
        assert_eq!(window.ends(Time(20), Time(90)), (vec![Time(20)], true));
    }
}
