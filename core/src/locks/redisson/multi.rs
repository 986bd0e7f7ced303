//! Several locks as one: all of them, or for the deprecated RedissonRedLock more than half.
//!
//! The children are taken in order, each by a client of its own that waits as it always does. One that is missed sends everything back, and
//! after a pause it all begins again. Nothing looks at a clock in the end: whether the first child still has its lease when the last one is
//! taken, nobody asks.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::Redisson;
use super::setup::{Act, Call, Flavor, Setup, millis};
use crate::history::{LockEvent, Refusal};
use crate::locks::{Identity, Input, LockClient, LockRequest, Output, Params};
use crate::time::{LocalTime, Span, between, later};
use crate::wire::Reply;

/// What a blocking lock allows each child in one round.
const BUDGET: Span = Span::from_millis(1_500);

/// A client that takes several locks as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multi {
    rules: Rules,
    children: Vec<Child>,
    /// Requests that are its own and no child's.
    requests: u32,
    /// Those without an answer yet.
    open: Vec<LockRequest>,
    work: Work,
    holds: u32,
    due: VecDeque<Output>,
}

/// What never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rules {
    /// How many children are enough.
    needed: usize,
    /// Whether a child may wait only for its share of the time.
    shares_wait: bool,
    lease: Option<Span>,
    ttl: Span,
    /// How long it waits for an answer of its own.
    timeout: Option<Span>,
    /// The pause after a round that failed.
    retry: Span,
    /// A wait without a bound counts as -1 ms when the children's first lease is computed from it.
    minus_one: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Child {
    client: Redisson,
    setup: Arc<Setup>,
    until: Option<i64>,
    /// It has been taken in this round.
    fresh: bool,
}

/// What the caller waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Work {
    #[default]
    Idle,
    /// A child is being taken.
    Taking { round: Round, child: usize },
    /// The children are being set to the caller's lease, until this local instant at the latest.
    Expiring { round: Round, at: Option<i64> },
    /// What was taken is being given back; so many answers are missing.
    Undoing { round: Round, why: Why, missing: usize },
    /// The next round begins at this local instant.
    Pausing { round: Round, at: i64 },
    /// The children are being released; so many answers are missing, and so many were not its own any more.
    Releasing { missing: usize, strange: usize },
    /// The children are being asked whether they are still held.
    Checking { missing: usize, mine: usize },
}

/// A round in which every child is asked once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Round {
    /// When the caller's wait is over.
    deadline: Option<i64>,
    /// When this round gives up.
    until: i64,
    began: i64,
    /// A lease that the children are taken with for now, in milliseconds.
    lease_ms: Option<i64>,
}

/// What follows taking back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Why {
    /// Another round.
    Again,
    /// Nothing: the wait is over.
    Held,
    /// Nothing: a server did not answer.
    TimedOut,
}

impl Multi {
    /// A client of a multi-lock on one Redis: its children are `KEY:1`, `KEY:2` and so on, and all are needed.
    pub(super) fn of_keys(params: &Params, identity: Identity) -> Multi {
        let children = keys(params).map(|key| Params { key, ..params.clone() }).collect::<Vec<_>>();
        let needed = children.len();
        Multi::new(Flavor::Child, children, needed, params, &identity)
    }

    /// A client of the deprecated RedissonRedLock: the same key on every node, and more than half are enough.
    pub(super) fn of_nodes(params: &Params, identity: Identity) -> Multi {
        let children: Vec<Params> =
            params.nodes.iter().map(|node| Params { nodes: vec![*node], ..params.clone() }).collect();
        let needed = children.len() / 2 + 1;
        Multi::new(Flavor::RedChild, children, needed, params, &identity)
    }

    fn new(flavor: Flavor, children: Vec<Params>, needed: usize, params: &Params, identity: &Identity) -> Multi {
        let child = |params: Params| {
            let client = Redisson::new(flavor, &params, identity.clone());
            Child { setup: client.setup.clone(), client, until: None, fresh: false }
        };
        let rules = Rules {
            needed,
            shares_wait: flavor == Flavor::RedChild,
            lease: params.span("lease"),
            ttl: params.ttl,
            timeout: params.timeout,
            retry: params.retry.max(Span(1)),
            minus_one: params.word("unbounded_wait") == Some("minus-one"),
        };
        let children = children.into_iter().map(child).collect();
        Multi { rules, children, requests: 0, open: Vec::new(), work: Work::Idle, holds: 0, due: VecDeque::new() }
    }

    /// The same client after a crash: it knows nothing, and is another owner.
    pub fn restarted(&self) -> Multi {
        let child = |child: &Child| {
            let client = child.client.restarted();
            Child { setup: client.setup.clone(), client, until: None, fresh: false }
        };
        Multi {
            rules: self.rules.clone(),
            children: self.children.iter().map(child).collect(),
            requests: 0,
            open: Vec::new(),
            work: Work::Idle,
            holds: 0,
            due: VecDeque::new(),
        }
    }

    /// Writes what the client will do from here on into a hash, with local times and request numbers relative to now.
    pub fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        for child in &self.children {
            child.fresh.hash(out);
            child.client.hash_relative(now, out);
        }
        self.work.hash_relative(now.monotonic, out);
        self.holds.hash(out);
        self.due.hash(out);
    }

    /// How many requests it has made so far, or could have.
    pub fn requests(&self) -> u32 {
        let most = self.children.iter().map(|child| child.client.requests()).chain([self.requests]).max();
        self.number(self.children.len(), most.unwrap_or(0)).0
    }

    /// A child's request as the outside knows it; the last column is its own.
    fn number(&self, column: usize, request: u32) -> LockRequest {
        LockRequest(request * (self.children.len() as u32 + 1) + column as u32)
    }

    fn acquire(&mut self, now: LocalTime, wait: Option<Span>) {
        assert!(self.work == Work::Idle, "contract 2: `Acquire` is given only to a client that is idle or holds");
        self.tell(LockEvent::Acquiring);
        self.begin(now, wait.map(|wait| later(now.monotonic, wait)));
    }

    fn begin(&mut self, now: LocalTime, deadline: Option<i64>) {
        let budget = Span(BUDGET.micros() * self.children.len() as u64);
        let until = deadline.unwrap_or_else(|| later(now.monotonic, budget));
        let wait_ms = match deadline {
            None if self.rules.minus_one => -1,
            _ => (until - now.monotonic) / 1_000,
        };
        let lease_ms = self.rules.lease.map(|_| 2 * wait_ms);
        for child in &mut self.children {
            child.fresh = false;
            child.client.ask_for_lease(lease_ms);
        }
        self.take(now, Round { deadline, until, began: now.monotonic, lease_ms }, 0);
    }

    fn take(&mut self, now: LocalTime, round: Round, child: usize) {
        let taken = self.children.iter().filter(|child| child.fresh).count();
        let possible = taken + self.children.len() - child;
        if taken >= self.rules.needed && child == self.children.len() {
            return self.expire(now, round);
        }
        if possible < self.rules.needed {
            return self.undo(now, round);
        }
        let left = between(now.monotonic, round.until);
        let share = Span((left.micros() / self.children.len() as u64).max(1_000));
        let wait = if self.rules.shares_wait { share } else { left };
        self.work = Work::Taking { round, child };
        self.give(now, child, Input::Acquire { wait: Some(wait) });
    }

    /// All that is needed has been taken: set it to the lease that the caller wants, which begins now.
    fn expire(&mut self, now: LocalTime, round: Round) {
        let Some(lease) = self.rules.lease else { return self.acquired(now, round) };
        let round = Round { began: now.monotonic, ..round };
        for child in 0..self.children.len() {
            self.children[child].client.ask_for_lease(Some(millis(lease)));
            if self.children[child].fresh {
                self.send_expire(now, child, lease);
            }
        }
        let at = self.rules.timeout.map(|timeout| later(now.monotonic, timeout));
        self.work = Work::Expiring { round, at };
    }

    fn send_expire(&mut self, now: LocalTime, child: usize, lease: Span) {
        let setup = &self.children[child].setup;
        let call = Call { now, lease_ms: Some(millis(lease)), ..Call::default() };
        let (code, command) =
            setup.command(Act::Expire, &call).expect("a multi-lock's listing sets its children's lease");
        let (to, phase) = (setup.node(), Act::Expire.phase());
        let request = self.number(self.children.len(), self.requests);
        self.requests += 1;
        self.open.push(request);
        self.due.push_back(Output::Send { to, request, phase, code: Some(code), command });
    }

    fn acquired(&mut self, now: LocalTime, round: Round) {
        self.work = Work::Idle;
        self.holds += 1;
        let lease = self.rules.lease.unwrap_or(self.rules.ttl);
        let elapsed = between(round.began, now.monotonic);
        self.tell(match self.holds {
            1 => LockEvent::Acquired { token: None, valid_for: Some(lease - elapsed) },
            count => LockEvent::Reentered { count },
        });
    }

    fn undo(&mut self, now: LocalTime, round: Round) {
        let over = round.deadline.is_some_and(|deadline| deadline <= now.monotonic);
        self.take_back(now, round, if over { Why::Held } else { Why::Again });
    }

    fn take_back(&mut self, now: LocalTime, round: Round, why: Why) {
        let fresh = |child: &Child| child.fresh;
        if self.release_children(now, fresh, |missing| Work::Undoing { round, why, missing }) == 0 {
            self.undone(now, round, why);
        }
    }

    fn undone(&mut self, now: LocalTime, round: Round, why: Why) {
        let at = later(now.monotonic, self.rules.retry);
        let why = match why {
            Why::Again if round.deadline.is_none_or(|deadline| at <= deadline) => {
                self.work = Work::Pausing { round, at };
                return;
            }
            Why::Again | Why::Held => Refusal::Held,
            Why::TimedOut => Refusal::TimedOut,
        };
        self.work = Work::Idle;
        self.tell(LockEvent::Refused { why });
    }

    fn release(&mut self, now: LocalTime) {
        self.work = Work::Idle;
        assert!(self.holds > 0, "contract 2: `Release` is given only to one that holds or has lost its lock");
        self.tell(LockEvent::Releasing);
        let held = |child: &Child| child.client.holds > 0;
        self.release_children(now, held, |missing| Work::Releasing { missing, strange: 0 });
    }

    /// Releases some of the children, each of them held; how many that are.
    fn release_children(
        &mut self,
        now: LocalTime,
        which: impl Fn(&Child) -> bool,
        work: impl FnOnce(usize) -> Work,
    ) -> usize {
        let doomed: Vec<usize> = (0..self.children.len()).filter(|child| which(&self.children[*child])).collect();
        self.work = work(doomed.len());
        for child in &doomed {
            self.give(now, *child, Input::Release);
        }
        doomed.len()
    }

    fn check(&mut self, now: LocalTime) {
        self.work = Work::Checking { missing: self.children.len(), mine: 0 };
        for child in 0..self.children.len() {
            self.give(now, child, Input::Check);
        }
    }

    /// Gives a child an input and takes what it then wants.
    fn give(&mut self, now: LocalTime, child: usize, input: Input) {
        self.children[child].client.handle(now, input);
        let mut reports = Vec::new();
        loop {
            match self.children[child].client.poll() {
                Output::Send { to, request, phase, code, command } => {
                    let request = self.number(child, request.0);
                    self.due.push_back(Output::Send { to, request, phase, code, command });
                }
                Output::Cancel { request } => {
                    let request = self.number(child, request.0);
                    self.due.push_back(Output::Cancel { request });
                }
                Output::Event(event) => reports.push(event),
                Output::Choose { .. } => unreachable!("a child asks for no choice"),
                Output::Wait { until } => {
                    self.children[child].until = until;
                    break;
                }
            }
        }
        for report in reports {
            self.reported(now, child, report);
        }
    }

    fn reported(&mut self, now: LocalTime, child: usize, event: LockEvent) {
        match event {
            LockEvent::Acquired { .. } | LockEvent::Reentered { .. } => {
                self.children[child].fresh = true;
                if let Work::Taking { round, .. } = self.work {
                    self.take(now, round, child + 1);
                }
            }
            LockEvent::Refused { .. } => {
                if let Work::Taking { round, .. } = self.work {
                    self.take(now, round, child + 1);
                }
            }
            LockEvent::Released | LockEvent::Descended { .. } => self.given_back(now, false),
            LockEvent::ReleaseFailed { .. } => self.given_back(now, true),
            LockEvent::Looked { mine: held } => self.looked(held),
            report @ (LockEvent::Extended { .. } | LockEvent::ExtendFailed { .. }) => self.tell(report),
            LockEvent::Acquiring | LockEvent::Releasing | LockEvent::Checked | LockEvent::Lost => {}
        }
    }

    fn given_back(&mut self, now: LocalTime, failed: bool) {
        match &mut self.work {
            Work::Undoing { round, why, missing } => {
                *missing -= 1;
                if *missing == 0 {
                    let (round, why) = (*round, *why);
                    self.undone(now, round, why);
                }
            }
            Work::Releasing { missing, strange } => {
                *missing -= 1;
                *strange += usize::from(failed);
                if *missing > 0 {
                    return;
                }
                let strange = *strange;
                self.work = Work::Idle;
                self.holds -= 1;
                self.tell(match (strange, self.holds) {
                    (0, 0) => LockEvent::Released,
                    (0, count) => LockEvent::Descended { count },
                    _ => LockEvent::ReleaseFailed { why: Refusal::NotHolder },
                });
            }
            _ => {}
        }
    }

    fn looked(&mut self, held: bool) {
        let Work::Checking { missing, mine } = &mut self.work else { return };
        *missing -= 1;
        *mine += usize::from(held);
        if *missing == 0 {
            let mine = *mine >= self.rules.needed;
            self.work = Work::Idle;
            self.tell(LockEvent::Looked { mine });
        }
    }

    fn answered(&mut self, now: LocalTime, request: LockRequest, input: impl FnOnce(LockRequest) -> Input) {
        let columns = self.children.len() as u32 + 1;
        let (number, column) = (request.0 / columns, (request.0 % columns) as usize);
        if column < self.children.len() {
            return self.give(now, column, input(LockRequest(number)));
        }
        // Whether a child was there to be set to the lease is not looked at.
        self.open.retain(|open| *open != request);
        if let Work::Expiring { round, .. } = self.work
            && self.open.is_empty()
        {
            self.acquired(now, round);
        }
    }

    fn timer(&mut self, now: LocalTime) {
        for child in 0..self.children.len() {
            if self.children[child].until.is_some_and(|until| until <= now.monotonic) {
                self.give(now, child, Input::Timer);
            }
        }
        match self.work {
            Work::Pausing { round, at } if at <= now.monotonic => self.begin(now, round.deadline),
            Work::Expiring { round, at: Some(at) } if at <= now.monotonic => {
                let late = std::mem::take(&mut self.open);
                self.due.extend(late.into_iter().map(|request| Output::Cancel { request }));
                self.take_back(now, round, Why::TimedOut);
            }
            _ => {}
        }
    }

    fn tell(&mut self, event: LockEvent) {
        self.due.push_back(Output::Event(event));
    }
}

/// The keys of a multi-lock's children.
pub(super) fn keys(params: &Params) -> impl Iterator<Item = Arc<str>> {
    let children = params.number("children").unwrap_or(CHILDREN);
    (1..=children).map(|child| Arc::from(format!("{}:{child}", params.key)))
}

/// How many children a multi-lock has unless said.
pub(super) const CHILDREN: i64 = 3;

impl LockClient for Multi {
    fn handle(&mut self, now: LocalTime, input: Input) {
        match input {
            Input::Acquire { wait } => self.acquire(now, wait),
            Input::Release => self.release(now),
            Input::Check => self.check(now),
            Input::Reply { request, reply } => self.answered(now, request, |request| Input::Reply { request, reply }),
            Input::Disconnected { request } => self.answered(now, request, |request| Input::Disconnected { request }),
            Input::Push { from, message } => {
                for child in 0..self.children.len() {
                    if self.children[child].setup.node() == from {
                        self.give(now, child, Input::Push { from, message: Reply::clone(&message) });
                    }
                }
            }
            Input::Timer => self.timer(now),
            // No child asks for a choice.
            Input::Chosen(_) => {}
        }
    }

    fn poll(&mut self) -> Output {
        self.due.pop_front().unwrap_or_else(|| {
            let own = match self.work {
                Work::Pausing { at, .. } => Some(at),
                Work::Expiring { at, .. } => at,
                _ => None,
            };
            Output::Wait { until: self.children.iter().filter_map(|child| child.until).chain(own).min() }
        })
    }
}

impl Hash for Multi {
    fn hash<H: Hasher>(&self, out: &mut H) {
        self.hash_relative(LocalTime::default(), out);
    }
}

impl Work {
    fn hash_relative(&self, now: i64, out: &mut impl Hasher) {
        std::mem::discriminant(self).hash(out);
        match self {
            Work::Idle => {}
            Work::Taking { round, child } => (round.relative(now), child).hash(out),
            Work::Expiring { round, at } => (round.relative(now), at.map(|at| at - now)).hash(out),
            Work::Undoing { round, why, missing } => (round.relative(now), why, missing).hash(out),
            Work::Pausing { round, at } => (round.relative(now), at - now).hash(out),
            Work::Releasing { missing, strange } => (missing, strange).hash(out),
            Work::Checking { missing, mine } => (missing, mine).hash(out),
        }
    }
}

impl Round {
    fn relative(self, now: i64) -> Round {
        let deadline = self.deadline.map(|deadline| deadline.saturating_sub(now));
        Round { deadline, until: self.until.saturating_sub(now), began: self.began.saturating_sub(now), ..self }
    }
}
