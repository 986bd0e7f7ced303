//! Locklab's world behind stateright's `Model`: stateright decides what to look at next and what it has seen, the world says what can happen.
//!
//! An action carries the state to which it leads, so nothing is played twice.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use locklab_core::check::{Judge, Property};
use locklab_core::choices::{Asked, ChoiceLabel, Choices};
use locklab_core::history::{EndReason, Event, What};
use locklab_core::sim::{self, Plan, Progress, Sink, World};
use stateright::{Checker, Model};

use super::Question;

/// A search of Locklab, as stateright sees it.
pub struct InStateright {
    plan: Arc<Plan>,
    question: Question,
}

/// A world at one instant, with whoever judges it.
#[derive(Clone)]
pub struct State {
    world: World<sim::Model, Onlooker>,
    is_over: bool,
}

/// Something that can happen: what comes of it.
#[derive(Clone, PartialEq)]
pub struct Step(State);

/// Judges what happens, and keeps nothing else.
#[derive(Clone)]
pub struct Onlooker {
    judge: Judge,
}

impl Sink for Onlooker {
    const LOOKS: bool = true;

    fn take(&mut self, event: Event) {
        self.judge.step(&event);
    }
}

impl InStateright {
    /// A search at its start.
    pub fn new(question: Question) -> anyhow::Result<InStateright> {
        let plan = Arc::new(Plan { order_is_chosen: true, ..question.plan()? });
        Ok(InStateright { plan, question })
    }

    /// Searches everything on one thread: how many different states there are, and whether the property holds in all of them.
    pub fn search(self) -> (u64, bool) {
        let checker = self.checker().threads(1).spawn_bfs().join();
        (checker.unique_state_count() as u64, checker.discoveries().is_empty())
    }
}

impl Model for InStateright {
    type State = State;
    type Action = Step;

    fn init_states(&self) -> Vec<State> {
        let judge = Judge::start(&self.plan.header, [self.question.property]);
        let parts = sim::Model::new(Arc::clone(&self.plan));
        let Ok(mut world) = World::new(Arc::clone(&self.plan), parts, Onlooker { judge }, Choices::enumerated());
        world.beset(self.question.allowance, sim::Lengths::default());
        vec![State { world, is_over: false }.settled()]
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step>) {
        if state.is_over {
            return;
        }
        let mut ways = vec![Vec::new()];
        while let Some(answers) = ways.pop() {
            let mut world = state.world.clone();
            world.choices_mut().prepare(&answers);
            let Ok(progress) = world.stride();
            for (place, asked) in world.choices().asked().iter().enumerate().skip(answers.len()) {
                for index in alternatives(*asked) {
                    let mut way: Vec<u32> = answers.clone();
                    way.resize(place, 0);
                    way.push(index);
                    ways.push(way);
                }
            }
            world.choices_mut().prepare(&[]);
            let is_over = progress != Progress::Going;
            if is_over {
                let end = Event { at: world.now(), what: What::End(EndReason::Quiet) };
                world.sink_mut().judge.step(&end);
            }
            steps.push(Step(State { world, is_over }.settled()));
        }
    }

    fn next_state(&self, _: &State, step: Step) -> Option<State> {
        Some(step.0)
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        vec![stateright::Property::always("the property in question", |model, state: &State| {
            !state.world.sink().judge.broken().any(|broken: Property| broken == model.question.property)
        })]
    }
}

impl State {
    /// With a judge that knows how late it is.
    fn settled(mut self) -> State {
        let now = self.world.now();
        self.world.sink_mut().judge.advance(now);
        self
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.is_over.hash(hasher);
        self.world.remember(hasher);
        self.world.sink().judge.remember(hasher);
    }
}

/// Stateright compares states only where it tells a path; whatever decides the future is in the hash.
impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        let of = |state: &State| {
            let mut hasher = std::hash::DefaultHasher::new();
            state.hash(&mut hasher);
            hasher.finish()
        };
        of(self) == of(other)
    }
}

/// The answers to a question other than the default, as far as a search gives them.
fn alternatives(asked: Asked) -> Vec<u32> {
    match asked.label {
        ChoiceLabel::Order | ChoiceLabel::NodeOrder | ChoiceLabel::Fault | ChoiceLabel::Length => {
            (1..asked.count).collect()
        }
        ChoiceLabel::Delay | ChoiceLabel::Jitter | ChoiceLabel::Loss | ChoiceLabel::Duplicate => vec![asked.count - 1],
    }
}
