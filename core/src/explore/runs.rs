//! The runs of a search: each goes as an earlier one does up to a step, answers a question there otherwise, and goes on by default.
//!
//! Nothing of a run is kept but where it turned off, so its worlds have to be walked to once more. Runs are walked to in the order in which they were made: a run's turns one after
//! another, and what turned off there before the next. So a walker that keeps one world for each turn of the way that it has gone last, and is sent to the neighbour of where it is,
//! mostly has a step to go.

use super::onlooker::Onlooker;
use crate::sim::{Model, Progress, World};

/// A world that a judge looks on at.
pub(super) type Judged = World<Model, Onlooker>;

/// A run of a search, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run(u32);

/// A step of a run: step 0 is the one in which it turned off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub run: Run,
    pub step: u32,
}

/// Where a run turned off: which question of the step got which answer. The questions before it got the default, or what the earlier run answered in the step in which it turned off
/// itself.
#[derive(Clone, Copy, Debug)]
struct Turned {
    at: Place,
    question: u32,
    answer: u32,
}

/// The runs that anything can turn off from, behind the one that takes every default.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs(Vec<Turned>);

/// Brings worlds to where they are wanted.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    /// The world before the first step of all.
    origin: Judged,
    /// The way that it has gone last: a world for each run on it, all but the last just before the turn of the next one.
    way: Vec<(Place, Judged)>,
}

impl Run {
    /// The run that takes every default.
    pub const DEFAULT: Run = Run(0);
}

impl Runs {
    /// A new run, which turns off at a place.
    pub fn turn(&mut self, at: Place, question: u32, answer: u32) -> Run {
        self.0.push(Turned { at, question, answer });
        Run(self.0.len() as u32)
    }

    /// Forgets the latest run.
    pub fn forget_latest(&mut self) {
        self.0.pop();
    }

    /// The answers that make a step of a run, before the defaults.
    pub fn answers(&self, place: Place) -> Vec<u32> {
        let Some(turned) = self.turned(place.run).filter(|_| place.step == 0) else { return Vec::new() };
        let mut answers = self.answers(turned.at);
        answers.resize(turned.question as usize, 0);
        answers.push(turned.answer);
        answers
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Turned>()
    }

    fn turned(&self, run: Run) -> Option<Turned> {
        (run.0 as usize).checked_sub(1).map(|index| self.0[index])
    }

    /// The places of a way: where each run on it turns off to the next, and its end.
    fn way(&self, to: Place) -> Vec<Place> {
        let mut way: Vec<Place> =
            std::iter::successors(Some(to), |place| self.turned(place.run).map(|turned| turned.at)).collect();
        way.reverse();
        way
    }
}

impl Walker {
    /// A walker that sets out from this world.
    pub fn new(origin: Judged) -> Walker {
        Walker { origin, way: Vec::new() }
    }

    /// A walker that sets out from the same world.
    pub fn anew(&self) -> Walker {
        Walker::new(self.origin.clone())
    }

    /// The world just before a step.
    pub fn world(&mut self, runs: &Runs, place: Place) -> &Judged {
        let wanted = runs.way(place);
        let is_passed = |((have, _), want): (&(Place, Judged), &Place)| have.run == want.run && have.step == want.step;
        let common = self.way.iter().zip(&wanted).take_while(|pair| is_passed(*pair)).count();
        // The next world may be on the right run, though not far enough.
        let is_before = |have: Place, want: Place| have.run == want.run && have.step < want.step;
        let is_on_run =
            self.way.get(common).zip(wanted.get(common)).is_some_and(|((have, _), want)| is_before(*have, *want));
        self.way.truncate(common + usize::from(is_on_run));
        for (turns, want) in wanted.iter().enumerate().skip(common) {
            if turns == self.way.len() {
                let start = self.way.last().map_or(&self.origin, |(_, world)| world).clone();
                self.way.push((Place { step: 0, ..*want }, start));
            }
            let (have, world) = &mut self.way[turns];
            while have.step < want.step {
                step(world, &runs.answers(*have));
                have.step += 1;
            }
        }
        self.way.last().map_or(&self.origin, |(_, world)| world)
    }

    /// How many worlds it keeps.
    pub fn worlds(&self) -> usize {
        self.way.len() + 1
    }
}

/// Lets a world take a step with these answers.
pub(super) fn step(world: &mut Judged, answers: &[u32]) -> Progress {
    world.choices_mut().prepare(answers);
    let Ok(progress) = world.stride();
    progress
}
