//! Where the edge of a broken cell lies: how long its fault may last before anything breaks.
//!
//! The cell is played again with other lengths, at the same moments: every half second from the shortest on, until one breaks; then half-way between that and
//! the one before, down to [`UNIT`]. A length counts as broken if it breaks the resource at any moment.

use super::cell::Stage;
use super::judgement::Severity;
use super::placement::lasting;
use super::{Cell, Threat, scene};
use crate::i18n::Text;
use crate::say;
use crate::scenario::Fault;
use crate::time::Span;

/// How fine an edge is told.
pub const UNIT: Span = Span::from_millis(50);
/// How many units the first lengths lie apart.
const STRIDE: u64 = 10;

/// The edge between lengths that held and lengths that broke, [`UNIT`] apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// Up to this length nothing broke.
    pub held: Span,
    /// The shortest length that broke.
    pub broken: Span,
}

impl Edge {
    /// The bound in a sentence; the threat says what has the length.
    pub fn sentence(&self, threat: Threat) -> Text {
        let held = self.held;
        let bound = match threat {
            Threat::LongWork => say!("if the work takes {held} at most", "工作不超过 {held}", held = held),
            Threat::LateRequest => say!("if it comes {held} late at most", "迟到不超过 {held}", held = held),
            Threat::ClockOne | Threat::ClockMajority | Threat::ClockClient => {
                say!("if the step is {held} at most", "跳变不超过 {held}", held = held)
            }
            _ => say!("if it lasts {held} at most", "持续不超过 {held}", held = held),
        };
        say!(
            "safe only {bound}: tried at the same moments, nothing broke up to there, and {broken} broke it",
            "只有{bound}才守得住：在同样的时刻逐一尝试，到此为止都没有破坏，{broken} 就破坏了",
            bound = bound,
            broken = self.broken
        )
    }
}

impl Cell {
    /// The first edge of a threat that has a length (a pause, a delay, a clock's step, the work). `None`: it has none, or nothing holds however short it is.
    pub(super) fn edge(&self) -> Option<Edge> {
        let (scene, variants) = scene::variants(&self.mechanism, self.threat);
        let stage = match self.threat {
            Threat::Pause
            | Threat::PauseAfterCheck
            | Threat::LateRequest
            | Threat::ClockOne
            | Threat::ClockMajority
            | Threat::ClockClient
            | Threat::LongWork => Stage::new(scene, variants.into_iter().next()?, self.mechanism.lock).ok()?,
            _ => return None,
        };
        let mut suspect = 0;
        first_edge(stage.longest().0 / UNIT.0, |units| self.breaks(&stage, Span(units * UNIT.0), &mut suspect))
    }

    /// Whether this length breaks the resource at any of the moments. The moment that broke it last time is tried first.
    fn breaks(&self, stage: &Stage, length: Span, suspect: &mut usize) -> bool {
        let is_broken = |stage: &Stage, faults: &[Fault]| stage.play(faults, self.threat).severity == Severity::Broken;
        if self.threat == Threat::LongWork {
            let (scene, settings) = scene::working(&self.mechanism, length);
            return Stage::new(scene, settings, self.mechanism.lock).is_ok_and(|stage| is_broken(&stage, &[]));
        }
        let runs = lasting(self.threat, stage, length);
        if runs.get(*suspect).is_some_and(|faults| is_broken(stage, faults)) {
            return true;
        }
        let broken = runs.iter().position(|faults| is_broken(stage, faults));
        *suspect = broken.unwrap_or(*suspect);
        broken.is_some()
    }
}

/// The first edge from one unit up to so many.
fn first_edge(longest: u64, mut breaks: impl FnMut(u64) -> bool) -> Option<Edge> {
    let lengths = (1..longest).step_by(STRIDE as usize).chain([longest]);
    let mut held = None;
    let mut broken = None;
    for length in lengths {
        if breaks(length) {
            broken = Some(length);
            break;
        }
        held = Some(length);
    }
    let (mut held, mut broken) = held.zip(broken)?;
    while broken - held > 1 {
        let middle = held + (broken - held) / 2;
        *(if breaks(middle) { &mut broken } else { &mut held }) = middle;
    }
    Some(Edge { held: Span(held * UNIT.0), broken: Span(broken * UNIT.0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::mechanisms_named;

    fn edge(mechanism: &str, threat: Threat) -> Option<Edge> {
        let mechanism = mechanisms_named(mechanism).expect("it is one").remove(0);
        Cell { mechanism, threat }.edge()
    }

    #[test]
    fn the_first_edge_is_found_to_the_unit_wherever_it_lies() {
        for shortest in 2..=100 {
            let found = first_edge(100, |length| length >= shortest).expect("both sides are there");
            assert_eq!((found.held.0 / UNIT.0, found.broken.0 / UNIT.0), (shortest - 1, shortest));
        }
        assert_eq!(first_edge(100, |_| true), None, "nothing holds");
        assert_eq!(first_edge(100, |_| false), None, "nothing breaks");
    }

    #[test]
    fn work_breaks_a_lease_as_soon_as_it_is_longer() {
        let edge = edge("token-lua+nothing", Threat::LongWork).expect("short work holds");
        assert!(edge.held < Span::from_millis(3_200) && edge.broken <= Span::from_millis(3_200), "{edge:?}");
        assert_eq!(edge.broken.0 - edge.held.0, UNIT.0);
    }

    #[test]
    fn a_pause_is_harmless_while_work_and_pause_fit_into_the_lease() {
        let edge = edge("token-lua+nothing", Threat::Pause).expect("a short pause holds");
        assert!(Span::from_millis(1_000) < edge.held && edge.broken < Span::from_secs(2), "{edge:?}");
    }

    #[test]
    fn what_has_no_length_has_no_edge() {
        assert_eq!(edge("token-lua+nothing", Threat::Failover), None);
    }
}
