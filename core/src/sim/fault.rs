//! How faults strike, and how they end.

use std::sync::Arc;

use super::Parts;
use super::queue::Rank;
use super::sink::Sink;
use super::state::{Lift, Pending};
use super::world::World;
use crate::history::{FaultEvent, Machine, What};
use crate::locks::ChangeCause;
use crate::scenario::{FaultKind, Leg};
use crate::time::Span;
use crate::wire::NodeId;

impl<P: Parts, S: Sink> World<P, S> {
    /// A fault strikes now.
    pub(super) fn strike(&mut self, fault: usize) -> Result<(), P::Error> {
        let plan = self.plan.clone();
        match self.placed(fault) {
            Some(kind) => self.do_harm(&kind),
            None => self.do_harm(&plan.faults[fault].kind),
        }
    }

    /// Does what a fault does.
    pub(super) fn do_harm(&mut self, kind: &FaultKind) -> Result<(), P::Error> {
        match kind {
            FaultKind::Pause { client, task, length } => self.pause(*client, *task, *length),
            FaultKind::Crash { client, restart } => self.crash(*client, *restart),
            FaultKind::Down { node, restart, data_kept } => {
                let data_kept = data_kept.unwrap_or(self.plan.data_kept);
                if !self.node(*node).up {
                    return Ok(());
                }
                self.lift_after(*restart, Lift::Up { node: *node, data_kept });
                self.take_down(*node, data_kept && (restart.is_some() || self.adversary.is_some()))
            }
            FaultKind::Failover { to, after } => self.fail_over(*to, *after),
            FaultKind::Promote { to } => self.promote(*to),
            FaultKind::Cut { from, to, length } => {
                self.lift_after(*length, Lift::Heal(*from, *to));
                self.cut(*from, *to)
            }
            FaultKind::Message { client, leg, trouble } => {
                let state = self.client(*client);
                match leg {
                    Leg::Request => state.request_trouble = Some(*trouble),
                    Leg::Reply => state.reply_trouble = Some(*trouble),
                }
                Ok(())
            }
            FaultKind::Step { machine, by } => {
                let (machine, by) = (*machine, *by);
                self.emit(|| What::Fault(FaultEvent::Stepped { machine, by }));
                self.set_clock(machine, |clock, _| clock.step(by))
            }
            FaultKind::Drift { machine, ppm, length } => {
                self.lift_after(*length, Lift::Drift(*machine));
                self.drift(*machine, *ppm)
            }
            FaultKind::Slow { node, by, length } => {
                self.lift_after(*length, Lift::Slow(*node));
                self.slow(*node, *by);
                Ok(())
            }
            FaultKind::Evict { node, key } => {
                self.emit(|| What::Fault(FaultEvent::Evicted { node: *node, key: key.clone() }));
                let changes = self.with_clock(*node, |parts, at| parts.evict(at, key))?;
                self.changed(*node, changes, ChangeCause::Vanished);
                Ok(())
            }
            FaultKind::FlushScripts { node } => {
                self.emit(|| What::Fault(FaultEvent::ScriptsFlushed { node: *node }));
                self.with_clock(*node, |parts, at| parts.flush_scripts(at))
            }
            FaultKind::Operator { node, command } => {
                let (node, command) = (*node, Arc::clone(command));
                self.emit(|| What::Fault(FaultEvent::Operator { node, command: command.clone() }));
                self.operator(node, &command, true)
            }
        }
    }

    /// A fault ends.
    pub(super) fn lift(&mut self, lift: Lift) -> Result<(), P::Error> {
        match lift {
            Lift::Resume(client) => self.resume(client),
            Lift::Restart(client) => self.begin(client),
            Lift::Up { node, data_kept } => {
                let rest = self.plan.delayed_restart;
                if rest > Span::ZERO {
                    self.node(node).resting = true;
                    self.queue.push(self.now + rest, Rank::FAULT, Pending::Lift(Lift::InUse(node)));
                }
                self.bring_up(node, data_kept)
            }
            Lift::InUse(node) => {
                self.node(node).resting = false;
                Ok(())
            }
            Lift::Promote(node) => self.promote(node),
            Lift::Heal(from, to) => {
                self.heal(from, to);
                Ok(())
            }
            Lift::Drift(machine) => self.drift(machine, 0),
            Lift::Slow(node) => {
                self.slow(node, Span::ZERO);
                Ok(())
            }
        }
    }

    fn lift_after(&mut self, length: Option<Span>, lift: Lift) {
        if let Some(length) = length {
            self.queue.push(self.now + length, Rank::FAULT, Pending::Lift(lift));
        }
    }

    /// The master dies and a replica follows it. What the replica has not applied is lost; from now on its records decide.
    fn fail_over(&mut self, to: NodeId, after: Span) -> Result<(), P::Error> {
        let dead = self.master;
        if self.node(dead).up {
            self.take_down(dead, true)?;
        }
        self.deciding = to;
        self.observe(to, ChangeCause::Vanished);
        if self.adversary.is_none() {
            self.lift_after(Some(after), Lift::Promote(to));
        }
        Ok(())
    }

    fn drift(&mut self, machine: Machine, ppm: i64) -> Result<(), P::Error> {
        self.emit(|| What::Fault(FaultEvent::Drifts { machine, ppm }));
        self.set_clock(machine, |clock, now| clock.set_drift(now, ppm))
    }

    fn slow(&mut self, node: NodeId, by: Span) {
        self.emit(|| What::Fault(FaultEvent::Slowed { node, by }));
        self.node(node).slow = by;
    }

    /// Changes a machine's clock, and whatever depends on it: a client's timer, a server's expiries.
    fn set_clock(
        &mut self,
        machine: Machine,
        change: impl FnOnce(&mut crate::time::LocalClock, crate::time::Time),
    ) -> Result<(), P::Error> {
        let now = self.now;
        let clock = match machine {
            Machine::Client(client) => &mut self.client(client).clock,
            Machine::Node(node) => &mut self.node(node).clock,
            Machine::Resource => return Ok(()),
        };
        change(clock, now);
        let error = clock.error(now);
        self.emit(|| What::Clock { machine, error });
        match machine {
            Machine::Client(client) => {
                self.reset_timer(client);
                Ok(())
            }
            Machine::Node(node) => {
                self.reread(node, ChangeCause::Expired)?;
                self.look_ahead(node)
            }
            Machine::Resource => Ok(()),
        }
    }
}
