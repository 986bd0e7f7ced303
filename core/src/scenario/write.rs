//! Faults as a scenario writes them: what a search has found, for a reader and for `--set fault=[...]`.

use std::fmt::Write as _;

use super::{Fault, FaultKind, Leg, Moment, Scenario, Trigger};
use crate::history::{Machine, Trouble};
use crate::time::Span;
use crate::wire::{ClientId, NodeId};

/// Faults as the value of `fault` in a scenario's text: a list of inline tables. `nodes` are the servers' names.
pub fn written_faults(faults: &[Fault], scenario: &Scenario, nodes: &[String]) -> String {
    let names = Names { scenario, nodes };
    let tables: Vec<String> = faults.iter().map(|fault| names.fault(fault)).collect();
    format!("[{}]", tables.join(", "))
}

/// The moment of a fault as a scenario writes it: `A.acquired + 2s`.
pub fn written_moment(moment: &Moment, scenario: &Scenario, nodes: &[String]) -> String {
    Names { scenario, nodes }.moment(moment)
}

struct Names<'a> {
    scenario: &'a Scenario,
    nodes: &'a [String],
}

impl Names<'_> {
    fn fault(&self, fault: &Fault) -> String {
        let mut table = match &fault.kind {
            FaultKind::Pause { client, task, length } => {
                let stops = if *task { ", stops = \"work\"" } else { "" };
                format!("pause = \"{}\"{}{stops}", self.client(*client), span("for", *length))
            }
            FaultKind::Crash { client, restart } => {
                format!("crash = \"{}\"{}", self.client(*client), span("restart_after", *restart))
            }
            FaultKind::Down { node, restart, data_kept } => {
                let data = match data_kept {
                    Some(true) => ", data = \"kept\"",
                    Some(false) => ", data = \"lost\"",
                    None => "",
                };
                format!("crash = \"{}\"{}{data}", self.node(*node), span("restart_after", *restart))
            }
            FaultKind::Failover { to, after } => format!("failover = \"{}\", after = \"{after}\"", self.node(*to)),
            FaultKind::Promote { to } => format!("promote = \"{}\"", self.node(*to)),
            FaultKind::Cut { from, to, length } => {
                let (from, to) = (self.machine(*from), self.machine(*to));
                format!("partition = \"{from}\", from = \"{to}\"{}", span("for", *length))
            }
            FaultKind::Message { client, leg, trouble } => {
                let leg = match leg {
                    Leg::Request => "request",
                    Leg::Reply => "reply",
                };
                let of = self.client(*client);
                match trouble {
                    Trouble::Lost => format!("lose = \"{leg}\", of = \"{of}\""),
                    Trouble::Delayed(by) => format!("delay = \"{leg}\", of = \"{of}\", by = \"{by}\""),
                    Trouble::Doubled => format!("duplicate = \"{leg}\", of = \"{of}\""),
                }
            }
            FaultKind::Step { machine, by } => {
                let sign = if *by < 0 { '-' } else { '+' };
                format!("clock = \"{}\", step = \"{sign}{}\"", self.machine(*machine), Span(by.unsigned_abs()))
            }
            FaultKind::Drift { machine, ppm, length } => {
                format!("clock = \"{}\", drift = \"{ppm}ppm\"{}", self.machine(*machine), span("for", *length))
            }
            FaultKind::Slow { node, by, length } => {
                format!("slow = \"{}\", by = \"{by}\"{}", self.node(*node), span("for", *length))
            }
            FaultKind::Evict { node, key } => format!("evict = {}, on = \"{}\"", quoted(key), self.node(*node)),
            FaultKind::FlushScripts { node } => format!("flush_scripts = \"{}\"", self.node(*node)),
            FaultKind::Operator { node, command } => {
                format!("operator = {}, on = \"{}\"", quoted(&command.to_string()), self.node(*node))
            }
        };
        let _ = write!(table, ", at = \"{}\"", self.moment(&fault.at));
        format!("{{ {table} }}")
    }

    fn moment(&self, moment: &Moment) -> String {
        let Moment { trigger, occurrence, plus } = moment;
        let head = match trigger {
            Trigger::Start => return plus.to_string(),
            Trigger::Client { client, milestone } => format!("{}.{milestone}", self.client(*client)),
            Trigger::Sent { client, command } => format!("{}.sent {command}", self.client(*client)),
            Trigger::Got { client, command } => format!("{}.got {command}", self.client(*client)),
            Trigger::Executed { node, command, client } => {
                let by = client.map_or(String::new(), |client| format!(" by {}", self.client(client)));
                format!("{}.executed {command}{by}", self.node(*node))
            }
        };
        let times = if *occurrence > 1 { format!(" #{occurrence}") } else { String::new() };
        let plus = if *plus > Span::ZERO { format!(" + {plus}") } else { String::new() };
        format!("{head}{times}{plus}")
    }

    fn machine(&self, machine: Machine) -> &str {
        match machine {
            Machine::Client(client) => self.client(client),
            Machine::Node(node) => self.node(node),
            Machine::Resource => "resource",
        }
    }

    fn client(&self, client: ClientId) -> &str {
        self.scenario.clients.get(usize::from(client.0)).map_or("?", |client| &client.name)
    }

    fn node(&self, node: NodeId) -> &str {
        self.nodes.get(usize::from(node.0)).map_or("?", String::as_str)
    }
}

fn span(key: &str, span: Option<Span>) -> String {
    span.map_or(String::new(), |span| format!(", {key} = \"{span}\""))
}

/// A text in quotes that TOML reads back.
fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}
