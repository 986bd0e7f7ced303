//! The values at which something may change: what the plan itself knows.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::choices::Choices;
use crate::history::{ClientEvent, Event, GrantEvent, LockEvent, What};
use crate::sim::{Lengths, Model, Plan, Recorder, World};
use crate::time::Time;

/// A run of the plan is looked at for so many steps.
const STEPS: u64 = 2_000;

/// The most critical values: beyond, they are thinned out evenly.
const MOST: usize = 24;

/// The critical lengths of time of a plan, in microseconds, rising: its lease, its time-outs and delays, and the distances between the instants of its run without
/// faults at which a section begins or ends, a step begins, the resource answers, a lease ends or a client's validity does. `lengths` are those of faults that are not varied.
pub fn critical(plan: &Plan, lengths: Lengths) -> Vec<u64> {
    let instants: Vec<Time> = instants(plan).into_iter().collect();
    let mut found = BTreeSet::new();
    for params in &plan.params {
        found.extend([params.ttl.0, params.ttl.0 * 2, params.retry.0]);
        found.extend(params.timeout.map(|timeout| timeout.0));
    }
    let mut distances = BTreeSet::new();
    for (place, later) in instants.iter().enumerate() {
        distances.extend(instants[..place].iter().map(|earlier| later.since(*earlier).0));
    }
    let own: Vec<u64> = lengths.each().map(|(_, length)| length.0).collect();
    found.extend(thinned(distances).into_iter().flat_map(|distance| {
        let shifted = own.iter().flat_map(move |own| [distance.saturating_add(*own), distance.abs_diff(*own)]);
        std::iter::once(distance).chain(shifted)
    }));
    found.remove(&0);
    found.into_iter().collect()
}

/// The instants of the plain run that a reader would name.
fn instants(plan: &Plan) -> BTreeSet<Time> {
    let plan = Arc::new(Plan { faults: Vec::new(), ..plan.clone() });
    let Ok(mut world) = World::new(plan.clone(), Model::new(plan.clone()), Recorder::default(), Choices::scripted());
    let Ok(_) = world.play(STEPS);
    let mut instants: BTreeSet<Time> = plan.clients.iter().map(|client| client.starts).collect();
    for Event { at, what } in world.into_sink().events {
        match what {
            What::Grant { event: GrantEvent::Granted { ends, .. }, .. } => {
                instants.insert(at);
                instants.extend(ends);
            }
            What::Grant { .. } | What::Effect(_) => {
                instants.insert(at);
            }
            What::Client { event: ClientEvent::Lock { event: LockEvent::Acquired { valid_for, .. }, .. }, .. } => {
                instants.extend(valid_for.map(|valid| at + valid));
            }
            What::Client {
                event: ClientEvent::Entered { .. } | ClientEvent::Left { .. } | ClientEvent::Step { .. },
                ..
            } => {
                instants.insert(at);
            }
            _ => {}
        }
    }
    instants
}

fn thinned(values: BTreeSet<u64>) -> Vec<u64> {
    let every = values.len().div_ceil(MOST).max(1);
    values.into_iter().step_by(every).collect()
}
