//! Playing the runs of a sample, or a share of them, on every core; what shards have seen adds up.

use std::ops::Range;

use locklab_core::explore::risk::{Risk, Tally};
use locklab_core::i18n::Language;
use locklab_core::say;
use serde::{Deserialize, Serialize};

use super::inquiry::Inquiry;
use crate::failure::Failure;
use crate::interrupt::{Interrupt, Stop};
use crate::partial::{Share, damaged};
use crate::progress::ProgressLine;
use crate::shard::Shard;

/// How many runs a thread plays between two looks at the clock.
const AT_ONCE: u64 = 500;

/// The parts of all runs after which the estimates are looked at.
const LOOKS: [u64; 5] = [16, 8, 4, 2, 1];

/// What was seen, by one shard or by all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Before the first look, between the first and the second, and so on.
    pub looks: Vec<Tally>,
    /// At each other lease that was sampled to its end.
    pub curve: Vec<Tally>,
    /// Why it ended before its end, if it did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stopped: Option<Stop>,
}

/// How a sample is played.
#[derive(Debug)]
pub struct Sampler {
    /// Which share.
    pub shard: Shard,
    /// How many threads.
    pub threads: u64,
    /// Whether the end was asked for.
    pub interrupt: Interrupt,
}

impl Share for Sample {
    fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }
}

impl Sampler {
    /// Plays so many runs, and a quarter as many at each other lease.
    pub fn sample(&self, inquiry: &Inquiry, language: Language) -> Sample {
        let runs = inquiry.question.runs;
        let quarter = |risk: &Risk| 0..(runs / 4).max(risk.strata().len() as u64);
        let on_curve: u64 = inquiry.curve.iter().map(|(_, risk)| self.count(&quarter(risk))).sum();
        let line = ProgressLine::counting(self.count(&(0..runs)) + on_curve, &say!("runs", "次运行"), language);
        let mut sample = Sample { looks: Vec::new(), curve: Vec::new(), stopped: None };
        let mut played = 0;
        for parts in LOOKS {
            let (tally, stopped) = self.tally(&inquiry.risk, &(played..runs / parts), &line);
            played = runs / parts;
            sample.looks.push(tally);
            if stopped.is_some() {
                return Sample { stopped, ..sample };
            }
        }
        for (_, risk) in &inquiry.curve {
            let (tally, stopped) = self.tally(risk, &quarter(risk), &line);
            if stopped.is_some() {
                return Sample { stopped, ..sample };
            }
            sample.curve.push(tally);
        }
        sample
    }

    fn count(&self, runs: &Range<u64>) -> u64 {
        let own = self.shard.runs(runs);
        own.end - own.start
    }

    /// Plays this shard's share of some runs, unless the end is asked for.
    fn tally(&self, risk: &Risk, all: &Range<u64>, line: &ProgressLine) -> (Tally, Option<Stop>) {
        let runs = self.shard.runs(all);
        let mut tally = risk.tally();
        let mut next = runs.start;
        while next < runs.end {
            if self.interrupt.is_asked() {
                return (tally, Some(Stop::Interrupted));
            }
            let piece = |thread: u64| {
                let from = (next + thread * AT_ONCE).min(runs.end);
                from..(from + AT_ONCE).min(runs.end)
            };
            std::thread::scope(|scope| {
                let workers: Vec<_> =
                    (1..self.threads).map(|thread| scope.spawn(move || risk.sample(piece(thread)))).collect();
                tally.add(&risk.sample(piece(0)));
                workers.into_iter().for_each(|worker| tally.add(&worker.join().expect("a run does not panic")));
            });
            let end = piece(self.threads - 1).end;
            line.advance(end - next);
            next = end;
        }
        (tally, None)
    }
}

impl Sample {
    /// What all shards have seen together. Where one was stopped, the points of the curve that it has not sampled are left out.
    ///
    /// # Errors
    ///
    /// One has seen what belongs to another risk.
    pub fn joined<'a>(shards: impl Iterator<Item = &'a Sample>, inquiry: &Inquiry) -> Result<Sample, Failure> {
        let mut whole: Option<Sample> = None;
        for shard in shards {
            let risks = inquiry.curve.iter().map(|(_, risk)| risk);
            let fits = shard.looks.iter().all(|tally| inquiry.risk.has_tally(tally))
                && shard.looks.len() <= LOOKS.len()
                && shard.curve.len() <= inquiry.curve.len()
                && risks.zip(&shard.curve).all(|(risk, tally)| risk.has_tally(tally));
            if !fits {
                return Err(damaged(say!("a sample of another risk", "样本与这项估计不符")));
            }
            let Some(whole) = &mut whole else {
                whole = Some(shard.clone());
                continue;
            };
            for (place, tally) in shard.looks.iter().enumerate() {
                match whole.looks.get_mut(place) {
                    Some(sum) => sum.add(tally),
                    None => whole.looks.push(tally.clone()),
                }
            }
            whole.curve.truncate(shard.curve.len());
            whole.curve.iter_mut().zip(&shard.curve).for_each(|(sum, tally)| sum.add(tally));
            whole.stopped = whole.stopped.or(shard.stopped);
        }
        whole.ok_or_else(|| damaged(say!("no sample", "没有样本")))
    }
}
