//! What every machine knew at one instant: for the cursor of a page.
//!
//! A moment is a fold over events, like a judgement; [`Moments`] keeps one in every so many, so that any instant is a short walk away,
//! however long the run.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::history::{
    CellId, ClientEvent, Code, Event, FaultEvent, GrantEvent, GrantId, Header, History, LockEvent, Machine, NodeRole,
    Outcome, What,
};
use crate::time::{Span, Time};
use crate::wire::{ClientId, LockId, Record, Records};

/// How many events lie between two kept moments.
const STRIDE: usize = 128;

/// The state of all machines after an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The instant.
    pub at: Time,
    /// How many events have happened.
    pub events: usize,
    /// The clients, by id.
    pub clients: Vec<ClientMoment>,
    /// The servers, by id.
    pub nodes: Vec<NodeMoment>,
    /// The leases that are running, by lock.
    pub leases: BTreeMap<(LockId, GrantId), Lease>,
    /// The resource's cells, by id: what was last accepted.
    pub cells: BTreeMap<CellId, CellMoment>,
}

/// What a client believes and does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientMoment {
    /// Where it stands, by its own account.
    pub belief: Belief,
    /// How many sections it is inside of: a writer on its way to a reader has two.
    pub sections: u32,
    /// The line of the lock's code that it ran last; `None` before the first and where the lock names none.
    pub code: Option<Code>,
    /// The step that it is at, as the scenario writes it.
    pub step: Option<Arc<str>>,
    /// Until when it believes its lease to last, in true time (its own clock may see that otherwise); `None`: it does not know of an end.
    pub sure_until: Option<Time>,
    /// Since when it is stopped, if it is.
    pub stopped_since: Option<Time>,
    /// How far its clock is off, in microseconds.
    pub clock_error: i64,
}

/// Where a client stands, by its own account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Belief {
    /// It does not want the lock.
    #[default]
    Idle,
    /// It tries to get it.
    Waiting,
    /// It acts as holder.
    Inside,
    /// It was told that it lost the lock.
    Lost,
    /// It is dead.
    Dead,
}

/// What a server holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeMoment {
    /// Whether it is the master now; false for independent nodes.
    pub is_master: bool,
    /// Whether it is down.
    pub is_down: bool,
    /// Its records, by key. [`Moment::remaining`] tells how long each has left.
    pub records: Records,
    /// How far its clock is off, in microseconds.
    pub clock_error: i64,
}

/// A lease that is running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Who holds it.
    pub holder: ClientId,
    /// When it is over if nothing else happens; `None`: it does not end by itself.
    pub ends: Option<Time>,
}

/// What a cell of the resource holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellMoment {
    /// The value, as a person reads it.
    pub value: Arc<str>,
    /// How many writes were accepted.
    pub version: u32,
    /// Whose request was accepted last.
    pub by: ClientId,
}

impl Moment {
    /// Before the first event.
    pub fn start(header: &Header) -> Moment {
        let node = |role: NodeRole| NodeMoment { is_master: role == NodeRole::Master, ..NodeMoment::default() };
        Moment {
            at: Time::START,
            events: 0,
            clients: vec![ClientMoment::default(); header.clients.len()],
            nodes: header.nodes.iter().map(|info| node(info.role)).collect(),
            leases: BTreeMap::new(),
            cells: BTreeMap::new(),
        }
    }

    /// How long a record has left at this moment; `None`: it does not expire.
    pub fn remaining(&self, record: &Record) -> Option<Span> {
        record.gone_at.map(|gone| gone.since(self.at))
    }

    /// Takes the next event.
    pub fn step(&mut self, event: &Event) {
        self.at = event.at;
        self.events += 1;
        match &event.what {
            What::Sent { client, code, .. } => {
                if let (Some(client), Some(code)) = (self.client(*client), code) {
                    client.code = Some(*code);
                }
            }
            What::Client { client, event: what } => self.client_event(event.at, *client, what),
            What::Key { node, key, record, .. } => {
                let Some(node) = self.nodes.get_mut(usize::from(node.0)) else { return };
                match record {
                    Some(record) => node.records.insert(key.to_string(), Record::clone(record)),
                    None => node.records.remove(&**key),
                };
            }
            What::Grant { lock, event } => self.grant(*lock, event),
            What::Effect(effect) => {
                if let Outcome::Accepted(effected) = &effect.outcome {
                    let (value, version) = (effected.value.clone(), effected.version);
                    self.cells.insert(effect.cell, CellMoment { value, version, by: effect.client });
                }
            }
            What::Fault(fault) => self.fault(event.at, fault),
            What::Clock { machine, error } => match machine {
                Machine::Client(client) => {
                    self.client(*client).into_iter().for_each(|client| client.clock_error = *error)
                }
                Machine::Node(node) => {
                    self.nodes.get_mut(usize::from(node.0)).into_iter().for_each(|node| node.clock_error = *error);
                }
                Machine::Resource => {}
            },
            What::Executed { .. } | What::Got { .. } | What::Missed { .. } | What::Pushed { .. } | What::End(_) => {}
        }
    }

    fn client(&mut self, client: ClientId) -> Option<&mut ClientMoment> {
        self.clients.get_mut(usize::from(client.0))
    }

    fn client_event(&mut self, at: Time, client: ClientId, event: &ClientEvent) {
        let Some(client) = self.client(client) else { return };
        match event {
            ClientEvent::Started { .. } => (client.belief, client.step, client.code) = (Belief::Idle, None, None),
            ClientEvent::Step { step } => client.step = Some(step.clone()),
            ClientEvent::Entered { .. } => (client.belief, client.sections) = (Belief::Inside, client.sections + 1),
            ClientEvent::Left { .. } if client.sections > 1 => client.sections -= 1,
            ClientEvent::Left { .. } => {
                (client.sections, client.sure_until) = (0, None);
                client.belief = if client.belief == Belief::Dead { Belief::Dead } else { Belief::Idle };
            }
            ClientEvent::Lock { event, .. } => match event {
                LockEvent::Acquiring if client.belief != Belief::Inside => client.belief = Belief::Waiting,
                LockEvent::Acquired { valid_for, .. } | LockEvent::Extended { valid_for } => {
                    client.sure_until = valid_for.map(|span| at + span);
                }
                LockEvent::Refused { .. } if client.belief == Belief::Waiting => client.belief = Belief::Idle,
                LockEvent::Lost => (client.belief, client.sure_until) = (Belief::Lost, None),
                LockEvent::Acquiring
                | LockEvent::Checked
                | LockEvent::Reentered { .. }
                | LockEvent::Refused { .. }
                | LockEvent::Looked { .. }
                | LockEvent::ExtendFailed { .. }
                | LockEvent::Releasing
                | LockEvent::Descended { .. }
                | LockEvent::Released
                | LockEvent::ReleaseFailed { .. } => {}
            },
            ClientEvent::Finished { .. } => (client.step, client.code) = (None, None),
            ClientEvent::Asked { .. } | ClientEvent::Answered { .. } | ClientEvent::Unanswered { .. } => {}
        }
    }

    fn grant(&mut self, lock: LockId, event: &GrantEvent) {
        match event {
            GrantEvent::Granted { grant, holder, ends, .. } => {
                self.leases.insert((lock, *grant), Lease { holder: *holder, ends: *ends });
            }
            GrantEvent::Moved { grant, ends, .. } => {
                self.leases.get_mut(&(lock, *grant)).into_iter().for_each(|lease| lease.ends = *ends);
            }
            GrantEvent::Ended { grant, .. } => {
                self.leases.remove(&(lock, *grant));
            }
        }
    }

    fn fault(&mut self, at: Time, fault: &FaultEvent) {
        match fault {
            FaultEvent::Paused { client, .. } => {
                self.client(*client).into_iter().for_each(|client| client.stopped_since = Some(at))
            }
            FaultEvent::Resumed { client } => {
                self.client(*client).into_iter().for_each(|client| client.stopped_since = None)
            }
            FaultEvent::Crashed { client } => {
                let Some(client) = self.client(*client) else { return };
                *client =
                    ClientMoment { belief: Belief::Dead, clock_error: client.clock_error, ..ClientMoment::default() };
            }
            FaultEvent::Restarted { client } => {
                self.client(*client).into_iter().for_each(|client| client.belief = Belief::Idle)
            }
            FaultEvent::Down { node } => {
                self.nodes.get_mut(usize::from(node.0)).into_iter().for_each(|node| node.is_down = true);
            }
            FaultEvent::Up { node, .. } => {
                self.nodes.get_mut(usize::from(node.0)).into_iter().for_each(|node| node.is_down = false);
            }
            FaultEvent::Promoted { node } => {
                for (index, other) in self.nodes.iter_mut().enumerate() {
                    other.is_master = index == usize::from(node.0);
                }
            }
            FaultEvent::Cut { .. }
            | FaultEvent::Healed { .. }
            | FaultEvent::Request { .. }
            | FaultEvent::Reply { .. }
            | FaultEvent::Stepped { .. }
            | FaultEvent::Drifts { .. }
            | FaultEvent::Slowed { .. }
            | FaultEvent::Evicted { .. }
            | FaultEvent::ScriptsFlushed { .. }
            | FaultEvent::Operator { .. } => {}
        }
    }
}

/// All moments of a history, ready for a cursor. The history is borrowed or shared.
#[derive(Clone, Debug)]
pub struct Moments<H> {
    history: H,
    kept: Vec<Moment>,
}

impl<H: Borrow<History>> Moments<H> {
    /// Walks the history once.
    pub fn new(history: H) -> Moments<H> {
        let mut moment = Moment::start(&history.borrow().header);
        let mut kept = vec![moment.clone()];
        for event in &history.borrow().events {
            moment.step(event);
            if moment.events.is_multiple_of(STRIDE) {
                kept.push(moment.clone());
            }
        }
        Moments { history, kept }
    }

    /// The moment after the first `events` events; past the end, the last one.
    pub fn after(&self, events: usize) -> Moment {
        let history = self.history.borrow();
        let events = events.min(history.events.len());
        let mut moment = self.kept[events / STRIDE].clone();
        history.events[moment.events..events].iter().for_each(|event| moment.step(event));
        moment
    }

    /// The moment at an instant, after all that happens in it.
    pub fn at(&self, at: Time) -> Moment {
        let events = self.history.borrow().events.partition_point(|event| event.at <= at);
        Moment { at, ..self.after(events) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::examples::{A, failover, gc_pause, long};

    #[test]
    fn a_paused_holder_still_believes_while_the_server_has_forgotten() {
        let history = gc_pause();
        let moments = Moments::new(&history);
        let moment = moments.at(Time(10_050_000));
        let holder = &moment.clients[usize::from(A.0)];
        assert_eq!(holder.belief, Belief::Inside);
        assert_eq!(holder.stopped_since, Some(Time(2_000_000)));
        assert_eq!(holder.sure_until, Some(Time(10_000_000)));
        assert!(moment.leases.is_empty());
        assert_eq!(moment.at, Time(10_050_000));
    }

    #[test]
    fn a_promotion_changes_the_master_and_a_step_the_clock() {
        let history = failover();
        let last = Moments::new(&history).after(usize::MAX);
        assert!(last.nodes[0].is_down && !last.nodes[0].is_master);
        assert!(last.nodes[1].is_master);
        assert_eq!(last.nodes[1].clock_error, -3_000_000);
    }

    #[test]
    fn every_moment_equals_the_walk_from_the_start() {
        let history = long();
        let moments = Moments::new(&history);
        let mut walked = Moment::start(&history.header);
        for (index, event) in history.events.iter().enumerate().take(1_000) {
            assert_eq!(moments.after(index), walked);
            walked.step(event);
        }
    }
}
