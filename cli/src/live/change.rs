//! How a scenario is changed before it is played live: faster on the wall clock, or under a prefix on somebody's server.

use std::sync::Arc;

use locklab_core::history::Trouble;
use locklab_core::locks::Value;
use locklab_core::scenario::{Fault, FaultKind, LinkSetting, ResourceHome, Scenario, Topology};
use locklab_core::time::{Span, Time};
use locklab_core::worker::Step;
use serde::{Deserialize, Serialize};

/// The changes of a live run. A client process makes the same ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// How many times faster it is played.
    pub scale: u32,
    /// What its keys begin with.
    pub prefix: Option<String>,
}

impl Changes {
    /// Makes the changes.
    pub fn apply(&self, scenario: &mut Scenario) {
        if self.scale > 1 {
            hasten(scenario, u64::from(self.scale));
        }
        if let Some(prefix) = &self.prefix {
            let under = |name: &mut Arc<str>| *name = Arc::from(format!("{prefix}{name}"));
            scenario.lock.keys.iter_mut().for_each(under);
            if scenario.resource.home == ResourceHome::Redis {
                scenario.resource.cells.iter_mut().for_each(under);
            }
        }
    }
}

/// Divides every length of time. What a scenario leaves to a lock's defaults is divided where it stands in the scenario already.
fn hasten(scenario: &mut Scenario, scale: u64) {
    let span = |span: &mut Span| span.0 /= scale;
    let time = |time: &mut Time| time.0 /= scale;
    let link = |link: &mut LinkSetting| {
        link.latency.0 /= scale;
        link.latency_max.0 /= scale;
    };
    scenario.until.as_mut().map(time);
    scenario.within.as_mut().map(span);
    span(&mut scenario.servers.delayed_restart);
    scenario.servers.database.pool_lifetime.as_mut().map(span);
    span(&mut scenario.servers.database.keep_alive);
    if let Some(Topology::Replicated { lags }) = &mut scenario.servers.topology {
        lags.iter_mut().for_each(span);
    }
    for (_, ahead, _) in &mut scenario.servers.clocks {
        *ahead /= scale.cast_signed();
    }
    let lock = &mut scenario.lock;
    [&mut lock.ttl, &mut lock.retry, &mut lock.backoff, &mut lock.jitter].into_iter().for_each(span);
    lock.timeout.as_mut().map(span);
    for value in lock.extra.values_mut() {
        if let Value::Span(length) = value {
            span(length);
        }
    }
    for client in &mut scenario.clients {
        time(&mut client.starts);
        span(&mut client.every);
        client.wait.as_mut().map(span);
        for step in &mut client.steps {
            if let Step::Work(length) = step {
                span(length);
            }
        }
    }
    link(&mut scenario.network.default);
    scenario.network.links.iter_mut().for_each(|(_, _, setting)| link(setting));
    scenario.faults.iter_mut().for_each(|fault| hasten_fault(fault, scale));
}

fn hasten_fault(fault: &mut Fault, scale: u64) {
    let span = |span: &mut Span| span.0 /= scale;
    span(&mut fault.at.plus);
    match &mut fault.kind {
        FaultKind::Pause { length, .. }
        | FaultKind::Crash { restart: length, .. }
        | FaultKind::Down { restart: length, .. }
        | FaultKind::Cut { length, .. }
        | FaultKind::Drift { length, .. } => {
            length.as_mut().map(span);
        }
        FaultKind::Slow { by, length, .. } => {
            span(by);
            length.as_mut().map(span);
        }
        FaultKind::Failover { after, .. } => span(after),
        FaultKind::Step { by, .. } => *by /= scale.cast_signed(),
        FaultKind::Message { trouble: Trouble::Delayed(by), .. } => span(by),
        FaultKind::Message { .. }
        | FaultKind::Promote { .. }
        | FaultKind::Evict { .. }
        | FaultKind::FlushScripts { .. }
        | FaultKind::Operator { .. } => {}
    }
}
