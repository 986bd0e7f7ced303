//! The walk through a history that tells what took part in the violations.

use super::scope::Scope;
use super::{effect, fault, hold};
use crate::check::facts::Facts;
use crate::history::{
    ClientEvent, Event, FaultEvent, GrantEnd, GrantEvent, Header, History, LockEvent, Operation, Outcome, What,
};
use crate::i18n::Text;
use crate::time::{Span, Time};
use crate::wire::{ClientId, NodeId};

/// What the teller remembers of a client.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// When it last read the resource.
    pub read_at: Option<Time>,
    /// Since when it stands still.
    pub paused_since: Option<Time>,
    /// When it woke, as long as that has not been told.
    pub woke: Option<Time>,
    /// The servers that it cannot reach.
    pub cut_from: Vec<NodeId>,
    /// How often its renewals have failed in this hold.
    pub failed_renewals: u32,
    /// When its last lease ended, if that was while it was inside.
    pub lease_ended: Option<Time>,
    /// The last server that ran a command of it.
    pub asked: Option<NodeId>,
    /// It has been refused, and has not tried again.
    pub refused: bool,
}

/// The teller.
pub struct Teller<'a> {
    pub(super) header: &'a Header,
    pub(super) history: &'a History,
    pub(super) scope: &'a Scope,
    /// What is so just before the event that is told.
    pub(super) facts: Facts,
    pub(super) notes: Vec<Notes>,
    /// The last fault of a server, until something follows from it.
    pub(super) last_server_fault: Option<FaultEvent>,
    sentences: Vec<Text>,
}

impl<'a> Teller<'a> {
    /// Before the first event.
    pub fn start(history: &'a History, scope: &'a Scope) -> Teller<'a> {
        Teller {
            header: &history.header,
            history,
            scope,
            facts: Facts::start(&history.header),
            notes: vec![Notes::default(); history.header.clients.len()],
            last_server_fault: None,
            sentences: Vec::new(),
        }
    }

    /// Takes in one event, and tells it if it took part.
    pub fn step(&mut self, position: usize, event: &Event) {
        self.facts.now = self.facts.now.max(event.at);
        if let Some(sentence) = self.sentence(position, event) {
            self.sentences.push(sentence);
        }
        self.note(event);
        self.facts.step(event);
    }

    /// Everything told.
    pub fn finish(self) -> Vec<Text> {
        self.sentences
    }

    /// Whether a client's doings are told.
    pub fn follows(&self, client: ClientId) -> bool {
        self.scope.clients.contains(&client)
    }

    /// What is remembered of a client.
    pub fn noted(&self, client: ClientId) -> &Notes {
        &self.notes[usize::from(client.0)]
    }

    /// How long a pause that begins at `position` lasts: as the scenario said, or until the client goes on.
    pub fn pause_length(&self, position: usize, who: ClientId, said: Option<Span>) -> Option<Span> {
        let from = self.history.events[position].at;
        let resumed = self.history.events[position..]
            .iter()
            .find(|event| matches!(&event.what, What::Fault(FaultEvent::Resumed { client }) if *client == who));
        said.or_else(|| resumed.map(|event| event.at.since(from)))
    }

    fn sentence(&mut self, position: usize, event: &Event) -> Option<Text> {
        let told = self.scope.events.contains(&position);
        match &event.what {
            What::Fault(fault) if position >= self.scope.faults_from && position < self.scope.events.end => {
                fault::told(self, position, event.at, fault)
            }
            _ if !told => None,
            What::Grant { lock, event: GrantEvent::Ended { grant, why, by } } => {
                hold::ended(self, position, event.at, *lock, *grant, *why, *by)
            }
            What::Grant { lock, event: GrantEvent::Moved { grant, by, .. } } => {
                hold::moved(self, position, event.at, *lock, *grant, *by)
            }
            What::Client { client, event: did } if self.follows(*client) => {
                hold::told(self, position, event.at, *client, did)
            }
            What::Effect(answered) if self.follows(answered.client) => effect::told(self, position, event.at, answered),
            _ => None,
        }
    }

    fn note(&mut self, event: &Event) {
        let at = event.at;
        match &event.what {
            What::Executed { client: Some(client), node, .. } => self.notes[usize::from(client.0)].asked = Some(*node),
            What::Effect(effect) if effect.operation == Operation::Read => {
                if matches!(effect.outcome, Outcome::Accepted(_)) {
                    self.notes[usize::from(effect.client.0)].read_at = Some(at);
                }
            }
            What::Client { client, event: ClientEvent::Entered { .. } } => {
                let notes = &mut self.notes[usize::from(client.0)];
                (notes.failed_renewals, notes.lease_ended) = (0, None);
            }
            What::Client { client, event: ClientEvent::Lock { event, .. } } => {
                let notes = &mut self.notes[usize::from(client.0)];
                notes.failed_renewals += u32::from(matches!(event, LockEvent::ExtendFailed { .. }));
                match event {
                    LockEvent::Refused { .. } => notes.refused = true,
                    LockEvent::Acquiring => notes.refused = false,
                    _ => {}
                }
            }
            What::Grant { lock, event: GrantEvent::Ended { grant, why, .. } } => {
                let leases = self.facts.lock(*lock).map_or(&[][..], |lock| &lock.leases);
                let Some(holder) = leases.iter().find(|lease| lease.grant == *grant).map(|lease| lease.holder) else {
                    return;
                };
                if self.facts.section(holder, *lock).is_some() {
                    self.notes[usize::from(holder.0)].lease_ended = Some(at);
                }
                if *why != GrantEnd::Removed {
                    self.last_server_fault = None;
                }
            }
            What::Fault(fault) => self.note_fault(at, fault),
            _ => {}
        }
    }

    fn note_fault(&mut self, at: Time, fault: &FaultEvent) {
        match fault {
            FaultEvent::Paused { client, .. } => self.notes[usize::from(client.0)].paused_since = Some(at),
            FaultEvent::Resumed { client } => {
                let notes = &mut self.notes[usize::from(client.0)];
                (notes.paused_since, notes.woke) = (None, Some(at));
            }
            FaultEvent::Crashed { client } => self.notes[usize::from(client.0)] = Notes::default(),
            FaultEvent::Cut { from, to } => {
                if let Some((client, node)) = super::fault::links(*from, *to) {
                    self.notes[usize::from(client.0)].cut_from.push(node);
                }
            }
            FaultEvent::Healed { from, to } => {
                if let Some((client, node)) = super::fault::links(*from, *to) {
                    self.notes[usize::from(client.0)].cut_from.retain(|cut| *cut != node);
                }
            }
            FaultEvent::Down { .. }
            | FaultEvent::Up { .. }
            | FaultEvent::Promoted { .. }
            | FaultEvent::Evicted { .. }
            | FaultEvent::Stepped { .. } => self.last_server_fault = Some(fault.clone()),
            _ => {}
        }
    }
}
