//! What is asked of an envelope, and the search that decides one point of it.

use locklab_core::address::Change;
use locklab_core::check::Property;
use locklab_core::explore::envelope::{Axis, AxisError, point};
use locklab_core::explore::{self, Adversity, Search};
use locklab_core::i18n::Text;
use locklab_core::locks::Kind;
use locklab_core::say;
use locklab_core::sim::Plan;

use crate::args::EnvelopeArguments;
use crate::failure::Failure;
use crate::input::Source;
use crate::play::{self, Stage};
use crate::question;

/// The most points of a grid.
const MOST_POINTS: u64 = 10_000;

/// A figure and the value that it is given.
pub type Setting = (Axis, u64);

/// What is asked.
#[derive(Debug)]
pub struct Inquiry<'a> {
    /// The scenario's text.
    pub source: &'a Source,
    /// The scenario as it is, before any figure is varied.
    pub stage: Stage,
    /// The lock.
    pub lock: Kind,
    /// The figure that is varied.
    pub axis: Axis,
    /// The properties in question.
    pub properties: Vec<Property>,
    /// What was typed.
    pub arguments: &'a EnvelopeArguments,
    faults: Adversity,
}

impl<'a> Inquiry<'a> {
    /// Reads what was typed.
    pub fn new(arguments: &'a EnvelopeArguments, source: &'a Source) -> Result<Inquiry<'a>, Failure> {
        let changes: Vec<_> =
            arguments.settings.iter().map(|setting| play::change(setting)).collect::<Result<_, _>>()?;
        let stage = Stage::new(source, changes)?;
        let lock = stage.lock(arguments.lock.as_deref().unwrap_or(&stage.scenario.lock.kind))?;
        let axis = Axis::from_name(&arguments.vary).map_err(wrong)?;
        let faults = match arguments.own_moments {
            true => Adversity::Own,
            false => {
                let allowance = question::allowance(arguments.faults.as_deref(), &stage)?;
                Adversity::Placed(allowance, explore::lengths_of(&stage.scenario))
            }
        };
        Ok(Inquiry {
            source,
            lock,
            axis,
            properties: question::properties(&arguments.properties, &Property::USUAL)?,
            arguments,
            faults,
            stage,
        })
    }

    /// The second figure and its values, where one was asked for.
    pub fn second(&self) -> Result<Vec<Setting>, Failure> {
        let Some(against) = &self.arguments.against else { return Ok(Vec::new()) };
        let (name, range) =
            against.split_once('=').map_or((against.as_str(), None), |(name, range)| (name, Some(range)));
        let axis = Axis::from_name(name).map_err(wrong)?;
        if axis == self.axis {
            return Err(Failure::input(say!("the two figures are the same", "两个量相同")));
        }
        let (from, to) = match range {
            None => axis.usual_range(self.search(&[])?.1.plan()),
            Some(range) => {
                let (from, to) = range.split_once("..").ok_or_else(|| {
                    Failure::input(say!("\"{range}\" is no range", "\"{range}\" 不是范围", range = range))
                        .hint(say!("write FROM..TO, such as 1s..20s", "请写成 从..到，例如 1s..20s"))
                })?;
                (axis.read(from).map_err(wrong)?, axis.read(to).map_err(wrong)?)
            }
        };
        range_of(from, to)?;
        let unit = self.unit(axis);
        let last = self.arguments.lines - 1;
        let mut values: Vec<u64> = (0..=last)
            .map(|line| (from + (to - from) / last * line) / unit * unit)
            .map(|value| value.max(from))
            .collect();
        values.dedup();
        Ok(values.into_iter().map(|value| (axis, value)).collect())
    }

    /// Where the varied figure is looked at: from, to, and the distance of the grid.
    pub fn range(&self) -> Result<(u64, u64, u64), Failure> {
        let usual = self.axis.usual_range(self.search(&[])?.1.plan());
        let read = |text: &Option<String>| text.as_deref().map(|text| self.axis.read(text).map_err(wrong)).transpose();
        let unit = self.unit(self.axis);
        let from = read(&self.arguments.from)?.unwrap_or(usual.0.div_ceil(unit) * unit);
        let to = read(&self.arguments.to)?.unwrap_or(usual.1);
        range_of(from, to)?;
        let step = read(&self.arguments.step)?.unwrap_or(((to - from) / 16).max(1));
        let points = (to - from).checked_div(step).filter(|points| *points <= MOST_POINTS);
        points.map(|_| (from, to, step)).ok_or_else(|| {
            Failure::input(say!(
                "with this --step there are more than {most} points",
                "按这个 --step，点数超过 {most} 个",
                most = MOST_POINTS
            ))
            .hint(say!(
                "take a larger --step or a shorter range; between the points every edge is looked for anyway",
                "请增大 --step 或缩小范围；点与点之间的边界总会查找"
            ))
        })
    }

    /// The finest difference: coarser where the lock takes whole seconds only.
    pub fn unit(&self, axis: Axis) -> u64 {
        axis.unit_in(&self.stage.scenario, |value| self.search(&[(axis, value)]).is_ok())
    }

    /// What each point searches, said in sentences; `value` is any that the varied figure can have.
    pub fn bounds(&self, value: u64) -> Result<Vec<Text>, Failure> {
        let mut bounds = self.search(&[(self.axis, value)])?.1.bounds();
        if let (Some(class), Adversity::Placed(..)) = (self.axis.class(), self.faults) {
            let own = format!("{}: ", class.name());
            bounds.retain(|bound| !bound.en.starts_with(&own));
        }
        let (name, axis) = (self.axis.name(), self.axis.title());
        bounds.push(say!(
            "{name}: just what the point says ({axis})",
            "{name}：恰好是该点的取值（{axis}）",
            name = name,
            axis = axis
        ));
        Ok(bounds)
    }

    /// The scenario and its search with these figures set.
    pub fn search(&self, settings: &[Setting]) -> Result<(Stage, Search), Failure> {
        let base = &self.stage;
        let plan = Plan::new(&base.scenario, &self.lock).map_err(|error| Failure::input(error.why))?;
        let (faults, set) = point(settings, self.faults, &base.scenario, base.text(), &plan).map_err(wrong)?;
        let set = set.into_iter().map(|(key, value)| Change { key, value });
        let stage = Stage::new(self.source, base.changes.iter().cloned().chain(set).collect())?;
        let search = Search::against(&stage.scenario, &self.lock, faults, &self.properties)
            .map_err(|error| Failure::input(error.why))?;
        Ok((stage, search))
    }
}

fn range_of(from: u64, to: u64) -> Result<(), Failure> {
    if from < to { Ok(()) } else { Err(Failure::input(say!("the range is empty", "范围为空"))) }
}

fn wrong(error: AxisError) -> Failure {
    Failure::input(error.message).hint(error.hint)
}
