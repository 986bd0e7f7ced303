//! What is asked of a risk, and the same made ready.

use std::path::Path;

use locklab_core::address::Change;
use locklab_core::check::Property;
use locklab_core::explore::risk::{Model, NoRisk, Risk};
use locklab_core::i18n::Text;
use locklab_core::locks::Kind;
use locklab_core::time::Span;
use serde::{Deserialize, Serialize};

use crate::args::RiskArguments;
use crate::failure::Failure;
use crate::input::{self, Source};
use crate::partial::SourceText;
use crate::play::{self, Stage};
use crate::question;

/// The largest model that is read, in bytes.
const LARGEST_MODEL: u64 = 1 << 20;

/// The largest log that is read, in bytes.
const LARGEST_LOG: u64 = 64 << 20;

/// Everything on which the figures depend, as it was typed: two shards of one sample have the same question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The scenario.
    pub scenario: SourceText,
    /// The changes, such as `ttl=5s`.
    pub settings: Vec<String>,
    /// The lock; none: the one that the scenario is about.
    pub lock: Option<String>,
    /// The model's text.
    pub model: String,
    /// The text of the log that it names.
    pub log: Option<String>,
    /// The properties; none: the usual ones.
    pub properties: Vec<String>,
    /// How many runs.
    pub runs: u64,
    /// The seed of all chances.
    pub seed: u64,
}

/// A question made ready: everything that it names is there.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// The question.
    pub question: Question,
    /// The scenario as it was read.
    pub source: Source,
    /// The scenario with the changes.
    pub stage: Stage,
    /// The lock.
    pub lock: Kind,
    /// The model.
    pub model: Model,
    /// The risk.
    pub risk: Risk,
    /// The same with other leases, the shortest first.
    pub curve: Vec<(Span, Risk)>,
}

impl Question {
    /// What was typed, with the files that it names.
    pub fn new(arguments: &RiskArguments, source: &Source) -> Result<Question, Failure> {
        let model = text(&arguments.model, LARGEST_MODEL)?;
        let folder = arguments.model.parent().unwrap_or(Path::new(""));
        let (mut log, mut unread) = (None, None);
        let read = Model::parse(&model, |name| match text(&folder.join(name), LARGEST_LOG) {
            Ok(text) => Ok(log.insert(text).clone()),
            Err(failure) => {
                unread = Some(failure);
                Err(Text::same(name))
            }
        });
        // What the system says about a log tells more than that the model cannot be used.
        unread.map_or(Ok(()), Err)?;
        read.map_err(|error| Failure::input(error.message).hint(error.hint))?;
        Ok(Question {
            scenario: SourceText::of(source),
            settings: arguments.settings.clone(),
            lock: arguments.lock.clone(),
            model,
            log,
            properties: arguments.properties.clone(),
            runs: arguments.runs,
            seed: arguments.seed,
        })
    }
}

impl Inquiry {
    /// Makes a question ready.
    pub fn new(question: Question) -> Result<Inquiry, Failure> {
        let changes: Vec<Change> =
            question.settings.iter().map(|setting| play::change(setting)).collect::<Result<_, _>>()?;
        let source = question.scenario.source();
        let stage = Stage::new(&source, changes)?;
        let lock = stage.lock(question.lock.as_deref().unwrap_or(&stage.scenario.lock.kind))?;
        let properties = question::properties(&question.properties, &Property::USUAL)?;
        let model = Model::parse(&question.model, |name| question.log.clone().ok_or_else(|| Text::same(name)));
        let model = model.map_err(|error| Failure::input(error.message).hint(error.hint))?;
        let at = |stage: &Stage| Risk::new(&stage.scenario, &lock, model.clone(), &properties, question.seed);
        let risk = at(&stage).map_err(|error: NoRisk| Failure::input(error.why))?;
        let mut curve = Vec::new();
        for ttl in leases(stage.scenario.lock.ttl) {
            // A lock that takes whole seconds has no risk at half a second.
            let change = Change { key: "lock.ttl".into(), value: ttl.to_string() };
            let changes = stage.changes.iter().cloned().chain([change]).collect();
            if let Ok(Ok(risk)) = Stage::new(&source, changes).map(|stage| at(&stage)) {
                curve.push((ttl, risk));
            }
        }
        Ok(Inquiry { question, source, stage, lock, model, risk, curve })
    }
}

/// The leases of the curve: a quarter of the scenario's up to four times as much.
fn leases(ttl: Span) -> [Span; 5] {
    [Span(ttl.0 / 4), Span(ttl.0 / 2), ttl, Span(ttl.0 * 2), Span(ttl.0 * 4)]
}

fn text(path: &Path, most: u64) -> Result<String, Failure> {
    let bytes = input::read_bytes(path, most)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
