//! What was measured, for people and for machines.

use std::fmt;

use anyhow::ensure;
use serde::Serialize;

use super::workload::{Played, Workload};
use crate::stopwatch::Stopwatch;

/// One simulator's run of the workload.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Measured {
    commands: u64,
    grants: Option<u64>,
    seconds: f64,
    commands_per_second: f64,
}

impl Measured {
    /// Measures a run.
    pub fn of(play: impl FnOnce() -> anyhow::Result<Played>) -> anyhow::Result<Measured> {
        let stopwatch = Stopwatch::start();
        let Played { commands, grants } = play()?;
        let seconds = stopwatch.seconds();
        ensure!(commands > 0 && grants != Some(0), "nobody got the lock: nothing was measured");
        Ok(Measured { commands, grants, seconds, commands_per_second: commands as f64 / seconds })
    }

    /// The faster of two.
    pub fn better(self, other: Measured) -> Measured {
        if other.commands_per_second > self.commands_per_second { other } else { self }
    }
}

/// All figures of one run of the benchmark. The format of `--json`, version 1.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    version: u32,
    workload: Workload,
    turmoil: Measured,
    with_history: Measured,
    without_history: Measured,
    /// How many times as fast as turmoil.
    ratio_with_history: f64,
    ratio_without_history: f64,
}

impl Figures {
    /// What was measured, with its commands a second and how many times as fast as turmoil it is.
    pub fn rows(&self) -> [(&'static str, f64, f64); 3] {
        [
            ("turmoil", self.turmoil.commands_per_second, 1.0),
            ("with history", self.with_history.commands_per_second, self.ratio_with_history),
            ("without history", self.without_history.commands_per_second, self.ratio_without_history),
        ]
    }

    /// The figures of the three runs.
    pub fn new(workload: Workload, turmoil: Measured, with_history: Measured, without_history: Measured) -> Figures {
        Figures {
            version: 1,
            workload,
            turmoil,
            with_history,
            without_history,
            ratio_with_history: with_history.commands_per_second / turmoil.commands_per_second,
            ratio_without_history: without_history.commands_per_second / turmoil.commands_per_second,
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Workload { clients, ttl_ms, work_ms, retry_ms, latency_ms, simulated_ms } = self.workload;
        writeln!(formatter, "{clients} clients, one token-lua lock, {} s simulated on one core", simulated_ms / 1000)?;
        writeln!(formatter, "ttl {ttl_ms} ms, work {work_ms} ms, retry {retry_ms} ms, latency {latency_ms} ms\n")?;
        let rows = [
            ("turmoil", self.turmoil, 1.0),
            ("locklab, with history", self.with_history, self.ratio_with_history),
            ("locklab, without", self.without_history, self.ratio_without_history),
        ];
        writeln!(formatter, "{:<24}{:>10}{:>9}{:>14}{:>9}", "", "commands", "grants", "commands/s", "ratio")?;
        for (name, Measured { commands, grants, commands_per_second, .. }, ratio) in rows {
            let grants = grants.map_or("-".to_owned(), |grants| grants.to_string());
            writeln!(formatter, "{name:<24}{commands:>10}{grants:>9}{commands_per_second:>14.0}{ratio:>9.1}")?;
        }
        Ok(())
    }
}
