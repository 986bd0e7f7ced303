//! What may strike in a run, cut into strata: rare things get as many runs as common ones, and each counts for what it is worth.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::model::Model;
use super::quantiles::{Band, below};
use super::statistics::poisson;
use crate::i18n::Text;
use crate::say;
use crate::scenario::{Fault, FaultKind, Moment, Trigger};
use crate::sim::Plan;
use crate::time::Span;
use crate::wire::{ClientId, NodeId};

/// One thing that may strike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strike {
    /// A client stops for a time out of this band.
    Pause(Band),
    /// The master fails over.
    Failover(Span),
    /// A server dies and comes back.
    Restart(Span, bool),
}

/// How many things strike in a stratum's runs, and which.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Nothing does.
    Nothing,
    /// One of these, in proportion: all bands of one thing are strata of their own.
    One(Strike),
    /// So many or more, of anything; the chances of each count are summed up, relative to the stratum.
    Several(Vec<f64>),
}

/// A stratum: its runs are alike in what strikes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Stratum {
    /// The chance that a run is of this stratum.
    pub weight: f64,
    /// What strikes.
    pub kind: Kind,
}

/// Everything that may strike, with how often it does in a run.
#[derive(Clone, Debug)]
pub(super) struct Strikes(Vec<(Strike, f64)>);

impl Strikes {
    /// What a model lets strike in a run of this length.
    pub fn new(model: &Model, plan: &Plan, window: Span) -> Strikes {
        let seconds = window.0 as f64 / 1e6;
        let mut all = Vec::new();
        if let Some((rate, quantiles)) = &model.pauses {
            let each = rate * seconds * plan.clients.len() as f64;
            for band in quantiles.bands() {
                all.push((Strike::Pause(band), each * ((band.to - band.from) as f64 / 1e9)));
            }
        }
        if let Some((rate, takes)) = model.failovers
            && plan.is_replicated
        {
            all.push((Strike::Failover(takes), rate * seconds));
        }
        if let Some((rate, takes, data_kept)) = model.restarts {
            all.push((Strike::Restart(takes, data_kept), rate * seconds * plan.nodes.len() as f64));
        }
        all.retain(|(_, mean)| *mean > 0.0);
        Strikes(all)
    }

    /// How many are expected in a run.
    pub fn mean(&self) -> f64 {
        self.0.iter().map(|(_, mean)| mean).sum()
    }

    /// The strata, whose weights sum to one.
    pub fn strata(&self) -> Vec<Stratum> {
        let chances = poisson(self.mean());
        let mut strata = vec![Stratum { weight: chances[0], kind: Kind::Nothing }];
        if let Some(one) = chances.get(1).filter(|chance| **chance > 0.0) {
            let share = |mean: f64| one * mean / self.mean();
            strata
                .extend(self.0.iter().map(|(strike, mean)| Stratum { weight: share(*mean), kind: Kind::One(*strike) }));
        }
        let several: f64 = chances.iter().skip(2).sum();
        if several > 0.0 && !self.0.is_empty() {
            let mut sum = 0.0;
            let summed = chances.iter().skip(2).map(|chance| {
                sum += chance / several;
                sum
            });
            strata.push(Stratum { weight: several, kind: Kind::Several(summed.collect()) });
        }
        strata
    }

    /// The faults of one run of a stratum.
    pub fn draw(
        &self,
        kind: &Kind,
        model: &Model,
        plan: &Plan,
        window: Span,
        generator: &mut Xoshiro256PlusPlus,
    ) -> Vec<Fault> {
        match kind {
            Kind::Nothing => Vec::new(),
            Kind::One(strike) => vec![fault(*strike, model, plan, window, generator)],
            Kind::Several(summed) => {
                let drawn = even(generator);
                let count = 2 + summed.iter().take_while(|sum| **sum < drawn).count().min(summed.len() - 1);
                let mut faults: Vec<Fault> = (0..count)
                    .map(|_| {
                        let strike = self.any(generator);
                        fault(strike, model, plan, window, generator)
                    })
                    .collect();
                faults.sort_by_key(|fault| fault.at.plus);
                faults
            }
        }
    }

    fn any(&self, generator: &mut Xoshiro256PlusPlus) -> Strike {
        let mut left = even(generator) * self.mean();
        for (strike, mean) in &self.0 {
            left -= mean;
            if left < 0.0 {
                return *strike;
            }
        }
        self.0[self.0.len() - 1].0
    }
}

impl Kind {
    /// What it is, for a reader.
    pub fn title(&self) -> Text {
        match self {
            Kind::Nothing => say!("nothing strikes", "没有故障"),
            Kind::One(Strike::Pause(band)) => say!(
                "one pause of {least} to {most}",
                "一次停顿，{least} 到 {most}",
                least = band.least,
                most = band.most
            ),
            Kind::One(Strike::Failover(_)) => say!("one failover", "一次故障切换"),
            Kind::One(Strike::Restart(..)) => say!("one restart of a server", "一次服务器重启"),
            Kind::Several(_) => say!("two or more of these", "以上的两次或更多"),
        }
    }
}

/// A number from 0 to below 1.
fn even(generator: &mut Xoshiro256PlusPlus) -> f64 {
    below(generator, 1 << 53) as f64 / (1_u64 << 53) as f64
}

/// A fault at some instant of the run, on one of the machines that it can strike.
fn fault(strike: Strike, model: &Model, plan: &Plan, window: Span, generator: &mut Xoshiro256PlusPlus) -> Fault {
    let plus = Span(below(generator, window.0));
    let mut one_of = |count: usize| below(generator, count as u64);
    let kind = match strike {
        Strike::Pause(band) => {
            let client = ClientId(one_of(plan.clients.len()) as u16);
            let length = model.pauses.as_ref().map(|(_, quantiles)| quantiles.draw(band, generator));
            FaultKind::Pause { client, task: false, length }
        }
        Strike::Failover(after) => {
            let replicas: Vec<usize> = (0..plan.nodes.len()).filter(|node| plan.nodes[*node].is_replica).collect();
            let to = replicas.get(one_of(replicas.len()) as usize).copied().unwrap_or(0);
            FaultKind::Failover { to: NodeId(to as u8), after }
        }
        Strike::Restart(takes, data_kept) => {
            let node = NodeId(one_of(plan.nodes.len()) as u8);
            FaultKind::Down { node, restart: Some(takes), data_kept: Some(data_kept) }
        }
    };
    Fault { kind, at: Moment { trigger: Trigger::Start, occurrence: 1, plus } }
}
