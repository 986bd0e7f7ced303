//! Where runs can turn off: what a search keeps of the ways that it has not gone yet.
//!
//! A run goes on by default answers. Wherever it was asked for something that costs (a fault, a choice), it could have turned off, into a dearer layer of the search, whose
//! turn comes later. Nothing of such a turn is kept but the step at which it is: a [`Stretch`] has the world where a run began, shared with the runs that began beside it,
//! and a bit for each of the following steps. When its layer's turn comes, the run is walked once more, and turned off at each marked step.

use std::sync::Arc;

use super::Cost;
use super::onlooker::Onlooker;
use crate::choices::{Asked, ChoiceLabel};
use crate::sim::{Model, World};
use crate::time::Time;

/// A world that a judge looks on at.
pub(super) type Judged = World<Model, Onlooker>;

/// The most steps of a stretch: one bit each.
const LONGEST: u32 = u32::BITS;

/// What turning off costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Nothing: a fault ends sooner or later.
    Free,
    /// One choice that is not the default.
    Choice,
    /// One fault.
    Fault,
}

impl Turn {
    /// The turn that another answer to a question is.
    pub fn of(label: ChoiceLabel) -> Turn {
        match label {
            ChoiceLabel::Length => Turn::Free,
            ChoiceLabel::Fault => Turn::Fault,
            ChoiceLabel::Order
            | ChoiceLabel::NodeOrder
            | ChoiceLabel::Delay
            | ChoiceLabel::Jitter
            | ChoiceLabel::Loss
            | ChoiceLabel::Duplicate => Turn::Choice,
        }
    }

    /// What a run costs after the turn that cost so much before it.
    pub fn added_to(self, cost: Cost) -> Cost {
        let (faults, choices) = match self {
            Turn::Free => (0, 0),
            Turn::Choice => (0, 1),
            Turn::Fault => (1, 0),
        };
        Cost::new(cost.faults() + faults, cost.choices() + choices, cost.length())
    }
}

/// A world as it was, counted while anybody needs it.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub world: Judged,
    _counted: Arc<()>,
}

/// Where a walk begins.
#[derive(Clone, Debug)]
struct Origin {
    snapshot: Arc<Snapshot>,
    /// The answers of a first step from there; `None`: it begins right there.
    way: Option<Box<[u32]>>,
}

/// The steps that a run has gone since its last turn, and at which of them it could have turned off.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    origin: Origin,
    /// The cost of its first state.
    began: Cost,
    steps: u32,
    choices: u32,
    faults: u32,
}

/// Some steps of a run from which turns of one kind have not been taken.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    origin: Origin,
    /// The cost of its first state.
    pub began: Cost,
    /// The least that a run costs which turns off here.
    pub cost: Cost,
    /// The answers that were given in its first step, where it has only one.
    pub given: Box<[u32]>,
    pub turn: Turn,
    marks: u32,
}

impl Snapshot {
    /// A snapshot, counted by the number of holders of `census`.
    pub fn new(world: Judged, census: &Arc<()>) -> Arc<Snapshot> {
        Arc::new(Snapshot { world, _counted: census.clone() })
    }
}

impl Origin {
    fn world(&self) -> Judged {
        let mut world = self.snapshot.world.clone();
        if let Some(way) = &self.way {
            world.choices_mut().prepare(way);
            let Ok(_) = world.stride();
        }
        world
    }
}

impl Trail {
    /// The trail of a run that begins with a step of these answers.
    pub fn after(snapshot: Arc<Snapshot>, way: &[u32], began: Cost) -> Trail {
        Trail { origin: Origin { snapshot, way: Some(way.into()) }, began, steps: 0, choices: 0, faults: 0 }
    }

    /// The trail of a run that begins, or goes on, right there.
    pub fn from(snapshot: Arc<Snapshot>, began: Cost) -> Trail {
        Trail { origin: Origin { snapshot, way: None }, began, steps: 0, choices: 0, faults: 0 }
    }

    /// Takes note of a step and of what was asked in it.
    pub fn step(&mut self, asked: &[Asked]) {
        for asked in asked {
            match Turn::of(asked.label) {
                Turn::Free => {}
                Turn::Choice => self.choices |= 1 << self.steps,
                Turn::Fault => self.faults |= 1 << self.steps,
            }
        }
        self.steps += 1;
    }

    /// Whether it has no room for another step.
    pub fn is_full(&self) -> bool {
        self.steps == LONGEST
    }

    /// What could have been done otherwise along it.
    pub fn stretches(self) -> impl Iterator<Item = Stretch> {
        let Trail { origin, began, choices, faults, .. } = self;
        let marked = [(Turn::Choice, choices), (Turn::Fault, faults)].into_iter().filter(|(_, marks)| *marks != 0);
        marked.map(move |(turn, marks)| {
            let (origin, cost) = (origin.clone(), turn.added_to(began));
            Stretch { origin, began, cost, given: Box::default(), turn, marks }
        })
    }
}

impl Stretch {
    /// The one step from a snapshot in which these answers were given; `cost` is what it costs with them.
    pub fn within(snapshot: Arc<Snapshot>, began: Cost, given: &[u32], cost: Cost, turn: Turn) -> Stretch {
        let (origin, cost) = (Origin { snapshot, way: None }, turn.added_to(cost));
        Stretch { origin, began, cost, given: given.into(), turn, marks: 1 }
    }

    /// The world just before its first turn.
    pub fn base(&self, census: &Arc<()>) -> Arc<Snapshot> {
        let steps = self.marks.trailing_zeros();
        if self.origin.way.is_none() && steps == 0 {
            return self.origin.snapshot.clone();
        }
        let mut world = self.origin.world();
        for _ in 0..steps {
            world.choices_mut().prepare(&[]);
            let Ok(_) = world.stride();
        }
        Snapshot::new(world, census)
    }

    /// What is left of it after its first turn; `here` is the world after that step, `now` its time.
    pub fn rest(&self, now: Time, here: impl FnOnce() -> Arc<Snapshot>) -> Option<Stretch> {
        let marks = self.marks.checked_shr(self.marks.trailing_zeros() + 1).filter(|marks| *marks != 0)?;
        let at = |cost: Cost| Cost::new(cost.faults(), cost.choices(), now);
        let (began, cost) = (at(self.began), at(self.cost));
        Some(Stretch {
            origin: Origin { snapshot: here(), way: None },
            began,
            cost,
            marks,
            given: Box::default(),
            turn: self.turn,
        })
    }
}
