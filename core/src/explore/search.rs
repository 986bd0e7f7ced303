//! The exhaustive search.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::fingerprint::Fingerprint;
use super::onlooker::Onlooker;
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
    /// By cost, then by the order of their making.
    frontier: BTreeMap<(Cost, u64), Box<State>>,
    made: u64,
    /// How many have been taken from the frontier.
    taken: u64,
    visited: Visited,
    /// The properties in question, with what is known of each.
    questions: Vec<Question>,
    reached: Cost,
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
    attack: Option<Box<Attack>>,
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

/// A world at one instant, with whoever judges it.
#[derive(Clone, Debug)]
struct State {
    world: World<Model, Onlooker>,
    fingerprint: u64,
    cost: Cost,
    is_over: bool,
}

/// How many unconfirmed violations of one property are looked at before the search stops trying.
const MOST_UNCONFIRMED: u32 = 20;

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
        let ask = |property: &Property| Question { property: *property, tested: false, attack: None, unconfirmed: 0 };
        let mut search = Search {
            plan,
            adversity,
            frontier: BTreeMap::new(),
            made: 0,
            taken: 0,
            visited: Visited::new(),
            questions: properties.iter().map(ask).collect(),
            reached: Cost::NOTHING,
        };
        search.meet(world, Cost::NOTHING, false);
        Ok(search)
    }

    /// Looks at so many states more, fewer where it is over before.
    pub fn advance(&mut self, states: usize) -> Progress {
        for _ in 0..states {
            if self.questions.iter().all(|question| question.attack.is_some()) {
                self.frontier.clear();
            }
            let Some((_, state)) = self.frontier.pop_first() else { return Progress::Over };
            self.taken += 1;
            self.visit(*state);
        }
        if self.frontier.is_empty() { Progress::Over } else { Progress::Going }
    }

    /// How many different states have been met.
    pub fn states(&self) -> usize {
        self.visited.count()
    }

    /// How many states have been taken up so far: what [`Search::advance`] counts.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// One of `of` parts of what is still to be searched. The parts need nothing of each other and together search everything: a state that waits is
    /// in one part, and what has been met so far is known to all. Which states are in which part depends on nothing but the search so far.
    pub fn part(&self, index: u32, of: u32) -> Search {
        let own =
            self.frontier.iter().enumerate().filter(|(place, _)| *place as u64 % u64::from(of) == u64::from(index));
        Search {
            frontier: own.map(|(_, (key, state))| (*key, state.clone())).collect(),
            plan: self.plan.clone(),
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
            reached: self.reached,
        }
    }

    /// How many of them have not been looked at.
    pub fn waiting(&self) -> usize {
        self.frontier.len()
    }

    /// How far the search has come: everything simpler has been looked at.
    pub fn reached(&self) -> Cost {
        self.reached
    }

    /// About how many bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        /// A waiting world with all that it shares with no other. Measured at about 7,100 bytes with two clients on one Redis, and rounded up.
        const WAITING: usize = 8 * 1_024;
        self.visited.bytes() + self.frontier.len() * WAITING
    }

    /// The answers so far, in the order of the questions.
    pub fn answers(&self) -> impl Iterator<Item = (Property, Answer)> + '_ {
        let is_over = self.frontier.is_empty();
        self.questions.iter().map(move |question| {
            let answer = match (&question.attack, is_over && question.unconfirmed == 0, question.tested) {
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

    fn visit(&mut self, mut state: State) {
        if self.visited.cost(state.fingerprint).is_some_and(|known| known < state.cost) {
            return;
        }
        self.reached = state.cost;
        self.judge(&mut state);
        if !state.is_over {
            self.expand(&state);
        }
    }

    /// Takes note of what is broken here and what was tested.
    fn judge(&mut self, state: &mut State) {
        for question in &mut self.questions {
            let judge = &mut state.world.sink_mut().judge;
            if question.attack.is_some() {
                judge.forget(question.property);
                continue;
            }
            question.tested |= judge.tested().any(|tested| tested == question.property);
            // A lost update can come back while the run goes on.
            let is_final = state.is_over || question.property != Property::NoLostUpdate;
            let is_broken = is_final && judge.broken().any(|broken| broken == question.property);
            if !is_broken || question.unconfirmed >= MOST_UNCONFIRMED {
                continue;
            }
            let (placed, taken) = (state.world.placed_faults(), state.world.choices().taken());
            match Attack::new(&self.plan, question.property, state.cost, placed, taken) {
                Some(attack) => {
                    question.attack = Some(Box::new(attack));
                    question.unconfirmed = 0;
                    state.world.sink_mut().judge.forget(question.property);
                }
                None => question.unconfirmed += 1,
            }
        }
    }

    /// Lets the next thing happen, in every way in which it can.
    fn expand(&mut self, state: &State) {
        let mut ways = vec![Vec::new()];
        while let Some(answers) = ways.pop() {
            let mut world = state.world.clone();
            world.choices_mut().prepare(&answers);
            let Ok(progress) = world.stride();
            let asked = world.choices().asked();
            for (place, question) in asked.iter().enumerate().skip(answers.len()) {
                for index in alternatives(*question) {
                    let mut way = answers.clone();
                    way.resize(place, 0);
                    way.push(index);
                    ways.push(way);
                }
            }
            let (mut faults, mut choices) = (state.cost.faults(), state.cost.choices());
            for (asked, answer) in asked.iter().zip(&answers) {
                match asked.label {
                    _ if *answer == 0 => {}
                    ChoiceLabel::Fault => faults += 1,
                    ChoiceLabel::Length => {}
                    _ => choices += 1,
                }
            }
            let cost = Cost::new(faults, choices, world.now());
            world.choices_mut().prepare(&[]);
            match progress {
                Stride::Over(_) => self.end(world, cost, EndReason::Quiet),
                Stride::Going => self.meet(world, cost, answers.is_empty()),
            }
        }
    }

    /// A world that was reached: new, or met before.
    fn meet(&mut self, mut world: World<Model, Onlooker>, cost: Cost, by_default: bool) {
        let fingerprint = fingerprint(&mut world, false);
        if self.visited.meet(fingerprint, cost) {
            self.wait(State { world, fingerprint, cost, is_over: false });
        } else if by_default && self.would_break(&world) && goes_in_a_circle(&world, fingerprint) {
            // Nothing but this happens for ever: whatever is judged at the end can be judged now.
            self.end(world, cost, EndReason::Until);
        }
    }

    /// A world in which nothing is left to happen, or nothing new.
    fn end(&mut self, mut world: World<Model, Onlooker>, cost: Cost, why: EndReason) {
        let at = world.now();
        world.sink_mut().judge.step(&Event { at, what: What::End(why) });
        let fingerprint = fingerprint(&mut world, true);
        if self.visited.meet(fingerprint, cost) {
            self.wait(State { world, fingerprint, cost, is_over: true });
        }
    }

    fn wait(&mut self, state: State) {
        self.made += 1;
        self.frontier.insert((state.cost, self.made), Box::new(state));
    }

    /// Whether the end of the run, here, would break something in question that is not broken yet.
    fn would_break(&self, world: &World<Model, Onlooker>) -> bool {
        let mut judge = world.sink().judge.clone();
        judge.step(&Event { at: world.now(), what: What::End(EndReason::Until) });
        let open = |property: Property| {
            self.questions.iter().any(|question| question.property == property && question.attack.is_none())
        };
        let before: Vec<Property> =
            world.sink().judge.broken().filter(|property| *property != Property::NoLostUpdate).collect();
        judge.broken().any(|property| open(property) && !before.contains(&property))
    }
}

/// The answers to a question other than the default, as far as a search gives them.
fn alternatives(asked: Asked) -> Vec<u32> {
    match asked.label {
        ChoiceLabel::Order | ChoiceLabel::NodeOrder | ChoiceLabel::Fault | ChoiceLabel::Length => {
            (1..asked.count).collect()
        }
        // A range of spans, or a chance: its other end.
        ChoiceLabel::Delay | ChoiceLabel::Jitter | ChoiceLabel::Loss | ChoiceLabel::Duplicate => vec![asked.count - 1],
    }
}

fn fingerprint(world: &mut World<Model, Onlooker>, is_over: bool) -> u64 {
    let now = world.now();
    world.sink_mut().judge.advance(now);
    let mut hasher = Fingerprint::new();
    is_over.hash(&mut hasher);
    world.remember(&mut hasher);
    world.sink().judge.remember(&mut hasher);
    hasher.finish()
}

/// Whether the world comes back to the same state by itself.
fn goes_in_a_circle(world: &World<Model, Onlooker>, start: u64) -> bool {
    let mut world = world.clone();
    for _ in 0..LONGEST_CIRCLE {
        world.choices_mut().prepare(&[]);
        if world.stride() != Ok(Stride::Going) {
            return false;
        }
        if fingerprint(&mut world, false) == start {
            return true;
        }
    }
    false
}
