//! The machine that takes a client through its steps.

use std::collections::VecDeque;
use std::sync::Arc;

use super::slot::{OWN, Slot, request_id, split_request};
use super::{Input, Output, Plan, Reaction, Step};
use crate::history::{ClientEvent, LeaveReason, LockEvent};
use crate::locks::{self, LockClient};
use crate::time::{LocalTime, Span};
use crate::wire::{Reply, RequestId};

/// What the worker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Doing {
    /// Nothing: not started, or done.
    Idle,
    /// The next step is due.
    Ready,
    /// The next step has been announced and is due.
    Announced,
    /// Waiting for a lock client to acquire, release or look.
    Lock { slot: usize },
    /// Waiting until a local monotonic instant: work, a delay before a retry, the next run.
    Until { at: i64, then: Then },
    /// Waiting for the resource, at most until `deadline`.
    Asking { request: RequestId, deadline: Option<i64> },
}

/// What follows a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Then {
    NextStep,
    SameStep,
    NextRun,
}

/// A client at work. Generic over its lock client, so that both can be tested apart.
///
/// Contract: that of [`LockClient`], with one addition: `poll` is given the local time too, since a pause may lie between two outputs and
/// the next step begins after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worker<L> {
    pub(super) plan: Arc<Plan>,
    pub(super) slots: Vec<Slot<L>>,
    pub(super) doing: Doing,
    /// Leaving out the remaining steps, as after a failure: only unlocking what is held.
    pub(super) stopping: bool,
    /// The work is suspended while the process goes on.
    pub(super) suspended: bool,
    pub(super) position: usize,
    pub(super) run: u32,
    pub(super) run_started: i64,
    pub(super) holds: u32,
    /// How many writes of this run have been refused.
    pub(super) rejected: u32,
    /// What was read last: version and value.
    pub(super) read: Option<(u32, Arc<str>)>,
    pub(super) next_request: u32,
    pub(super) outputs: VecDeque<Output>,
    /// Which slot asked for a choice.
    pub(super) choosing: Option<usize>,
}

impl<L: LockClient> Worker<L> {
    /// A worker that waits for [`Input::Start`]. `locks` has one client for each of the plan's slots, at most 15; `holds` counts the holds of
    /// earlier lives of this client.
    pub fn new(plan: Arc<Plan>, locks: Vec<L>, holds: u32) -> Worker<L> {
        assert_eq!(plan.locks.len(), locks.len(), "a worker has one lock client for each slot");
        assert!(locks.len() <= OWN, "a worker has at most 15 locks");
        let slots =
            plan.locks.iter().zip(locks).map(|((lock, mode), client)| Slot::new(*lock, *mode, client)).collect();
        Worker {
            plan,
            slots,
            doing: Doing::Idle,
            stopping: false,
            suspended: false,
            position: 0,
            run: 0,
            run_started: 0,
            holds,
            rejected: 0,
            read: None,
            next_request: 0,
            outputs: VecDeque::new(),
            choosing: None,
        }
    }

    /// The lock clients, by slot.
    pub fn locks(&self) -> impl Iterator<Item = &L> {
        self.slots.iter().map(|slot| &slot.client)
    }

    /// Takes one input at the client's own local time.
    pub fn handle(&mut self, now: LocalTime, input: Input) {
        match input {
            Input::Start => self.start_run(now),
            Input::Reply { request, reply } => match split_request(request) {
                (OWN, _) => self.service_answered(request, &reply),
                (slot, request) => self.tell(slot, now, locks::Input::Reply { request, reply }),
            },
            Input::Disconnected { request } => match split_request(request) {
                (OWN, _) => self.unanswered(now, request),
                (slot, request) => self.tell(slot, now, locks::Input::Disconnected { request }),
            },
            Input::Answer { request, outcome } => self.answered(request, outcome),
            Input::Push { from, message } => {
                for slot in 0..self.slots.len() {
                    self.tell(slot, now, locks::Input::Push { from, message: message.clone() });
                }
            }
            Input::Suspend(suspended) => {
                self.suspended = suspended;
                self.timer(now);
            }
            Input::Timer => {
                for slot in 0..self.slots.len() {
                    if self.slots[slot].until.is_some_and(|until| until <= now.monotonic) {
                        self.tell(slot, now, locks::Input::Timer);
                    }
                }
                self.timer(now);
            }
            Input::Chosen(index) => {
                let slot = self.choosing.take().expect("a choice is answered only after it was asked for");
                self.tell(slot, now, locks::Input::Chosen(index));
            }
        }
    }

    /// Gives the next output.
    pub fn poll(&mut self, now: LocalTime) -> Output {
        loop {
            if let Some(output) = self.outputs.pop_front() {
                return output;
            }
            if let Some(slot) = self.slots.iter().position(|slot| !slot.drained) {
                if let Some(output) = self.drain(slot, now) {
                    return output;
                }
                continue;
            }
            let ready = matches!(self.doing, Doing::Ready | Doing::Announced);
            if !ready || self.suspended {
                return Output::Wait { until: self.next_timer() };
            }
            self.advance(now);
        }
    }

    /// Takes one output of a lock client; `None` when it had nothing for the outside. What it reports comes before what the worker makes of it.
    fn drain(&mut self, slot: usize, now: LocalTime) -> Option<Output> {
        match self.slots[slot].client.poll() {
            locks::Output::Send { to, request, phase, code, command } => {
                Some(Output::Send { to, request: request_id(slot, request), phase, code, command })
            }
            locks::Output::Cancel { request } => Some(Output::Cancel { request: request_id(slot, request) }),
            locks::Output::Event(event) => {
                self.lock_reported(slot, &event, now);
                let lock = self.slots[slot].lock;
                Some(Output::Event(ClientEvent::Lock { lock, event }))
            }
            locks::Output::Choose { label, count } => {
                self.choosing = Some(slot);
                Some(Output::Choose { label, count })
            }
            locks::Output::Wait { until } => {
                self.slots[slot].until = until;
                self.slots[slot].drained = true;
                None
            }
        }
    }

    fn lock_reported(&mut self, slot: usize, event: &LockEvent, now: LocalTime) {
        let waited_for = self.doing == Doing::Lock { slot };
        match event {
            LockEvent::Acquired { token, .. } => {
                self.slots[slot].token = token.clone();
                self.enter(slot);
                self.next_step();
            }
            LockEvent::Reentered { count } => {
                self.slots[slot].depth = *count;
                self.next_step();
            }
            LockEvent::Refused { .. } => {
                self.refused(slot);
                self.react(self.plan.when_refused, now);
            }
            LockEvent::Looked { mine: true } if waited_for => self.next_step(),
            LockEvent::Looked { mine: false } if waited_for => {
                self.leave(slot, LeaveReason::Stopped);
                self.stop();
            }
            LockEvent::Lost if self.plan.when_lost != Reaction::GoOn && self.slots[slot].inside.is_some() => {
                self.leave(slot, LeaveReason::Stopped);
                self.stop();
            }
            LockEvent::Released | LockEvent::Descended { .. } | LockEvent::ReleaseFailed { .. } => {
                self.slots[slot].depth = self.slots[slot].depth.saturating_sub(1);
                self.next_step();
            }
            LockEvent::Acquiring
            | LockEvent::Checked
            | LockEvent::Looked { .. }
            | LockEvent::Extended { .. }
            | LockEvent::ExtendFailed { .. }
            | LockEvent::Lost
            | LockEvent::Releasing => {}
        }
    }

    /// Whoever goes on without the lock acts as its holder all the same.
    fn refused(&mut self, slot: usize) {
        if self.plan.when_refused == Reaction::GoOn && self.slots[slot].inside.is_none() {
            self.enter(slot);
            self.slots[slot].without_lock = true;
        }
    }

    fn enter(&mut self, slot: usize) {
        if std::mem::take(&mut self.slots[slot].without_lock) {
            self.slots[slot].depth = 0;
        }
        self.slots[slot].depth += 1;
        if self.slots[slot].inside.is_some() {
            return;
        }
        self.holds += 1;
        self.slots[slot].inside = Some(self.holds);
        let (lock, hold, mode) = (self.slots[slot].lock, self.holds, self.slots[slot].mode);
        self.outputs.push_back(Output::Event(ClientEvent::Entered { lock, hold, mode }));
    }

    fn leave(&mut self, slot: usize, why: LeaveReason) {
        let Some(hold) = self.slots[slot].inside.take() else { return };
        self.slots[slot].depth = 0;
        self.slots[slot].without_lock = false;
        let lock = self.slots[slot].lock;
        self.outputs.push_back(Output::Event(ClientEvent::Left { lock, hold, why }));
    }

    /// Begins the next step: first announces it, then, at the next call, does it.
    fn advance(&mut self, now: LocalTime) {
        if self.stopping {
            return self.unlock_or_finish(now);
        }
        let Some(step) = self.plan.steps.get(self.position).copied() else {
            return self.finish(now);
        };
        if self.doing == Doing::Ready {
            self.doing = Doing::Announced;
            let step = self.plan.labels[self.position].clone();
            self.outputs.push_back(Output::Event(ClientEvent::Step { step }));
            return;
        }
        match step {
            Step::Lock { slot } => self.lock_step(slot, now, locks::Input::Acquire { wait: self.plan.wait }),
            Step::Check { slot } => self.lock_step(slot, now, locks::Input::Check),
            Step::Unlock { slot } if self.slots[usize::from(slot)].inside.is_some() => {
                self.release(usize::from(slot), now)
            }
            // Without the lock (it was lost, or refused and the client went on) there is nothing to give back.
            Step::Unlock { .. } => self.next_step(),
            Step::Work(span) => {
                self.doing = Doing::Until { at: now.monotonic.saturating_add(span.0 as i64), then: Then::NextStep };
            }
            Step::Read | Step::Write | Step::Atomic | Step::Call => self.ask(step, now),
        }
    }

    fn lock_step(&mut self, slot: u8, now: LocalTime, input: locks::Input) {
        let slot = usize::from(slot);
        self.doing = Doing::Lock { slot };
        self.tell(slot, now, input);
    }

    fn release(&mut self, slot: usize, now: LocalTime) {
        if self.slots[slot].without_lock {
            self.leave(slot, LeaveReason::Releasing);
            return self.next_step();
        }
        if self.slots[slot].depth <= 1 {
            self.leave(slot, LeaveReason::Releasing);
        }
        self.doing = Doing::Lock { slot };
        self.tell(slot, now, locks::Input::Release);
    }

    /// After a failure: gives back what is held, the last first, then finishes.
    fn unlock_or_finish(&mut self, now: LocalTime) {
        match self.slots.iter().rposition(|slot| slot.inside.is_some()) {
            Some(slot) => self.release(slot, now),
            None => self.finish(now),
        }
    }

    fn finish(&mut self, now: LocalTime) {
        for slot in 0..self.slots.len() {
            self.leave(slot, LeaveReason::Stopped);
        }
        self.outputs.push_back(Output::Event(ClientEvent::Finished { done: !self.stopping }));
        self.doing = Doing::Idle;
        if self.run < self.plan.runs {
            let due = self.run_started.saturating_add(self.plan.every.0 as i64);
            self.doing = Doing::Until { at: due.max(now.monotonic), then: Then::NextRun };
        }
    }

    fn start_run(&mut self, now: LocalTime) {
        // A scheduled job's runs keep their beat even where one of them starts late.
        let due = self.run_started.saturating_add(self.plan.every.0 as i64);
        let on_beat = self.run > 0 && self.plan.every > Span::ZERO;
        self.run_started = if on_beat { due } else { now.monotonic };
        self.run += 1;
        self.position = 0;
        self.stopping = false;
        self.rejected = 0;
        self.read = None;
        self.doing = Doing::Ready;
        self.outputs.push_back(Output::Event(ClientEvent::Started { run: self.run }));
    }

    pub(super) fn next_step(&mut self) {
        if !self.stopping {
            self.position += 1;
        }
        self.doing = Doing::Ready;
    }

    pub(super) fn stop(&mut self) {
        self.stopping = true;
        if !matches!(self.doing, Doing::Asking { .. }) {
            self.doing = Doing::Ready;
        }
    }

    /// Does what the plan says for a failed step.
    pub(super) fn react(&mut self, reaction: Reaction, now: LocalTime) {
        self.doing = Doing::Ready;
        match reaction {
            Reaction::Stop => self.stop(),
            Reaction::GoOn => self.next_step(),
            Reaction::Retry => {
                let at = now.monotonic.saturating_add(self.plan.retry.0 as i64);
                self.doing = Doing::Until { at, then: Then::SameStep };
            }
        }
    }

    /// Goes back to the last read before the present step; without one the step itself is repeated.
    pub(super) fn rewind_to_read(&mut self) {
        let before = &self.plan.steps[..=self.position];
        self.position = before.iter().rposition(|step| *step == Step::Read).unwrap_or(self.position);
        self.doing = Doing::Ready;
    }

    fn timer(&mut self, now: LocalTime) {
        if self.suspended {
            return;
        }
        match self.doing {
            Doing::Until { at, then } if at <= now.monotonic => match then {
                Then::NextStep => self.next_step(),
                Then::SameStep => self.doing = Doing::Ready,
                Then::NextRun => self.start_run(now),
            },
            Doing::Asking { request, deadline: Some(deadline) } if deadline <= now.monotonic => {
                self.outputs.push_back(Output::Cancel { request });
                self.unanswered(now, request);
            }
            _ => {}
        }
    }

    fn next_timer(&self) -> Option<i64> {
        let own = match self.doing {
            Doing::Until { at, .. } if !self.suspended => Some(at),
            Doing::Asking { deadline, .. } if !self.suspended => deadline,
            _ => None,
        };
        self.slots.iter().filter_map(|slot| slot.until).chain(own).min()
    }

    fn tell(&mut self, slot: usize, now: LocalTime, input: locks::Input) {
        self.slots[slot].client.handle(now, input);
        self.slots[slot].drained = false;
    }

    /// What the client is inside of, which it shows to the resource: its innermost hold and its token.
    pub(super) fn proof(&self) -> (u32, Option<crate::history::Token>) {
        let inside = self.slots.iter().rev().find(|slot| slot.inside.is_some());
        // Whoever lost its lock or never had it still shows what it last got.
        let shown = inside.or_else(|| self.slots.iter().rev().find(|slot| slot.token.is_some()));
        shown.map_or((0, None), |slot| (slot.inside.unwrap_or(0), slot.token.clone()))
    }

    /// How far the run is: its number, from 1.
    pub(super) fn run(&self) -> u32 {
        self.run
    }

    /// The step that is being done.
    pub(super) fn step(&self) -> Step {
        self.plan.steps[self.position]
    }

    fn service_answered(&mut self, request: RequestId, reply: &Reply) {
        let outcome = self.outcome(reply);
        self.answered(request, outcome);
    }
}
