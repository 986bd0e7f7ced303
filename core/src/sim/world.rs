//! The world: time, network, faults and order.

use std::sync::Arc;

use super::adversary::Adversary;
use super::plan::Plan;
use super::queue::{Queue, Rank};
use super::sink::Sink;
use super::state::{ClientState, ForClient, Lift, NodeState, Pending, Stopped};
use super::trigger::{Armed, Memory};
use super::{Instant, Parts};
use crate::choices::Choices;
use crate::history::{EndReason, Event, Machine, What};
use crate::locks::GrantTracker;
use crate::resource::Home;
use crate::scenario::Trigger;
use crate::time::{LocalTime, Time};
use crate::wire::{ClientId, NodeId};

/// A scenario being played: `P` its clients and servers, `S` whoever looks at what happens.
#[derive(Clone, Debug)]
pub struct World<P, S> {
    pub(super) plan: Arc<Plan>,
    pub(super) parts: P,
    pub(super) sink: S,
    pub(super) choices: Choices,
    pub(super) now: Time,
    pub(super) queue: Queue<Pending>,
    pub(super) clients: Vec<ClientState>,
    pub(super) nodes: Vec<NodeState>,
    /// The server that clients find when they ask for the master.
    pub(super) master: NodeId,
    /// The server whose records decide who holds a lock: the master, or after its death the one that will follow it.
    pub(super) deciding: NodeId,
    pub(super) cuts: Vec<(Machine, Machine)>,
    pub(super) grants: Vec<GrantTracker>,
    /// When the next lease or record ends by itself.
    pub(super) next_ending: Time,
    pub(super) home: Option<Home>,
    pub(super) armed: Vec<Armed>,
    pub(super) memory: Memory,
    /// Faults whose trigger has just come: they strike at the next safe place, before anything else happens.
    pub(super) struck: Vec<usize>,
    pub(super) commands: u64,
    /// Who places faults in a search; `None`: the faults are the plan's.
    pub(super) adversary: Option<Box<Adversary>>,
}

/// Whether a world goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Something happened; there may be more.
    Going,
    /// It is over.
    Over(EndReason),
}

impl<P: Parts, S: Sink> World<P, S> {
    /// A world at its start, before anything has happened.
    pub fn new(plan: Arc<Plan>, parts: P, sink: S, choices: Choices) -> Result<World<P, S>, P::Error> {
        let clients = plan.clients.iter().map(|client| ClientState::new(client.clock)).collect();
        let nodes = plan.nodes.iter().map(|node| NodeState::new(node.clock, node.is_replica, node.lag)).collect();
        let grants = plan.readings.iter().map(|_| GrantTracker::default()).collect();
        let armed = plan.faults.iter().enumerate();
        let armed = armed.filter(|(_, fault)| fault.at.trigger != Trigger::Start);
        let armed = armed.map(|(fault, at)| Armed { fault, left: at.at.occurrence }).collect();
        let mut world = World {
            parts,
            sink,
            choices,
            now: Time::START,
            queue: Queue::new(),
            clients,
            nodes,
            master: NodeId(0),
            deciding: NodeId(0),
            cuts: Vec::new(),
            grants,
            next_ending: Time::NEVER,
            home: plan.home.clone(),
            armed,
            memory: Memory::default(),
            struck: Vec::new(),
            commands: 0,
            adversary: None,
            plan,
        };
        world.set_up()?;
        Ok(world)
    }

    /// Puts the first events into the queue: faults by the clock, and the clients' starts.
    fn set_up(&mut self) -> Result<(), P::Error> {
        let plan = self.plan.clone();
        for (machine, error) in plan.wrong_clocks() {
            self.emit(|| What::Clock { machine, error });
        }
        for command in &plan.set_up {
            self.operator(NodeId(0), command, false)?;
        }
        for (index, fault) in plan.faults.iter().enumerate() {
            if fault.at.trigger == Trigger::Start {
                self.queue.push(Time::START + fault.at.plus, Rank::FAULT, Pending::Strike(index));
            }
        }
        for (index, client) in plan.clients.iter().enumerate() {
            let client_id = ClientId(index as u16);
            self.queue.push(client.starts, Rank::client(client_id), Pending::Lift(Lift::Restart(client_id)));
        }
        Ok(())
    }

    /// Lets the next thing happen.
    pub fn step(&mut self) -> Result<Progress, P::Error> {
        let Some(next) = self.queue.next_time() else {
            return Ok(Progress::Over(EndReason::Quiet));
        };
        let until = self.plan.until.filter(|until| next > *until);
        self.pass(until.unwrap_or(next))?;
        // A lease that ended on the way may have set something going that happens in time.
        if let Some(until) = until
            && self.queue.next_time().is_none_or(|next| next > until)
        {
            return Ok(Progress::Over(EndReason::Until));
        }
        // What was next may have been the end of a lease, which has come on the way.
        if self.queue.next_time().is_none_or(|next| next > self.now) {
            return Ok(Progress::Going);
        }
        let item = self.pop();
        self.happen(item)?;
        self.strike_due()?;
        Ok(Progress::Going)
    }

    /// Plays to the end, at most `bound` steps.
    pub fn play(&mut self, bound: u64) -> Result<EndReason, P::Error> {
        for _ in 0..bound {
            if let Progress::Over(reason) = self.step()? {
                self.emit(|| What::End(reason));
                return Ok(reason);
            }
        }
        self.emit(|| What::End(EndReason::Bound));
        Ok(EndReason::Bound)
    }

    /// How many commands servers have run for clients.
    pub fn commands(&self) -> u64 {
        self.commands
    }

    /// The choices made so far.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// The choices, for whoever makes them.
    pub fn choices_mut(&mut self) -> &mut Choices {
        &mut self.choices
    }

    /// Whoever looks.
    pub fn sink(&self) -> &S {
        &self.sink
    }

    /// Whoever looks, to be told something by its owner.
    pub fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    /// True time.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Gives back whoever looked.
    pub fn into_sink(self) -> S {
        self.sink
    }

    /// The next event: where several are simultaneous and a choice is wanted, whichever is chosen.
    pub(super) fn pop(&mut self) -> Pending {
        let popped = if self.plan.order_is_chosen {
            let count = self.queue.simultaneous();
            let index = self.choices.choose(crate::choices::ChoiceLabel::Order, count);
            self.queue.pop_rank(index)
        } else {
            self.queue.pop()
        };
        popped.expect("a queue with a next time has a next event")
    }

    pub(super) fn happen(&mut self, item: Pending) -> Result<(), P::Error> {
        match item {
            Pending::ForClient { client, life, item } => self.for_client(client, life, item),
            Pending::Request { client, life, node, boot, message, served } => {
                self.arrive(client, life, node, boot, message, served)
            }
            Pending::Ask { client, life, request, ask } => self.arrive_at_resource(client, life, request, ask),
            Pending::Replicate { replica, boot, upto } => self.replicate(replica, boot, upto),
            Pending::Due(node) => {
                self.node(node).due = None;
                self.expire(node)
            }
            Pending::BlockedTooLong { node, client, request } => self.blocked_too_long(node, client, request),
            Pending::Strike(fault) => self.strike(fault),
            Pending::Lift(lift) => self.lift(lift),
        }
    }

    /// Reports an event to whoever looks, and to the faults that wait for one.
    pub(super) fn emit(&mut self, what: impl FnOnce() -> What) {
        if let Some(adversary) = &mut self.adversary {
            adversary.seen += 1;
        }
        if !S::LOOKS && self.armed.is_empty() {
            return;
        }
        let event = Event { at: self.now, what: what() };
        if !self.armed.is_empty() {
            self.arm(&event);
        }
        if S::LOOKS {
            self.sink.take(event);
        }
    }

    fn arm(&mut self, event: &Event) {
        let (plan, memory, struck) = (&self.plan, &self.memory, &mut self.struck);
        self.armed.retain_mut(|armed| {
            if !memory.matches(&plan.faults[armed.fault].at.trigger, event) {
                return true;
            }
            armed.left -= 1;
            if armed.left == 0 {
                struck.push(armed.fault);
            }
            armed.left > 0
        });
        self.memory.keep(event);
    }

    /// Strikes what has been triggered, or puts it off by its `plus`.
    #[inline]
    pub(super) fn strike_due(&mut self) -> Result<(), P::Error> {
        if self.struck.is_empty() { Ok(()) } else { self.strike_struck() }
    }

    #[cold]
    fn strike_struck(&mut self) -> Result<(), P::Error> {
        while !self.struck.is_empty() {
            let fault = self.struck.remove(0);
            let plus = self.plan.faults[fault].at.plus;
            if plus.0 == 0 {
                self.strike(fault)?;
            } else {
                self.queue.push(self.now + plus, Rank::FAULT, Pending::Strike(fault));
            }
        }
        Ok(())
    }

    /// What a client's clocks show now.
    pub(super) fn local(&self, client: ClientId) -> LocalTime {
        self.clients[usize::from(client.0)].clock.read(self.now)
    }

    /// Whether a client's process takes part at all now.
    pub(super) fn runs(&self, client: ClientId) -> bool {
        let state = &self.clients[usize::from(client.0)];
        state.up && state.stopped != Stopped::Process
    }

    pub(super) fn client(&mut self, client: ClientId) -> &mut ClientState {
        &mut self.clients[usize::from(client.0)]
    }

    pub(super) fn node(&mut self, node: NodeId) -> &mut NodeState {
        &mut self.nodes[usize::from(node.0)]
    }

    /// A server's clock at the present instant, for the parts. Takes a copy of the clock, so that the parts can be borrowed beside it.
    pub(super) fn with_clock<T>(&mut self, node: NodeId, act: impl FnOnce(&mut P, Instant<'_>) -> T) -> T {
        let clock = self.nodes[usize::from(node.0)].clock;
        act(&mut self.parts, Instant { node, now: self.now, clock: &clock })
    }

    pub(super) fn later(&mut self, client: ClientId, at: Time, item: ForClient) {
        let life = self.clients[usize::from(client.0)].life;
        self.queue.push(at, Rank::client(client), Pending::ForClient { client, life, item });
    }
}
