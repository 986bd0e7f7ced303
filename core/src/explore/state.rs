//! How a search knows a state again, and which states it need not look at.
//!
//! *Dominance*: a state that was met while more faults were left to the adversary is worth no second look with fewer. Whatever can happen from the second can happen from the first, with
//! the same faults and choices from there on, and at a lesser cost, since the first had struck fewer. So a pause that changed nothing, a crash of somebody who had nothing left to do, a step of
//! a clock by which nobody counts do not make the search go over the rest of the run again.

use std::hash::{Hash, Hasher};

use super::fingerprint::Fingerprint;
use super::runs::Judged;
use super::visited::Visited;
use crate::sim::Allowance;

/// What a world and its judge come to, but for the faults that are left to the adversary.
#[derive(Clone, Copy, Debug)]
pub(super) struct State(Fingerprint);

impl State {
    /// The state of a world; `is_over`: nothing is left to happen.
    pub fn of(world: &mut Judged, is_over: bool) -> State {
        let now = world.now();
        world.sink_mut().judge.advance(now);
        let mut hasher = Fingerprint::new();
        is_over.hash(&mut hasher);
        world.remember_all_but_allowance(&mut hasher);
        world.sink().judge.remember(&mut hasher);
        State(hasher)
    }

    /// Its fingerprint, with the faults that are left.
    pub fn fingerprint(self, world: &Judged) -> u64 {
        self.with(world, world.allowance_left().unwrap_or_default())
    }

    /// Whether it was met when more faults of those allowed at first were left.
    pub fn is_dominated(self, world: &Judged, allowed: Allowance, visited: &Visited) -> bool {
        let left = world.allowance_left().unwrap_or(allowed);
        left.richer(allowed).any(|richer| visited.has(self.with(world, richer)))
    }

    fn with(self, world: &Judged, left: Allowance) -> u64 {
        let mut hasher = self.0;
        world.remember_allowance(left, &mut hasher);
        hasher.finish()
    }
}
