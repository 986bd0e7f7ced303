//! The states that have been met, each with the least cost at which it was.

use super::Cost;

/// A table of fingerprints: 16 bytes a slot, four fifths of them taken at most, and about two thirds at least once it has grown.
///
/// It is made of segments that grow one by one, each by a quarter: while one is copied, all the others stay as they are.
#[derive(Clone, Debug)]
pub(super) struct Visited {
    segments: Vec<Segment>,
    count: usize,
    slots: usize,
}

/// The fingerprints with the same low bits.
#[derive(Clone, Debug)]
struct Segment {
    /// Fingerprint 0 means an empty slot. A fingerprint stands as near as possible behind the place that its high bits give it.
    slots: Vec<(u64, Cost)>,
    taken: usize,
}

const SEGMENTS: usize = 64;
const FIRST: usize = 16;

impl Visited {
    pub fn new() -> Visited {
        let segment = Segment { slots: vec![(0, Cost::NOTHING); FIRST], taken: 0 };
        Visited { segments: vec![segment; SEGMENTS], count: 0, slots: SEGMENTS * FIRST }
    }

    /// How many states there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.slots * size_of::<(u64, Cost)>()
    }

    /// Whether a state was met, at whatever cost.
    pub fn has(&self, fingerprint: u64) -> bool {
        let fingerprint = fingerprint.max(1);
        let segment = &self.segments[fingerprint as usize % SEGMENTS];
        segment.slots[segment.slot(fingerprint)].0 != 0
    }

    /// Notes that a state was met at this cost; false if it had been met at this or a lesser one.
    pub fn meet(&mut self, fingerprint: u64, cost: Cost) -> bool {
        let fingerprint = fingerprint.max(1);
        let segment = &mut self.segments[fingerprint as usize % SEGMENTS];
        let slot = segment.slot(fingerprint);
        let (taken, known) = &mut segment.slots[slot];
        if *taken != 0 {
            let better = cost < *known;
            *known = cost.min(*known);
            return better;
        }
        segment.slots[slot] = (fingerprint, cost);
        segment.taken += 1;
        self.count += 1;
        if segment.taken * 5 > segment.slots.len() * 4 {
            self.slots += segment.grow();
        }
        true
    }
}

impl Segment {
    /// The slot of a fingerprint, or the empty one where it would go.
    fn slot(&self, fingerprint: u64) -> usize {
        let mut slot = ((u128::from(fingerprint) * self.slots.len() as u128) >> 64) as usize;
        while self.slots[slot].0 != 0 && self.slots[slot].0 != fingerprint {
            slot += 1;
            if slot == self.slots.len() {
                slot = 0;
            }
        }
        slot
    }

    /// Grows by a quarter; gives how many slots there are more.
    fn grow(&mut self) -> usize {
        let more = self.slots.len() / 4;
        let larger = vec![(0, Cost::NOTHING); self.slots.len() + more];
        for (fingerprint, cost) in std::mem::replace(&mut self.slots, larger) {
            if fingerprint != 0 {
                let slot = self.slot(fingerprint);
                self.slots[slot] = (fingerprint, cost);
            }
        }
        more
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
        assert_eq!(visited.count(), 5_000);
        assert!(visited.bytes() < 5_000 * 26, "{}", visited.bytes());
    }
}
