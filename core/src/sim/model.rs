//! The modelled parts: a simulation's clients and servers.

use std::convert::Infallible;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::parts::{Answer, Call, Change, Delivery, Executed};
use super::plan::Plan;
use super::service::{Act, Service};
use super::{Instant, Parts};
use crate::history::{KeyChange, Outcome};
use crate::locks::Client;
use crate::resource::{Ask, Resource};
use crate::servers::redis::{self, Effect, Kept, Redis};
use crate::time::{LocalTime, Time};
use crate::wire::{ClientId, NodeId, Records, Reply, RequestId};
use crate::worker::{Input, Output, Worker};

/// Clients, servers and the resource as models.
#[derive(Clone, Debug)]
pub struct Model {
    plan: Arc<Plan>,
    /// Shared with the worlds that a search has cloned, each until it changes.
    workers: Vec<Arc<Worker<Client>>>,
    servers: Vec<Arc<Service>>,
    /// Whose stream the replicas apply.
    master: NodeId,
    /// The master's replication stream since the start, or since the last promotion: `stream[0]` is the effect after `stream_start`.
    stream: Vec<Effect>,
    stream_start: u64,
    resource: Resource,
}

impl Model {
    /// The parts of a plan, before anything has happened.
    pub fn new(plan: Arc<Plan>) -> Model {
        let servers = plan.nodes.iter().map(|_| Arc::new(Service::new(&plan))).collect();
        let resource = &plan.header.resource;
        let resource = Resource::new(resource.kind, resource.guard, resource.initial, resource.cells.len());
        let workers = plan.clients.iter().map(|player| player.newborn.clone()).collect();
        let mut model =
            Model { workers, servers, master: NodeId(0), stream: Vec::new(), stream_start: 0, resource, plan };
        model.attach_replicas();
        model
    }

    fn attach_replicas(&mut self) {
        for index in (0..self.servers.len()).filter(|index| self.plan.nodes[*index].is_replica).collect::<Vec<_>>() {
            let replica = NodeId(index as u8);
            if let Some(redis) = self.redis(replica) {
                redis.replicate_from(NodeId(0));
                redis.set_link(redis::Link::Up);
            }
            if let Some(master) = self.redis(NodeId(0)) {
                master.attach(replica, 0);
            }
        }
    }

    fn server(&self, node: NodeId) -> &Service {
        &self.servers[usize::from(node.0)]
    }

    fn server_mut(&mut self, node: NodeId) -> &mut Service {
        Arc::make_mut(&mut self.servers[usize::from(node.0)])
    }

    /// The server, if it is a Redis: only a Redis replicates, evicts and caches scripts.
    fn redis(&mut self, node: NodeId) -> Option<&mut Redis> {
        self.server_mut(node).redis()
    }

    /// How many requests a client has made since this one.
    pub(super) fn age(&self, client: ClientId, request: RequestId) -> u32 {
        self.workers[usize::from(client.0)].age(request)
    }

    /// Feeds what a client will do into a hasher; its clocks show `now`.
    pub(super) fn remember_worker<H: Hasher>(&self, client: ClientId, now: LocalTime, hasher: &mut H) {
        self.workers[usize::from(client.0)].remember_relative(now, hasher);
    }

    /// Feeds what a server will answer into a hasher, and for the master what its replicas still have to apply.
    pub(super) fn remember_server<H: Hasher>(&self, at: Instant<'_>, hasher: &mut H) {
        self.servers[usize::from(at.node.0)].remember(at, hasher);
        if self.plan.is_replicated && at.node == self.master {
            let others = self.servers.iter().enumerate().filter(|(index, _)| *index != usize::from(at.node.0));
            let least = others.map(|(_, server)| server.offset()).min().unwrap_or(u64::MAX);
            let pending = (least.saturating_sub(self.stream_start) as usize).min(self.stream.len());
            for effect in &self.stream[pending..] {
                effect.remember(at.local(), hasher);
            }
        }
    }

    /// Feeds what the resource will answer into a hasher.
    pub(super) fn remember_resource<H: Hasher>(&self, hasher: &mut H) {
        self.resource.hash(hasher);
    }

    fn keep_stream(&mut self, node: NodeId, effects: Vec<Effect>) {
        if self.plan.is_replicated && node == self.master {
            self.stream.extend(effects);
        }
    }
}

impl Parts for Model {
    type Error = Infallible;

    fn spawn(&mut self, client: ClientId, life: u32, holds: u32) -> Result<(), Infallible> {
        self.workers[usize::from(client.0)] = self.plan.worker(client, life, holds);
        Ok(())
    }

    fn kill(&mut self, _client: ClientId) -> Result<(), Infallible> {
        Ok(())
    }

    fn freeze(&mut self, _client: ClientId, _frozen: bool) -> Result<(), Infallible> {
        Ok(())
    }

    fn drive(&mut self, client: ClientId, now: LocalTime, input: Option<Input>) -> Result<Output, Infallible> {
        let worker = Arc::make_mut(&mut self.workers[usize::from(client.0)]);
        if let Some(input) = input {
            worker.handle(now, input);
        }
        Ok(worker.poll(now))
    }

    fn execute(&mut self, call: Call<'_>) -> Result<Executed, Infallible> {
        let Call { at, client, command } = call;
        let server = self.server_mut(at.node);
        let Some(redis) = server.redis() else { return Ok(server.act(at, Act::Execute(client, command))) };
        let execution = redis.execute(at.local(), client, command);
        let changes = if execution.effects.is_empty() { Vec::new() } else { changes(redis, at, &execution) };
        let offset = redis.offset();
        let redis::Execution { outcome, effects, deliveries } = execution;
        self.keep_stream(at.node, effects);
        let answer = match outcome {
            redis::Outcome::Reply(reply) => Answer::Reply(reply),
            redis::Outcome::Subscribed(replies) => Answer::Reply(Reply::Array(replies)),
            redis::Outcome::Blocked(redis::Blocked::Wait { replicas, timeout, offset }) => {
                Answer::Replicas { count: replicas, offset, timeout }
            }
            redis::Outcome::Blocked(redis::Blocked::List { timeout }) => Answer::Blocked { timeout },
        };
        let deliveries = deliveries.into_iter().map(|(client, delivery)| delivered(client, delivery)).collect();
        Ok(Executed { answer, changes, deliveries, offset })
    }

    fn unblock(&mut self, at: Instant<'_>, client: ClientId, acknowledged: Option<u64>) -> Result<Reply, Infallible> {
        if let Some(count) = acknowledged {
            return Ok(Reply::Integer(i64::try_from(count).unwrap_or(i64::MAX)));
        }
        if let Some(redis) = self.redis(at.node) {
            return Ok(redis.time_out(client).unwrap_or(Reply::NilArray));
        }
        match self.server_mut(at.node).act(at, Act::TimeOut(client)).answer {
            Answer::Reply(reply) => Ok(reply),
            Answer::Replicas { .. } | Answer::Blocked { .. } => unreachable!("a time-out has an answer"),
        }
    }

    fn disconnect(&mut self, at: Instant<'_>, client: ClientId) -> Result<Executed, Infallible> {
        let Some(redis) = self.redis(at.node) else {
            return Ok(self.server_mut(at.node).act(at, Act::Disconnect(client)));
        };
        redis.disconnect(client);
        Ok(Executed::default())
    }

    fn cut_off(&mut self, at: Instant<'_>, client: ClientId) -> Result<Executed, Infallible> {
        match self.redis(at.node) {
            Some(_) => self.disconnect(at, client),
            None => Ok(self.server_mut(at.node).act(at, Act::CutOff(client))),
        }
    }

    fn due(&mut self, at: Instant<'_>) -> Result<Option<Time>, Infallible> {
        Ok(self.server(at.node).due(at))
    }

    fn expire(&mut self, at: Instant<'_>) -> Result<Executed, Infallible> {
        let Some(redis) = self.redis(at.node) else { return Ok(self.server_mut(at.node).act(at, Act::Expire)) };
        let execution = redis.active_expire(at.local());
        let changes = changes(redis, at, &execution);
        let offset = redis.offset();
        self.keep_stream(at.node, execution.effects);
        Ok(Executed { changes, offset, ..Executed::default() })
    }

    fn records(&mut self, at: Instant<'_>) -> Result<Records, Infallible> {
        Ok(self.server(at.node).records(at))
    }

    fn replicate(&mut self, at: Instant<'_>, _master: NodeId, upto: u64) -> Result<Vec<Change>, Infallible> {
        let start = self.server(at.node).offset().saturating_sub(self.stream_start) as usize;
        let end = (upto.saturating_sub(self.stream_start) as usize).min(self.stream.len());
        let effects: Vec<Effect> = self.stream.get(start..end).unwrap_or_default().to_vec();
        let Some(replica) = self.redis(at.node) else { return Ok(Vec::new()) };
        for effect in &effects {
            replica.apply(at.local(), effect);
        }
        let execution =
            redis::Execution { outcome: redis::Outcome::Reply(Reply::ok()), effects, deliveries: Vec::new() };
        Ok(changes(replica, at, &execution))
    }

    fn promote(&mut self, at: Instant<'_>) -> Result<(), Infallible> {
        let Some(replica) = self.redis(at.node) else { return Ok(()) };
        replica.promote();
        self.stream_start = replica.offset();
        self.master = at.node;
        self.stream.clear();
        Ok(())
    }

    fn synchronise(&mut self, at: Instant<'_>, master: NodeId) -> Result<(), Infallible> {
        let Some(image) = self.redis(master).map(|master| master.image()) else { return Ok(()) };
        if let Some(replica) = self.redis(at.node) {
            replica.load(&image);
        }
        // Only a master with replicas remembers who has written up to where, which WAIT asks.
        if let Some(master) = self.redis(master) {
            master.attach(at.node, 0);
        }
        Ok(())
    }

    fn down(&mut self, at: Instant<'_>) -> Result<Vec<Change>, Infallible> {
        match self.redis(at.node) {
            Some(_) => Ok(Vec::new()),
            None => Ok(self.server_mut(at.node).act(at, Act::Down).changes),
        }
    }

    fn up(&mut self, at: Instant<'_>, data_kept: bool) -> Result<(), Infallible> {
        match self.redis(at.node) {
            Some(redis) => redis.restart(if data_kept { Kept::Everything } else { Kept::Nothing }),
            None => drop(self.server_mut(at.node).act(at, Act::Up(data_kept))),
        }
        Ok(())
    }

    fn evict(&mut self, at: Instant<'_>, key: &str) -> Result<Vec<Change>, Infallible> {
        let Some(redis) = self.redis(at.node) else { return Ok(Vec::new()) };
        let execution = redis.evict(at.local(), key.as_bytes());
        let changes = changes(redis, at, &execution);
        self.keep_stream(at.node, execution.effects);
        Ok(changes)
    }

    fn flush_scripts(&mut self, at: Instant<'_>) -> Result<(), Infallible> {
        if let Some(redis) = self.redis(at.node) {
            redis.flush_scripts();
        }
        Ok(())
    }

    fn answer(&mut self, client: ClientId, _request: RequestId, ask: &Ask) -> Result<Outcome, Infallible> {
        let name = &self.plan.clients[usize::from(client.0)].worker.name;
        Ok(self.resource.answer(name, ask))
    }
}

fn delivered(client: ClientId, delivery: redis::Delivery) -> Delivery {
    match delivery {
        redis::Delivery::Message(message) => Delivery { client, message, answers: false },
        redis::Delivery::Answer(message) => Delivery { client, message, answers: true },
    }
}

/// What the history keeps of the keys of a Redis that changed.
fn changes(redis: &Redis, at: Instant<'_>, execution: &redis::Execution) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for effect in &execution.effects {
        let Some(key) = effect.change.key() else { continue };
        let record = redis.record(at.clock, at.now, key.as_slice());
        let change = match (&effect.change, &record) {
            (_, Some(_)) => KeyChange::Changed,
            (redis::Change::Delete { cause: redis::Cause::Expired, .. }, None) => KeyChange::Expired,
            (redis::Change::Delete { cause: redis::Cause::Evicted, .. }, None) => KeyChange::Evicted,
            (_, None) => KeyChange::Deleted,
        };
        let key: Arc<str> = String::from_utf8_lossy(key).into();
        // Several effects on one key in one command are one change.
        changes.retain(|earlier| earlier.key != key);
        changes.push(Change { key, change, record });
    }
    changes
}
