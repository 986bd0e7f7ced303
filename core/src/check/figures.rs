//! The figures that no property needs: counts, waiting, holding, idleness.

use std::collections::BTreeMap;

use super::facts::{Facts, Lease};
use super::totals::{Interval, Ratio};
use super::{Judge, Totals};
use crate::check::monitor::Monitor;
use crate::history::{
    CellId, ClientEvent, Effect, Event, FaultEvent, GrantEvent, Guard, Header, LockEvent, Mode, Operation, Outcome,
    Phase, What,
};
use crate::time::Time;
use crate::wire::{ClientId, LockId, NodeId, RecordValue};

/// The fold of the figures. Stepped with what was so before each event, like a monitor.
#[derive(Clone, Debug)]
pub struct Figures {
    totals: Totals,
    clients: Vec<ClientFigures>,
    /// The clients' names, by id.
    names: Vec<String>,
    /// The keys of the locks, by id.
    keys: Vec<String>,
    messages: u64,
    /// The version of each cell of the resource.
    versions: BTreeMap<CellId, u32>,
    /// Whether the resource refuses by version, and so can report a conflict.
    finds_conflicts: bool,
    done: Vec<Option<bool>>,
    hold_counts: Vec<u64>,
}

#[derive(Clone, Debug, Default)]
struct ClientFigures {
    /// The line of the lock's code that opens each of its tries.
    first_line: Option<u16>,
    /// The nodes asked in the present try.
    asked: Vec<NodeId>,
    /// Until when it counts on its lease, by what it was told.
    claims: Option<Claim>,
    /// The version that it read last.
    read: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Claim {
    lock: LockId,
    until: Time,
}

impl Figures {
    /// Before the first event.
    pub fn start(header: &Header) -> Figures {
        Figures {
            totals: Totals::default(),
            clients: vec![ClientFigures::default(); header.clients.len()],
            names: header.clients.iter().map(|client| client.name.clone()).collect(),
            keys: header.locks.iter().map(|lock| lock.key.clone()).collect(),
            messages: 0,
            versions: BTreeMap::new(),
            finds_conflicts: finds_conflicts(header.resource.guard),
            done: vec![None; header.clients.len()],
            hold_counts: vec![0; header.locks.len()],
        }
    }

    /// Lets time pass from `facts.now` to `until`.
    pub fn elapse(&mut self, facts: &Facts, until: Time) {
        let from = facts.now;
        let length = until.since(from);
        for (lock, holds) in facts.each_lock() {
            let conflicts = |left: &Lease, right: &Lease| {
                left.holder != right.holder && !(left.mode == Mode::Shared && right.mode == Mode::Shared)
            };
            for (index, left) in holds.leases.iter().enumerate() {
                for right in holds.leases[index + 1..].iter().filter(|right| conflicts(left, right)) {
                    let end = until.min(left.ends.unwrap_or(Time::NEVER)).min(right.ends.unwrap_or(Time::NEVER));
                    self.totals.lease_overlap += end.since(from);
                }
            }
            let orphans = holds.leases.iter().filter(|lease| orphaned(facts, lock, lease));
            if let Some(end) = orphans.map(|lease| lease.ends.unwrap_or(Time::NEVER)).max() {
                extend(&mut self.totals.orphan, from, until.min(end));
            }
            if facts.idle(lock) {
                extend(&mut self.totals.idle, from, until);
                self.totals.idle_time += length;
            }
        }
        for (_, client) in facts.each_client() {
            for inside in &client.inside {
                self.totals.hold_time += length;
                self.totals.longest_hold = self.totals.longest_hold.max(until.since(inside.since));
            }
            if let Some(waiting) = client.waiting {
                self.totals.wait_time += length;
                self.totals.longest_wait = self.totals.longest_wait.max(until.since(waiting.since));
            }
        }
        self.claimed(facts, until);
    }

    /// Takes in one event.
    pub fn step(&mut self, before: &Facts, event: &Event) {
        match &event.what {
            What::Sent { client, node, phase, code, .. } => {
                self.totals.commands += 1;
                self.messages += u64::from(*phase != Phase::Resource);
                if *phase == Phase::Acquire {
                    self.attempt(*client, *node, code.map(|code| code.line));
                }
            }
            What::Got { phase, .. } => self.messages += u64::from(*phase != Phase::Resource),
            What::Client { client, event: ClientEvent::Lock { lock, event: told } } => {
                self.told(before, *client, *lock, told, event.at);
            }
            What::Client { client, event: ClientEvent::Left { .. } } => self.forget(*client),
            What::Client { client, event: ClientEvent::Finished { done } } => {
                self.done[usize::from(client.0)] = Some(*done);
                self.forget(*client);
            }
            What::Client { client, event: ClientEvent::Started { .. } } => self.done[usize::from(client.0)] = None,
            What::Grant { event: GrantEvent::Moved { by: Some(by), ends, grant }, lock } => {
                let leases = before.lock(*lock).map_or(&[][..], |lock| &lock.leases);
                let later = leases.iter().any(|lease| lease.grant == *grant && reaches(*ends, lease.ends));
                let renewing = before.client(*by).is_some_and(|client| client.phase == Some(Phase::Renew));
                self.totals.renewals += u64::from(later && renewing);
            }
            What::Effect(effect) => self.effect(before, effect),
            What::Key { key, record, .. } => {
                let Some(place) = self.keys.iter().position(|lock| **lock == **key) else { return };
                self.hold_counts[place] = match record.as_ref().map(|record| &record.value) {
                    Some(RecordValue::Fields(fields)) => {
                        let counts =
                            fields.iter().filter(|(field, _)| self.names.iter().any(|name| is_of(field, name)));
                        counts.filter_map(|(_, value)| value.parse::<u64>().ok()).sum()
                    }
                    Some(RecordValue::Text(_) | RecordValue::List(_)) | None => 0,
                };
            }
            What::Fault(FaultEvent::Crashed { client }) => {
                self.done[usize::from(client.0)] = Some(false);
                self.forget(*client);
            }
            _ => {}
        }
    }

    /// All figures, with those that the judge's monitors keep.
    pub fn totals(&self, judge: &Judge) -> Totals {
        let count = |done: bool| self.done.iter().filter(|is| **is == Some(done)).count() as u64;
        let mut totals = Totals {
            winners: count(true),
            failures: count(false),
            hold_count: self.hold_counts.iter().sum(),
            messages_per_acquisition: Ratio { of: self.messages, by: self.totals.grants },
            ..self.totals.clone()
        };
        // A lease that nobody uses when the run is over goes on until its own end.
        let now = judge.facts().now;
        for (id, lock) in judge.facts().each_lock() {
            for lease in lock.leases.iter().filter(|lease| orphaned(judge.facts(), id, lease)) {
                extend(&mut totals.orphan, now, lease.ends.unwrap_or(Time::NEVER));
            }
        }
        for monitor in judge.monitors() {
            match monitor {
                Monitor::MutualExclusion(monitor) => totals.overlap = monitor.overlap(),
                Monitor::NoOverrun(monitor) => totals.overrun = monitor.overrun(),
                Monitor::NoStaleWrite(monitor) => totals.stale_writes = monitor.stale().into(),
                Monitor::NoLostUpdate(monitor) => totals.lost_updates = monitor.lost().into(),
                Monitor::NoForeignRelease(monitor) => {
                    totals.foreign_releases = monitor.releases().into();
                    totals.foreign_renewals = monitor.renewals().into();
                }
                Monitor::NoFalseSuccess(monitor) => totals.false_success = monitor.count().into(),
                Monitor::Continuity(monitor) => totals.resurrections = monitor.resurrections().into(),
                Monitor::NoOversell(monitor) => totals.oversold = monitor.oversold().into(),
                Monitor::ExactlyOnce(monitor) => {
                    totals.runs = monitor.runs().into();
                    totals.missed_runs = monitor.missed().into();
                }
                Monitor::Fairness(monitor) => totals.most_overtaken = monitor.worst().into(),
                Monitor::NoDeadlock(_)
                | Monitor::Progress(_)
                | Monitor::Available(_)
                | Monitor::FencingMonotonic(_) => {}
            }
        }
        totals
    }

    /// Counts a try when it opens: the first line of the lock's code is sent to a node that this try has not asked yet.
    fn attempt(&mut self, client: ClientId, node: NodeId, line: Option<u16>) {
        let Some(client) = self.clients.get_mut(usize::from(client.0)) else { return };
        let first = client.first_line.map_or(line, |first| line.map(|line| line.min(first)));
        client.first_line = first;
        if line != first {
            return;
        }
        if client.asked.is_empty() || client.asked.contains(&node) {
            self.totals.attempts += 1;
            client.asked.clear();
        }
        client.asked.push(node);
    }

    fn effect(&mut self, before: &Facts, effect: &Effect) {
        let Some(client) = self.clients.get_mut(usize::from(effect.client.0)) else { return };
        let version = self.versions.entry(effect.cell).or_default();
        let changes = matches!(effect.operation, Operation::Write | Operation::Atomic);
        // Where there is no lock to try for, a change is what is tried.
        self.totals.attempts += u64::from(changes && !before.exclusion);
        match &effect.outcome {
            Outcome::Accepted(effected) => {
                *version = effected.version;
                client.read = (effect.operation == Operation::Read).then_some(effected.version);
            }
            Outcome::Refused { .. } if effect.operation != Operation::Read => {
                self.totals.rejected_writes += 1;
                let unchanged = client.read == Some(*version);
                self.totals.false_conflicts += u64::from(self.finds_conflicts && unchanged);
            }
            Outcome::Refused { .. } | Outcome::SoldOut => {}
        }
    }

    fn told(&mut self, before: &Facts, client: ClientId, lock: LockId, told: &LockEvent, at: Time) {
        let totals = &mut self.totals;
        let own = &mut self.clients[usize::from(client.0)];
        let holds = before.own_lease(client, lock).is_some();
        match told {
            LockEvent::Acquired { valid_for, .. } => {
                totals.grants += 1;
                own.asked.clear();
                own.claims = Some(Claim { lock, until: valid_for.map_or(Time::NEVER, |span| at + span) });
            }
            LockEvent::Extended { valid_for } => {
                own.claims = Some(Claim { lock, until: valid_for.map_or(Time::NEVER, |span| at + span) });
            }
            LockEvent::Refused { .. } => {
                own.asked.clear();
                let free = before.lock(lock).is_some_and(|lock| lock.leases.is_empty());
                totals.false_failure += u64::from(before.exclusion && (holds || free));
            }
            LockEvent::ReleaseFailed { .. } => totals.false_failure += u64::from(holds),
            LockEvent::ExtendFailed { .. } => totals.failed_renewals += 1,
            LockEvent::Lost | LockEvent::Released | LockEvent::Releasing => own.claims = None,
            LockEvent::Acquiring
            | LockEvent::Checked
            | LockEvent::Reentered { .. }
            | LockEvent::Looked { .. }
            | LockEvent::Descended { .. } => {}
        }
    }

    fn claimed(&mut self, facts: &Facts, until: Time) {
        let claims: Vec<(ClientId, Claim)> = (0..)
            .map(ClientId)
            .zip(&self.clients)
            .filter_map(|(id, client)| Some((id, client.claims?)))
            .filter(|(id, claim)| facts.section(*id, claim.lock).is_some())
            .collect();
        let shared = |client: ClientId, lock| facts.section(client, lock).is_some_and(|own| own.mode == Mode::Shared);
        for (index, (first, left)) in claims.iter().enumerate() {
            for (second, right) in claims[index + 1..].iter().filter(|(_, right)| right.lock == left.lock) {
                if !(shared(*first, left.lock) && shared(*second, left.lock)) {
                    self.totals.claimed_overlap += until.min(left.until).min(right.until).since(facts.now);
                }
            }
        }
    }

    fn forget(&mut self, client: ClientId) {
        if let Some(client) = self.clients.get_mut(usize::from(client.0)) {
            client.claims = None;
        }
    }
}

/// Whether a lease is on although its holder is neither inside nor on the way in.
fn orphaned(facts: &Facts, lock: LockId, lease: &Lease) -> bool {
    let over = lease.ends.is_some_and(|ends| ends <= facts.now);
    let coming = facts.client(lease.holder).and_then(|client| client.waiting).is_some_and(|waits| waits.lock == lock);
    !over && (lease.holder_died.is_some() || (facts.section(lease.holder, lock).is_none() && !coming))
}

/// Whether a field of a record is a client's own, such as `A` or `A:1`: what stands there counts its holds.
fn is_of(field: &str, name: &str) -> bool {
    field.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '-']))
}

/// Whether a guard refuses because something changed since it was read. The others refuse who is late, or what was done before.
fn finds_conflicts(guard: Guard) -> bool {
    match guard {
        Guard::Version | Guard::Timestamp => true,
        Guard::None | Guard::Fencing | Guard::UniqueKey | Guard::StateMachine => false,
    }
}

/// Whether a lease's end moved to a later instant.
fn reaches(new: Option<Time>, old: Option<Time>) -> bool {
    new.unwrap_or(Time::NEVER) > old.unwrap_or(Time::NEVER)
}

fn extend(intervals: &mut Vec<Interval>, from: Time, until: Time) {
    if until <= from {
        return;
    }
    match intervals.last_mut() {
        Some(last) if last.1 >= from => last.1 = last.1.max(until),
        _ => intervals.push((from, until)),
    }
}
