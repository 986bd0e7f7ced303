//! Walking to many waiting stretches at once: what their ways have in common is walked once.
//!
//! Stretches that wait for nearly the same turn are neighbours: their runs began alike. Their ways are laid side by side in order, like words in a dictionary, and gone through as a tree:
//! one world walks along the trunk, and at each turn another one leaves it.

use std::sync::Arc;

use super::trail::{Judged, Leg, Stretch, step, walk};

/// A stretch on the way to which a world is sent.
struct Errand<'a> {
    stretch: &'a mut Stretch,
    legs: Vec<Arc<Leg>>,
}

/// Where a way leaves the trunk: after so many steps, by a turn with these answers; without answers, it ends there.
type Exit<'a> = (u32, Option<&'a [u32]>);

/// Brings the worlds of these stretches to hand, each just before its first turn. Gives how many there were.
pub(super) fn bring_to_hand<'a>(stretches: impl Iterator<Item = &'a mut Stretch>) -> usize {
    let mut errands: Vec<Errand> = stretches.map(Errand::new).collect();
    errands.sort_by(|one, other| one.start().cmp(&other.start()).then_with(|| one.exits().cmp(other.exits())));
    for errands in errands.chunk_by_mut(|one, other| one.start() == other.start()) {
        let world = errands[0].stretch.way().snapshot.world.clone();
        go(world, 0, errands);
    }
    errands.len()
}

impl<'a> Errand<'a> {
    fn new(stretch: &'a mut Stretch) -> Errand<'a> {
        stretch.skip_to_first_turn();
        Errand { legs: stretch.way().legs(), stretch }
    }

    /// The snapshot from which it starts. Which of two comes first matters to nobody.
    fn start(&self) -> *const Judged {
        &raw const self.stretch.way().snapshot.world
    }

    /// The exit behind so many turns.
    fn exit(&self, turns: usize) -> Exit<'_> {
        self.legs.get(turns).map_or((self.stretch.way().steps, None), |leg| (leg.steps, Some(&leg.way)))
    }

    fn exits(&self) -> impl Iterator<Item = Exit<'_>> {
        (0..=self.legs.len()).map(|turns| self.exit(turns))
    }
}

/// Lets a world go on behind so many turns, which all these errands have in common.
fn go(mut world: Judged, turns: usize, errands: &mut [Errand]) {
    let mut gone = 0;
    for errands in errands.chunk_by_mut(|one, other| one.exit(turns) == other.exit(turns)) {
        let (steps, way) = errands[0].exit(turns);
        walk(&mut world, steps - gone);
        gone = steps;
        let mut other = world.clone();
        if let Some(way) = way {
            step(&mut other, way);
            go(other, turns + 1, errands);
        } else {
            let arrived = Arc::new(other);
            errands.iter_mut().for_each(|errand| errand.stretch.bring(arrived.clone()));
        }
    }
}
