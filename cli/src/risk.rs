//! `locklab risk`: how likely does it break, on somebody's own figures?

mod inquiry;
mod json;
mod sampling;
mod text;

use locklab_core::address::{Change, ChoicesAddress};
use locklab_core::check::Property;
use locklab_core::explore::risk::{Drawn, Estimate, Tally, decades};
use locklab_core::i18n::Language;
use locklab_core::say;
use locklab_core::scenario;
use locklab_core::time::Span;
use locklab_core::view::chart::{Curve, CurvePoint, Unit};
use locklab_core::view::svg::StyleSheet;

use crate::args::RiskArguments;
use crate::failure::{Ending, Failure};
use crate::form;
use crate::input;
use crate::interrupt::{Interrupt, Stop};
use crate::options::ChartFormat;
use crate::output::Output;
use crate::partial::{Partial, Work};
use crate::play::{Ground, Played, Stage};
use crate::shard::Shard;
use inquiry::{Inquiry, Question};
use sampling::{Sample, Sampler};

/// The width of a drawing in pixels.
const WIDTH: u64 = 900;

/// What was found, ready to be told.
#[derive(Debug)]
struct Assessment {
    inquiry: Inquiry,
    /// What was seen in all.
    tally: Tally,
    /// After so many runs, the chance for each acquisition, property by property.
    steps: Vec<(u64, Vec<Estimate>)>,
    /// The chance for each acquisition at other leases, property by property.
    curve: Vec<(Span, Vec<Estimate>)>,
    /// A run that broke each property.
    examples: Vec<(Property, Played)>,
    /// Why the sample ended before its end, if it did.
    stopped: Option<Stop>,
}

/// Samples and reports.
pub fn risk(arguments: &RiskArguments, language: Language) -> Result<Ending, Failure> {
    let format = form::wanted(arguments.format, arguments.output.as_deref().filter(|_| arguments.shard.is_none()))?;
    let interrupt = Interrupt::listen();
    let output = Output::to(arguments.output.as_deref())?;
    let source = input::one(&arguments.file)?;
    let inquiry = Inquiry::new(Question::new(arguments, &source)?)?;
    let sampler = Sampler {
        shard: arguments.shard.unwrap_or(Shard::WHOLE),
        threads: arguments.threads.map_or_else(processors, u64::from),
        interrupt,
    };
    let sample = sampler.sample(&inquiry, language);
    if let Some(shard) = arguments.shard {
        return Partial::new(Work::Risk, shard, inquiry.question, sample).write(output);
    }
    Assessment::new(inquiry, &sample)?.report(format, output, language)
}

/// Puts the shards of a sample together, and reports what one run would have reported.
pub fn merged(
    shards: &[Partial<Question, Sample>],
    format: ChartFormat,
    output: Output,
    language: Language,
) -> Result<Ending, Failure> {
    let inquiry = Inquiry::new(shards[0].question.clone())?;
    let sample = Sample::joined(shards.iter().map(|shard| &shard.found), &inquiry)?;
    Assessment::new(inquiry, &sample)?.report(format, output, language)
}

impl Assessment {
    fn new(inquiry: Inquiry, sample: &Sample) -> Result<Assessment, Failure> {
        let risk = &inquiry.risk;
        let places = 0..risk.properties().len();
        let mut tally = risk.tally();
        let mut steps = Vec::new();
        for look in &sample.looks {
            tally.add(look);
            let estimates = places.clone().map(|place| risk.of_an_acquisition(&tally, place)).collect();
            steps.push((tally.runs.iter().sum(), estimates));
        }
        let curve = inquiry.curve.iter().zip(&sample.curve).map(|((ttl, risk), tally)| {
            (*ttl, places.clone().map(|place| risk.of_an_acquisition(tally, place)).collect())
        });
        let curve = curve.collect();
        let mut examples = Vec::new();
        for (place, property) in risk.properties().iter().enumerate() {
            if let Some(first) = tally.first[place] {
                examples.push((*property, example(&inquiry, &risk.drawn(first))?));
            }
        }
        Ok(Assessment { inquiry, tally, steps, curve, examples, stopped: sample.stopped })
    }

    /// Tells it. All well means: the sample was played to its end.
    fn report(&self, format: ChartFormat, mut output: Output, language: Language) -> Result<Ending, Failure> {
        let report = match format {
            ChartFormat::Text => text::page(self, language),
            ChartFormat::Json => json::document(self),
            ChartFormat::Svg => self.chart(0, language).svg(language, WIDTH, StyleSheet::Inside),
        };
        output.write(&report)?;
        output.finish()?;
        Ok(if self.stopped.is_none() { Ending::AsExpected } else { Ending::NotAsExpected })
    }

    /// How many runs were played.
    fn runs(&self) -> u64 {
        self.tally.runs.iter().sum()
    }

    /// The curve of one property's chance against the lease.
    fn chart(&self, place: usize, language: Language) -> Curve {
        let property = self.inquiry.risk.properties()[place];
        let point = |(ttl, estimates): &(Span, Vec<Estimate>)| {
            let estimate = estimates[place];
            CurvePoint {
                at: ttl.0,
                height: estimate.probability.map(decades),
                low: (estimate.low > 0.0).then(|| decades(estimate.low)),
                high: decades(if estimate.probability.is_some() { estimate.high } else { estimate.unseen }),
                words: estimate.in_one_number(),
            }
        };
        let title = say!(
            "{title} ({lock}): the chance for each acquisition that {property} breaks",
            "{title}（{lock}）：每次加锁破坏 {property} 的概率",
            title = self.inquiry.stage.scenario.title,
            lock = &*self.inquiry.lock.name,
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

/// A run of the sample as an ordinary run of the changed scenario.
fn example(inquiry: &Inquiry, drawn: &Drawn) -> Result<Played, Failure> {
    let Inquiry { source, stage, lock, risk, .. } = inquiry;
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

fn processors() -> u64 {
    std::thread::available_parallelism().map_or(1, |count| count.get() as u64)
}
