//! The exhaustive search.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::onlooker::Onlooker;
use super::state::State;
use super::trail::{Judged, Path, Snapshot, Stretch, Trail, Turn, step};
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
    /// Turns that have not been taken, by the least that they can cost, then by the order of their making.
    frontier: BTreeMap<(Cost, u64), Box<Stretch>>,
    made: u64,
    /// How many states have been looked at.
    taken: u64,
    /// How many stretches have their world at hand.
    at_hand: usize,
    /// Has one holder more than there are snapshots.
    census: Arc<()>,
    visited: Visited,
    /// The properties in question, with what is known of each.
    questions: Vec<Question>,
    reached: Cost,
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

/// How many steps a run is followed at once.
const LONGEST_RUN: u32 = 256;

/// How many stretches keep their world at hand; the others are walked to once more.
const MOST_AT_HAND: usize = 512;

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
            frontier: BTreeMap::new(),
            made: 0,
            taken: 0,
            at_hand: 0,
            census: Arc::new(()),
            visited: Visited::new(),
            questions: properties.iter().map(ask).collect(),
            reached: Cost::NOTHING,
        };
        let trail = Trail::from(search.snapshot(&world), Cost::NOTHING);
        search.follow(world, Stride::Going, trail, Cost::NOTHING);
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
            let Some(((cost, _), stretch)) = self.frontier.pop_first() else { break };
            self.reached = cost;
            self.turn_off(*stretch);
        }
        self.settle();
        if self.frontier.is_empty() { Progress::Over } else { Progress::Going }
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
        let own =
            self.frontier.iter().enumerate().filter(|(place, _)| *place as u64 % u64::from(of) == u64::from(index));
        let frontier: BTreeMap<_, _> = own.map(|(_, (key, stretch))| (*key, stretch.clone())).collect();
        Search {
            at_hand: frontier.values().filter(|stretch| stretch.has_world()).count(),
            frontier,
            census: Arc::new(()),
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

    /// How much waits to be looked at: stretches of runs from which turns can be taken.
    pub fn waiting(&self) -> usize {
        self.frontier.len()
    }

    /// How far the search has come: everything simpler has been looked at.
    pub fn reached(&self) -> Cost {
        self.reached
    }

    /// About how many bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        /// A world with all that it shares with no other. Measured at about 7,100 bytes with two clients on one Redis, and rounded up.
        const WORLD: usize = 8 * 1_024;
        /// A place in the frontier, with a stretch and the last leg of the way there.
        const PLACE: usize = 288;
        let worlds = self.at_hand + Arc::strong_count(&self.census) - 1;
        self.visited.bytes() + worlds * WORLD + self.frontier.len() * PLACE
    }

    /// The answers so far, in the order of the questions.
    pub fn answers(&self) -> impl Iterator<Item = (Property, Answer)> + '_ {
        let is_over = self.frontier.is_empty();
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

    /// Settles the questions to which no turn that waits can give a simpler answer; with the last one, the search is over.
    fn settle(&mut self) {
        let next = self.frontier.first_key_value().map(|((cost, _), _)| *cost);
        for question in &mut self.questions {
            let found = question.attack.as_ref().map(|attack| attack.cost);
            question.is_settled |= found.is_some_and(|found| next.is_none_or(|next| next >= found));
        }
        if self.questions.iter().all(|question| question.is_settled) {
            self.frontier.clear();
            self.at_hand = 0;
        }
    }

    /// Whether a run of this cost can give no simpler answer any more.
    fn is_too_dear(&self, cost: Cost) -> bool {
        self.questions.iter().all(|question| question.attack.as_ref().is_some_and(|attack| attack.cost <= cost))
    }

    /// Follows a run by default to its end, or to a state that was met before.
    fn follow(&mut self, world: Judged, progress: Stride, trail: Trail, cost: Cost) {
        self.follow_on(world, progress, trail, cost, false);
    }

    /// Lets a run go on that was put off because it is long.
    fn go_on(&mut self, mut world: Judged, path: Path, cost: Cost) {
        let mut trail = Trail::from(self.near(&world, path), cost);
        let progress = step(&mut world, &[]);
        trail.step(self.open(&world, 0));
        let cost = Cost::new(cost.faults(), cost.choices(), world.now());
        self.follow_on(world, progress, trail, cost, true);
    }

    fn follow_on(
        &mut self,
        mut world: Judged,
        mut progress: Stride,
        mut trail: Trail,
        mut cost: Cost,
        mut by_default: bool,
    ) {
        let mut kept_at = None;
        for gone in 0.. {
            if let Stride::Over(_) = progress {
                self.leave(trail);
                return self.end(world, cost, EndReason::Quiet);
            }
            // Between two steps that could not have gone otherwise no run turns off, and those that meet there meet at the next instant too.
            let was_forced = self.open(&world, 0).next().is_none();
            if self.reductions == Reductions::Off || !was_forced || kept_at != Some(world.now()) {
                kept_at = Some(world.now());
                let state = State::of(&mut world, false);
                if self.is_dominated(state, &world) {
                    return self.leave(trail);
                }
                let fingerprint = state.fingerprint(&world);
                if !self.visited.meet(fingerprint, cost) {
                    self.leave(trail);
                    if by_default && self.would_break(&world, cost) && goes_in_a_circle(&world, fingerprint) {
                        // Nothing but this happens for ever: whatever is judged at the end can be judged now.
                        self.end(world, cost, EndReason::Until);
                    }
                    return;
                }
            }
            self.judge(&mut world, cost, false);
            if self.is_too_dear(cost) {
                return self.leave(trail);
            }
            if gone == LONGEST_RUN {
                // Whatever costs less comes first: a run may never end, nor come back to where it was.
                let has_room = self.at_hand < MOST_AT_HAND;
                let rest = Stretch::rest_of_run(trail.path(), cost, world, has_room);
                self.leave(trail);
                return self.put_off(rest);
            }
            if trail.is_full() {
                let path = self.near(&world, trail.path());
                self.leave(std::mem::replace(&mut trail, Trail::from(path, cost)));
            }
            progress = step(&mut world, &[]);
            trail.step(self.open(&world, 0));
            cost = Cost::new(cost.faults(), cost.choices(), world.now());
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

    /// Takes the first turns of a stretch, and puts off the others until it is their time.
    fn turn_off(&mut self, mut stretch: Stretch) {
        self.at_hand -= usize::from(stretch.has_world());
        let (base, path) = stretch.first_turn();
        if stretch.turn == Turn::None {
            return self.go_on(base, path, stretch.began);
        }
        let mut world = base.clone();
        step(&mut world, &stretch.given);
        let asked = world.choices().asked().to_vec();
        self.turn(&base, path, stretch.began, &stretch.given, &asked, stretch.turn);
        if let Some(rest) = stretch.rest(world, self.at_hand < MOST_AT_HAND) {
            self.put_off(rest);
        }
    }

    /// The way to a world, from a new snapshot if it has become long.
    fn near(&self, world: &Judged, path: Path) -> Path {
        if path.is_far() { self.snapshot(world) } else { path }
    }

    fn snapshot(&self, world: &Judged) -> Path {
        Path::from(Snapshot::new(world.clone(), &self.census))
    }

    /// Takes every turn of one kind in a step from `base`, to which `path` leads, that begins with the answers `given`, and in which all this was asked.
    fn turn(&mut self, base: &Judged, path: Path, before: Cost, given: &[u32], asked: &[Asked], turn: Turn) {
        let path = self.near(base, path);
        for (place, question) in asked.iter().enumerate().skip(given.len()).rev() {
            if Turn::of(question.label) != turn {
                continue;
            }
            for index in alternatives(*question).rev() {
                let mut way = given.to_vec();
                way.resize(place, 0);
                way.push(index);
                self.deviate(base, &path, before, &way);
            }
        }
    }

    /// Lets the next thing happen with these answers, and follows the run.
    fn deviate(&mut self, base: &Judged, path: &Path, before: Cost, way: &[u32]) {
        let mut world = base.clone();
        for question in self.questions.iter().filter(|question| question.is_settled) {
            world.sink_mut().judge.forget(question.property);
        }
        let progress = step(&mut world, way);
        let asked = world.choices().asked();
        let turns = asked.iter().zip(way).filter(|(_, answer)| **answer > 0).map(|(asked, _)| Turn::of(asked.label));
        let began = turns.fold(before, |cost, turn| turn.added_to(cost));
        let further = [Turn::Free, Turn::Choice, Turn::Fault]
            .map(|turn| (turn, self.open(&world, way.len()).any(|asked| Turn::of(asked.label) == turn)));
        for (turn, _) in further.into_iter().filter(|(_, is_there)| *is_there) {
            self.put_off(Stretch::within(path, before, way, began, turn));
        }
        let cost = Cost::new(began.faults(), began.choices(), world.now());
        self.follow(world, progress, Trail::turned(path, way, cost), cost);
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

    /// A run is over, or goes on under another trail: its turns wait.
    fn leave(&mut self, trail: Trail) {
        for stretch in trail.stretches() {
            self.put_off(stretch);
        }
    }

    fn put_off(&mut self, stretch: Stretch) {
        self.made += 1;
        self.at_hand += usize::from(stretch.has_world());
        self.frontier.insert((stretch.cost, self.made), Box::new(stretch));
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
