//! A property's fold: what it keeps, and what it is asked.

use std::hash::Hasher;

use super::facts::Facts;
use super::properties::{
    available, continuity, exactly_once, fairness, false_success, fencing_monotonic, foreign_release, lost_update,
    mutual_exclusion, no_deadlock, overrun, oversell, progress, stale_write,
};
use super::{Property, Violation};
use crate::history::{Event, Header};
use crate::time::Time;

/// What a monitor knows so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Nothing happened that could break the property.
    Untested,
    /// It was put to the test and is not broken.
    Kept,
    /// Whether it is broken depends on what did not happen any more.
    Open,
    /// It is broken.
    Broken,
}

/// The fold of one property.
///
/// State is of two kinds: what is needed to judge, bounded and compared, and the evidence, which only readers want.
pub trait Watch {
    /// Time goes from `facts.now` to `until` and nothing happens meanwhile; `until` is later.
    fn elapse(&mut self, _facts: &Facts, _until: Time) {}

    /// `event` happens; `before` is what was so just before it.
    fn step(&mut self, before: &Facts, event: &Event);

    /// What is known now.
    fn finding(&self) -> Finding;

    /// The violations so far, by time.
    fn violations(&self) -> Vec<Violation>;

    /// Feeds the judging state into a hasher, in times relative to `facts.now`.
    fn remember<H: Hasher>(&self, facts: &Facts, hasher: &mut H);
}

/// `Broken`, `Kept` or `Untested`, for the usual monitor.
pub fn finding(broken: bool, tested: bool) -> Finding {
    match (broken, tested) {
        (true, _) => Finding::Broken,
        (false, true) => Finding::Kept,
        (false, false) => Finding::Untested,
    }
}

macro_rules! monitors {
    ($($property:ident => $module:ident),* $(,)?) => {
        /// The monitor of one property.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Monitor {
            $($property($module::Monitor)),*
        }

        impl Monitor {
            /// The monitor of a property before the first event.
            pub fn start(property: Property, header: &Header) -> Monitor {
                match property {
                    $(Property::$property => Monitor::$property($module::Monitor::start(header))),*
                }
            }
        }

        impl Watch for Monitor {
            fn elapse(&mut self, facts: &Facts, until: Time) {
                match self { $(Monitor::$property(monitor) => monitor.elapse(facts, until)),* }
            }

            fn step(&mut self, before: &Facts, event: &Event) {
                match self { $(Monitor::$property(monitor) => monitor.step(before, event)),* }
            }

            fn finding(&self) -> Finding {
                match self { $(Monitor::$property(monitor) => monitor.finding()),* }
            }

            fn violations(&self) -> Vec<Violation> {
                match self { $(Monitor::$property(monitor) => monitor.violations()),* }
            }

            fn remember<H: Hasher>(&self, facts: &Facts, hasher: &mut H) {
                match self { $(Monitor::$property(monitor) => monitor.remember(facts, hasher)),* }
            }
        }
    };
}

monitors! {
    MutualExclusion => mutual_exclusion,
    NoOverrun => overrun,
    NoStaleWrite => stale_write,
    NoLostUpdate => lost_update,
    NoForeignRelease => foreign_release,
    NoFalseSuccess => false_success,
    Continuity => continuity,
    NoDeadlock => no_deadlock,
    Progress => progress,
    Available => available,
    FencingMonotonic => fencing_monotonic,
    NoOversell => oversell,
    ExactlyOnce => exactly_once,
    Fairness => fairness,
}
