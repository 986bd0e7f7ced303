//! The facts that properties share: who is inside, whose lease is on, who waits, which faults are on.
//!
//! A fold over the events, bounded by the numbers of clients, locks and nodes. Properties look at it as it is just before each event.

use std::hash::{Hash, Hasher};

use super::troubles::Troubles;
use crate::history::{
    ClientEvent, EndReason, Event, FaultEvent, GrantEvent, GrantId, Header, LockEvent, Mode, Phase, What,
};
use crate::time::{Span, Time};
use crate::wire::{ClientId, LockId};

/// How many of a client's past holds keep their grant, for effects that arrive late.
const REMEMBERED_HOLDS: usize = 4;

/// A client inside its section.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Inside {
    /// Of which lock.
    pub lock: LockId,
    /// Which of the client's holds.
    pub hold: u32,
    /// Alone or with others.
    pub mode: Mode,
    /// Since when.
    pub since: Time,
    /// The client's current grant: the latest that it was granted; `None`: it was never granted one.
    pub grant: Option<GrantId>,
}

/// A client that tries to get a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Waiting {
    /// Which lock.
    pub lock: LockId,
    /// Since when.
    pub since: Time,
}

/// A lease that is on, by the records of the service that decides.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    /// Which grant.
    pub grant: GrantId,
    /// Whose.
    pub holder: ClientId,
    /// Alone or with others.
    pub mode: Mode,
    /// When it began.
    pub since: Time,
    /// The first instant at which it is over if nothing else happens; `None`: it does not end by itself.
    pub ends: Option<Time>,
    /// When its holder crashed, if it has since.
    pub holder_died: Option<Time>,
}

/// One client, as far as judging needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClientFacts {
    /// Its sections; more than one only for a client that holds several locks.
    pub inside: Vec<Inside>,
    /// What it waits for.
    pub waiting: Option<Waiting>,
    /// Whether it stands still.
    pub paused: bool,
    /// Whether it has crashed, or has done all its steps, and has not started again.
    pub gone: bool,
    /// What its last executed command was for.
    pub phase: Option<Phase>,
    /// The last holds and their grants, latest last.
    holds: Vec<(u32, LockId, Option<GrantId>)>,
}

/// One lock, as far as judging needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LockFacts {
    /// The leases that are on, oldest first.
    pub leases: Vec<Lease>,
    /// The latest grant of each client, by client.
    pub latest: Vec<Option<GrantId>>,
    /// The latest grant of all.
    pub newest: GrantId,
}

/// What is so at one instant of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// True time.
    pub now: Time,
    /// How many events have happened.
    pub seen: usize,
    /// Whether the lock promises that sections exclude each other; false: there is no lock.
    pub exclusion: bool,
    /// The bound for progress and availability.
    pub within: Span,
    /// The clients, by id.
    pub clients: Vec<ClientFacts>,
    /// The locks, by id.
    pub locks: Vec<LockFacts>,
    /// The faults that are on, and when the last one ended.
    pub troubles: Troubles,
    /// Why the run is over, once it is.
    pub ended: Option<EndReason>,
}

impl Facts {
    /// What is so before the first event.
    pub fn start(header: &Header) -> Facts {
        let lock = LockFacts { latest: vec![None; header.clients.len()], ..LockFacts::default() };
        Facts {
            now: Time::START,
            seen: 0,
            exclusion: header.promises.exclusion,
            within: header.within,
            clients: vec![ClientFacts::default(); header.clients.len()],
            locks: vec![lock; header.locks.len()],
            troubles: Troubles::start(header),
            ended: None,
        }
    }

    /// Takes in one event.
    pub fn step(&mut self, event: &Event) {
        self.now = self.now.max(event.at);
        self.seen += 1;
        self.troubles.step(event);
        match &event.what {
            What::Executed { client: Some(client), phase, .. } => {
                if let Some(client) = self.clients.get_mut(usize::from(client.0)) {
                    client.phase = Some(*phase);
                }
            }
            What::Client { client, event } => self.client_event(*client, event),
            What::Grant { lock, event } => self.grant_event(*lock, event),
            What::Fault(fault) => self.fault_event(fault),
            What::End(why) => self.ended = Some(*why),
            _ => {}
        }
    }

    /// A client's facts; `None` for an id that the header does not know.
    pub fn client(&self, client: ClientId) -> Option<&ClientFacts> {
        self.clients.get(usize::from(client.0))
    }

    /// A lock's facts; `None` for an id that the header does not know.
    pub fn lock(&self, lock: LockId) -> Option<&LockFacts> {
        self.locks.get(usize::from(lock.0))
    }

    /// All clients with their ids.
    pub fn each_client(&self) -> impl Iterator<Item = (ClientId, &ClientFacts)> {
        (0..).map(ClientId).zip(&self.clients)
    }

    /// All locks with their ids.
    pub fn each_lock(&self) -> impl Iterator<Item = (LockId, &LockFacts)> {
        (0..).map(LockId).zip(&self.locks)
    }

    /// A client's own lease of a lock that is on now; the one that ends last, if there are several.
    pub fn own_lease(&self, client: ClientId, lock: LockId) -> Option<&Lease> {
        let leases = &self.lock(lock)?.leases;
        let own = |lease: &&Lease| lease.holder == client && lease.ends.is_none_or(|ends| ends > self.now);
        leases.iter().filter(own).max_by_key(|lease| lease.ends.unwrap_or(Time::NEVER))
    }

    /// The client's section of a lock, if it is inside.
    pub fn section(&self, client: ClientId, lock: LockId) -> Option<&Inside> {
        self.client(client)?.inside.iter().find(|inside| inside.lock == lock)
    }

    /// The clients that wait for a lock and could take it if they got it: neither paused nor gone.
    pub fn waiters(&self, lock: LockId) -> impl Iterator<Item = (ClientId, Waiting)> + '_ {
        self.each_client().filter(|(_, client)| !client.paused).filter_map(move |(id, client)| {
            let waiting = client.waiting.filter(|waiting| waiting.lock == lock)?;
            Some((id, waiting))
        })
    }

    /// Whether anyone is inside a section of a lock.
    pub fn anyone_inside(&self, lock: LockId) -> bool {
        self.clients.iter().any(|client| client.inside.iter().any(|inside| inside.lock == lock))
    }

    /// Whether nobody is inside a lock while somebody waits for it, nobody of them about to be told that he has it.
    pub fn idle(&self, lock: LockId) -> bool {
        !self.anyone_inside(lock)
            && self.waiters(lock).next().is_some()
            && !self.waiters(lock).any(|(client, _)| self.own_lease(client, lock).is_some())
    }

    /// The lock and grant of a client's hold, for judging an effect; `None` outside any hold.
    pub fn hold(&self, client: ClientId, hold: u32) -> Option<(LockId, Option<GrantId>)> {
        let client = self.client(client)?;
        let current = client.inside.iter().find(|inside| inside.hold == hold).map(|inside| (inside.lock, inside.grant));
        let past = || client.holds.iter().rev().find(|past| past.0 == hold).map(|past| (past.1, past.2));
        current.or_else(past)
    }

    /// Feeds what is so into a hasher, in times relative to `now`.
    pub fn remember<H: Hasher>(&self, now: Time, hasher: &mut H) {
        for client in &self.clients {
            (client.paused, client.gone, client.phase).hash(hasher);
            client.waiting.map(|waiting| (waiting.lock, self.earlier_waits(waiting))).hash(hasher);
            // What a client that is gone has asked for may still arrive.
            client.holds.last().map(|(_, lock, grant)| (*lock, grant.map(|grant| self.age(*lock, grant)))).hash(hasher);
            for inside in &client.inside {
                (inside.lock, inside.mode, inside.grant.map(|grant| self.age(inside.lock, grant))).hash(hasher);
            }
        }
        for lock in &self.locks {
            // Whoever enters without a lease does so by the last one that he had.
            let latest = lock.latest.iter();
            latest.for_each(|grant| grant.map(|grant| lock.newest.0 - grant.0).hash(hasher));
            lock.leases.len().hash(hasher);
            for lease in &lock.leases {
                let left = lease.ends.map(|ends| ends.since(now));
                (lock.newest.0 - lease.grant.0, lease.holder, lease.mode, left, lease.holder_died.is_some())
                    .hash(hasher);
            }
        }
        self.troubles.remember(hasher);
    }

    /// How many grants of the lock are newer.
    pub fn age(&self, lock: LockId, grant: GrantId) -> u32 {
        self.lock(lock).map_or(0, |facts| facts.newest.0.saturating_sub(grant.0))
    }

    /// How many clients have waited longer: of the instants at which waits began, only the order matters.
    fn earlier_waits(&self, than: Waiting) -> usize {
        let waits = self.clients.iter().filter_map(|client| client.waiting);
        waits.filter(|waiting| waiting.since < than.since).count()
    }

    fn client_event(&mut self, id: ClientId, event: &ClientEvent) {
        let now = self.now;
        let latest = |lock: LockId, locks: &[LockFacts]| locks.get(usize::from(lock.0))?.latest[usize::from(id.0)];
        let Some(client) = self.clients.get_mut(usize::from(id.0)) else { return };
        match event {
            ClientEvent::Started { .. } => client.gone = false,
            ClientEvent::Entered { lock, hold, mode } => {
                let grant = latest(*lock, &self.locks);
                client.waiting = None;
                if client.inside.iter().all(|inside| inside.hold != *hold) {
                    client.inside.push(Inside { lock: *lock, hold: *hold, mode: *mode, since: now, grant });
                }
            }
            ClientEvent::Left { lock, hold, .. } => client.leave(|inside| inside.lock == *lock && inside.hold == *hold),
            ClientEvent::Lock { lock, event: LockEvent::Acquiring } => {
                client.waiting = Some(Waiting { lock: *lock, since: now });
            }
            ClientEvent::Lock { event: LockEvent::Acquired { .. } | LockEvent::Reentered { .. }, .. }
            | ClientEvent::Lock { event: LockEvent::Refused { .. }, .. } => client.waiting = None,
            ClientEvent::Finished { .. } => {
                client.waiting = None;
                client.gone = true;
                client.leave(|_| true);
            }
            _ => {}
        }
    }

    fn grant_event(&mut self, lock: LockId, event: &GrantEvent) {
        let now = self.now;
        let Some(facts) = self.locks.get_mut(usize::from(lock.0)) else { return };
        match event {
            GrantEvent::Granted { grant, holder, mode, ends } => {
                let (grant, holder, mode, ends) = (*grant, *holder, *mode, *ends);
                facts.leases.push(Lease { grant, holder, mode, since: now, ends, holder_died: None });
                facts.newest = facts.newest.max(grant);
                let Some(client) = self.clients.get_mut(usize::from(holder.0)) else { return };
                facts.latest[usize::from(holder.0)] = Some(grant);
                for inside in client.inside.iter_mut().filter(|inside| inside.lock == lock) {
                    inside.grant = Some(grant);
                }
            }
            GrantEvent::Moved { grant, ends, .. } => {
                for lease in facts.leases.iter_mut().filter(|lease| lease.grant == *grant) {
                    lease.ends = *ends;
                }
            }
            GrantEvent::Ended { grant, .. } => facts.leases.retain(|lease| lease.grant != *grant),
        }
    }

    fn fault_event(&mut self, fault: &FaultEvent) {
        let (FaultEvent::Paused { client, .. }
        | FaultEvent::Resumed { client }
        | FaultEvent::Crashed { client }
        | FaultEvent::Restarted { client }) = fault
        else {
            return;
        };
        let Some(facts) = self.clients.get_mut(usize::from(client.0)) else { return };
        facts.paused = matches!(fault, FaultEvent::Paused { .. });
        match fault {
            FaultEvent::Crashed { .. } => {
                facts.gone = true;
                facts.waiting = None;
                facts.leave(|_| true);
                let now = self.now;
                let leases = self.locks.iter_mut().flat_map(|lock| &mut lock.leases);
                leases.filter(|lease| lease.holder == *client).for_each(|lease| lease.holder_died = Some(now));
            }
            FaultEvent::Restarted { .. } => facts.gone = false,
            _ => {}
        }
    }
}

impl ClientFacts {
    fn leave(&mut self, which: impl Fn(&Inside) -> bool) {
        for inside in self.inside.iter().filter(|inside| which(inside)) {
            self.holds.push((inside.hold, inside.lock, inside.grant));
        }
        self.inside.retain(|inside| !which(inside));
        let surplus = self.holds.len().saturating_sub(REMEMBERED_HOLDS);
        self.holds.drain(..surplus);
    }
}
