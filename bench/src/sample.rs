//! How long a million seeded runs take: the sample of a risk, on every core.

use anyhow::{Context, anyhow, ensure};
use locklab_core::check::Property;
use locklab_core::explore::risk::{Model, Risk};
use locklab_core::i18n::Text;
use locklab_core::locks;
use locklab_core::scenario::{Scenario, library};
use serde::Serialize;

use crate::stopwatch::Stopwatch;

/// How many runs.
const RUNS: u64 = 1_000_000;

/// The model that docs/risk.md begins with.
const MODEL: &str = include_str!("../../docs/models/java-service.toml");

/// What it came to.
#[derive(Clone, Debug, Serialize)]
pub struct Sample {
    /// How many runs.
    pub runs: u64,
    /// On so many cores.
    pub cores: usize,
    /// Seconds on the wall.
    pub seconds: f64,
}

/// Measures.
pub fn measure(cores: usize) -> anyhow::Result<Sample> {
    let found = library::find("expiry/gc-pause").context("a built-in scenario")?;
    let scenario = Scenario::parse(found.name, found.text).ok().context("it is right")?;
    let lock = locks::find("token-lua").ok().context("the lock is one of the shipped ones")?;
    let model = Model::parse(MODEL, |log| Err(Text::same(log))).map_err(|error| anyhow!(error.message.en))?;
    let stopwatch = Stopwatch::start();
    let risk = Risk::new(&scenario, lock, model, &[Property::MutualExclusion], 1);
    let risk = risk.map_err(|error| anyhow!(error.why.en))?;
    let share = RUNS.div_ceil(cores as u64);
    let played: u64 = std::thread::scope(|scope| {
        let runs = |core: u64| (core * share).min(RUNS)..((core + 1) * share).min(RUNS);
        let workers: Vec<_> = (0..cores as u64).map(|core| (runs(core), &risk)).collect();
        let workers: Vec<_> = workers
            .into_iter()
            .map(|(runs, risk)| scope.spawn(move || risk.sample(runs).runs.iter().sum::<u64>()))
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("a run does not panic")).sum()
    });
    ensure!(played == RUNS, "{played} runs of {RUNS} were played");
    Ok(Sample { runs: RUNS, cores, seconds: stopwatch.wall_seconds() })
}
