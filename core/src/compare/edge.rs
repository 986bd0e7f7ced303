//! Where the edge of a broken cell lies: how long its fault may last before anything breaks.
//!
//! The cell is played again with other lengths, at the same moments: on a grid first, then half-way between neighbours that came out differently, as an
//! [`Envelope`] asks. A length counts as broken if it breaks the resource at any moment.

use super::cell::Stage;
use super::judgement::Severity;
use super::placement::lasting;
use super::{Cell, Threat, scene};
use crate::explore::envelope::{Envelope, Outcome};
use crate::scenario::Fault;
use crate::time::Span;

/// How fine the edge is told.
const UNIT: Span = Span::from_millis(50);
/// How far apart the first samples lie.
const GRID: Span = Span::from_millis(500);

/// The edge between lengths that held and lengths that broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Up to this length nothing broke.
    pub held: Span,
    /// The shortest length that broke.
    pub broken: Span,
}

impl Cell {
    /// The first edge of a threat that has a length (a pause, a delay, a clock's step, the work). `None`: it has none, or nothing holds however short it is.
    pub fn edge(&self) -> Option<Edge> {
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
        let longest = stage.longest();
        let mut envelope = Envelope::new(UNIT.0, longest.0, GRID.0, UNIT.0, &[]);
        loop {
            let pending = envelope.pending();
            if pending.is_empty() {
                break;
            }
            for length in pending {
                let outcome = if self.breaks(&stage, Span(length)) { Outcome::Broken } else { Outcome::Held };
                envelope.settle(length, vec![outcome]);
            }
        }
        match envelope.stretches(0).as_slice() {
            [held, broken, ..] if held.outcome == Outcome::Held => {
                Some(Edge { held: Span(held.to), broken: Span(broken.from) })
            }
            _ => None,
        }
    }

    /// Whether this length breaks the resource at any of the moments.
    fn breaks(&self, stage: &Stage, length: Span) -> bool {
        let is_broken = |stage: &Stage, faults: &[Fault]| stage.play(faults, self.threat).severity == Severity::Broken;
        if self.threat == Threat::LongWork {
            let (scene, settings) = scene::working(&self.mechanism, length);
            return Stage::new(scene, settings, self.mechanism.lock).is_ok_and(|stage| is_broken(&stage, &[]));
        }
        lasting(self.threat, stage, length).iter().any(|faults| is_broken(stage, faults))
    }
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
