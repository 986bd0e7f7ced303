//! The network: routes, delays, losses and cuts.

use super::Parts;
use super::queue::Rank;
use super::sink::Sink;
use super::state::{ForClient, Message, Pending};
use super::world::World;
use crate::choices::ChoiceLabel;
use crate::history::{FaultEvent, LossReason, Machine, Trouble, What};
use crate::scenario::{LinkSetting, Topology};
use crate::time::{Span, Time};
use crate::wire::{ClientId, NodeId, RequestId};

impl<P: Parts, S: Sink> World<P, S> {
    /// Which server a client reaches when it asks for `to`: for a master with replicas, whoever is master now, unless the client is cut off
    /// from it and can still reach the old one.
    pub(super) fn route(&self, client: ClientId, to: NodeId) -> NodeId {
        let asks_master = self.plan.is_replicated && to == NodeId(0);
        if !asks_master || self.master == to {
            return to;
        }
        let reaches = |node: NodeId| !self.is_cut(Machine::Client(client), Machine::Node(node));
        let old_lives = self.nodes[usize::from(to.0)].serves() && !self.nodes[usize::from(to.0)].is_replica;
        if !reaches(self.master) && old_lives && reaches(to) { to } else { self.master }
    }

    /// Puts a command on the wire.
    pub(super) fn send(&mut self, client: ClientId, node: NodeId, message: Message) {
        // The sender may have died at this very send; what it sent goes its way.
        let request = message.request;
        if self.client(client).up {
            self.client(client).outstanding.push((request, Some(node)));
        }
        let far = Machine::Node(node);
        let broken = self.is_broken(client, node);
        if broken || self.is_cut(Machine::Client(client), far) || !self.nodes[usize::from(node.0)].serves() {
            self.emit(|| What::Missed { client, node, request, why: LossReason::Disconnected });
            self.later(client, self.now, ForClient::Disconnected { request });
            return;
        }
        let trouble = self.client(client).request_trouble.take();
        let Some(arrivals) = self.travel(client, far, request, trouble, true) else { return };
        let life = self.client(client).life;
        let boot = self.nodes[usize::from(node.0)].boot;
        self.arrives(client, arrivals, Pending::Request { client, life, node, boot, message, served: false });
    }

    /// Whether a client finds out at this command that its connection is gone, and with it its session. Other services' clients connect again and
    /// go on; a transaction cannot.
    fn is_broken(&mut self, client: ClientId, node: NodeId) -> bool {
        if self.plan.topology != Topology::Database {
            return false;
        }
        let state = self.client(client);
        let broken = state.broken.iter().position(|lost| *lost == node);
        match broken {
            Some(place) => drop(state.broken.remove(place)),
            None if !state.connected.contains(&node) => state.connected.push(node),
            None => {}
        }
        broken.is_some()
    }

    /// When a message between a client and `far` arrives: once, twice, or `None` when it is lost. `there`: on the way to the server.
    pub(super) fn travel(
        &mut self,
        client: ClientId,
        far: Machine,
        request: RequestId,
        trouble: Option<Trouble>,
        there: bool,
    ) -> Option<Arrivals> {
        let link = self.plan.link(Machine::Client(client), far);
        let mut at = self.now + self.delay(link);
        if let Some(trouble) = trouble {
            self.emit(|| {
                What::Fault(if there {
                    FaultEvent::Request { client, to: far, request, trouble }
                } else {
                    FaultEvent::Reply { client, to: far, request, trouble }
                })
            });
        }
        let by_chance = |world: &mut Self, ppm: u32, label| ppm > 0 && world.chance(ppm, label);
        match trouble {
            Some(Trouble::Lost) => return self.lost(client, far, request, there),
            Some(Trouble::Delayed(by)) => at += by,
            Some(Trouble::Doubled) => return Some(Arrivals { at, again: Some(at + self.delay(link)) }),
            None if by_chance(self, link.loss_ppm, ChoiceLabel::Loss) => return self.lost(client, far, request, there),
            None if by_chance(self, link.duplicate_ppm, ChoiceLabel::Duplicate) => {
                return Some(Arrivals { at, again: Some(at + self.delay(link)) });
            }
            None => {}
        }
        Some(Arrivals { at, again: None })
    }

    /// Puts a message between a client and anybody into the queue, as often as it arrives.
    pub(super) fn arrives(&mut self, client: ClientId, arrivals: Arrivals, message: Pending) {
        let rank = Rank::client(client);
        if let Some(again) = arrivals.again {
            self.queue.push(again, rank, message.clone());
        }
        self.queue.push(arrivals.at, rank, message);
    }

    fn lost(&mut self, client: ClientId, far: Machine, request: RequestId, there: bool) -> Option<Arrivals> {
        let why = if there { LossReason::RequestLost } else { LossReason::ReplyLost };
        if let Machine::Node(node) = far {
            self.emit(|| What::Missed { client, node, request, why });
        }
        None
    }

    fn delay(&mut self, link: LinkSetting) -> Span {
        let range = link.latency_max.0.saturating_sub(link.latency.0);
        if range == 0 {
            return link.latency;
        }
        let count = u32::try_from(range).unwrap_or(u32::MAX - 1) + 1;
        link.latency + Span(u64::from(self.choices.choose(ChoiceLabel::Delay, count)))
    }

    /// Something with a probability of `ppm` in a million: the last `ppm` of a million indices, so that 0 is "no".
    fn chance(&mut self, ppm: u32, label: ChoiceLabel) -> bool {
        const MILLION: u32 = 1_000_000;
        self.choices.choose(label, MILLION) >= MILLION - ppm.min(MILLION)
    }

    /// Whether two machines cannot reach each other.
    pub(super) fn is_cut(&self, from: Machine, to: Machine) -> bool {
        !self.cuts.is_empty() && self.cuts.iter().any(|cut| *cut == (from, to) || *cut == (to, from))
    }

    /// Cuts a link.
    pub(super) fn cut(&mut self, from: Machine, to: Machine) -> Result<(), P::Error> {
        if self.is_cut(from, to) {
            return Ok(());
        }
        self.emit(|| What::Fault(FaultEvent::Cut { from, to }));
        self.cuts.push((from, to));
        match (from, to) {
            (Machine::Client(client), far) | (far, Machine::Client(client)) => self.sever(client, far),
            _ => Ok(()),
        }
    }

    /// Heals a link; a replica then catches up with its master.
    pub(super) fn heal(&mut self, from: Machine, to: Machine) {
        let before = self.cuts.len();
        self.cuts.retain(|cut| *cut != (from, to) && *cut != (to, from));
        if self.cuts.len() == before {
            return;
        }
        self.emit(|| What::Fault(FaultEvent::Healed { from, to }));
        if let (Machine::Node(_), Machine::Node(_)) = (from, to) {
            self.stream();
        }
    }
}

/// When a message arrives: once, or twice.
pub(super) struct Arrivals {
    at: Time,
    again: Option<Time>,
}
