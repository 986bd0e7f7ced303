//! How the world drives its servers: commands, records, expiry, replication, commands that block.

use std::sync::Arc;

use super::adversary::Point;
use super::parts::{Answer, Call, Change, Delivery, Executed};
use super::queue::Rank;
use super::sink::Sink;
use super::state::{Blocked, ForClient, Message, Pending};
use super::world::World;
use super::{Instant, Parts};
use crate::history::{FaultEvent, GrantEvent, KeyChange, Machine, Phase, What};
use crate::locks::{ChangeCause, NodeRecords};
use crate::resource::Seen;
use crate::time::{Span, Time};
use crate::wire::{ClientId, Command, LockId, NodeId, Reply, RequestId};

/// How a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The client's machine closes it: its process has died.
    Closed,
    /// The network swallows everything from now on.
    Cut,
}

impl<P: Parts, S: Sink> World<P, S> {
    /// A command arrives at a server.
    pub(super) fn arrive(
        &mut self,
        client: ClientId,
        life: u32,
        node: NodeId,
        boot: u32,
        message: Message,
        served: bool,
    ) -> Result<(), P::Error> {
        let state = self.node(node);
        if !state.serves() || state.boot != boot {
            return Ok(());
        }
        if state.slow > Span::ZERO && !served {
            let at = self.now + self.node(node).slow;
            let item = Pending::Request { client, life, node, boot, message, served: true };
            self.queue.push(at, Rank::client(client), item);
            return Ok(());
        }
        self.commands += 1;
        let Message { request, phase, command } = message;
        let executed =
            self.with_clock(node, |parts, at| parts.execute(Call { at, client: Some(client), command: &command }))?;
        let Executed { answer, changes, deliveries, offset } = executed;
        let (reply, blocks) = match answer {
            Answer::Reply(reply) => (Some(self.node(node).share(reply)), None),
            Answer::Replicas { count, offset, timeout } => (None, Some((Some((count, offset)), timeout))),
            Answer::Blocked { timeout } => (None, Some((None, timeout))),
        };
        self.emit(|| What::Executed {
            client: Some(client),
            node,
            request: Some(request),
            phase,
            command: command.clone(),
            reply: reply.clone(),
        });
        if let Some(reply) = &reply {
            self.resource_changed(client, request, phase, &command, reply);
        }
        self.changed(node, changes, ChangeCause::Command(Some(client)));
        self.written(node, offset);
        self.strike_at(Point::Executed(client, node))?;
        if let Some(reply) = reply {
            self.reply(client, life, node, request, phase, reply);
        }
        if let Some((replicas, timeout)) = blocks {
            self.block(node, Blocked { client, life, request, phase, command, replicas }, timeout);
            self.acknowledge(node)?;
        }
        self.deliver(node, deliveries);
        self.look_ahead(node)
    }

    /// An operator's command, or one of the set-up (which is not reported).
    pub(super) fn operator(&mut self, node: NodeId, command: &Arc<Command>, reported: bool) -> Result<(), P::Error> {
        let executed = self.with_clock(node, |parts, at| parts.execute(Call { at, client: None, command }))?;
        if reported && let Answer::Reply(reply) = executed.answer {
            let reply = Some(Arc::new(reply));
            let (command, phase) = (command.clone(), Phase::Check);
            self.emit(|| What::Executed { client: None, node, request: None, phase, command, reply });
        }
        // An operator may do anything, FLUSHALL too: look at every key.
        self.reread(node, ChangeCause::Command(None))?;
        self.written(node, executed.offset);
        self.deliver(node, executed.deliveries);
        self.look_ahead(node)
    }

    fn resource_changed(
        &mut self,
        client: ClientId,
        request: RequestId,
        phase: Phase,
        command: &Command,
        reply: &Reply,
    ) {
        let Some(home) = &mut self.home else { return };
        let cell = self.plan.clients[usize::from(client.0)].cell;
        let hold = self.clients[usize::from(client.0)].inside.last().map_or(0, |(_, hold)| *hold);
        for effect in home.observe(Seen { client, hold, request, phase, cell, command, reply }) {
            self.emit(|| What::Effect(Arc::new(effect)));
        }
    }

    /// Puts a reply on the wire.
    pub(super) fn reply(
        &mut self,
        client: ClientId,
        life: u32,
        node: NodeId,
        request: RequestId,
        phase: Phase,
        reply: Arc<Reply>,
    ) {
        let state = self.client(client);
        let waits = state.life == life && state.outstanding.iter().any(|(waited, _)| *waited == request);
        if !waits {
            return;
        }
        let trouble = state.reply_trouble.take();
        if let Some(arrivals) = self.travel(client, Machine::Node(node), request, trouble, false) {
            let item = ForClient::Reply { node, request, phase, reply };
            self.arrives(client, arrivals, Pending::ForClient { client, life, item });
        }
    }

    fn deliver(&mut self, node: NodeId, deliveries: Vec<Delivery>) {
        for Delivery { client, message, answers } in deliveries {
            if answers {
                let blocked = &mut self.node(node).blocked;
                if let Some(place) = blocked.iter().position(|blocked| blocked.client == client) {
                    let Blocked { life, request, phase, command, .. } = blocked.remove(place);
                    self.resource_changed(client, request, phase, &command, &message);
                    self.reply(client, life, node, request, phase, Arc::new(message));
                }
                continue;
            }
            if let Some(arrivals) = self.travel(client, Machine::Node(node), RequestId::default(), None, false) {
                let life = self.client(client).life;
                let item = ForClient::Push { node, message: Arc::new(message) };
                self.arrives(client, arrivals, Pending::ForClient { client, life, item });
            }
        }
    }

    /// Takes note of changed records: keys, then whoever holds a lock by them.
    pub(super) fn changed(&mut self, node: NodeId, mut changes: Vec<Change>, cause: ChangeCause) {
        if changes.is_empty() {
            return;
        }
        // An observer beside the server sees what is there afterwards, not in which order a script did it.
        changes.sort_by(|one, other| one.key.cmp(&other.key));
        let by = match cause {
            ChangeCause::Command(by) => by,
            ChangeCause::Expired | ChangeCause::Vanished => None,
        };
        for Change { key, change, record } in changes {
            let record = record.map(Arc::new);
            let records = &mut self.nodes[usize::from(node.0)].records;
            let before = match &record {
                Some(record) => records.insert(key.clone(), record.clone()),
                None => records.remove(key.as_ref()),
            };
            let change = match (before, &record) {
                (None, Some(_)) => KeyChange::Created,
                (None, None) => continue,
                // Written over with what was there: to an observer nothing has changed.
                (Some(before), Some(record)) if before == *record => continue,
                (Some(_), _) => change,
            };
            self.emit(|| What::Key { node, key, change, record, by });
        }
        self.observe(node, cause);
    }

    /// All records of a server may be new: after a restart, a promotion, or a change of its clock. `cause` is how those that are gone went.
    pub(super) fn reread(&mut self, node: NodeId, cause: ChangeCause) -> Result<(), P::Error> {
        let lost = match cause {
            ChangeCause::Command(_) => KeyChange::Deleted,
            ChangeCause::Expired => KeyChange::Expired,
            ChangeCause::Vanished => KeyChange::Vanished,
        };
        let records = self.with_clock(node, |parts, at| parts.records(at))?;
        let old = std::mem::take(&mut self.node(node).records);
        let mut changes = Vec::new();
        for key in old.keys().filter(|key| !records.contains_key(key.as_ref())) {
            changes.push(Change { key: key.clone(), change: lost, record: None });
        }
        for (key, record) in records {
            let change = match old.get(key.as_str()) {
                Some(before) if **before == record => continue,
                Some(_) => KeyChange::Changed,
                None => KeyChange::Created,
            };
            changes.push(Change { key: key.into(), change, record: Some(record) });
        }
        self.node(node).records = old;
        self.changed(node, changes, cause);
        Ok(())
    }

    /// Looks who holds each lock now.
    pub(super) fn observe(&mut self, node: NodeId, cause: ChangeCause) {
        let state = self.node(node);
        state.next_gone = state.records.values().filter_map(|record| record.gone_at).min().unwrap_or(Time::NEVER);
        let mut events = Vec::new();
        for lock in 0..self.grants.len() {
            let boards: Vec<NodeRecords> = self
                .nodes
                .iter()
                .enumerate()
                .map(|(index, state)| {
                    let node = NodeId(index as u8);
                    NodeRecords { node, master: node == self.deciding, records: &state.records }
                })
                .collect();
            let reading = &self.plan.readings[lock];
            let mut holdings = reading.read(self.now, &boards, &self.plan.names);
            reading.attribute(&mut holdings, cause, &self.grants[lock]);
            self.grants[lock].observe(self.now, &holdings, cause, &mut events);
            self.granted(lock, &mut events);
        }
        self.look_for_ending();
    }

    /// Finds out when the next lease or record ends by itself: after each change of either.
    fn look_for_ending(&mut self) {
        let gone = self.nodes.iter().map(|node| node.next_gone).min().unwrap_or(Time::NEVER);
        let ends = self.grants.iter().filter_map(|grants| grants.next_end()).min().unwrap_or(Time::NEVER);
        self.next_ending = gone.min(ends);
    }

    fn granted(&mut self, lock: usize, events: &mut Vec<GrantEvent>) {
        for event in events.drain(..) {
            self.emit(|| What::Grant { lock: LockId(lock as u8), event });
        }
    }

    /// Lets time pass up to `to`: records and leases end on the way, each at its own instant.
    pub(super) fn pass(&mut self, mut to: Time) -> Result<(), P::Error> {
        loop {
            let next = self.next_ending;
            if next > to {
                self.now = self.parts.reach(self.now.max(to))?;
                if next > self.now {
                    return Ok(());
                }
                // Real time has gone on further than was wanted, over the end of something.
                to = self.now;
            }
            self.now = self.parts.reach(self.now.max(next))?;
            for lock in 0..self.grants.len() {
                let mut events = Vec::new();
                self.grants[lock].advance(self.now, &mut events);
                self.granted(lock, &mut events);
            }
            self.look_for_ending();
            for index in 0..self.nodes.len() {
                if self.nodes[index].next_gone <= self.now {
                    self.expire(NodeId(index as u8))?;
                }
            }
            // Whoever waited for what has just ended is answered first.
            to = self.queue.next_time().map_or(to, |sooner| to.min(sooner).max(self.now));
        }
    }

    pub(super) fn expire(&mut self, node: NodeId) -> Result<(), P::Error> {
        // A server that is down removes nothing; what it kept is over all the same.
        if self.node(node).up {
            let executed = self.with_clock(node, |parts, at| parts.expire(at))?;
            // What had no end of its own has been ended by its server: a session, a transaction. A real server says when at the latest.
            let records = &self.node(node).records;
            let timed = |change: &Change| {
                let record = records.get(change.key.as_ref());
                record.is_some_and(|record| record.gone_at.is_some())
            };
            let (expired, ended): (Vec<Change>, Vec<Change>) = executed.changes.into_iter().partition(timed);
            self.changed(node, expired, ChangeCause::Expired);
            self.changed(node, ended, ChangeCause::Vanished);
            self.written(node, executed.offset);
            self.deliver(node, executed.deliveries);
        }
        // Whatever the server still shows, it is gone for whoever asks: never wait for the same instant twice.
        let now = self.now;
        let state = self.node(node);
        let overdue: Vec<Arc<str>> = state
            .records
            .iter()
            .filter(|(_, record)| record.gone_at.is_some_and(|at| at <= now))
            .map(|(key, _)| key.clone())
            .collect();
        let changes = overdue.into_iter().map(|key| Change { key, change: KeyChange::Expired, record: None }).collect();
        self.changed(node, changes, ChangeCause::Expired);
        self.look_ahead(node)
    }

    /// Puts into the queue when time alone changes something at a server that no record shows.
    pub(super) fn look_ahead(&mut self, node: NodeId) -> Result<(), P::Error> {
        let due = self.with_clock(node, |parts, at| parts.due(at))?.filter(|_| self.nodes[usize::from(node.0)].up);
        if due == self.node(node).due {
            return Ok(());
        }
        self.node(node).due = due;
        self.queue.retain(|item| !matches!(item, Pending::Due(of) if *of == node));
        if let Some(at) = due {
            self.queue.push(at.max(self.now), Rank::SERVER, Pending::Due(node));
        }
        Ok(())
    }

    /// A master's stream has grown: its replicas apply it after their lag.
    fn written(&mut self, node: NodeId, offset: u64) {
        let state = self.node(node);
        if offset == state.offset {
            return;
        }
        state.offset = offset;
        if node == self.master && self.plan.is_replicated {
            self.stream();
        }
    }

    /// Sends each reachable replica what it has not been sent yet.
    pub(super) fn stream(&mut self) {
        let (master, upto) = (self.master, self.node(self.master).offset);
        for index in 0..self.nodes.len() {
            let replica = NodeId(index as u8);
            let cut = self.is_cut(Machine::Node(master), Machine::Node(replica));
            let state = self.node(replica);
            if replica == master || !state.is_replica || !state.up || cut || state.asked >= upto {
                continue;
            }
            state.asked = upto;
            let boot = state.boot;
            let at = self.now + self.node(replica).lag;
            self.queue.push(at, Rank::SERVER, Pending::Replicate { replica, boot, upto });
        }
    }

    /// A replica applies its master's stream; whoever waits for it may go on.
    pub(super) fn replicate(&mut self, replica: NodeId, boot: u32, upto: u64) -> Result<(), P::Error> {
        let master = self.master;
        let cut = self.is_cut(Machine::Node(master), Machine::Node(replica));
        let master_up = self.nodes[usize::from(master.0)].up;
        let state = self.node(replica);
        if !state.up || !state.is_replica || state.boot != boot {
            return Ok(());
        }
        if cut || !master_up {
            // What was on its way is lost with the link; after the heal it is sent again.
            state.asked = state.applied;
            return Ok(());
        }
        state.applied = upto;
        let changes = self.with_clock(replica, |parts, at| parts.replicate(at, master, upto))?;
        self.changed(replica, changes, ChangeCause::Command(None));
        self.acknowledge(master)
    }

    fn block(&mut self, node: NodeId, blocked: Blocked, timeout: Option<Span>) {
        if let Some(timeout) = timeout {
            // A server compares whole milliseconds and waits until more than the time-out has passed.
            let state = self.node(node);
            let clock = state.clock;
            let due = (clock.read(self.now).monotonic.div_euclid(1_000) + timeout.as_millis() as i64 + 1) * 1_000;
            let at = clock.when_monotonic(self.now, due);
            let (client, request) = (blocked.client, blocked.request);
            self.queue.push(at, Rank::SERVER, Pending::BlockedTooLong { node, client, request });
        }
        self.node(node).blocked.push(blocked);
    }

    /// Answers those who wait for replicas and have enough.
    fn acknowledge(&mut self, node: NodeId) -> Result<(), P::Error> {
        let mut place = 0;
        while place < self.node(node).blocked.len() {
            let enough = match self.node(node).blocked[place].replicas {
                Some((count, offset)) => self.acknowledged(node, offset) >= count,
                None => false,
            };
            if enough {
                let blocked = self.node(node).blocked.remove(place);
                self.unblock(node, blocked)?;
            } else {
                place += 1;
            }
        }
        Ok(())
    }

    fn acknowledged(&self, master: NodeId, offset: u64) -> u64 {
        let reached = |index: usize| {
            let state = &self.nodes[index];
            let cut = self.is_cut(Machine::Node(master), Machine::Node(NodeId(index as u8)));
            state.is_replica && state.up && !cut && state.applied >= offset
        };
        (0..self.nodes.len()).filter(|index| reached(*index)).count() as u64
    }

    fn unblock(&mut self, node: NodeId, blocked: Blocked) -> Result<(), P::Error> {
        let Blocked { client, life, request, phase, replicas, .. } = blocked;
        let acknowledged = replicas.map(|(_, offset)| self.acknowledged(node, offset));
        let reply = self.with_clock(node, |parts, at| parts.unblock(at, client, acknowledged))?;
        self.reply(client, life, node, request, phase, Arc::new(reply));
        Ok(())
    }

    pub(super) fn blocked_too_long(
        &mut self,
        node: NodeId,
        client: ClientId,
        request: RequestId,
    ) -> Result<(), P::Error> {
        let blocked = &mut self.node(node).blocked;
        let Some(place) = blocked.iter().position(|blocked| blocked.client == client && blocked.request == request)
        else {
            return Ok(());
        };
        let blocked = blocked.remove(place);
        self.unblock(node, blocked)
    }

    /// A client's connection to a server is gone: the server forgets what it waited for and its subscriptions, and whatever lived only as
    /// long as the connection ends, as if the client had ended it; unless the service itself has still to find out.
    pub(super) fn lose_connection(&mut self, client: ClientId, node: NodeId, ending: Ending) -> Result<(), P::Error> {
        self.node(node).blocked.retain(|blocked| blocked.client != client);
        if let Some(home) = &mut self.home {
            home.forget(client);
        }
        let executed = self.with_clock(node, |parts, at| match ending {
            Ending::Closed => parts.disconnect(at, client),
            Ending::Cut => parts.cut_off(at, client),
        })?;
        let cause = match ending {
            Ending::Closed => ChangeCause::Command(Some(client)),
            Ending::Cut => ChangeCause::Vanished,
        };
        self.changed(node, executed.changes, cause);
        self.deliver(node, executed.deliveries);
        self.look_ahead(node)
    }

    /// A server dies: its connections are reset. What it will not remember is gone from now on.
    pub(super) fn take_down(&mut self, node: NodeId, data_kept: bool) -> Result<(), P::Error> {
        self.emit(|| What::Fault(FaultEvent::Down { node }));
        self.node(node).up = false;
        self.node(node).blocked.clear();
        self.node(node).due = None;
        self.queue.retain(|item| !matches!(item, Pending::Due(of) if *of == node));
        let changes = self.with_clock(node, |parts, at: Instant<'_>| parts.down(at))?;
        self.changed(node, changes, ChangeCause::Vanished);
        for client in 0..self.clients.len() {
            self.sever(ClientId(client as u16), Machine::Node(node))?;
        }
        if data_kept {
            return Ok(());
        }
        let keys = self.node(node).records.keys();
        let changes = keys.map(|key| Change { key: key.clone(), change: KeyChange::Vanished, record: None }).collect();
        self.changed(node, changes, ChangeCause::Vanished);
        Ok(())
    }

    /// A server is back.
    pub(super) fn bring_up(&mut self, node: NodeId, data_kept: bool) -> Result<(), P::Error> {
        if self.node(node).up {
            return Ok(());
        }
        self.emit(|| What::Fault(FaultEvent::Up { node, data_kept }));
        self.with_clock(node, |parts, at| parts.up(at, data_kept))?;
        let state = self.node(node);
        state.up = true;
        state.boot += 1;
        self.reread(node, ChangeCause::Vanished)?;
        self.look_ahead(node)?;
        self.synchronise(node)
    }

    /// A replica that has just come, or the replicas of a master that has just come, take over all that the master has: a full
    /// synchronisation. What they had beyond that is gone.
    fn synchronise(&mut self, node: NodeId) -> Result<(), P::Error> {
        let master = self.master;
        if !self.plan.is_replicated || !self.nodes[usize::from(master.0)].up {
            return Ok(());
        }
        let offset = self.node(master).offset;
        for index in 0..self.nodes.len() {
            let replica = NodeId(index as u8);
            let cut = self.is_cut(Machine::Node(master), Machine::Node(replica));
            let state = self.node(replica);
            if !state.up || !state.is_replica || cut || (node != master && node != replica) {
                continue;
            }
            state.applied = offset;
            state.asked = offset;
            self.with_clock(replica, |parts, at| parts.synchronise(at, master))?;
            self.reread(replica, ChangeCause::Vanished)?;
        }
        Ok(())
    }

    /// A replica becomes the master that clients find.
    pub(super) fn promote(&mut self, node: NodeId) -> Result<(), P::Error> {
        if !self.node(node).up || !self.node(node).is_replica {
            return Ok(());
        }
        self.emit(|| What::Fault(FaultEvent::Promoted { node }));
        self.with_clock(node, |parts, at| parts.promote(at))?;
        let state = self.node(node);
        state.is_replica = false;
        state.offset = state.applied;
        self.master = node;
        self.deciding = node;
        self.reread(node, ChangeCause::Vanished)?;
        self.synchronise(node)
    }
}
