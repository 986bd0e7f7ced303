//! `locklab risk`: how likely does it break, on somebody's own figures?

mod json;
mod sampling;
mod text;

use std::path::Path;

use locklab_core::address::{Change, ChoicesAddress};
use locklab_core::check::Property;
use locklab_core::explore::risk::{Drawn, Estimate, Model, NoRisk, Risk, decades};
use locklab_core::i18n::{Language, Text};
use locklab_core::locks::Kind;
use locklab_core::say;
use locklab_core::scenario;
use locklab_core::time::Span;
use locklab_core::view::chart::{Curve, CurvePoint, Unit};

use crate::args::{ChartFormat, RiskArguments};
use crate::failure::{Ending, Failure};
use crate::input::{self, Source};
use crate::output::Output;
use crate::play::{self, Ground, Played, Stage};
use crate::progress::ProgressLine;
use sampling::{Sampled, sampled};

/// The properties in question unless others are named.
const USUAL: [Property; 4] =
    [Property::MutualExclusion, Property::NoOverrun, Property::NoStaleWrite, Property::NoLostUpdate];

/// The largest model or log that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// The width of a drawing in pixels.
const WIDTH: u64 = 900;

/// What was found, ready to be told.
#[derive(Debug)]
struct Assessment {
    stage: Stage,
    lock: Kind,
    model: Model,
    runs: u64,
    seed: u64,
    sampled: Sampled,
    /// The chance for each acquisition at other leases: for each property in turn.
    curve: Vec<(Span, Vec<Estimate>)>,
    /// A run that broke each property.
    examples: Vec<(Property, Played)>,
}

/// Samples and reports.
pub fn risk(arguments: &RiskArguments, language: Language) -> Result<Ending, Failure> {
    let mut output = Output::to(arguments.output.as_deref())?;
    let sources = input::sources(std::slice::from_ref(&arguments.file))?;
    let [source] = sources.as_slice() else { return Err(crate::explore::one_scenario_only()) };
    let assessment = assess(arguments, source, language)?;
    let report = match ChartFormat::wanted(arguments.format, arguments.output.as_deref()) {
        ChartFormat::Text => text::page(&assessment, language),
        ChartFormat::Json => json::document(&assessment),
        ChartFormat::Svg => assessment.chart(0, language).svg(language, WIDTH),
    };
    output.write(&report)?;
    output.finish()?;
    Ok(Ending::AsExpected)
}

fn assess(arguments: &RiskArguments, source: &Source, language: Language) -> Result<Assessment, Failure> {
    let changes: Vec<_> = arguments.settings.iter().map(|setting| play::change(setting)).collect::<Result<_, _>>()?;
    let stage = Stage::new(source, changes)?;
    let lock = stage.lock(arguments.lock.as_deref().unwrap_or(&stage.scenario.lock.kind))?;
    let properties = crate::explore::properties(&arguments.properties, &USUAL)?;
    let model = model(&arguments.model)?;
    let refused = |error: NoRisk| Failure::input(error.why);
    let at = |stage: &Stage| Risk::new(&stage.scenario, &lock, model.clone(), &properties, arguments.seed);
    let mut line = ProgressLine::new(language);
    let sampled = sampled(at(&stage).map_err(refused)?, arguments.runs, arguments.threads, &mut line);
    let mut curve = Vec::new();
    for ttl in leases(stage.scenario.lock.ttl) {
        // A lock that takes whole seconds has no risk at half a second.
        let change = Change { key: "lock.ttl".into(), value: ttl.to_string() };
        let changes = stage.changes.iter().cloned().chain([change]).collect();
        let Ok(Ok(risk)) = Stage::new(source, changes).map(|stage| at(&stage)) else { continue };
        let runs = (arguments.runs / 4).max(risk.strata().len() as u64);
        let tally = sampling::tally(&risk, 0..runs, arguments.threads, &mut line);
        curve.push((ttl, (0..properties.len()).map(|place| risk.of_an_acquisition(&tally, place)).collect()));
    }
    let mut examples = Vec::new();
    for (place, property) in properties.iter().enumerate() {
        if let Some(first) = sampled.tally.first[place] {
            examples.push((*property, example(source, &stage, &lock, &sampled.risk, &sampled.risk.drawn(first))?));
        }
    }
    Ok(Assessment { stage, lock, model, runs: arguments.runs, seed: arguments.seed, sampled, curve, examples })
}

/// The leases of the curve: a quarter of the scenario's up to four times as much.
fn leases(ttl: Span) -> [Span; 5] {
    [Span(ttl.0 / 4), Span(ttl.0 / 2), ttl, Span(ttl.0 * 2), Span(ttl.0 * 4)]
}

/// Reads a model's file, and the log that it may name.
fn model(path: &Path) -> Result<Model, Failure> {
    let text = |path: &Path| {
        let bytes = input::read_bytes(path, LARGEST)?;
        Ok::<String, Failure>(String::from_utf8_lossy(&bytes).into_owned())
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut unread = None;
    let model = Model::parse(&text(path)?, |log| {
        text(&folder.join(log)).map_err(|failure| {
            unread = Some(failure);
            Text::same(log)
        })
    });
    // What the system says about a log tells more than that the model cannot be used.
    unread.map_or(Ok(()), Err)?;
    model.map_err(|error| Failure::input(error.message).hint(error.hint))
}

/// A run of the sample as an ordinary run of the changed scenario.
fn example(source: &Source, stage: &Stage, lock: &Kind, risk: &Risk, drawn: &Drawn) -> Result<Played, Failure> {
    let nodes: Vec<String> = risk.plan().header.nodes.iter().map(|node| node.name.clone()).collect();
    let mut changes = stage.changes.clone();
    if let Some((least, most)) = drawn.latency {
        changes.push(Change { key: "network.latency".into(), value: format!("{least}..{most}") });
    }
    let faults = scenario::written_faults(&drawn.faults, &stage.scenario, &nodes);
    changes.push(Change { key: "fault".into(), value: faults });
    let choices = ChoicesAddress::Taken(drawn.taken.clone());
    Stage::new(source, changes)?.play(lock, choices, &Ground::Models)
}

impl Assessment {
    /// The curve of one property's chance against the lease.
    fn chart(&self, place: usize, language: Language) -> Curve {
        let property = self.sampled.risk.properties()[place];
        let point = |(ttl, estimates): &(Span, Vec<Estimate>)| {
            let estimate = estimates[place];
            CurvePoint {
                at: ttl.0,
                height: estimate.probability.map(decades),
                low: (estimate.low > 0.0).then(|| decades(estimate.low)),
                high: decades(if estimate.probability.is_some() { estimate.high } else { estimate.unseen }),
                words: text::estimate(estimate),
            }
        };
        let title = say!(
            "{title} ({lock}): the chance for each acquisition that {property} breaks",
            "{title}（{lock}）：每次加锁破坏 {property} 的概率",
            title = self.stage.scenario.title,
            lock = &*self.lock.name,
            property = property.name()
        );
        Curve {
            title: title.in_language(language).to_owned(),
            axis: say!("the time to live", "租约时长 ttl"),
            unit: Unit::Micros,
            points: self.curve.iter().map(point).collect(),
        }
    }
}
