//! How the world drives its clients: inputs in, outputs out, timers, stops and resumes.

use std::sync::Arc;

use super::Parts;
use super::adversary::Point;
use super::queue::Rank;
use super::server::Ending;
use super::sink::Sink;
use super::state::{ForClient, Lift, Message, Pending, Stopped};
use super::world::World;
use crate::history::{ClientEvent, FaultEvent, LeaveReason, LossReason, Machine, Operation, Phase, What};
use crate::resource::{Ask, operation_of_statement};
use crate::scenario::Topology;
use crate::time::Span;
use crate::wire::{ClientId, Command, NodeId, Reply, RequestId};
use crate::worker::{Input, Output};

impl<P: Parts, S: Sink> World<P, S> {
    /// Something comes for a client: now if it runs, at its resume if it is stopped, never if it is another life's.
    pub(super) fn for_client(&mut self, client: ClientId, life: u32, item: ForClient) -> Result<(), P::Error> {
        let state = self.client(client);
        if !state.up || state.life != life {
            return Ok(());
        }
        if state.stopped == Stopped::Process {
            state.backlog.push(item);
            return Ok(());
        }
        self.notice(client, item)
    }

    fn notice(&mut self, client: ClientId, item: ForClient) -> Result<(), P::Error> {
        let state = self.client(client);
        let input = match item {
            ForClient::Timer { generation } if generation == state.timer => {
                state.wakes = None;
                state.is_timed = false;
                Input::Timer
            }
            ForClient::Timer { .. } => return Ok(()),
            ForClient::Reply { request, .. }
            | ForClient::Answer { request, .. }
            | ForClient::Disconnected { request }
                if !state.settle(request) =>
            {
                return Ok(());
            }
            ForClient::Reply { node, request, phase, reply } => {
                self.emit(|| What::Got { client, node, request, phase, reply: reply.clone() });
                self.strike_at(Point::Got(client))?;
                // Its server keeps its latest reply: there is hardly ever one to be had without a copy.
                let input = Input::Reply { request, reply: Reply::clone(&reply) };
                if !self.runs(client) {
                    // A fault struck between the arrival of the reply and its handling: it is handled at the resume, if there is one.
                    self.client(client).backlog.push(ForClient::Arrived(Box::new(input)));
                    return Ok(());
                }
                input
            }
            ForClient::Answer { request, outcome } => Input::Answer { request, outcome },
            ForClient::Push { node, message } => {
                self.emit(|| What::Pushed { client, node, message: message.clone() });
                Input::Push { from: node, message: Arc::unwrap_or_clone(message) }
            }
            ForClient::Disconnected { request } => Input::Disconnected { request },
            ForClient::Arrived(input) => *input,
        };
        self.give(client, input)
    }

    /// Gives a client an input and does what it then wants.
    pub(super) fn give(&mut self, client: ClientId, input: Input) -> Result<(), P::Error> {
        debug_assert!(self.runs(client), "an input is given only to a client that runs");
        self.drain(client, Some(input))
    }

    fn drain(&mut self, client: ClientId, mut input: Option<Input>) -> Result<(), P::Error> {
        loop {
            if !self.runs(client) {
                self.client(client).interrupted = true;
                return Ok(());
            }
            // Matched where it lies: taken out first, it would be copied at every step.
            match self.parts.drive(client, self.local(client), input.take()) {
                Err(error) => return Err(error),
                Ok(Output::Send { to, request, phase, code, command }) => {
                    let node = self.route(client, to);
                    self.emit(|| What::Sent { client, node, request, phase, code, command: command.clone() });
                    if phase == Phase::Resource {
                        self.asked(client, request, operation_of(&command));
                    }
                    self.strike_at(Point::Sent(client))?;
                    self.send(client, node, Message { request, phase, command });
                }
                Ok(Output::Ask { request, ask }) => {
                    self.asked(client, request, ask.operation);
                    self.strike_due()?;
                    self.ask(client, request, ask);
                }
                Ok(Output::Cancel { request }) => self.cancel(client, request)?,
                Ok(Output::Event(event)) => {
                    self.note(client, &event);
                    let point = self.adversary.is_some().then(|| Point::of(client, &event));
                    self.emit(|| What::Client { client, event });
                    self.strike_at(point.unwrap_or(Point::Nowhere))?;
                }
                Ok(Output::Choose { label, count }) => {
                    input = Some(Input::Chosen(self.choices.choose(label, count)));
                }
                Ok(Output::Wait { until }) => {
                    self.set_timer(client, until);
                    return Ok(());
                }
            }
        }
    }

    fn asked(&mut self, client: ClientId, request: RequestId, operation: Operation) {
        let cell = self.plan.clients[usize::from(client.0)].cell;
        self.emit(|| What::Client { client, event: ClientEvent::Asked { request, operation, cell } });
    }

    fn cancel(&mut self, client: ClientId, request: RequestId) -> Result<(), P::Error> {
        let outstanding = self.client(client).outstanding.iter().find(|(waited, _)| *waited == request);
        let Some((_, node)) = outstanding.copied() else { return Ok(()) };
        self.client(client).settle(request);
        let Some(node) = node else { return Ok(()) };
        self.emit(|| What::Missed { client, node, request, why: LossReason::TimedOut });
        // With the connection goes the session, and what it waits for is not for this client any more.
        if self.plan.topology == Topology::Database {
            self.client(client).connected.retain(|connected| *connected != node);
            self.lose_connection(client, node, Ending::Closed)?;
        }
        Ok(())
    }

    /// Keeps what the world itself must know of a client: what it is inside of.
    fn note(&mut self, client: ClientId, event: &ClientEvent) {
        let state = self.client(client);
        match event {
            ClientEvent::Entered { lock, hold, .. } => {
                state.inside.push((*lock, *hold));
                state.holds = state.holds.max(*hold);
            }
            ClientEvent::Left { lock, hold, .. } => state.inside.retain(|inside| inside != &(*lock, *hold)),
            _ => {}
        }
    }

    fn set_timer(&mut self, client: ClientId, until: Option<i64>) {
        let now = self.now;
        let state = self.client(client);
        if state.wakes == until {
            return;
        }
        state.wakes = until;
        state.timer += 1;
        let (generation, clock) = (state.timer, state.clock);
        if std::mem::replace(&mut state.is_timed, until.is_some()) {
            // What is outdated would only wake nobody.
            self.queue.retain(|item| !is_timer_of(item, client));
        }
        if let Some(until) = until {
            let at = clock.when_monotonic(now, until);
            self.later(client, at, ForClient::Timer { generation });
        }
    }

    /// After a change of a client's clock: its timer is due at another true instant.
    pub(super) fn reset_timer(&mut self, client: ClientId) {
        let until = self.client(client).wakes.take();
        self.set_timer(client, until);
    }

    /// A client begins its first life, or the next one.
    pub(super) fn begin(&mut self, client: ClientId) -> Result<(), P::Error> {
        let state = self.client(client);
        if state.up {
            return Ok(());
        }
        state.up = true;
        state.life += 1;
        state.stopped = Stopped::No;
        state.interrupted = false;
        let (life, holds) = (state.life, state.holds);
        self.parts.spawn(client, life, holds)?;
        if life > 1 {
            self.emit(|| What::Fault(FaultEvent::Restarted { client }));
        }
        self.give(client, Input::Start)
    }

    /// A client dies.
    pub(super) fn crash(&mut self, client: ClientId, restart: Option<Span>) -> Result<(), P::Error> {
        if !self.client(client).up {
            return Ok(());
        }
        self.emit(|| What::Fault(FaultEvent::Crashed { client }));
        let state = self.client(client);
        state.up = false;
        state.backlog.clear();
        state.outstanding.clear();
        state.connected.clear();
        state.broken.clear();
        state.wakes = None;
        for (lock, hold) in std::mem::take(&mut state.inside) {
            self.emit(|| What::Client { client, event: ClientEvent::Left { lock, hold, why: LeaveReason::Died } });
        }
        self.parts.kill(client)?;
        for node in 0..self.nodes.len() {
            self.lose_connection(client, NodeId(node as u8), Ending::Closed)?;
        }
        if let Some(restart) = restart {
            self.queue.push(self.now + restart, Rank::FAULT, Pending::Lift(Lift::Restart(client)));
        }
        Ok(())
    }

    /// A client stops.
    pub(super) fn pause(&mut self, client: ClientId, task: bool, length: Option<Span>) -> Result<(), P::Error> {
        let state = self.client(client);
        if !state.up || state.stopped != Stopped::No {
            return Ok(());
        }
        state.stopped = if task { Stopped::Task } else { Stopped::Process };
        self.emit(|| What::Fault(FaultEvent::Paused { client, task, length }));
        if let Some(length) = length {
            self.queue.push(self.now + length, Rank::FAULT, Pending::Lift(Lift::Resume(client)));
        }
        if task { self.give(client, Input::Suspend(true)) } else { self.parts.freeze(client, true) }
    }

    /// A client goes on: first with what it was doing, then with what came meanwhile.
    pub(super) fn resume(&mut self, client: ClientId) -> Result<(), P::Error> {
        let state = self.client(client);
        let stopped = std::mem::replace(&mut state.stopped, Stopped::No);
        if !state.up || stopped == Stopped::No {
            return Ok(());
        }
        self.emit(|| What::Fault(FaultEvent::Resumed { client }));
        if stopped == Stopped::Task {
            return self.give(client, Input::Suspend(false));
        }
        self.parts.freeze(client, false)?;
        if std::mem::take(&mut self.client(client).interrupted) {
            self.drain(client, None)?;
        }
        let life = self.client(client).life;
        for item in std::mem::take(&mut self.client(client).backlog) {
            // Stopped again half way: the rest goes back to the backlog.
            self.for_client(client, life, item)?;
        }
        Ok(())
    }

    /// Cuts what is on its way between a client and a server or the resource; the client learns of it at once.
    pub(super) fn sever(&mut self, client: ClientId, far: Machine) -> Result<(), P::Error> {
        let target = match far {
            Machine::Node(node) => Some(node),
            Machine::Resource | Machine::Client(_) => None,
        };
        self.queue.retain(|item| !travels(item, client, target));
        let broken: Vec<RequestId> = self
            .client(client)
            .outstanding
            .iter()
            .filter(|(_, to)| *to == target)
            .map(|(request, _)| *request)
            .collect();
        if let Some(node) = target {
            let state = self.client(client);
            let had = state.connected.iter().position(|connected| *connected == node);
            // Whoever waits for a reply notices at once.
            if had.map(|place| state.connected.remove(place)).is_some()
                && broken.is_empty()
                && !state.broken.contains(&node)
            {
                state.broken.push(node);
            }
        }
        for request in broken {
            if let Some(node) = target {
                self.emit(|| What::Missed { client, node, request, why: LossReason::Disconnected });
            }
            self.later(client, self.now, ForClient::Disconnected { request });
        }
        match target {
            Some(node) => self.lose_connection(client, node, Ending::Cut),
            None => Ok(()),
        }
    }

    /// A request goes to the resource.
    fn ask(&mut self, client: ClientId, request: RequestId, ask: Arc<Ask>) {
        self.client(client).outstanding.push((request, None));
        if self.is_cut(Machine::Client(client), Machine::Resource) {
            self.later(client, self.now, ForClient::Disconnected { request });
            return;
        }
        let trouble = self.client(client).request_trouble.take();
        let Some(arrivals) = self.travel(client, Machine::Resource, request, trouble, true) else { return };
        let life = self.client(client).life;
        self.arrives(client, arrivals, Pending::Ask { client, life, request, ask });
    }

    /// A request arrives at the resource, which answers.
    pub(super) fn arrive_at_resource(
        &mut self,
        client: ClientId,
        life: u32,
        request: RequestId,
        ask: Arc<Ask>,
    ) -> Result<(), P::Error> {
        let outcome = self.parts.answer(client, request, &ask)?;
        let effect = ask.effect(client, request, outcome.clone());
        self.emit(|| What::Effect(Arc::new(effect)));
        self.strike_due()?;
        if self.client(client).life != life || self.is_cut(Machine::Client(client), Machine::Resource) {
            return Ok(());
        }
        let trouble = self.client(client).reply_trouble.take();
        if let Some(arrivals) = self.travel(client, Machine::Resource, request, trouble, false) {
            let item = ForClient::Answer { request, outcome };
            self.arrives(client, arrivals, Pending::ForClient { client, life, item });
        }
        Ok(())
    }
}

fn is_timer_of(item: &Pending, client: ClientId) -> bool {
    matches!(item, Pending::ForClient { client: of, item: ForClient::Timer { .. }, .. } if *of == client)
}

/// Whether a pending event is a message on its way between a client and `target` (`None`: the resource).
fn travels(item: &Pending, client: ClientId, target: Option<NodeId>) -> bool {
    match item {
        Pending::Request { client: from, node, .. } => *from == client && target == Some(*node),
        Pending::Ask { client: from, .. } => *from == client && target.is_none(),
        Pending::ForClient { client: to, item, .. } => {
            *to == client
                && match item {
                    ForClient::Reply { node, .. } | ForClient::Push { node, .. } => target == Some(*node),
                    ForClient::Answer { .. } => target.is_none(),
                    ForClient::Timer { .. } | ForClient::Disconnected { .. } | ForClient::Arrived(_) => false,
                }
        }
        Pending::Replicate { .. }
        | Pending::Due(_)
        | Pending::BlockedTooLong { .. }
        | Pending::Strike(_)
        | Pending::Lift(_) => false,
    }
}

/// What a command for a resource in the lock's own service does to it.
fn operation_of(command: &Command) -> Operation {
    if let Some(operation) = operation_of_statement(command) {
        return operation;
    }
    match command.word(0) {
        Some("GET") => Operation::Read,
        Some("SET") => Operation::Write,
        _ => Operation::Atomic,
    }
}
