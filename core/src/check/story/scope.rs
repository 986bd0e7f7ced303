//! What a story is about: which violations, whose, from where to where.

use std::collections::BTreeMap;

use crate::check::facts::Facts;
use crate::check::{Property, Violation};
use crate::history::{ClientEvent, History, LockEvent, What};
use crate::wire::ClientId;

/// More clients than this are not followed one by one.
const FOLLOWED: usize = 4;

/// More faults than this are told only from the first hold on.
const FAULTS_TOLD: usize = 12;

/// What a story is about.
pub struct Scope {
    /// The first violation of each property, and the overlap that a foreign release led to.
    pub firsts: Vec<Violation>,
    /// The violations among them that are made visible by one event, by its position.
    pub at: BTreeMap<usize, Vec<Violation>>,
    /// The clients whose doings are told.
    pub clients: Vec<ClientId>,
    /// The position of the first event that is told, and of the first that no longer is.
    pub events: std::ops::Range<usize>,
    /// From which position on faults are told.
    pub faults_from: usize,
}

impl Scope {
    /// The scope of a history with these violations, given by time. Without any, the whole run and its first clients.
    pub fn of(history: &History, violations: &[Violation]) -> Scope {
        let mut firsts: Vec<Violation> = Vec::new();
        for violation in violations {
            if firsts.iter().all(|first| first.property != violation.property) {
                firsts.push(violation.clone());
            }
        }
        firsts.extend(consequence(violations, &firsts));
        let mut clients: Vec<ClientId> = Vec::new();
        let mut add = |client: ClientId| {
            if !clients.contains(&client) && clients.len() < FOLLOWED {
                clients.push(client);
            }
        };
        firsts.iter().flat_map(|violation| &violation.clients).for_each(|client| add(*client));
        if firsts.iter().all(about_waiting) {
            (0..).map(ClientId).take(history.header.clients.len()).for_each(add);
        }
        let last = firsts.iter().map(|violation| violation.event).max();
        let until = firsts.iter().map(|violation| violation.until).max();
        let within = |position: usize| last.is_none_or(|last| position <= last);
        let over = history
            .events
            .iter()
            .enumerate()
            .position(|(position, event)| !within(position) && until.is_some_and(|until| event.at > until));
        let first = first_hold(history, &firsts);
        let faults = history.events.iter().filter(|event| matches!(event.what, What::Fault(_))).count();
        let mut at: BTreeMap<usize, Vec<Violation>> = BTreeMap::new();
        for violation in &firsts {
            at.entry(violation.event).or_default().push(violation.clone());
        }
        Scope {
            firsts,
            at,
            clients,
            events: first..over.unwrap_or(history.events.len()),
            faults_from: if faults > FAULTS_TOLD { first } else { 0 },
        }
    }

    /// The violation of a property that an event makes visible, if it is the first.
    pub fn violation(&self, position: usize, property: Property) -> Option<&Violation> {
        self.at.get(&position)?.iter().find(|violation| violation.property == property)
    }
}

/// The overlap that a foreign release led to: who came in beside the client whose lock was removed.
fn consequence(violations: &[Violation], firsts: &[Violation]) -> Option<Violation> {
    let release = firsts.iter().find(|violation| violation.property == Property::NoForeignRelease)?;
    let victim = release.clients.last()?;
    let later = |violation: &&Violation| {
        violation.property == Property::MutualExclusion
            && violation.from >= release.from
            && violation.clients.contains(victim)
            && !firsts.contains(violation)
    };
    violations.iter().find(later).cloned()
}

/// Whether a violation is about clients that wait, for which everybody matters.
fn about_waiting(violation: &Violation) -> bool {
    matches!(violation.property, Property::NoDeadlock | Property::Progress | Property::Available)
        || violation.clients.is_empty()
}

/// The position at which the earliest hold or wait began of those in play when something first broke.
fn first_hold(history: &History, firsts: &[Violation]) -> usize {
    let Some(first) = firsts.iter().map(|violation| violation.event).min() else { return 0 };
    let mut facts = Facts::start(&history.header);
    let mut began = vec![None; history.header.clients.len()];
    for (position, event) in history.events.iter().enumerate().take(first + 1) {
        if let What::Client { client, event: ClientEvent::Lock { event: LockEvent::Acquiring, .. } } = &event.what {
            let outside = facts.client(*client).is_some_and(|client| client.inside.is_empty());
            let began = &mut began[usize::from(client.0)];
            *began = if outside { Some(position) } else { began.or(Some(position)) };
        }
        facts.step(event);
    }
    if firsts.iter().any(about_waiting) {
        return began.into_iter().flatten().min().unwrap_or(0);
    }
    let involved = firsts.iter().filter(|violation| violation.event == first).flat_map(|violation| &violation.clients);
    involved.filter_map(|client| began[usize::from(client.0)]).min().unwrap_or(0)
}
