//! Which faults are on, and when the last one ended: what `progress` and `available` are measured from.

use std::hash::{Hash, Hasher};

use crate::history::{Event, FaultEvent, Header, Machine, NodeRole, What};
use crate::time::{Span, Time};
use crate::wire::{ClientId, NodeId};

/// A fault that lasts until it is lifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Lasting {
    Pause(ClientId),
    Down(NodeId),
    Cut(Machine, Machine),
    Slow(NodeId),
}

/// The faults of a run, as far as they last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Troubles {
    on: Vec<Lasting>,
    /// The instant at which a fault last struck or was lifted.
    pub last_change: Option<Time>,
    /// Since when servers have been unreachable: down, or cut off.
    pub unreachable_since: Option<Time>,
    masters: Vec<NodeId>,
}

impl Troubles {
    /// No fault yet.
    pub fn start(header: &Header) -> Troubles {
        let nodes = (0..).map(NodeId).zip(&header.nodes);
        let masters = nodes.filter(|(_, node)| node.role == NodeRole::Master).map(|(id, _)| id).collect();
        Troubles { on: Vec::new(), last_change: None, unreachable_since: None, masters }
    }

    /// Whether every fault that lasts has been lifted.
    pub fn all_lifted(&self) -> bool {
        self.on.is_empty()
    }

    /// Takes in one event.
    pub fn step(&mut self, event: &Event) {
        let What::Fault(fault) = &event.what else { return };
        self.last_change = Some(event.at);
        match fault {
            FaultEvent::Paused { client, .. } => self.begin(Lasting::Pause(*client)),
            FaultEvent::Resumed { client } | FaultEvent::Crashed { client } | FaultEvent::Restarted { client } => {
                self.lift(Lasting::Pause(*client));
            }
            FaultEvent::Down { node } => self.begin(Lasting::Down(*node)),
            FaultEvent::Up { node, .. } => self.lift(Lasting::Down(*node)),
            // Clients ask the promoted server from now on: the old master is missed no longer.
            FaultEvent::Promoted { node } => {
                for master in std::mem::replace(&mut self.masters, vec![*node]) {
                    self.lift(Lasting::Down(master));
                    self.on.retain(
                        |fault| !matches!(fault, Lasting::Cut(from, to) if touches(*from, *to, Machine::Node(master))),
                    );
                }
            }
            FaultEvent::Cut { from, to } => self.begin(Lasting::Cut(*from, *to)),
            FaultEvent::Healed { from, to } => self.lift(Lasting::Cut(*from, *to)),
            FaultEvent::Slowed { node, by } if *by == Span::ZERO => self.lift(Lasting::Slow(*node)),
            FaultEvent::Slowed { node, .. } => self.begin(Lasting::Slow(*node)),
            _ => {}
        }
        let unreachable = self.on.iter().any(|fault| matches!(fault, Lasting::Down(_) | Lasting::Cut(..)));
        self.unreachable_since = unreachable.then(|| self.unreachable_since.unwrap_or(event.at));
    }

    /// Feeds what is on into a hasher. Since when is for those to write who count from it.
    pub fn remember<H: Hasher>(&self, hasher: &mut H) {
        self.on.hash(hasher);
        self.masters.hash(hasher);
    }

    fn begin(&mut self, fault: Lasting) {
        if let Err(place) = self.on.binary_search(&fault) {
            self.on.insert(place, fault);
        }
    }

    fn lift(&mut self, fault: Lasting) {
        self.on.retain(|on| *on != fault);
    }
}

fn touches(from: Machine, to: Machine, machine: Machine) -> bool {
    from == machine || to == machine
}
