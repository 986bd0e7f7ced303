//! The risk, as an errand: how likely a lock breaks under a model of what strikes.

use locklab_core::address::{Change, ChoicesAddress};
use locklab_core::check::Property;
use locklab_core::explore::risk::{Model, Risk, shown};
use locklab_core::i18n::Text;
use locklab_core::say;
use locklab_core::scenario;

use super::base::{Base, in_question};
use super::search::said;
use super::{PACE, Report};
use crate::state::{Piece, Played};

/// How many runs are sampled.
const RUNS: u64 = 20_000;

/// How many runs are played between two looks at the clock.
const AT_ONCE: u64 = 20;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wager {
    /// The run whose scenario and lock are sampled, by its address.
    pub run: String,
    /// The property in question; `None`: the usual ones.
    pub property: Option<Property>,
    /// The model, as a file tells it.
    pub model: String,
}

/// What was sampled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// How many runs, and how often each gets the lock.
    pub runs: u64,
    /// How many acquisitions a run without faults has.
    pub acquisitions: u64,
    /// Property by property.
    pub chances: Vec<Chance>,
    /// What strikes, how likely a run meets it, and what broke there.
    pub strata: Vec<(Text, String, Text)>,
}

/// How likely a property breaks, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance {
    /// The property.
    pub property: Property,
    /// For each acquisition.
    pub acquisition: Text,
    /// How often in a year.
    pub year: Text,
    /// A run that broke it, by its address.
    pub example: Option<String>,
}

impl Wager {
    /// Samples.
    pub(super) fn sample(&self, now: impl Fn() -> f64, tell: &mut impl FnMut(Report)) -> Result<Odds, Text> {
        let base = Base::at(&self.run)?;
        let no_log = |_: &str| Err(say!("a page reads no log", "网页不读取日志文件"));
        let model = Model::parse(&self.model, no_log).map_err(|error| error.message)?;
        let properties = in_question(self.property);
        let risk = Risk::new(&base.scenario, &base.kind, model, &properties, 0).map_err(|error| error.why)?;
        let mut tally = risk.tally();
        let (mut next, mut told) = (0, now());
        while next < RUNS {
            let upto = (next + AT_ONCE).min(RUNS);
            tally.add(&risk.sample(next..upto));
            next = upto;
            if now() - told >= PACE {
                told = now();
                tell(Report::Part { done: next, waiting: RUNS - next });
            }
        }
        let mut chances = Vec::new();
        for (place, property) in properties.iter().enumerate() {
            let example = tally.first[place].map(|first| example(&base, &risk, first)).transpose()?.flatten();
            chances.push(Chance {
                property: *property,
                acquisition: risk.of_an_acquisition(&tally, place).words(),
                year: risk.of_a_year(&tally, place).words(),
                example,
            });
        }
        let strata = risk.strata().iter().enumerate().map(|(index, stratum)| {
            let is_excluded = (0..properties.len()).all(|place| risk.is_excluded(index, place));
            let broke = match is_excluded {
                true => say!("harmless, by exhaustive search", "穷举搜索证明无害"),
                false => broke(&properties, &tally.broken[index], tally.runs[index]),
            };
            (stratum.kind.title(), shown(stratum.weight), broke)
        });
        Ok(Odds { runs: RUNS, acquisitions: risk.acquisitions(), strata: strata.collect(), chances })
    }
}

/// What broke in a stratum, and how often.
fn broke(properties: &[Property], broken: &[u64], runs: u64) -> Text {
    let found = properties.iter().zip(broken).filter(|(_, count)| **count > 0);
    let (en, zh): (Vec<String>, Vec<String>) = found
        .map(|(property, count)| {
            let title = property.title();
            (format!("{} {count}", title.en), format!("{} {count} 次", title.zh))
        })
        .unzip();
    match en.is_empty() {
        true => say!("nothing broke in {runs} runs", "{runs} 次运行中没有被破坏", runs = runs),
        false => {
            say!("in {runs} runs: {en}", "{runs} 次运行中：{zh}", runs = runs, en = en.join(", "), zh = zh.join("、"))
        }
    }
}

/// A run of the sample as an ordinary run of the changed scenario, by its address.
fn example(base: &Base, risk: &Risk, index: u64) -> Result<Option<String>, Text> {
    let drawn = risk.drawn(index);
    let nodes: Vec<String> = risk.plan().header.nodes.iter().map(|node| node.name.clone()).collect();
    let mut piece = base.piece.clone();
    if let Some((least, most)) = drawn.latency {
        piece = piece.changed(Change { key: "network.latency".into(), value: format!("{least}..{most}") });
    }
    let faults = scenario::written_faults(&drawn.faults, &base.scenario, &nodes);
    let piece = piece.changed(Change { key: "fault".into(), value: faults });
    let piece = Piece { choices: Some(ChoicesAddress::Taken(drawn.taken)), ..piece };
    Ok(Played::of(&piece).map_err(said)?.address())
}
