//! The figures of a scenario that a reader may want to turn: lease, work, pauses, latency, lag, clocks, nodes.

use std::fmt;

use locklab_core::address::Change;
use locklab_core::history::Machine;
use locklab_core::i18n::{Language, Say, Text};
use locklab_core::say;
use locklab_core::scenario::{FaultKind, Scenario, Topology, set};
use locklab_core::time::Span;
use locklab_core::worker::Step;

use super::Played;

/// A figure of a scenario that can be turned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knob {
    /// Its key, as `--set` takes it.
    pub key: String,
    /// What it is.
    pub name: Text,
    /// What it is now.
    pub value: Amount,
    /// What it can be, rising; the present value is one of them.
    pub stops: Vec<Amount>,
}

/// How much of something. Its display is how a scenario writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Amount {
    /// So long.
    Span(Span),
    /// So many.
    Count(u8),
    /// A clock is off by so many microseconds.
    Ahead(i64),
    /// A clock runs too fast by so many parts per million.
    Drift(i64),
}

/// Spans that people choose, in milliseconds.
const USUAL: [u64; 27] = [
    0, 1, 5, 10, 50, 100, 250, 500, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 8_000, 10_000, 12_000, 15_000, 20_000,
    25_000, 30_000, 35_000, 40_000, 45_000, 60_000, 90_000, 120_000,
];

/// Jumps of a clock that people choose, in seconds, either way.
const USUAL_STEPS: [i64; 10] = [1, 2, 3, 5, 8, 10, 15, 20, 30, 60];

/// Drifts that people choose, in parts per million, either way: from a good crystal to a clock that is broken.
const USUAL_DRIFTS: [i64; 9] = [20, 50, 200, 1_000, 5_000, 10_000, 50_000, 100_000, 200_000];

/// Numbers of nodes that people choose.
const USUAL_NODES: [u8; 6] = [1, 2, 3, 4, 5, 7];

impl Played {
    /// The figures that can be turned, the lease first.
    pub fn knobs(&self) -> Vec<Knob> {
        let Scenario { lock, clients, faults, network, servers, .. } = &self.scenario;
        // Some locks ask for their lease in whole seconds.
        let mut knobs = vec![span("ttl", say!("Lease", "租约"), lock.ttl, 1_000)];
        for client in clients {
            let mut works =
                client.steps.iter().filter_map(|step| if let Step::Work(span) = step { Some(*span) } else { None });
            if let (Some(work), None) = (works.next(), works.next()) {
                let name = say!("Work of {client}", "{client} 的工作", client = *client.name);
                knobs.push(span(&format!("{}.work", client.name), name, work, 0));
            }
        }
        for (number, fault) in (1..).zip(faults) {
            knobs.extend(self.of_fault(number, &fault.kind));
        }
        for (machine, ahead, ppm) in &servers.clocks {
            let Some(name) = self.machine(*machine) else { continue };
            let key = format!("clocks.{name}");
            // Both in one string are two figures: the text is the place for that.
            match (*ahead, *ppm) {
                (ahead, 0) => knobs.push(step(&key, say!("Clock of {name}", "{name} 的时钟", name = name), ahead)),
                (0, ppm) => knobs.push(drift(&key, say!("Drift of {name}", "{name} 的漂移", name = name), ppm)),
                _ => {}
            }
        }
        match &servers.topology {
            // Replicas that lag differently are for the text.
            Some(Topology::Replicated { lags }) if lags.windows(2).all(|pair| pair[0] == pair[1]) => {
                let name = say!("Replication lag", "复制延迟");
                knobs.extend(lags.first().map(|lag| span("servers.lag", name, *lag, 0)));
            }
            Some(Topology::Independent { nodes }) => {
                let stops = USUAL_NODES.into_iter().map(Amount::Count);
                let mut knob = knob("servers.nodes", say!("Nodes", "节点数"), Amount::Count(*nodes), stops);
                // Whoever names the fifth node needs five.
                knob.stops.retain(|stop| self.takes(&knob.key, *stop));
                knobs.push(knob);
            }
            _ => {}
        }
        knobs.push(span("network.latency", say!("Latency", "网络延迟"), network.default.latency, 0));
        knobs.retain(|knob| self.takes(&knob.key, knob.value));
        knobs
    }

    /// What of a fault can be turned.
    fn of_fault(&self, number: usize, fault: &FaultKind) -> Option<Knob> {
        match fault {
            FaultKind::Pause { client, length: Some(length), .. } => {
                let client = &*self.scenario.clients[usize::from(client.0)].name;
                let name = say!("Pause of {client}", "{client} 的停顿", client = client);
                Some(span(&format!("fault.{number}.for"), name, *length, 1))
            }
            FaultKind::Step { machine, by } => {
                let name = say!("Jump of {name}'s clock", "{name} 时钟的跳变", name = self.machine(*machine)?);
                Some(step(&format!("fault.{number}.step"), name, *by))
            }
            FaultKind::Drift { machine, ppm, .. } => {
                let name = say!("Drift of {name}", "{name} 的漂移", name = self.machine(*machine)?);
                Some(drift(&format!("fault.{number}.drift"), name, *ppm))
            }
            _ => None,
        }
    }

    /// What a machine is called.
    fn machine(&self, machine: Machine) -> Option<String> {
        let header = &self.run().ok()?.history.header;
        match machine {
            Machine::Client(client) => header.clients.get(usize::from(client.0)).map(|client| client.name.to_string()),
            Machine::Node(node) => header.nodes.get(usize::from(node.0)).map(|node| node.name.to_string()),
            Machine::Resource => None,
        }
    }

    /// Whether the scenario's text can say this: a client with steps of its own has no `work`.
    fn takes(&self, key: &str, value: Amount) -> bool {
        let text = set(&self.text, &format!("{key}={value}"));
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
        self.written(&self.stops.get(position).copied().unwrap_or(self.value).to_string())
    }

    /// The change that makes of it what somebody has written.
    pub fn written(&self, value: &str) -> Change {
        Change { key: self.key.clone(), value: value.trim().to_owned() }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Span(span) => span.fmt(f),
            Amount::Count(count) => count.fmt(f),
            Amount::Ahead(micros) => {
                let sign = if *micros < 0 { "-" } else { "+" };
                write!(f, "{sign}{}", Span(micros.unsigned_abs()))
            }
            Amount::Drift(ppm) => write!(f, "{ppm}ppm"),
        }
    }
}

impl Say for Amount {
    fn say(&self, language: Language) -> String {
        match self {
            Amount::Span(span) => span.say(language),
            Amount::Count(_) | Amount::Drift(_) => self.to_string(),
            Amount::Ahead(micros) => {
                let sign = if *micros < 0 { "−" } else { "+" };
                format!("{sign}{}", Span(micros.unsigned_abs()).say(language))
            }
        }
    }
}

/// A span that stops at usual ones from `least` milliseconds on.
fn span(key: &str, name: Text, value: Span, least: u64) -> Knob {
    let usual = USUAL.into_iter().filter(|millis| *millis >= least);
    knob(key, name, Amount::Span(value), usual.map(Span::from_millis).map(Amount::Span))
}

fn step(key: &str, name: Text, value: i64) -> Knob {
    let usual = USUAL_STEPS.into_iter().flat_map(|seconds| [-seconds, seconds]);
    knob(key, name, Amount::Ahead(value), usual.map(|seconds| Amount::Ahead(seconds * 1_000_000)))
}

fn drift(key: &str, name: Text, value: i64) -> Knob {
    let usual = USUAL_DRIFTS.into_iter().flat_map(|ppm| [-ppm, ppm]);
    knob(key, name, Amount::Drift(value), usual.map(Amount::Drift))
}

fn knob(key: &str, name: Text, value: Amount, usual: impl Iterator<Item = Amount>) -> Knob {
    let mut stops: Vec<Amount> = usual.chain([value]).collect();
    stops.sort_unstable();
    stops.dedup();
    Knob { key: key.to_owned(), name, value, stops }
}
