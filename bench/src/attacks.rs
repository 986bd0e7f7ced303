//! How long it takes to find an attack, the simplest there is.

use anyhow::{Context, bail};
use locklab_core::check::Property;
use locklab_core::explore::Answer;
use locklab_core::scenario::library;
use serde::Serialize;

use crate::search::Question;
use crate::stopwatch::Stopwatch;

/// Each is found so often, what takes longer than a second only once; what counts is the quickest.
const ROUNDS: u32 = 5;

/// Two clients, five nodes, one clock that jumps.
const REDLOCK: &str = include_str!("redlock.toml");

/// An attack that was found.
#[derive(Clone, Debug, Serialize)]
pub struct Attack {
    /// On what.
    pub name: &'static str,
    /// How many states were met before.
    pub states: u64,
    /// How many faults and choices it has.
    pub faults: u32,
    /// How many choices of order.
    pub choices: u32,
    /// Milliseconds on one core.
    pub millis: f64,
}

/// Finds both.
pub fn measure() -> anyhow::Result<Vec<Attack>> {
    let pause = library::find("expiry/gc-pause").context("a built-in scenario")?;
    let broken = Property::MutualExclusion;
    Ok(vec![
        found(
            "redlock, 5 nodes, clock-step=1",
            &Question::new("bench/clock", REDLOCK, "redlock", "clock-step=1", broken)?,
        )?,
        found("token-lua, pause=1", &Question::new(pause.name, pause.text, "token-lua", "pause=1", broken)?)?,
    ])
}

fn found(name: &'static str, question: &Question) -> anyhow::Result<Attack> {
    let mut best: Option<Attack> = None;
    for _ in 0..ROUNDS {
        let stopwatch = Stopwatch::start();
        let mut search = question.search()?;
        let attack = loop {
            let _ = search.advance(1);
            match search.answers().next() {
                Some((_, Answer::Broken(attack))) => break attack,
                Some((_, Answer::Unknown)) => {}
                other => bail!("{name}: no attack, but {other:?}"),
            }
        };
        let millis = stopwatch.seconds() * 1_000.0;
        if best.as_ref().is_none_or(|best| millis < best.millis) {
            let states = search.states() as u64;
            let (faults, choices) = (attack.cost.faults(), attack.cost.choices());
            best = Some(Attack { name, states, faults, choices, millis });
        }
        if millis > 1_000.0 {
            break;
        }
    }
    best.context("no round was run")
}
