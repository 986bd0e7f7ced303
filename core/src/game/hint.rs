//! Hints for a level, each telling more than the one before: taken from the attack that the search has found.

use super::Level;
use crate::explore::{Attack, class_of};
use crate::history::Machine;
use crate::i18n::Text;
use crate::say;
use crate::scenario::{Fault, FaultKind, written_faults};
use crate::sim::Plan;

/// One hint.
pub type Hint = Text;

impl Level {
    /// The hints that an attack gives, from the vaguest to the solution. `plan` is what the search searched.
    pub fn hints(&self, attack: &Attack, plan: &Plan) -> Vec<Hint> {
        let mut hints = Vec::new();
        let kinds: Vec<&str> = attack.faults.iter().filter_map(class_of).map(|class| class.name()).collect();
        if kinds.is_empty() {
            hints.push(say!("Nothing has to go wrong at all.", "什么故障都不需要。"));
        } else {
            let count = kinds.len() as u64;
            hints.push(say!(
                "The simplest attack takes {count} fault(s): {kinds}.",
                "最简单的攻击需要 {count} 个故障：{kinds}。",
                count = count,
                kinds = Text::list(&kinds)
            ));
        }
        let victims: Vec<&str> = attack.faults.iter().filter_map(|fault| victim(fault, plan)).collect();
        if !victims.is_empty() {
            hints.push(say!("It strikes {victims}.", "它发生在 {victims} 上。", victims = Text::list(&victims)));
        }
        let nodes: Vec<String> = plan.header.nodes.iter().map(|node| node.name.clone()).collect();
        let written = written_faults(&attack.faults, &self.scenario(), &nodes);
        hints.push(say!("For example: fault = {written}", "例如：fault = {written}", written = written));
        hints
    }
}

/// Whom a fault strikes.
fn victim<'p>(fault: &Fault, plan: &'p Plan) -> Option<&'p str> {
    let machine = match &fault.kind {
        FaultKind::Pause { client, .. } | FaultKind::Crash { client, .. } | FaultKind::Message { client, .. } => {
            Machine::Client(*client)
        }
        FaultKind::Down { node, .. } | FaultKind::Slow { node, .. } => Machine::Node(*node),
        FaultKind::Failover { .. } => Machine::Node(crate::wire::NodeId(0)),
        FaultKind::Cut { from, .. } => *from,
        FaultKind::Step { machine, .. } | FaultKind::Drift { machine, .. } => *machine,
        _ => return None,
    };
    match machine {
        Machine::Client(client) => plan.header.clients.get(usize::from(client.0)).map(|client| client.name.as_str()),
        Machine::Node(node) => plan.header.nodes.get(usize::from(node.0)).map(|node| node.name.as_str()),
        Machine::Resource => Some("resource"),
    }
}
