//! The exhaustive search.

use std::sync::Arc;

use super::frontier::{Frontier, Stretch, Trail, Turn};
use super::onlooker::Onlooker;
use super::runs::{Judged, Place, Run, Runs, Walker, step};
use super::state::State;
use super::visited::Visited;
use super::{Attack, Cost, Summary};
use crate::check::{Judge, Property};
use crate::choices::{Asked, ChoiceLabel, Choices};
use crate::history::{EndReason, Event, What};
use crate::i18n::Text;
use crate::locks::Kind;
use crate::scenario::Scenario;
use crate::sim::{Allowance, Lengths, Model, NotApplicable, Plan, Progress as Stride, World};

/// A search over every order of simultaneous events and every placement of some faults.
#[derive(Clone, Debug)]
pub struct Search {
    plan: Arc<Plan>,
    adversity: Adversity,
    reductions: Reductions,
    runs: Runs,
    walker: Walker,
    /// Turns that have not been taken.
    frontier: Frontier,
    /// How many states have been looked at.
    taken: u64,
    visited: Visited,
    /// The properties in question, with what is known of each.
    questions: Vec<Question>,
}

/// Whether a search leaves out what leads to nothing new: dominated states, orders of independent steps, states between two steps that could not have gone otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reductions {
    /// It does.
    On,
    /// It keeps every state and tries every order: for comparison, at several times the cost.
    Off,
}

/// Which faults a search plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "a search has one of them")]
pub enum Adversity {
    /// At most so many of each class, struck wherever a scenario's fault could; those with a length are just so long, the others as long as they like.
    Placed(Allowance, Lengths),
    /// The scenario's own, at their own moments.
    Own,
}

/// One property in question.
#[derive(Clone, Debug)]
struct Question {
    property: Property,
    tested: bool,
    /// The simplest that was found.
    attack: Option<Box<Attack>>,
    /// Nothing simpler can be found.
    is_settled: bool,
    /// Violations whose run, played again as a scenario, did not show them.
    unconfirmed: u32,
}

/// The answer for one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It can be broken: so, at the simplest.
    Broken(Box<Attack>),
    /// It holds in every state within the bounds.
    Holds,
    /// In no state was it put to the test.
    NotApplicable,
    /// The search is not over.
    Unknown,
}

/// Whether a search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There are states left to look at.
    Going,
    /// Every question is answered.
    Over,
}

/// What a search searches, said in sentences.
pub type Bounds = Vec<Text>;

/// How many unconfirmed violations of one property are looked at before the search stops trying.
const MOST_UNCONFIRMED: u32 = 20;

/// How many steps a run is followed before others of its layer; then twice as many, and so on.
const LONGEST_RUN: u32 = 256;

/// How many steps without a choice must lead back to where they began, for a run that never ends.
const LONGEST_CIRCLE: u32 = 5_000;

impl Search {
    /// A search at its start. The scenario's own faults and its end are not played: faults are what the allowance says.
    ///
    /// # Errors
    ///
    /// [`NotApplicable`] where the scenario cannot be told with this lock.
    pub fn new(
        scenario: &Scenario,
        lock: &Kind,
        allowance: Allowance,
        properties: &[Property],
    ) -> Result<Search, NotApplicable> {
        Search::against(scenario, lock, Adversity::Placed(allowance, Lengths::default()), properties)
    }

    /// A search against any faults. The scenario's end is not played.
    ///
    /// # Errors
    ///
    /// [`NotApplicable`] where the scenario cannot be told with this lock.
    pub fn against(
        scenario: &Scenario,
        lock: &Kind,
        adversity: Adversity,
        properties: &[Property],
    ) -> Result<Search, NotApplicable> {
        Search::with(scenario, lock, adversity, properties, Reductions::On)
    }

    /// A search against any faults, with reductions or without. The answers are the same.
    ///
    /// # Errors
    ///
    /// [`NotApplicable`] where the scenario cannot be told with this lock.
    pub fn with(
        scenario: &Scenario,
        lock: &Kind,
        adversity: Adversity,
        properties: &[Property],
        reductions: Reductions,
    ) -> Result<Search, NotApplicable> {
        let mut scenario = Scenario { until: None, ..scenario.clone() };
        if let Adversity::Placed(..) = adversity {
            scenario.faults.clear();
        }
        let plan = Arc::new(Plan { order_is_chosen: true, ..Plan::new(&scenario, lock)? });
        let judge = Judge::start(&plan.header, properties.iter().copied());
        let Ok(mut world) =
            World::new(plan.clone(), Model::new(plan.clone()), Onlooker { judge }, Choices::enumerated());
        if let Adversity::Placed(allowance, lengths) = adversity {
            world.beset(allowance, lengths);
        }
        let ask = |property: &Property| Question {
            property: *property,
            tested: false,
            attack: None,
            is_settled: false,
            unconfirmed: 0,
        };
        let mut search = Search {
            plan,
            adversity,
            reductions,
            runs: Runs::default(),
            walker: Walker::new(world.clone()),
            frontier: Frontier::new(),
            taken: 0,
            visited: Visited::new(),
            questions: properties.iter().map(ask).collect(),
        };
        search.follow(world, Stride::Going, Trail::from(Place { run: Run::DEFAULT, step: 0 }), false);
        Ok(search)
    }

    /// Looks at about so many states more, or fewer where it is over before or there are few new ones among many. Whatever is asked for at once,
    /// the search can stop where so many have been taken, at the first place after it.
    pub fn advance(&mut self, states: usize) -> Progress {
        let enough = self.taken + states as u64;
        for _ in 0..states {
            self.settle();
            if self.taken >= enough {
                break;
            }
            let Some(stretch) = self.frontier.take() else { break };
            self.turn_off(stretch);
        }
        self.settle();
        if self.waiting() == 0 { Progress::Over } else { Progress::Going }
    }

    /// Takes what has been found so far for the answer, though something simpler might be found yet.
    pub fn give_up(&mut self) {
        for question in &mut self.questions {
            question.is_settled = question.attack.is_some();
        }
    }

    /// How many different states have been met.
    pub fn states(&self) -> usize {
        self.visited.count()
    }

    /// How many states have been looked at so far: what [`Search::advance`] counts.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// One of `of` parts of what is still to be searched. The parts need nothing of each other and together search everything: a state that waits is
    /// in one part, and what has been met so far is known to all. Which states are in which part depends on nothing but the search so far.
    pub fn part(&self, index: u32, of: u32) -> Search {
        Search {
            plan: self.plan.clone(),
            runs: self.runs.clone(),
            walker: self.walker.anew(),
            frontier: self.frontier.part(index, of),
            visited: self.visited.clone(),
            questions: self.questions.clone(),
            ..*self
        }
    }

    /// What has been found so far.
    pub fn summary(&self) -> Summary {
        Summary {
            answers: self.answers().collect(),
            states: self.states() as u64,
            waiting: self.waiting() as u64,
            reached: self.reached(),
        }
    }

    /// How much waits to be looked at: stretches of runs from which turns can be taken.
    pub fn waiting(&self) -> usize {
        self.frontier.waiting()
    }

    /// How far the search has come: everything with fewer faults, or as many and fewer choices, has been looked at.
    pub fn reached(&self) -> Cost {
        self.frontier.layer()
    }

    /// About how many bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        /// A world with all that it shares with no other. Measured at about 7,100 bytes with two clients on one Redis, and rounded up.
        const WORLD: usize = 8 * 1_024;
        self.visited.bytes() + self.runs.bytes() + self.frontier.bytes() + self.walker.worlds() * WORLD
    }

    /// The answers so far, in the order of the questions.
    pub fn answers(&self) -> impl Iterator<Item = (Property, Answer)> + '_ {
        let is_over = self.waiting() == 0;
        self.questions.iter().map(move |question| {
            let attack = question.attack.as_ref().filter(|_| question.is_settled);
            let answer = match (attack, is_over && question.unconfirmed == 0, question.tested) {
                (Some(attack), ..) => Answer::Broken(attack.clone()),
                (None, true, true) => Answer::Holds,
                (None, true, false) => Answer::NotApplicable,
                (None, false, _) => Answer::Unknown,
            };
            (question.property, answer)
        })
    }

    /// The faults that it plays.
    pub fn adversity(&self) -> Adversity {
        self.adversity
    }

    /// What is played, without faults: an [`Attack`] is played on it.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What the search covers, sentence by sentence: an answer "holds" means these, and nothing beyond.
    pub fn bounds(&self) -> Bounds {
        super::bounds::bounds(&self.plan, self.adversity)
    }

    /// Settles the questions to which nothing that waits can give a simpler answer; with the last one, the search is over.
    fn settle(&mut self) {
        let least = self.frontier.least();
        for question in &mut self.questions {
            let is_final = |attack: &Attack| least.is_none_or(|least| attack.cost <= least);
            question.is_settled |= question.attack.as_deref().is_some_and(is_final);
        }
        if self.questions.iter().all(|question| question.is_settled) {
            self.frontier.clear();
        }
    }

    /// Whether a run of this cost can give no simpler answer any more.
    fn is_too_dear(&self, cost: Cost) -> bool {
        self.questions.iter().all(|question| question.attack.as_ref().is_some_and(|attack| attack.cost <= cost))
    }

    /// The cost of a run of the layer that is searched, here.
    fn cost(&self, world: &Judged) -> Cost {
        self.frontier.layer().lasting(world.now())
    }

    /// Takes the turns in the first marked step of a stretch.
    fn turn_off(&mut self, stretch: Stretch) {
        let place = stretch.first();
        let base = self.world_before(place);
        if self.is_too_dear(self.cost(&base)) {
            return;
        }
        if stretch.turn == Turn::None {
            return self.go_on(base, place);
        }
        if let Some(rest) = stretch.rest() {
            self.frontier.put_back(rest);
        }
        // The last question first: of two attacks that come to the same, the one that strikes behind an event is easier to tell than the one by the clock.
        for (question, answer) in self.turns(base, place, stretch.turn).into_iter().rev() {
            let base = self.world_before(place);
            self.deviate(base, place, question, answer);
        }
    }

    fn world_before(&mut self, place: Place) -> Judged {
        self.walker.world(&self.runs, place).clone()
    }

    /// The turns of one kind in a step: which question gets which answer.
    fn turns(&self, mut world: Judged, place: Place, turn: Turn) -> Vec<(u32, u32)> {
        let given = self.runs.answers(place);
        step(&mut world, &given);
        let asked = world.choices().asked().iter().zip(0..).skip(given.len());
        let asked = asked.filter(|(asked, _)| Turn::of(asked) == turn);
        asked.flat_map(|(asked, question)| alternatives(*asked).map(move |answer| (question, answer))).collect()
    }

    /// Lets the next step go with another answer to one question, and follows the run.
    fn deviate(&mut self, mut world: Judged, at: Place, question: u32, answer: u32) {
        for question in self.questions.iter().filter(|question| question.is_settled) {
            world.sink_mut().judge.forget(question.property);
        }
        let waiting = self.waiting();
        let start = Place { run: self.runs.turn(at, question, answer), step: 0 };
        let answers = self.runs.answers(start);
        let progress = step(&mut world, &answers);
        let mut trail = Trail::from(start);
        trail.step(self.open(&world, answers.len()));
        self.follow(world, progress, trail, false);
        if self.waiting() == waiting {
            self.runs.forget_latest();
        }
    }

    /// Lets a run go on that was put off because it is long.
    fn go_on(&mut self, mut world: Judged, place: Place) {
        let mut trail = Trail::from(place);
        let progress = step(&mut world, &[]);
        trail.step(self.open(&world, 0));
        self.follow(world, progress, trail, true);
    }

    /// Follows a run by default to its end, or to a state that was met before.
    fn follow(&mut self, mut world: Judged, mut progress: Stride, mut trail: Trail, mut by_default: bool) {
        let mut kept_at = None;
        loop {
            let cost = self.cost(&world);
            if let Stride::Over(_) = progress {
                self.frontier.add(&trail);
                return self.end(world, cost, EndReason::Quiet);
            }
            // Between two steps that could not have gone otherwise no run turns off, and those that meet there meet at the next instant too.
            let was_forced = self.open(&world, 0).next().is_none();
            if self.reductions == Reductions::Off || !was_forced || kept_at != Some(world.now()) {
                kept_at = Some(world.now());
                let state = State::of(&mut world, false);
                if self.is_dominated(state, &world) {
                    return self.frontier.add(&trail);
                }
                let fingerprint = state.fingerprint(&world);
                if !self.visited.meet(fingerprint, cost) {
                    self.frontier.add(&trail);
                    if by_default && self.would_break(&world, cost) && goes_in_a_circle(&world, fingerprint) {
                        // Nothing but this happens for ever: whatever is judged at the end can be judged now.
                        self.end(world, cost, EndReason::Until);
                    }
                    return;
                }
            }
            self.judge(&mut world, cost, false);
            if self.is_too_dear(cost) {
                return self.frontier.add(&trail);
            }
            let place = trail.place();
            if place.step >= LONGEST_RUN && place.step.is_power_of_two() {
                // A run may never end, nor come back to where it was.
                self.frontier.add(&trail);
                return self.frontier.put_off(place);
            }
            if trail.is_full() {
                self.frontier.add(&trail);
                trail = Trail::from(place);
            }
            progress = step(&mut world, &[]);
            trail.step(self.open(&world, 0));
            by_default = true;
        }
    }

    /// A world in which nothing is left to happen, or nothing new.
    fn end(&mut self, mut world: Judged, cost: Cost, why: EndReason) {
        let at = world.now();
        world.sink_mut().judge.step(&Event { at, what: What::End(why) });
        let state = State::of(&mut world, true);
        if !self.is_dominated(state, &world) && self.visited.meet(state.fingerprint(&world), cost) {
            self.judge(&mut world, cost, true);
        }
    }

    /// Takes note of what is broken here and what was tested.
    fn judge(&mut self, world: &mut Judged, cost: Cost, is_over: bool) {
        self.taken += 1;
        for question in &mut self.questions {
            let (is_tested, is_broken) = world.sink().judge.found(question.property);
            question.tested |= is_tested;
            // A lost update can come back while the run goes on.
            let is_final = is_over || question.property != Property::NoLostUpdate;
            if is_broken && is_final && question.unconfirmed < MOST_UNCONFIRMED {
                if question.attack.as_ref().is_none_or(|attack| cost < attack.cost) {
                    let (placed, taken) = (world.placed_faults(), world.choices().taken());
                    match Attack::new(&self.plan, question.property, cost, placed, taken) {
                        Some(attack) => question.attack = Some(Box::new(attack)),
                        None => question.unconfirmed += 1,
                    }
                }
                if question.attack.is_some() {
                    question.unconfirmed = 0;
                }
            }
        }
        // What comes later in this run is no simpler.
        for question in &self.questions {
            if question.attack.as_ref().is_some_and(|attack| attack.cost <= cost) {
                world.sink_mut().judge.forget(question.property);
            }
        }
    }

    /// Of what was asked in a world's last step after so many answers: what is worth another answer.
    fn open<'a>(&self, world: &'a Judged, given: usize) -> impl Iterator<Item = &'a Asked> + use<'a> {
        let any_order = self.reductions == Reductions::On && world.is_independent();
        let asked = world.choices().asked().iter().skip(given);
        asked.filter(move |asked| !(any_order && asked.label == ChoiceLabel::Order))
    }

    fn is_dominated(&self, state: State, world: &Judged) -> bool {
        match self.adversity {
            Adversity::Placed(allowed, _) if self.reductions == Reductions::On => {
                state.is_dominated(world, allowed, &self.visited)
            }
            Adversity::Placed(..) | Adversity::Own => false,
        }
    }

    /// Whether the end of the run, here, would break something in question more simply than is known.
    fn would_break(&self, world: &Judged, cost: Cost) -> bool {
        let mut judge = world.sink().judge.clone();
        judge.step(&Event { at: world.now(), what: What::End(EndReason::Until) });
        let open = |property: Property| {
            let found = |question: &Question| question.attack.as_ref().is_some_and(|attack| attack.cost <= cost);
            self.questions.iter().any(|question| question.property == property && !found(question))
        };
        let before: Vec<Property> =
            world.sink().judge.broken().filter(|property| *property != Property::NoLostUpdate).collect();
        judge.broken().any(|property| open(property) && !before.contains(&property))
    }
}

/// The answers to a question other than the default, as far as a search gives them.
fn alternatives(asked: Asked) -> std::ops::Range<u32> {
    match asked.label {
        ChoiceLabel::Order | ChoiceLabel::NodeOrder | ChoiceLabel::Fault | ChoiceLabel::Length => 1..asked.count,
        // A range of spans, or a chance: its other end.
        ChoiceLabel::Delay | ChoiceLabel::Jitter | ChoiceLabel::Loss | ChoiceLabel::Duplicate => {
            asked.count - 1..asked.count
        }
    }
}

/// Whether the world comes back to the same state by itself.
fn goes_in_a_circle(world: &Judged, start: u64) -> bool {
    let mut world = world.clone();
    for _ in 0..LONGEST_CIRCLE {
        world.choices_mut().prepare(&[]);
        if world.stride() != Ok(Stride::Going) {
            return false;
        }
        if State::of(&mut world, false).fingerprint(&world) == start {
            return true;
        }
    }
    false
}
