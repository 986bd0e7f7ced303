//! The adversary of a search: it may let faults strike at every point where a scenario's fault could, within its allowance.
//!
//! What it can do is asked of [`Choices`](crate::choices::Choices), so that a search enumerates it and a seed draws it. A fault that lasts is
//! left open, and at each later instant at which something happens the adversary may end it: just after the instant before, at that instant, or, where
//! a lease or a record ends then, just before.

use super::Parts;
use super::lengths::{Lengths, Window};
use super::queue::Rank;
use super::sink::Sink;
use super::state::{ForClient, Lift, Pending};
use super::trigger;
use super::world::{Progress, World};
use crate::choices::ChoiceLabel;
use crate::history::{ClientEvent, EndReason, Machine, Trouble};
use crate::scenario::{FaultKind, Leg};
use crate::time::{Span, Time};
use crate::wire::{ClientId, NodeId};

/// A kind of fault that a search can place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultClass {
    /// A client's process stops for a while.
    Pause,
    /// A client dies for good.
    Crash,
    /// A machine's wall clock jumps.
    ClockStep,
    /// The master dies, and a replica follows it.
    Failover,
    /// A request is lost.
    LostRequest,
    /// A reply is lost.
    LostReply,
    /// A request arrives twice.
    Duplicate,
    /// A request or a reply comes late.
    Delay,
    /// A server dies, and comes back with its data.
    Restart,
    /// A server dies, and comes back empty.
    RestartEmpty,
    /// A client and a server cannot reach each other for a while.
    Partition,
}

impl FaultClass {
    /// Every class with its name, in the order in which a search tries them.
    pub const ALL: [(&'static str, FaultClass); 11] = [
        ("pause", FaultClass::Pause),
        ("crash", FaultClass::Crash),
        ("clock-step", FaultClass::ClockStep),
        ("failover", FaultClass::Failover),
        ("lost-request", FaultClass::LostRequest),
        ("lost-reply", FaultClass::LostReply),
        ("duplicate", FaultClass::Duplicate),
        ("delay", FaultClass::Delay),
        ("restart", FaultClass::Restart),
        ("restart-empty", FaultClass::RestartEmpty),
        ("partition", FaultClass::Partition),
    ];

    /// Its canonical name, such as `clock-step`.
    pub fn name(self) -> &'static str {
        FaultClass::ALL[self as usize].0
    }

    /// The class of a name.
    pub fn from_name(name: &str) -> Option<FaultClass> {
        FaultClass::ALL.iter().find(|(known, _)| *known == name).map(|(_, class)| *class)
    }
}

/// How many faults of each class may strike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Allowance([u8; FaultClass::ALL.len()]);

impl Allowance {
    /// How many of one class.
    pub fn of(&self, class: FaultClass) -> u8 {
        self.0[class as usize]
    }

    /// The same allowance with so many of one class.
    pub fn with(mut self, class: FaultClass, count: u8) -> Allowance {
        self.0[class as usize] = count;
        self
    }

    /// The classes of which there are any, with their counts.
    pub fn each(&self) -> impl Iterator<Item = (FaultClass, u8)> + '_ {
        FaultClass::ALL.iter().map(|(_, class)| (*class, self.of(*class))).filter(|(_, count)| *count > 0)
    }

    /// The allowances that have at least as much of each class as this one and no more than `most`, but for this one itself.
    pub fn richer(self, most: Allowance) -> impl Iterator<Item = Allowance> {
        let ways = move |class: usize| usize::from(most.0[class].saturating_sub(self.0[class])) + 1;
        let count: usize = (0..self.0.len()).map(ways).product();
        (1..count).map(move |way| {
            let (mut richer, mut rest) = (self, way);
            for class in 0..richer.0.len() {
                richer.0[class] += (rest % ways(class)) as u8;
                rest /= ways(class);
            }
            richer
        })
    }

    fn is_spent(&self) -> bool {
        self.0.iter().all(|count| *count == 0)
    }
}

/// A fault that an adversary has placed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Placed {
    /// What strikes; its length is still open.
    pub kind: FaultKind,
    /// When.
    pub at: Time,
    /// Whether the clock brings it, before anything else happens then; else it follows an event.
    pub by_clock: bool,
    /// How many events had happened.
    pub seen: u32,
    /// When it ends; `None`: never, or at once.
    pub ends: Option<Time>,
}

/// Who places faults, as far as it has come.
#[derive(Clone, Debug)]
pub(super) struct Adversary {
    pub left: Allowance,
    pub lengths: Lengths,
    pub placed: Vec<Placed>,
    /// Faults that last and have not ended.
    pub open: Vec<Open>,
    /// When something last happened to each client: a pause that begins later does the same.
    pub touched: Vec<Time>,
    /// How many events have happened.
    pub seen: u32,
    /// The instant at which something last was taken from the queue.
    pub popped: Option<Time>,
    /// Whether anybody tells what a wall clock shows.
    pub wall_clocks_are_told: bool,
    /// Whether only one client noticed the last step.
    pub is_independent: bool,
}

/// A fault that lasts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// Which of the placed ones.
    index: u8,
    /// How it ends.
    pub lift: Lift,
    /// When it may end; `None`: whenever an adversary likes.
    pub window: Option<Window>,
}

/// Where a fault may strike that follows an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Point {
    /// No scenario could name it.
    Nowhere,
    /// A client came to a milestone.
    Client(ClientId),
    /// A client is about to ask the resource.
    BeforeAsk(ClientId),
    /// A client's command is about to go on the wire.
    Sent(ClientId),
    /// A client received a reply.
    Got(ClientId),
    /// A server ran a client's command; its reply is not on the wire yet.
    Executed(ClientId, NodeId),
}

impl Point {
    /// The point that follows something that a client did.
    pub fn of(client: ClientId, event: &ClientEvent) -> Point {
        match event {
            ClientEvent::Step { step } if matches!(step.as_ref(), "read" | "write" | "atomic" | "call") => {
                Point::BeforeAsk(client)
            }
            event if trigger::is_milestone(event) => Point::Client(client),
            _ => Point::Nowhere,
        }
    }
}

/// Whoever is told what may strike.
type Offer<'a> = dyn FnMut(FaultClass, FaultKind) + 'a;

/// How long after everything else "past every later event" is.
const PAST: Span = Span::from_millis(1);

impl<P: Parts, S: Sink> World<P, S> {
    /// Lets an adversary place faults from here on.
    pub fn beset(&mut self, allowance: Allowance, lengths: Lengths) {
        self.adversary = Some(Box::new(Adversary {
            left: allowance,
            lengths,
            placed: Vec::new(),
            open: Vec::new(),
            touched: vec![Time::START; self.clients.len()],
            seen: 0,
            popped: None,
            wall_clocks_are_told: self.plan.wall_clocks_are_told(),
            is_independent: false,
        }));
    }

    /// How many faults an adversary may still place; `None`: there is no adversary.
    pub fn allowance_left(&self) -> Option<Allowance> {
        self.adversary.as_ref().map(|adversary| adversary.left)
    }

    /// The faults that an adversary has placed so far.
    pub fn placed_faults(&self) -> &[Placed] {
        self.adversary.as_ref().map_or(&[], |adversary| &adversary.placed)
    }

    /// Lets the next thing happen, where the end of a lease or a record is a thing of its own: the step of a search.
    ///
    /// # Errors
    ///
    /// Whatever goes wrong with the parts.
    pub fn stride(&mut self) -> Result<Progress, P::Error> {
        let ending = self.next_ending;
        let queued = self.queue.next_time();
        let ends_first = queued.is_none_or(|queued| ending <= queued);
        let next = ending.min(queued.unwrap_or(Time::NEVER));
        let fresh = self.adversary.as_ref().is_some_and(|adversary| adversary.popped != Some(next));
        if fresh && next != Time::NEVER {
            self.tempt_before(next, ends_first);
        } else if fresh {
            self.tempt_past();
        }
        let queued = self.queue.next_time();
        match queued {
            None if ending == Time::NEVER => return Ok(Progress::Over(EndReason::Quiet)),
            Some(queued) if queued < ending => {
                self.pass(queued)?;
                let item = self.pop();
                if let Some(adversary) = &mut self.adversary {
                    adversary.popped = Some(queued);
                    if let Some(client) = touches(&item) {
                        adversary.touched[usize::from(client.0)] = queued;
                    }
                }
                let before = self.before(&item);
                self.happen(item)?;
                self.strike_due()?;
                self.compare(before);
            }
            _ => {
                self.pass(ending)?;
                self.compare(None);
            }
        }
        Ok(Progress::Going)
    }

    /// A triggered fault strikes, if there is one; else an adversary may let one strike.
    pub(super) fn strike_at(&mut self, point: Point) -> Result<(), P::Error> {
        if self.adversary.is_some() { self.tempt_at(point) } else { self.strike_due() }
    }

    fn tempt_at(&mut self, point: Point) -> Result<(), P::Error> {
        while let Some((class, kind)) = self.tempt(|world, offer| world.harm_at(point, offer)) {
            let (at, seen) = (self.now, self.seen());
            self.place(class, Placed { kind: kind.clone(), at, by_clock: false, seen, ends: None });
            self.do_harm(&kind)?;
        }
        Ok(())
    }

    /// The kind of a fault that an adversary has placed.
    pub(super) fn placed(&self, index: usize) -> Option<FaultKind> {
        self.adversary.as_ref().map(|adversary| adversary.placed[index].kind.clone())
    }

    pub(super) fn seen(&self) -> u32 {
        self.adversary.as_ref().map_or(0, |adversary| adversary.seen)
    }

    /// Offers the faults that `harm` tells; gives the one that is chosen, if any is. Nearly always none is, so they are only counted first.
    fn tempt(&mut self, harm: impl Fn(&Self, &mut Offer<'_>)) -> Option<(FaultClass, FaultKind)> {
        if self.adversary.as_ref().is_none_or(|adversary| adversary.left.is_spent()) {
            return None;
        }
        let mut count = 0;
        harm(self, &mut |_, _| count += 1);
        let mut before = self.choices.choose(ChoiceLabel::Fault, count + 1).checked_sub(1)?;
        let mut chosen = None;
        harm(self, &mut |class, kind| match before.checked_sub(1) {
            None if chosen.is_none() => chosen = Some((class, kind)),
            None => {}
            Some(fewer) => before = fewer,
        });
        let chosen = chosen.expect("what is chosen is one of those that were counted");
        let adversary = self.adversary.as_mut().expect("only an adversary is tempted");
        adversary.left.0[chosen.0 as usize] -= 1;
        Some(chosen)
    }

    fn place(&mut self, class: FaultClass, mut placed: Placed) {
        let lift = match &placed.kind {
            FaultKind::Pause { client, .. } => Some(Lift::Resume(*client)),
            FaultKind::Down { node, data_kept, .. } => {
                Some(Lift::Up { node: *node, data_kept: data_kept.unwrap_or(self.plan.data_kept) })
            }
            FaultKind::Failover { to, .. } => Some(Lift::Promote(*to)),
            FaultKind::Cut { from, to, .. } => Some(Lift::Heal(*from, *to)),
            _ => None,
        };
        let begins_after = self.begins_after(&placed);
        let adversary = self.adversary.as_mut().expect("only an adversary places faults");
        if let Some(lift) = lift {
            let soonest = if placed.by_clock { (begins_after + Span(1)).min(placed.at) } else { placed.at };
            let window = adversary.lengths.of(class).map(|(least, most)| {
                let to = placed.at + most;
                Window { from: (soonest + least).max(placed.at).min(to), to, soonest }
            });
            placed.ends = window.map(|window| window.to);
            adversary.open.push(Open { index: adversary.placed.len() as u8, lift, window });
        }
        adversary.placed.push(placed);
    }

    /// The instant after which a fault may have begun to do what it does now: the last thing that its machine noticed.
    fn begins_after(&self, placed: &Placed) -> Time {
        match (&placed.kind, &self.adversary) {
            _ if !placed.by_clock => placed.at,
            (FaultKind::Pause { client, .. }, Some(adversary)) => adversary.touched[usize::from(client.0)],
            _ => self.now,
        }
    }

    /// Faults by the clock, and the ends of faults, in the time up to `next`, the first thing then included.
    fn tempt_before(&mut self, next: Time, ends_first: bool) {
        let late = if ends_first { next - Span(1) } else { next };
        if late > self.now || (!ends_first && late == self.now) {
            while let Some((class, kind)) = self.tempt(|world, offer| world.harm_before(ends_first, offer)) {
                let index = self.placed_faults().len();
                let seen = self.seen();
                self.place(class, Placed { kind, at: late, by_clock: true, seen, ends: None });
                self.queue.push(late, Rank::FAULT, Pending::Strike(index));
            }
        }
        if self.adversary.as_ref().is_none_or(|adversary| adversary.open.is_empty()) {
            return;
        }
        let soon = self.now + Span(1);
        let mut instants = vec![soon, late];
        instants.retain(|at| *at > self.now && *at <= next);
        instants.dedup();
        if late == self.now && !ends_first {
            instants.push(late);
        }
        self.tempt_to_lift(&instants, late);
    }

    /// When nothing is left to happen, faults that last may end, or not.
    fn tempt_past(&mut self) {
        self.tempt_to_lift(&[self.now + PAST], Time::NEVER);
    }

    /// Lets faults that last end: those of any length at these instants, the others within their windows, before `late`.
    fn tempt_to_lift(&mut self, instants: &[Time], late: Time) {
        let mut place = 0;
        while let Some(open) = self.adversary.as_ref().and_then(|adversary| adversary.open.get(place).copied()) {
            let placed = &self.placed_faults()[usize::from(open.index)];
            let (ends, must) = match open.window {
                Some(window) => window.ends(self.now, late),
                None => (instants.iter().copied().filter(|at| *at > placed.at).collect(), false),
            };
            let longest = open.window.map(|window| (window.soonest, window.to.since(placed.at)));
            let chosen = self.choices.choose(ChoiceLabel::Length, ends.len() as u32 + u32::from(!must)) as usize;
            let Some(at) = (chosen + usize::from(must)).checked_sub(1).map(|index| ends[index]) else {
                place += 1;
                continue;
            };
            let adversary = self.adversary.as_mut().expect("it has open faults");
            adversary.open.remove(place);
            let placed = &mut adversary.placed[usize::from(open.index)];
            placed.ends = Some(at);
            if let Some((soonest, longest)) = longest {
                placed.at = (at - longest).max(soonest);
            }
            self.queue.push(at, Rank::FAULT, Pending::Lift(open.lift));
        }
    }

    /// Tells what may strike by the clock before what happens next: only what that could notice.
    fn harm_before(&self, ends_first: bool, offer: &mut Offer<'_>) {
        let happens = |noticed: &dyn Fn(&Pending) -> bool| !ends_first && self.queue.at_next_time().any(noticed);
        for client in (0..self.clients.len()).map(|client| ClientId(client as u16)) {
            if happens(&|item| matches!(item, Pending::ForClient { client: of, .. } if *of == client)) {
                self.harm_to_client(client, offer);
            }
        }
        for node in (0..self.nodes.len()).map(|node| NodeId(node as u8)) {
            if ends_first || happens(&|item| self.is_noticed_by(node, item)) {
                self.harm_to_node(node, offer);
            }
        }
    }

    /// Whether a server has to do with what is about to happen.
    fn is_noticed_by(&self, node: NodeId, item: &Pending) -> bool {
        match item {
            Pending::ForClient { item: ForClient::Reply { node: of, .. }, .. }
            | Pending::Request { node: of, .. }
            | Pending::BlockedTooLong { node: of, .. }
            | Pending::Due(of) => *of == node,
            Pending::Replicate { replica, .. } => node == *replica || node == self.master,
            Pending::ForClient { .. } | Pending::Ask { .. } | Pending::Strike(_) | Pending::Lift(_) => false,
        }
    }

    /// Tells what may strike behind an event.
    fn harm_at(&self, point: Point, offer: &mut Offer<'_>) {
        match point {
            Point::Nowhere => {}
            Point::Client(client) | Point::Got(client) => self.harm_to_client(client, offer),
            Point::BeforeAsk(client) => {
                self.harm_to_client(client, offer);
                if self.plan.home.is_none() {
                    self.harm_to_message(client, offer);
                }
            }
            Point::Sent(client) => {
                self.harm_to_client(client, offer);
                self.harm_to_message(client, offer);
            }
            Point::Executed(client, node) => {
                self.harm_to_client(client, offer);
                self.harm_to_node(node, offer);
            }
        }
    }

    fn fixed(&self, class: FaultClass) -> Option<Span> {
        self.adversary.as_ref().and_then(|adversary| adversary.lengths.of(class)).map(|(_, most)| most)
    }

    fn allows(&self, class: FaultClass) -> bool {
        self.adversary.as_ref().is_some_and(|adversary| adversary.left.of(class) > 0)
    }

    fn harm_to_client(&self, client: ClientId, offer: &mut Offer<'_>) {
        if !self.runs(client) {
            return;
        }
        if self.allows(FaultClass::Pause) {
            offer(FaultClass::Pause, FaultKind::Pause { client, task: false, length: None });
        }
        if self.allows(FaultClass::Crash) {
            offer(FaultClass::Crash, FaultKind::Crash { client, restart: None });
        }
        if self.allows(FaultClass::Partition) {
            for node in (0..self.nodes.len()).map(|node| Machine::Node(NodeId(node as u8))) {
                let from = Machine::Client(client);
                if !self.is_cut(from, node) {
                    offer(FaultClass::Partition, FaultKind::Cut { from, to: node, length: None });
                }
            }
        }
        self.steps(Machine::Client(client), offer);
    }

    fn harm_to_message(&self, client: ClientId, offer: &mut Offer<'_>) {
        if !self.runs(client) {
            return;
        }
        let mut message = |class, leg, trouble| {
            if self.allows(class) {
                offer(class, FaultKind::Message { client, leg, trouble });
            }
        };
        message(FaultClass::LostRequest, Leg::Request, Trouble::Lost);
        message(FaultClass::LostReply, Leg::Reply, Trouble::Lost);
        message(FaultClass::Duplicate, Leg::Request, Trouble::Doubled);
        if self.allows(FaultClass::Delay) {
            for by in self.delays() {
                message(FaultClass::Delay, Leg::Request, Trouble::Delayed(by));
                message(FaultClass::Delay, Leg::Reply, Trouble::Delayed(by));
            }
        }
    }

    fn harm_to_node(&self, node: NodeId, offer: &mut Offer<'_>) {
        let state = &self.nodes[usize::from(node.0)];
        self.steps(Machine::Node(node), offer);
        if !state.up {
            return;
        }
        for (class, data_kept) in [(FaultClass::Restart, true), (FaultClass::RestartEmpty, false)] {
            if self.allows(class) {
                offer(class, FaultKind::Down { node, restart: None, data_kept: Some(data_kept) });
            }
        }
        if node == self.master && self.plan.is_replicated && self.allows(FaultClass::Failover) {
            let replicas = (0..self.nodes.len()).filter(|index| self.nodes[*index].is_replica && self.nodes[*index].up);
            for to in replicas.map(|index| NodeId(index as u8)) {
                offer(FaultClass::Failover, FaultKind::Failover { to, after: Span::ZERO });
            }
        }
    }

    /// The clock steps of a machine: up to just before, at and just after each pending end of a lease, and far in both directions.
    fn steps(&self, machine: Machine, offer: &mut Offer<'_>) {
        if !self.allows(FaultClass::ClockStep) {
            return;
        }
        // A client that never looks at its wall clock does not notice.
        let is_told = self.adversary.as_ref().is_some_and(|adversary| adversary.wall_clocks_are_told);
        if matches!(machine, Machine::Client(_)) && !is_told {
            return;
        }
        let fixed = self.fixed(FaultClass::ClockStep);
        let far = fixed.unwrap_or(self.far()).0 as i64;
        let mut steps = vec![far, -far];
        for ends in self.endings().filter(|_| fixed.is_none()) {
            let left = ends.since(self.now).0 as i64;
            steps.extend([left - 1_000, left, left + 1_000]);
        }
        steps.retain(|by| *by != 0);
        steps.sort_unstable_by_key(|by| (by.unsigned_abs(), *by));
        steps.dedup();
        steps.into_iter().for_each(|by| offer(FaultClass::ClockStep, FaultKind::Step { machine, by }));
    }

    /// The lengths of a message's delay: just before, at and just after each pending deadline, and past them all.
    fn delays(&self) -> Vec<Span> {
        if let Some(fixed) = self.fixed(FaultClass::Delay) {
            return vec![fixed];
        }
        let queued = self.queue.iter().map(|(at, _, _)| at);
        let mut delays: Vec<Span> = queued
            .chain(self.endings())
            .filter(|at| *at != Time::NEVER)
            .flat_map(|at| [at - Span(1), at, at + Span(1)])
            .map(|at| at.since(self.now))
            .chain([self.far()])
            .filter(|by| *by > Span::ZERO)
            .collect();
        delays.sort_unstable();
        delays.dedup();
        delays
    }

    fn endings(&self) -> impl Iterator<Item = Time> + '_ {
        let leases = self.grants.iter().flat_map(|grants| grants.live().filter_map(|(_, holding)| holding.ends));
        leases.filter(|ends| *ends > self.now)
    }

    /// Longer than any lease, so that whatever is pending is over: twice the time to live.
    fn far(&self) -> Span {
        Span(self.plan.params.iter().map(|params| params.ttl.0).max().unwrap_or(0).saturating_mul(2))
    }
}

/// The client that notices what is about to happen.
fn touches(item: &Pending) -> Option<ClientId> {
    match item {
        Pending::ForClient { client, .. } | Pending::Lift(Lift::Resume(client) | Lift::Restart(client)) => {
            Some(*client)
        }
        _ => None,
    }
}
