//! The spans of a scenario that a reader may want to turn: lease, work, pauses, latency.

use locklab_core::address::Change;
use locklab_core::i18n::Text;
use locklab_core::say;
use locklab_core::scenario::{FaultKind, Scenario, set};
use locklab_core::time::Span;
use locklab_core::worker::Step;

use super::Played;

/// A span of a scenario that can be turned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knob {
    /// Its key, as `--set` takes it.
    pub key: String,
    /// What it is.
    pub name: Text,
    /// What it is now.
    pub value: Span,
    /// What it can be, rising; the present value is one of them.
    pub stops: Vec<Span>,
}

/// Spans that people choose, in milliseconds.
const USUAL: [u64; 27] = [
    0, 1, 5, 10, 50, 100, 250, 500, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 8_000, 10_000, 12_000, 15_000, 20_000,
    25_000, 30_000, 35_000, 40_000, 45_000, 60_000, 90_000, 120_000,
];

impl Played {
    /// The spans that can be turned, the lease first.
    pub fn knobs(&self) -> Vec<Knob> {
        let Scenario { lock, clients, faults, network, .. } = &self.scenario;
        // Some locks ask for their lease in whole seconds.
        let mut knobs = vec![knob("ttl", say!("Lease", "租约"), lock.ttl, 1_000)];
        for client in clients {
            let mut works =
                client.steps.iter().filter_map(|step| if let Step::Work(span) = step { Some(*span) } else { None });
            if let (Some(work), None) = (works.next(), works.next()) {
                let name = say!("Work of {client}", "{client} 的工作", client = *client.name);
                knobs.push(knob(&format!("{}.work", client.name), name, work, 0));
            }
        }
        for (number, fault) in (1..).zip(faults) {
            if let FaultKind::Pause { client, length: Some(length), .. } = &fault.kind {
                let client = &*clients[usize::from(client.0)].name;
                let name = say!("Pause of {client}", "{client} 的停顿", client = client);
                knobs.push(knob(&format!("fault.{number}.for"), name, *length, 1));
            }
        }
        knobs.push(knob("network.latency", say!("Latency", "网络延迟"), network.default.latency, 0));
        knobs.retain(|knob| self.takes(knob));
        knobs
    }

    /// Whether the scenario's text can say this: a client with steps of its own has no `work`.
    fn takes(&self, knob: &Knob) -> bool {
        let text = set(&self.text, &format!("{}={}", knob.key, knob.value));
        text.is_ok_and(|text| Scenario::parse(self.piece.source.name(), &text).is_ok())
    }
}

impl Knob {
    /// Where the present value is among the stops.
    pub fn position(&self) -> usize {
        self.stops.partition_point(|stop| *stop < self.value)
    }

    /// The change that turns it to a stop.
    pub fn turned(&self, position: usize) -> Change {
        let value = self.stops.get(position).copied().unwrap_or(self.value);
        Change { key: self.key.clone(), value: value.to_string() }
    }
}

/// A knob that stops at usual spans from `least` milliseconds on.
fn knob(key: &str, name: Text, value: Span, least: u64) -> Knob {
    let usual = USUAL.into_iter().filter(|millis| *millis >= least).map(Span::from_millis);
    let mut stops: Vec<Span> = usual.chain([value]).collect();
    stops.sort_unstable();
    stops.dedup();
    Knob { key: key.to_owned(), name, value, stops }
}
