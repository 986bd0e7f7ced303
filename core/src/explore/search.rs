//! The exhaustive search.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::fingerprint::Fingerprint;
use super::onlooker::Onlooker;
use super::trail::{Judged, Snapshot, Stretch, Trail, Turn};
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
    frontier: BTreeMap<(Cost, u64), Waiting>,
    made: u64,
    /// How many states have been taken from the frontier, and how many are in it.
    taken: u64,
    met: usize,
    /// Has one holder more than there are snapshots.
    census: Arc<()>,
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
    world: Judged,
    fingerprint: u64,
    cost: Cost,
    /// How its run came here; `None`: it is over, or where it has been is noted already.
    trail: Option<Trail>,
    is_over: bool,
}

/// What waits to be searched.
#[derive(Clone, Debug)]
enum Waiting {
    /// A state that was met.
    State(Box<State>),
    /// Turns of a run that were not taken.
    Turns(Box<Stretch>),
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
            met: 0,
            census: Arc::new(()),
            visited: Visited::new(),
            questions: properties.iter().map(ask).collect(),
            reached: Cost::NOTHING,
        };
        search.meet(Box::new(State { world, fingerprint: 0, cost: Cost::NOTHING, trail: None, is_over: false }), false);
        Ok(search)
    }

    /// Looks at so many states more, or fewer; at none only where it is over.
    pub fn advance(&mut self, states: usize) -> Progress {
        for _ in 0..states {
            if self.questions.iter().all(|question| question.attack.is_some()) {
                self.frontier.clear();
                self.met = 0;
            }
            let Some((_, next)) = self.frontier.pop_first() else { return Progress::Over };
            match next {
                Waiting::State(state) => {
                    self.taken += 1;
                    self.met -= 1;
                    self.visit(state);
                }
                Waiting::Turns(stretch) => self.turn_off(&stretch),
            }
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
        let frontier: BTreeMap<_, _> = own.map(|(_, (key, waiting))| (*key, waiting.clone())).collect();
        Search {
            met: frontier.values().filter(|waiting| matches!(waiting, Waiting::State(_))).count(),
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

    /// How much waits to be looked at: states, and stretches of runs that can be turned off from.
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
        /// A place in the frontier, with a stretch.
        const PLACE: usize = 192;
        let worlds = self.met + Arc::strong_count(&self.census) - 1;
        self.visited.bytes() + worlds * WORLD + self.frontier.len() * PLACE
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

    fn visit(&mut self, mut state: Box<State>) {
        if self.visited.cost(state.fingerprint).is_some_and(|known| known < state.cost) {
            return self.leave(state.trail);
        }
        self.reached = state.cost;
        self.judge(&mut state);
        if !state.is_over {
            self.go_on(state);
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
            let (is_tested, is_broken) = judge.found(question.property);
            question.tested |= is_tested;
            // A lost update can come back while the run goes on.
            let is_final = state.is_over || question.property != Property::NoLostUpdate;
            if !is_broken || !is_final || question.unconfirmed >= MOST_UNCONFIRMED {
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

    /// Lets the next thing happen by default, and in every other way that costs nothing. What costs something is left for later.
    fn go_on(&mut self, mut state: Box<State>) {
        let mut trail = match state.trail.take() {
            Some(trail) => trail,
            None => Trail::from(Snapshot::new(state.world.clone(), &self.census), state.cost),
        };
        let before = state.cost;
        let base = state.world.has_open_faults().then(|| Snapshot::new(state.world.clone(), &self.census));
        state.world.choices_mut().prepare(&[]);
        let Ok(progress) = state.world.stride();
        let asked = state.world.choices().asked().to_vec();
        trail.step(&asked);
        state.trail = if trail.is_full() {
            self.leave(Some(trail));
            None
        } else {
            Some(trail)
        };
        state.cost = Cost::new(before.faults(), before.choices(), state.world.now());
        self.come_to(state, progress, true);
        if let Some(base) = base {
            self.turn(&base, before, &[], &asked, Turn::Free);
        }
    }

    /// Takes the first turns of a stretch, and puts off the others until it is their time.
    fn turn_off(&mut self, stretch: &Stretch) {
        let base = stretch.base(&self.census);
        let mut world = base.world.clone();
        world.choices_mut().prepare(&stretch.given);
        let Ok(_) = world.stride();
        let asked = world.choices().asked().to_vec();
        self.turn(&base, stretch.began, &stretch.given, &asked, stretch.turn);
        let now = world.now();
        if let Some(rest) = stretch.rest(now, || Snapshot::new(world, &self.census)) {
            self.put_off(rest);
        }
    }

    /// Takes every turn of one kind in a step from `base` that begins with the answers `given`, in which all this was asked.
    fn turn(&mut self, base: &Arc<Snapshot>, before: Cost, given: &[u32], asked: &[Asked], turn: Turn) {
        for (place, question) in asked.iter().enumerate().skip(given.len()).rev() {
            if Turn::of(question.label) != turn {
                continue;
            }
            for index in alternatives(*question).rev() {
                let mut way = given.to_vec();
                way.resize(place, 0);
                way.push(index);
                self.deviate(base, before, &way);
            }
        }
    }

    /// Lets the next thing happen with these answers, and with those that can follow at no cost.
    fn deviate(&mut self, base: &Arc<Snapshot>, before: Cost, way: &[u32]) {
        let mut world = base.world.clone();
        for question in self.questions.iter().filter(|question| question.attack.is_some()) {
            world.sink_mut().judge.forget(question.property);
        }
        world.choices_mut().prepare(way);
        let Ok(progress) = world.stride();
        let asked = world.choices().asked().to_vec();
        let turns = asked.iter().zip(way).filter(|(_, answer)| **answer > 0).map(|(asked, _)| Turn::of(asked.label));
        let began = turns.fold(before, |cost, turn| turn.added_to(cost));
        let cost = Cost::new(began.faults(), began.choices(), world.now());
        let trail = Some(Trail::after(base.clone(), way, cost));
        self.come_to(Box::new(State { world, fingerprint: 0, cost, trail, is_over: false }), progress, false);
        self.turn(base, before, way, &asked, Turn::Free);
        for turn in [Turn::Choice, Turn::Fault] {
            if asked.iter().skip(way.len()).any(|asked| Turn::of(asked.label) == turn) {
                self.put_off(Stretch::within(base.clone(), before, way, began, turn));
            }
        }
    }

    fn come_to(&mut self, state: Box<State>, progress: Stride, by_default: bool) {
        match progress {
            Stride::Over(_) => self.end(state, EndReason::Quiet),
            Stride::Going => self.meet(state, by_default),
        }
    }

    /// A world that was reached: new, or met before.
    fn meet(&mut self, mut state: Box<State>, by_default: bool) {
        state.fingerprint = fingerprint(&mut state.world, false);
        if self.visited.meet(state.fingerprint, state.cost) {
            self.wait(state);
        } else {
            self.leave(state.trail.take());
            if by_default && self.would_break(&state.world) && goes_in_a_circle(&state.world, state.fingerprint) {
                // Nothing but this happens for ever: whatever is judged at the end can be judged now.
                self.end(state, EndReason::Until);
            }
        }
    }

    /// A world in which nothing is left to happen, or nothing new.
    fn end(&mut self, mut state: Box<State>, why: EndReason) {
        self.leave(state.trail.take());
        let at = state.world.now();
        state.world.sink_mut().judge.step(&Event { at, what: What::End(why) });
        state.fingerprint = fingerprint(&mut state.world, true);
        state.is_over = true;
        if self.visited.meet(state.fingerprint, state.cost) {
            self.wait(state);
        }
    }

    fn wait(&mut self, state: Box<State>) {
        self.made += 1;
        self.met += 1;
        self.frontier.insert((state.cost, self.made), Waiting::State(state));
    }

    /// A run is over, or goes on under another trail: its turns wait.
    fn leave(&mut self, trail: Option<Trail>) {
        for stretch in trail.into_iter().flat_map(Trail::stretches) {
            self.put_off(stretch);
        }
    }

    fn put_off(&mut self, stretch: Stretch) {
        self.made += 1;
        self.frontier.insert((stretch.cost, self.made), Waiting::Turns(Box::new(stretch)));
    }

    /// Whether the end of the run, here, would break something in question that is not broken yet.
    fn would_break(&self, world: &Judged) -> bool {
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
fn alternatives(asked: Asked) -> std::ops::Range<u32> {
    match asked.label {
        ChoiceLabel::Order | ChoiceLabel::NodeOrder | ChoiceLabel::Fault | ChoiceLabel::Length => 1..asked.count,
        // A range of spans, or a chance: its other end.
        ChoiceLabel::Delay | ChoiceLabel::Jitter | ChoiceLabel::Loss | ChoiceLabel::Duplicate => {
            asked.count - 1..asked.count
        }
    }
}

fn fingerprint(world: &mut Judged, is_over: bool) -> u64 {
    let now = world.now();
    world.sink_mut().judge.advance(now);
    let mut hasher = Fingerprint::new();
    is_over.hash(&mut hasher);
    world.remember(&mut hasher);
    world.sink().judge.remember(&mut hasher);
    hasher.finish()
}

/// Whether the world comes back to the same state by itself.
fn goes_in_a_circle(world: &Judged, start: u64) -> bool {
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
