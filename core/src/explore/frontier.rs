//! What a search has not looked at yet: stretches of runs, at whose steps other runs turn off.
//!
//! A run goes on by default answers. Wherever it was asked for something else, it could have turned off. Nothing of such a turn is kept but a bit for its step. A turn that costs a
//! fault or a choice leads into a dearer layer of the search and waits until everything cheaper is done; one that costs nothing is taken next, so that a layer is searched depth first.

use std::collections::BTreeMap;

use super::Cost;
use super::runs::Place;
use crate::choices::{Asked, ChoiceLabel};

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

/// The most steps of a stretch: one bit each.
const LONGEST: u32 = u32::BITS;

/// Some steps of a run from which turns of one kind have not been taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    from: Place,
    marks: u32,
    pub turn: Turn,
}

/// The steps of a run that were gone last, and at which of them it could have turned off.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    from: Place,
    steps: u32,
    free: u32,
    choices: u32,
    faults: u32,
}

/// What waits, by layers: as many faults and as many choices.
#[derive(Clone, Debug)]
pub(super) struct Frontier {
    /// The layer that is searched, as the cost of a run without length.
    layer: Cost,
    /// What waits in it; the last is next.
    next: Vec<Stretch>,
    /// How much of that was there before what was taken last turned off.
    earlier: usize,
    /// What waits behind that, in the order of its making.
    later: BTreeMap<Cost, Vec<Stretch>>,
    waiting: usize,
}

impl Turn {
    /// The turn that another answer to a question is.
    pub fn of(asked: &Asked) -> Turn {
        match asked.label {
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

    /// The layer into which it leads.
    pub fn from(self, layer: Cost) -> Cost {
        let (faults, choices) = match self {
            Turn::None | Turn::Free => (0, 0),
            Turn::Choice => (0, 1),
            Turn::Fault => (1, 0),
        };
        Cost::new(layer.faults() + faults, layer.choices() + choices, layer.length())
    }
}

impl Stretch {
    /// Where its first turn is.
    pub fn first(self) -> Place {
        Place { step: self.from.step + self.marks.trailing_zeros(), ..self.from }
    }

    /// What is left of it behind its first turn.
    pub fn rest(self) -> Option<Stretch> {
        let marks = self.marks & (self.marks - 1);
        (marks != 0).then_some(Stretch { marks, ..self })
    }
}

impl Trail {
    /// The trail of a run that goes on from a place.
    pub fn from(from: Place) -> Trail {
        Trail { from, steps: 0, free: 0, choices: 0, faults: 0 }
    }

    /// Where the run has come.
    pub fn place(&self) -> Place {
        Place { step: self.from.step + self.steps, ..self.from }
    }

    /// Takes note of a step and of what was asked in it.
    pub fn step<'a>(&mut self, asked: impl Iterator<Item = &'a Asked>) {
        for asked in asked {
            match Turn::of(asked) {
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
    fn stretches(&self) -> impl Iterator<Item = Stretch> + use<> {
        let from = self.from;
        let marked = [(Turn::Free, self.free), (Turn::Choice, self.choices), (Turn::Fault, self.faults)];
        marked.into_iter().filter(|(_, marks)| *marks != 0).map(move |(turn, marks)| Stretch { from, marks, turn })
    }
}

impl Frontier {
    /// Where nothing waits.
    pub fn new() -> Frontier {
        Frontier { layer: Cost::NOTHING, next: Vec::new(), earlier: 0, later: BTreeMap::new(), waiting: 0 }
    }

    /// The layer that is searched.
    pub fn layer(&self) -> Cost {
        self.layer
    }

    /// The least that can be found yet; `None`: nothing waits.
    pub fn least(&self) -> Option<Cost> {
        if self.next.is_empty() { self.later.keys().next().copied() } else { Some(self.layer) }
    }

    /// How much waits.
    pub fn waiting(&self) -> usize {
        self.waiting
    }

    /// Takes the stretch that is next.
    pub fn take(&mut self) -> Option<Stretch> {
        if self.next.is_empty() {
            (self.layer, self.next) = self.later.pop_first()?;
            self.next.reverse();
        }
        let stretch = self.next.pop();
        self.waiting -= 1;
        self.earlier = self.next.len();
        stretch
    }

    /// Puts back what is left of the stretch that was taken last. What turns off from it now is before that.
    pub fn put_back(&mut self, rest: Stretch) {
        self.next.push(rest);
        self.waiting += 1;
        self.earlier = self.next.len();
    }

    /// Adds the turns along a trail in the layer that is searched.
    pub fn add(&mut self, trail: &Trail) {
        for stretch in trail.stretches() {
            self.waiting += 1;
            match stretch.turn {
                Turn::None | Turn::Free => self.next.insert(self.earlier, stretch),
                Turn::Choice | Turn::Fault => self.add_later(stretch),
            }
        }
    }

    /// Adds the rest of a run, which goes on when the rest of its layer is done.
    pub fn put_off(&mut self, from: Place) {
        self.waiting += 1;
        self.add_later(Stretch { from, marks: 1, turn: Turn::None });
    }

    fn add_later(&mut self, stretch: Stretch) {
        self.later.entry(stretch.turn.from(self.layer)).or_default().push(stretch);
    }

    /// Nothing waits any more.
    pub fn clear(&mut self) {
        *self = Frontier { layer: self.layer, ..Frontier::new() };
    }

    /// One of `of` parts of what waits.
    pub fn part(&self, index: u32, of: u32) -> Frontier {
        let mut part = Frontier { layer: self.layer, ..Frontier::new() };
        let next = self.next.iter().rev().map(|stretch| (self.layer, stretch));
        let later = self.later.iter().flat_map(|(layer, waiting)| waiting.iter().map(|stretch| (*layer, stretch)));
        let places = (0..of).cycle();
        for (_, (layer, stretch)) in places.zip(next.chain(later)).filter(|(place, _)| *place == index) {
            part.later.entry(layer).or_default().push(*stretch);
            part.waiting += 1;
        }
        part
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        let places: usize = self.later.values().map(Vec::capacity).sum();
        (self.next.capacity() + places) * size_of::<Stretch>()
    }
}
