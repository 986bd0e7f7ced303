//! The states that have been met, each with the least cost at which it was.

use super::Cost;

/// A table of fingerprints: 16 bytes a slot, between a half and three quarters of them taken once it has grown.
#[derive(Clone, Debug)]
pub(super) struct Visited {
    /// A power of two. Fingerprint 0 means an empty slot.
    slots: Vec<(u64, Cost)>,
    count: usize,
}

impl Visited {
    pub fn new() -> Visited {
        Visited { slots: vec![(0, Cost::NOTHING); 1_024], count: 0 }
    }

    /// How many states there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many bytes it takes; shortly before it grows, how many it will take meanwhile: the old table and the new one.
    pub fn bytes(&self) -> usize {
        /// The most states that are met between two looks at the memory.
        const AHEAD: usize = 8_192;
        let is_full = (self.count + AHEAD) * 4 > self.slots.len() * 3;
        self.slots.len() * size_of::<(u64, Cost)>() * if is_full { 3 } else { 1 }
    }

    /// Notes that a state was met at this cost; false if it had been met at this or a lesser one.
    pub fn meet(&mut self, fingerprint: u64, cost: Cost) -> bool {
        let slot = self.slot(fingerprint);
        let (taken, known) = &mut self.slots[slot];
        if *taken != 0 {
            let better = cost < *known;
            *known = cost.min(*known);
            return better;
        }
        self.slots[slot] = (fingerprint.max(1), cost);
        self.count += 1;
        if self.count * 4 > self.slots.len() * 3 {
            self.grow();
        }
        true
    }

    /// The least cost at which a state was met.
    pub fn cost(&self, fingerprint: u64) -> Option<Cost> {
        let (taken, cost) = self.slots[self.slot(fingerprint)];
        (taken != 0).then_some(cost)
    }

    /// The slot of a fingerprint, or the empty one where it would go.
    fn slot(&self, fingerprint: u64) -> usize {
        let fingerprint = fingerprint.max(1);
        let mask = self.slots.len() - 1;
        let mut slot = fingerprint as usize & mask;
        while self.slots[slot].0 != 0 && self.slots[slot].0 != fingerprint {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let larger = vec![(0, Cost::NOTHING); self.slots.len() * 2];
        for (fingerprint, cost) in std::mem::replace(&mut self.slots, larger) {
            if fingerprint != 0 {
                let slot = self.slot(fingerprint);
                self.slots[slot] = (fingerprint, cost);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Time;

    #[test]
    fn a_state_is_met_anew_only_at_a_lesser_cost() {
        let mut visited = Visited::new();
        let cost = |length| Cost::new(0, 0, Time(length));
        for state in 0..5_000 {
            assert!(visited.meet(state * 0x1_0001, cost(7)));
        }
        assert_eq!(visited.count(), 5_000);
        for state in 0..5_000 {
            assert!(!visited.meet(state * 0x1_0001, cost(7)));
            assert!(!visited.meet(state * 0x1_0001, cost(8)));
            assert!(visited.meet(state * 0x1_0001, cost(6)));
        }
        assert_eq!((visited.count(), visited.cost(0x1_0001)), (5_000, Some(cost(6))));
    }
}
