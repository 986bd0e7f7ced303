//! The workload in Locklab: a scenario like any other, its lock a listing, its script real Lua.

use std::sync::Arc;

use anyhow::{Context, anyhow, ensure};
use locklab_core::choices::Choices;
use locklab_core::history::{EndReason, GrantEvent, What};
use locklab_core::i18n::Language;
use locklab_core::locks;
use locklab_core::scenario::Scenario;
use locklab_core::sim::{Model, Nobody, Plan, Recorder, Sink, World};

use super::workload::{Played, Workload};

const LOCK: &str = "token-lua";

/// The workload, ready to be played as often as one likes.
///
/// All plays share the plan, as the runs of a search do, and with it what is remembered of scripts: from the second play on,
/// a script that has run before with the same arguments and replies is not interpreted again.
pub struct Locklab {
    plan: Arc<Plan>,
}

impl Locklab {
    /// Reads the workload's scenario.
    pub fn new(workload: &Workload) -> anyhow::Result<Locklab> {
        let scenario = Scenario::parse("bench", &scenario(workload));
        let scenario = scenario.map_err(|errors| anyhow!(errors.render(Language::English)))?;
        let lock = locks::find(LOCK).ok().context("the lock is one of the shipped ones")?;
        let plan = Plan::new(&scenario, lock).map_err(|error| anyhow!("{error:?}"))?;
        Ok(Locklab { plan: Arc::new(plan) })
    }

    /// Plays the workload and keeps its history.
    pub fn play_with_history(&self) -> anyhow::Result<Played> {
        let (recorder, commands) = self.play(Recorder::default())?;
        let granted = |what: &What| matches!(what, What::Grant { event: GrantEvent::Granted { .. }, .. });
        let grants = recorder.events.iter().filter(|event| granted(&event.what)).count();
        Ok(Played { commands, grants: Some(grants as u64) })
    }

    /// Plays the workload with nobody looking.
    pub fn play_without_history(&self) -> anyhow::Result<Played> {
        let (Nobody, commands) = self.play(Nobody)?;
        Ok(Played { commands, grants: None })
    }

    fn play<S: Sink>(&self, sink: S) -> anyhow::Result<(S, u64)> {
        let parts = Model::new(Arc::clone(&self.plan));
        let Ok(mut world) = World::new(Arc::clone(&self.plan), parts, sink, Choices::scripted());
        let Ok(end) = world.play(u64::MAX);
        ensure!(end == EndReason::Until, "the run ended early: {end:?}");
        let commands = world.commands();
        Ok((world.into_sink(), commands))
    }
}

fn scenario(workload: &Workload) -> String {
    let Workload { clients, ttl_ms, work_ms, retry_ms, latency_ms, simulated_ms } = workload;
    format!(
        r#"
title = "Clients contend for one lock"
question = "How many commands a second?"
lesson = "Enough to search."
until = "{simulated_ms}ms"

[servers]
redis = "single"

[lock]
kind = "{LOCK}"
ttl = "{ttl_ms}ms"
retry = "{retry_ms}ms"

[network]
latency = "{latency_ms}ms"

[[client]]
name = "client"
count = {clients}
runs = 100000
steps = ["lock", "{work_ms}ms", "unlock"]

[expect.{LOCK}]
broken = []
happens = ["client-1.acquired"]
"#
    )
}
