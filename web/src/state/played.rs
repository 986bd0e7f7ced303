//! A piece, played: what happened, what is to be said about it, and what is needed to draw and walk through it.

use std::rc::Rc;
use std::sync::Arc;

use locklab_core::address::{Address, AddressError, Check, ChoicesAddress};
use locklab_core::check::{self, Report, Verdict};
use locklab_core::history::{EndReason, History, What};
use locklab_core::i18n::Text;
use locklab_core::say;
use locklab_core::scenario::{Scenario, ScenarioErrors, SetError, library};
use locklab_core::sim::{Model, NotApplicable, Plan, Recorder, World};
use locklab_core::view::{Axis, AxisMode, Element, Highlight, Lane, Moments, Scene, Step, scene, steps};

use super::{Piece, Source, TRACK};

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
    /// From where it can be played again, as text, since packing it takes longer than many a drawing; `None`: it was recorded elsewhere.
    pub address: Option<Rc<str>>,
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
        std::ptr::eq(self, other) || self.piece == other.piece
    }
}

impl Played {
    /// Plays a piece and judges it.
    ///
    /// # Errors
    /// The scenario is wrong, a change names nothing, or there is no such lock.
    pub fn of(piece: &Piece) -> Result<Played, Trouble> {
        if let Source::Recorded { name, history } = &piece.source {
            return Ok(Played::recorded(name, history));
        }
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

    /// A history that was recorded elsewhere, judged as any other.
    fn recorded(name: &str, history: &Rc<History>) -> Played {
        let source = Source::Recorded { name: name.to_owned(), history: history.clone() };
        let lock = history.header.lock.clone();
        Played {
            piece: Piece { source, lock, changes: Vec::new(), choices: None },
            text: String::new(),
            scenario: told_by(history),
            summary: Text::default(),
            run: Ok(Rc::new(Run::judged(history.clone(), None))),
        }
    }

    /// Whether it was recorded elsewhere: then there is nothing to change and to play anew.
    pub fn is_recorded(&self) -> bool {
        matches!(self.piece.source, Source::Recorded { .. })
    }

    /// From where it can be played again; `None`: from nowhere.
    pub fn address(&self) -> Option<String> {
        self.run().ok()?.address.as_deref().map(str::to_owned)
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
        let Ok(_) = world.play(BOUND);
        let history = Rc::new(History { header, events: world.into_sink().events });
        let run = Run::judged(history, None);
        let changes = piece.changes.clone();
        let address =
            piece.source.address().map(|scenario| Address { scenario, lock, changes, choices, check: run.check });
        let address = address.map(|address| address.to_string().into());
        Run { address, ..run }
    }

    /// A history, judged, and everything that is needed to draw it.
    fn judged(history: Rc<History>, address: Option<Rc<str>>) -> Run {
        let report = check::check(&history);
        let scene = scene(&history, Highlight::of(&report, &history.header));
        let end = history.events.last().map(|event| &event.what);
        Run {
            steps: steps(&scene),
            moments: Moments::new(history.clone()),
            track: Axis::new(&scene, AxisMode::Readable, TRACK),
            digest: history.digest().to_string(),
            check: Check::of(history.story_digest().to_string()),
            is_cut: matches!(end, Some(What::End(EndReason::Bound))),
            history,
            report,
            scene,
            address,
        }
    }

    /// The lane on which a step happens.
    pub fn lane_of(&self, step: &Step) -> Option<&Lane> {
        let lane = match step.element? {
            Element::Bar(index) => self.scene.bars.get(index as usize)?.lane,
            Element::Mark(index) => self.scene.marks.get(index as usize)?.lane,
            Element::Exchange(index) => self.scene.exchanges.get(index as usize)?.client,
            Element::Fold(index) => self.scene.folds.get(index as usize)?.client,
        };
        self.scene.lanes.get(usize::from(lane.0))
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

/// What a history tells of the scenario that it was played by: its title and its question, and nothing that could be changed.
fn told_by(history: &History) -> Scenario {
    let first = library::all().first().expect("there are scenarios");
    let shape = Scenario::parse(first.name, first.text).expect("a test plays every built-in scenario");
    let header = &history.header;
    Scenario {
        name: header.scenario.as_str().into(),
        title: header.title.clone(),
        question: header.question.clone(),
        lesson: Text::default(),
        faults: Vec::new(),
        expectations: Vec::new(),
        ..shape
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
