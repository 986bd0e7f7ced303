//! Where runs can turn off: what a search keeps of the ways that it has not gone yet.
//!
//! A run goes on by default answers. Wherever it was asked for something that costs (a fault, a choice), it could have turned off, into a dearer layer of the search, whose
//! turn comes later. Nothing of such a turn is kept but the step at which it is: a [`Stretch`] has the way to where a run began, from a snapshot that it shares with many others,
//! and a bit for each of the following steps. When its layer's turn comes, the run is walked once more, and turned off at each marked step.

use std::sync::Arc;

use super::Cost;
use super::onlooker::Onlooker;
use crate::choices::{Asked, ChoiceLabel};
use crate::sim::{Model, Progress, World};

/// A world that a judge looks on at.
pub(super) type Judged = World<Model, Onlooker>;

/// The most steps of a stretch: one bit each.
const LONGEST: u32 = u32::BITS;

/// The longest way from a snapshot that a run may begin with.
const FARTHEST: u32 = 4 * LONGEST;

/// What turning off costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// There is none: the run goes on.
    None,
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
            Turn::None | Turn::Free => (0, 0),
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

/// The way to a world: from a snapshot, with a turn after each leg, and then by default.
#[derive(Clone, Debug)]
pub(super) struct Path {
    snapshot: Arc<Snapshot>,
    turned: Option<Arc<Leg>>,
    /// How many steps by default come last.
    steps: u32,
    /// How many steps there are in all.
    length: u32,
}

/// Some steps by default, and one with these answers.
#[derive(Debug)]
struct Leg {
    before: Option<Arc<Leg>>,
    steps: u32,
    way: Box<[u32]>,
}

/// The steps that a run has gone since its last turn, and at which of them it could have turned off.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    /// The way to its first state.
    path: Path,
    /// The cost of its first state.
    began: Cost,
    steps: u32,
    free: u32,
    choices: u32,
    faults: u32,
}

/// Some steps of a run from which turns of one kind have not been taken.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// The way to its first state.
    path: Path,
    /// That state, where it is at hand.
    world: Option<Box<Judged>>,
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

impl Path {
    /// No way at all.
    pub fn from(snapshot: Arc<Snapshot>) -> Path {
        Path { snapshot, turned: None, steps: 0, length: 0 }
    }

    /// The way with so many steps more by default.
    fn on(&self, steps: u32) -> Path {
        Path { steps: self.steps + steps, length: self.length + steps, ..self.clone() }
    }

    /// The way with a step more that has these answers.
    fn turned(&self, way: &[u32]) -> Path {
        let leg = Leg { before: self.turned.clone(), steps: self.steps, way: way.into() };
        Path { snapshot: self.snapshot.clone(), turned: Some(Arc::new(leg)), steps: 0, length: self.length + 1 }
    }

    /// Whether nothing should begin at its end without a snapshot.
    pub fn is_far(&self) -> bool {
        self.length >= FARTHEST
    }

    /// The world at its end.
    fn world(&self) -> Judged {
        let mut world = self.snapshot.world.clone();
        let mut legs: Vec<&Leg> = std::iter::successors(self.turned.as_deref(), |leg| leg.before.as_deref()).collect();
        while let Some(leg) = legs.pop() {
            walk(&mut world, leg.steps);
            step(&mut world, &leg.way);
        }
        walk(&mut world, self.steps);
        world
    }
}

/// Lets a world take steps by default.
fn walk(world: &mut Judged, steps: u32) {
    for _ in 0..steps {
        step(world, &[]);
    }
}

/// Lets a world take a step with these answers.
pub(super) fn step(world: &mut Judged, answers: &[u32]) -> Progress {
    world.choices_mut().prepare(answers);
    let Ok(progress) = world.stride();
    progress
}

impl Trail {
    /// The trail of a run that begins with a turn at the end of a path.
    pub fn turned(path: &Path, way: &[u32], began: Cost) -> Trail {
        Trail::from(path.turned(way), began)
    }

    /// The trail of a run that begins, or goes on, at the end of a path.
    pub fn from(path: Path, began: Cost) -> Trail {
        Trail { path, began, steps: 0, free: 0, choices: 0, faults: 0 }
    }

    /// The way to where it has come.
    pub fn path(&self) -> Path {
        self.path.on(self.steps)
    }

    /// Takes note of a step and of what was asked in it.
    pub fn step<'a>(&mut self, asked: impl Iterator<Item = &'a Asked>) {
        for asked in asked {
            match Turn::of(asked.label) {
                Turn::None => {}
                Turn::Free => self.free |= 1 << self.steps,
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
        let Trail { path, began, free, choices, faults, .. } = self;
        let marked = [(Turn::Free, free), (Turn::Choice, choices), (Turn::Fault, faults)];
        let marked = marked.into_iter().filter(|(_, marks)| *marks != 0);
        marked.map(move |(turn, marks)| {
            let (path, cost) = (path.clone(), turn.added_to(began));
            Stretch { path, world: None, began, cost, given: Box::default(), turn, marks }
        })
    }
}

impl Stretch {
    /// The one step from the end of a path in which these answers were given; `cost` is what it costs with them.
    pub fn within(path: &Path, began: Cost, given: &[u32], cost: Cost, turn: Turn) -> Stretch {
        let (path, cost) = (path.clone(), turn.added_to(cost));
        Stretch { path, world: None, began, cost, given: given.into(), turn, marks: 1 }
    }

    /// What is left of a run that has come so far; its world is kept at hand if there is room.
    pub fn rest_of_run(path: Path, cost: Cost, world: Judged, has_room: bool) -> Stretch {
        let world = has_room.then(|| Box::new(world));
        Stretch { path, world, began: cost, cost, given: Box::default(), turn: Turn::None, marks: 1 }
    }

    /// Whether it has its world at hand.
    pub fn has_world(&self) -> bool {
        self.world.is_some()
    }

    /// The world just before its first turn, and the way there.
    pub fn first_turn(&mut self) -> (Judged, Path) {
        let steps = self.marks.trailing_zeros();
        let mut world = self.world.take().map_or_else(|| self.path.world(), |world| *world);
        walk(&mut world, steps);
        (world, self.path.on(steps))
    }

    /// What is left of it after its first turn, when `world` has come by default to the next step; the world is kept at hand if there is room.
    pub fn rest(self, world: Judged, has_room: bool) -> Option<Stretch> {
        let gone = self.marks.trailing_zeros() + 1;
        let marks = self.marks.checked_shr(gone).filter(|marks| *marks != 0)?;
        let at = |cost: Cost| Cost::new(cost.faults(), cost.choices(), world.now());
        let (began, cost) = (at(self.began), at(self.cost));
        let world = has_room.then(|| Box::new(world));
        Some(Stretch { path: self.path.on(gone), world, began, cost, marks, ..self })
    }
}
