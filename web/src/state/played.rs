//! A piece, played: what happened, what is to be said about it, and what is needed to draw and walk through it.

use std::rc::Rc;
use std::sync::Arc;

use locklab_core::address::{Address, AddressError, Check, ChoicesAddress};
use locklab_core::check::{self, Report, Verdict};
use locklab_core::history::{EndReason, History};
use locklab_core::i18n::Text;
use locklab_core::say;
use locklab_core::scenario::{Scenario, ScenarioErrors, SetError};
use locklab_core::sim::{Model, NotApplicable, Plan, Recorder, World};
use locklab_core::view::{Axis, AxisMode, Highlight, Moments, Scene, Step, scene, steps};

use super::{Piece, TRACK};

/// The most steps of the world that a page plays: a second's work, and less memory than a browser minds.
pub const BOUND: u64 = 20_000;

/// A piece, played.
#[derive(Clone, Debug)]
pub struct Played {
    /// What was to be played.
    pub piece: Piece,
    /// The scenario's text, with the changes.
    pub text: String,
    /// The scenario, with the changes.
    pub scenario: Scenario,
    /// The lock in one sentence.
    pub summary: Text,
    /// What came of it; or why it cannot be told with this lock.
    run: Result<Rc<Run>, Text>,
}

/// A run that was judged.
#[derive(Clone, Debug)]
pub struct Run {
    /// What happened.
    pub history: Rc<History>,
    /// What is to be said about it.
    pub report: Report,
    /// What is drawn.
    pub scene: Scene,
    /// The story, step by step; at least one.
    pub steps: Vec<Step>,
    /// What every machine knew at each instant.
    pub moments: Moments<Rc<History>>,
    /// Where instants lie on a track of [`TRACK`] units.
    pub track: Axis,
    /// The digest of the history, the same as the command line prints.
    pub digest: String,
    /// From where it can be played again.
    pub address: Address,
    /// What it amounts to.
    pub check: Check,
    /// Whether it went on beyond what the page plays.
    pub is_cut: bool,
}

/// Why something is not shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The scenario is wrong.
    Scenario(ScenarioErrors),
    /// Anything else, in words.
    Said {
        /// What is wrong.
        message: Text,
        /// What to do.
        hint: Option<Text>,
    },
}

/// A run is a pure function of its piece: the same piece, the same run.
impl PartialEq for Played {
    fn eq(&self, other: &Played) -> bool {
        self.piece == other.piece
    }
}

impl Played {
    /// Plays a piece and judges it.
    ///
    /// # Errors
    /// The scenario is wrong, a change names nothing, or there is no such lock.
    pub fn of(piece: &Piece) -> Result<Played, Trouble> {
        let text = piece.text()?;
        let scenario = Scenario::parse(piece.source.name(), &text)?;
        let kind = piece.kind(&scenario)?;
        let run = match Plan::new(&scenario, &kind) {
            Ok(plan) => Ok(Rc::new(Run::of(plan, piece, &scenario))),
            Err(NotApplicable { why }) => Err(why),
        };
        // An alias becomes the name, so that one run has one address.
        let piece = Piece { lock: kind.name.to_string(), ..piece.clone() };
        Ok(Played { piece, text, scenario, summary: kind.summary, run })
    }

    /// The run.
    ///
    /// # Errors
    /// Why the scenario cannot be told with this lock.
    pub fn run(&self) -> Result<&Rc<Run>, &Text> {
        self.run.as_ref()
    }

    /// Whether it differs from the scenario as it was.
    pub fn is_changed(&self) -> bool {
        self.piece.restored() != self.piece
    }

    /// The locks of which the scenario expects something; the one that it is about comes first.
    pub fn told_with(&self) -> Vec<&str> {
        let about = &*self.scenario.lock.kind;
        let others = self.scenario.expectations.iter().map(|expectation| &*expectation.lock);
        [about].into_iter().chain(others.filter(|lock| *lock != about)).collect()
    }
}

impl Run {
    fn of(plan: Plan, piece: &Piece, scenario: &Scenario) -> Run {
        let choices = piece.choices(scenario);
        // Where the order of simultaneous events was chosen, it is chosen again; elsewhere it is the file's.
        let plan = Arc::new(Plan { order_is_chosen: matches!(choices, ChoicesAddress::Taken(_)), ..plan });
        let lock = plan.header.lock.clone();
        let header = plan.header.clone();
        let model = Model::new(plan.clone());
        let Ok(mut world) = World::new(plan, model, Recorder::default(), choices.choices());
        let Ok(end) = world.play(BOUND);
        let history = Rc::new(History { header, events: world.into_sink().events });
        let report = check::check(&history);
        let scene = scene(&history, Highlight::of(&report, &history.header));
        let check = Check::of(history.story_digest().to_string());
        let scenario = piece.source.address();
        let address = Address { scenario, lock, changes: piece.changes.clone(), choices, check };
        Run {
            steps: steps(&scene),
            moments: Moments::new(history.clone()),
            track: Axis::new(&scene, AxisMode::Readable, TRACK),
            digest: history.digest().to_string(),
            is_cut: end == EndReason::Bound,
            history,
            report,
            scene,
            address,
            check,
        }
    }

    /// Whether it broke, held, or nobody can tell.
    pub fn outcome(&self) -> Text {
        let unknown = self.report.verdicts.iter().any(|(_, verdict)| *verdict == Verdict::Unknown);
        match self.report.broken().next() {
            Some(_) => say!("Broken", "被破坏"),
            None if unknown => say!("Unknown", "无法判定"),
            None => say!("Held", "守住了"),
        }
    }
}

impl From<ScenarioErrors> for Trouble {
    fn from(errors: ScenarioErrors) -> Trouble {
        Trouble::Scenario(errors)
    }
}

impl From<SetError> for Trouble {
    fn from(error: SetError) -> Trouble {
        Trouble::Said { message: error.message, hint: error.hint }
    }
}

impl From<AddressError> for Trouble {
    fn from(error: AddressError) -> Trouble {
        Trouble::Said { message: error.message(), hint: Some(error.hint()) }
    }
}
