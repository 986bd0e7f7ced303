//! What of a world decides its future: for a search that recognises a state which it has met at another time.
//!
//! Times are written relative to now, counters (requests, holds, lives, creations, offsets) relative to their latest value: two worlds that write the same
//! go on alike, but for names and numbers. What has been judged so far is the sink's to write.

use std::hash::{Hash, Hasher};

use super::adversary::{Allowance, FaultClass};
use super::sink::Sink;
use super::state::{ClientState, ForClient, NodeState, Pending};
use super::world::World;
use super::{Instant, Model};
use crate::time::{LocalClock, Time};
use crate::wire::{ClientId, NodeId, RequestId};

impl<S: Sink> World<Model, S> {
    /// Feeds everything on which the world's future depends into a hasher.
    pub fn remember<H: Hasher>(&self, hasher: &mut H) {
        self.remember_all_but_allowance(hasher);
        if let Some(adversary) = &self.adversary {
            self.remember_allowance(adversary.left, hasher);
        }
    }

    /// Feeds everything but what the adversary may still do into a hasher. Two worlds that write the same here go on alike as long as no further fault strikes.
    pub fn remember_all_but_allowance<H: Hasher>(&self, hasher: &mut H) {
        // Servers count in whole milliseconds: a lease that begins just after one begins is as much longer.
        ((self.now.0 % 1_000) as u16).hash(hasher);
        for (index, client) in self.clients.iter().enumerate() {
            self.remember_client(ClientId(index as u16), client, hasher);
        }
        for (index, node) in self.nodes.iter().enumerate() {
            self.remember_node(NodeId(index as u8), node, hasher);
        }
        for (at, rank, item) in self.queue.iter() {
            at.since(self.now).hash(hasher);
            rank.hash(hasher);
            self.remember_pending(item, hasher);
        }
        for grants in &self.grants {
            for (_, holding) in grants.live() {
                (holding.holder, holding.mode, self.left(holding.ends), holding.identity.0).hash(hasher);
            }
            hasher.write_u8(0xfe);
        }
        (self.master, self.deciding).hash(hasher);
        self.cuts.hash(hasher);
        self.home.hash(hasher);
        if let Some(adversary) = &self.adversary {
            for open in &adversary.open {
                let window = open.window.map(|window| (window.from.since(self.now), window.to.since(self.now)));
                (open.lift, window).hash(hasher);
            }
            (adversary.popped == Some(self.now)).hash(hasher);
        }
        for armed in &self.armed {
            (armed.fault, armed.left).hash(hasher);
        }
        if !self.armed.is_empty() {
            let age = |client: ClientId, request| {
                let request = RequestId(request);
                let outstanding = &self.clients[usize::from(client.0)].outstanding;
                outstanding.iter().any(|(open, _)| *open == request).then(|| self.parts.age(client, request))
            };
            self.memory.remember(age, hasher);
        }
        self.parts.remember_resource(hasher);
    }

    /// Feeds into a hasher what the adversary could still do if so much were left to it.
    pub fn remember_allowance<H: Hasher>(&self, left: Allowance, hasher: &mut H) {
        left.hash(hasher);
        let Some(adversary) = &self.adversary else { return };
        let pauses = adversary.lengths.of(FaultClass::Pause).filter(|_| left.of(FaultClass::Pause) > 0);
        if pauses.is_some() {
            adversary.touched.iter().for_each(|touched| self.now.since(*touched).hash(hasher));
        }
    }

    fn left(&self, at: Option<Time>) -> Option<u64> {
        at.map(|at| if at == Time::NEVER { u64::MAX } else { at.since(self.now).0 })
    }

    fn remember_client<H: Hasher>(&self, id: ClientId, client: &ClientState, hasher: &mut H) {
        (&client.connected, &client.broken).hash(hasher);
        (client.up, client.stopped, client.interrupted, client.life).hash(hasher);
        self.remember_clock(&client.clock, hasher);
        (client.request_trouble, client.reply_trouble).hash(hasher);
        client.inside.len().hash(hasher);
        for (lock, hold) in &client.inside {
            (*lock, client.holds - hold).hash(hasher);
        }
        for (request, node) in &client.outstanding {
            (self.parts.age(id, *request), *node).hash(hasher);
        }
        hasher.write_u8(0xfd);
        for item in &client.backlog {
            self.remember_item(id, item, hasher);
        }
        if client.up {
            self.parts.remember_worker(id, client.clock.read(self.now), hasher);
        }
    }

    fn remember_node<H: Hasher>(&self, id: NodeId, node: &NodeState, hasher: &mut H) {
        let stream = self.nodes[usize::from(self.master.0)].offset;
        (node.up, node.resting, node.slow, node.is_replica).hash(hasher);
        self.remember_clock(&node.clock, hasher);
        if node.is_replica {
            (stream.wrapping_sub(node.applied), stream.wrapping_sub(node.asked)).hash(hasher);
        }
        for blocked in &node.blocked {
            // Where nobody follows, nobody will ever have come so far.
            let behind = |offset| if self.plan.is_replicated { stream.wrapping_sub(offset) } else { 0 };
            let replicas = blocked.replicas.map(|(count, offset)| (count, behind(offset)));
            (blocked.client, self.parts.age(blocked.client, blocked.request), replicas).hash(hasher);
        }
        for (key, record) in &node.records {
            (key, self.left(record.gone_at)).hash(hasher);
        }
        hasher.write_u8(0xfc);
        self.parts.remember_server(Instant { node: id, now: self.now, clock: &node.clock }, hasher);
    }

    fn remember_clock<H: Hasher>(&self, clock: &LocalClock, hasher: &mut H) {
        let error = clock.error(self.now);
        let is_told = self.adversary.as_ref().is_none_or(|adversary| adversary.wall_clocks_are_told);
        // A clock that nobody tells counts time and no more: what it shows is the same to all, but for where its milliseconds begin.
        let error = if is_told || clock.drift_ppm() != 0 { error } else { error.rem_euclid(1_000) };
        (error, clock.drift_ppm()).hash(hasher);
    }

    fn remember_pending<H: Hasher>(&self, item: &Pending, hasher: &mut H) {
        std::mem::discriminant(item).hash(hasher);
        match item {
            Pending::ForClient { client, life, item } => {
                (*client, self.is_of_this_life(*client, *life)).hash(hasher);
                self.remember_item(*client, item, hasher);
            }
            Pending::Request { client, life, node, boot, message, served } => {
                let serves = self.nodes[usize::from(node.0)].boot == *boot;
                (*client, self.is_of_this_life(*client, *life), *node, serves, *served).hash(hasher);
                (self.parts.age(*client, message.request), message.phase, &message.command).hash(hasher);
            }
            Pending::Ask { client, life, request, ask } => {
                (*client, self.is_of_this_life(*client, *life), self.parts.age(*client, *request)).hash(hasher);
                let holds = self.clients[usize::from(client.0)].holds;
                (holds.saturating_sub(ask.hold), ask.cell, ask.operation, &ask.token).hash(hasher);
                (&ask.write, ask.amount, &ask.unique).hash(hasher);
            }
            Pending::Replicate { replica, boot, upto } => {
                let state = &self.nodes[usize::from(replica.0)];
                let stream = self.nodes[usize::from(self.master.0)].offset;
                (*replica, state.boot == *boot, stream.wrapping_sub(*upto)).hash(hasher);
            }
            Pending::Due(node) => node.hash(hasher),
            Pending::BlockedTooLong { node, client, request } => {
                (*node, *client, self.parts.age(*client, *request)).hash(hasher);
            }
            Pending::Strike(index) => match self.placed(*index) {
                Some(kind) => kind.hash(hasher),
                None => index.hash(hasher),
            },
            Pending::Lift(lift) => lift.hash(hasher),
        }
    }

    fn is_of_this_life(&self, client: ClientId, life: u32) -> bool {
        self.clients[usize::from(client.0)].life == life
    }

    fn remember_item<H: Hasher>(&self, client: ClientId, item: &ForClient, hasher: &mut H) {
        std::mem::discriminant(item).hash(hasher);
        match item {
            ForClient::Timer { generation } => {
                (self.clients[usize::from(client.0)].timer == *generation).hash(hasher);
            }
            ForClient::Reply { node, request, phase, reply } => {
                (*node, self.parts.age(client, *request), *phase, reply).hash(hasher);
            }
            ForClient::Answer { request, outcome } => (self.parts.age(client, *request), outcome).hash(hasher),
            ForClient::Push { node, message } => (*node, message).hash(hasher),
            ForClient::Disconnected { request } => self.parts.age(client, *request).hash(hasher),
            ForClient::Arrived(input) => input.hash(hasher),
        }
    }
}
