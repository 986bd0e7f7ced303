//! Small histories for the tests of the drawings.

use std::sync::Arc;

use crate::history::{
    CellId, ClientEvent, ClientInfo, Effect, Effected, EndReason, Event, FaultEvent, GrantEnd, GrantEvent, GrantId,
    Guard, Header, History, KeyChange, LeaveReason, LockEvent, LockInfo, LossReason, Machine, Mode, NodeInfo, NodeRole,
    Operation, Outcome, Phase, Promises, Refusal, ResourceInfo, ResourceKind, VERSION, What,
};
use crate::i18n::Text;
use crate::time::{Span, Time};
use crate::view::Highlight;
use crate::wire::{ClientId, Command, LockId, NodeId, Reply, RequestId};

pub const A: ClientId = ClientId(0);
pub const B: ClientId = ClientId(1);
const LOCK: LockId = LockId(0);

/// Writes a history down event by event. Times are in milliseconds.
pub struct Story {
    pub history: History,
    requests: u32,
    version: u32,
}

impl Story {
    pub fn new(clients: &[&str], nodes: &[(&str, NodeRole)]) -> Story {
        let header = Header {
            version: VERSION,
            scenario: "expiry/example".into(),
            title: Text::new("A pause outlives the lease", "停顿比租约更长"),
            question: Text::new("Who may write?", "谁还能写？"),
            lock: "token-lua".into(),
            listing: "acquire:\n    SET {key} {token} NX PX {ttl_ms} -> OK: next, nil: retry\nrelease:\n    EVAL @release 1 {key} {token}".into(),
            ttl: Some(Span::from_secs(10)),
            promises: Promises { exclusion: true, ..Promises::default() },
            within: Span::from_secs(30),
            clients: clients.iter().map(|name| ClientInfo { name: (*name).into(), cell: None }).collect(),
            nodes: nodes.iter().map(|(name, role)| NodeInfo { name: (*name).into(), role: *role }).collect(),
            locks: vec![LockInfo { key: "lock".into() }],
            resource: ResourceInfo { kind: ResourceKind::Register, guard: Guard::None, initial: 0, cells: vec!["register".into()] },
            played_on: "sim".into(),
        };
        Story { history: History { header, events: Vec::new() }, requests: 0, version: 0 }
    }

    pub fn at(&mut self, millis: u64, what: What) {
        self.history.events.push(Event { at: Time(millis * 1_000), what });
    }

    pub fn client(&mut self, millis: u64, client: ClientId, event: ClientEvent) {
        self.at(millis, What::Client { client, event });
    }

    pub fn lock(&mut self, millis: u64, client: ClientId, event: LockEvent) {
        self.client(millis, client, ClientEvent::Lock { lock: LOCK, event });
    }

    pub fn step(&mut self, millis: u64, client: ClientId, step: &str) {
        self.client(millis, client, ClientEvent::Step { step: step.into() });
    }

    pub fn fault(&mut self, millis: u64, fault: FaultEvent) {
        self.at(millis, What::Fault(fault));
    }

    #[expect(clippy::too_many_arguments, reason = "a test reads better with the words in place")]
    /// A command and its reply, with `effects` between its execution and its reply.
    pub fn command(
        &mut self,
        millis: u64,
        client: ClientId,
        node: NodeId,
        phase: Phase,
        words: &str,
        reply: Reply,
        effects: &[What],
    ) {
        let request = RequestId(self.requests);
        self.requests += 1;
        let command = Arc::new(Command::new(words.split(' ')));
        let reply = Arc::new(reply);
        self.at(millis, What::Sent { client, node, request, phase, code: None, command: command.clone() });
        self.at(
            millis,
            What::Executed {
                client: Some(client),
                node,
                request: Some(request),
                phase,
                command,
                reply: Some(reply.clone()),
            },
        );
        effects.iter().for_each(|effect| self.at(millis, effect.clone()));
        self.at(millis, What::Got { client, node, request, phase, reply });
    }

    /// Acquires with success: the lease number `grant` begins, and the client enters.
    pub fn acquire(&mut self, millis: u64, client: ClientId, node: NodeId, grant: u32) {
        let name = self.history.header.clients[usize::from(client.0)].name.clone();
        let effects = [
            What::Key { node, key: "lock".into(), change: KeyChange::Created, record: None, by: Some(client) },
            What::Grant {
                lock: LOCK,
                event: GrantEvent::Granted {
                    grant: GrantId(grant),
                    holder: client,
                    mode: Mode::Exclusive,
                    ends: Some(Time(millis * 1_000 + 10_001_000)),
                },
            },
        ];
        self.command(
            millis,
            client,
            node,
            Phase::Acquire,
            &format!("SET lock {name}-1 NX PX 10000"),
            Reply::ok(),
            &effects,
        );
        self.lock(millis, client, LockEvent::Acquired { token: None, valid_for: Some(Span::from_secs(10)) });
        self.client(millis, client, ClientEvent::Entered { lock: LOCK, hold: 1, mode: Mode::Exclusive });
    }

    pub fn refused(&mut self, millis: u64, client: ClientId, node: NodeId) {
        let name = self.history.header.clients[usize::from(client.0)].name.clone();
        self.command(millis, client, node, Phase::Acquire, &format!("SET lock {name}-1 NX PX 10000"), Reply::Nil, &[]);
    }

    /// A request that gets no answer within 100 ms, executed or not.
    pub fn missed(&mut self, millis: u64, client: ClientId, node: NodeId, why: LossReason) {
        let (request, phase) = (RequestId(self.requests), Phase::Acquire);
        self.requests += 1;
        let command = Arc::new(Command::new(["SET", "lock", "A-1", "NX", "PX", "10000"]));
        self.at(millis, What::Sent { client, node, request, phase, code: None, command: command.clone() });
        if why == LossReason::ReplyLost {
            let (client, request, reply) = (Some(client), Some(request), Some(Arc::new(Reply::ok())));
            self.at(millis, What::Executed { client, node, request, phase, command, reply });
        }
        self.at(millis + 100, What::Missed { client, node, request, why });
    }

    pub fn ended(&mut self, millis: u64, node: NodeId, grant: u32, why: GrantEnd) {
        let change = if why == GrantEnd::Expired { KeyChange::Expired } else { KeyChange::Vanished };
        self.at(millis, What::Key { node, key: "lock".into(), change, record: None, by: None });
        self.at(millis, What::Grant { lock: LOCK, event: GrantEvent::Ended { grant: GrantId(grant), why, by: None } });
    }

    pub fn effect(&mut self, millis: u64, client: ClientId, operation: Operation, value: &str) {
        let request = RequestId(self.requests);
        self.requests += 1;
        self.step(millis, client, if operation == Operation::Read { "read" } else { "write" });
        self.client(millis, client, ClientEvent::Asked { request, operation, cell: CellId(0) });
        let base = self.version;
        self.version += u32::from(operation != Operation::Read);
        let outcome = Outcome::Accepted(Effected { base, version: self.version, value: value.into() });
        let effect = Effect { client, hold: 1, request, cell: CellId(0), operation, token: None, outcome };
        self.at(millis, What::Effect(effect.into()));
        self.client(millis, client, ClientEvent::Answered { request, accepted: true });
    }

    pub fn release(&mut self, millis: u64, client: ClientId, node: NodeId, grant: Option<u32>) {
        self.step(millis, client, "unlock");
        self.lock(millis, client, LockEvent::Releasing);
        self.client(millis, client, ClientEvent::Left { lock: LOCK, hold: 1, why: LeaveReason::Releasing });
        let name = self.history.header.clients[usize::from(client.0)].name.clone();
        let effects: Vec<What> = grant
            .map(|grant| {
                vec![
                    What::Key { node, key: "lock".into(), change: KeyChange::Deleted, record: None, by: Some(client) },
                    What::Grant {
                        lock: LOCK,
                        event: GrantEvent::Ended { grant: GrantId(grant), why: GrantEnd::Removed, by: Some(client) },
                    },
                ]
            })
            .unwrap_or_default();
        let reply = Reply::Integer(i64::from(grant.is_some()));
        self.command(millis, client, node, Phase::Release, &format!("EVAL if...end 1 lock {name}-1"), reply, &effects);
        self.lock(millis, client, LockEvent::Released);
        self.client(millis, client, ClientEvent::Finished { done: true });
    }

    pub fn begin(&mut self, millis: u64, client: ClientId) {
        self.client(millis, client, ClientEvent::Started { run: 1 });
        self.step(millis, client, "lock");
        self.lock(millis, client, LockEvent::Acquiring);
    }

    pub fn end(mut self, millis: u64) -> History {
        self.history.events.sort_by_key(|event| event.at);
        self.at(millis, What::End(EndReason::Quiet));
        self.history
    }
}

/// A stops for 15 s inside a 10 s lease; B polls, enters and writes; A writes too.
pub fn gc_pause() -> History {
    let redis = NodeId(0);
    let mut story = Story::new(&["A", "B"], &[("redis", NodeRole::Master)]);
    story.begin(0, A);
    story.acquire(0, A, redis, 1);
    story.effect(0, A, Operation::Read, "(empty)");
    story.step(0, A, "3s");
    story.begin(1_000, B);
    for try_at in (1_000..=10_000).step_by(100) {
        if try_at == 2_000 {
            story.fault(2_000, FaultEvent::Paused { client: A, task: false, length: Some(Span::from_secs(15)) });
        }
        story.refused(try_at, B, redis);
    }
    story.ended(10_001, redis, 1, GrantEnd::Expired);
    story.acquire(10_100, B, redis, 2);
    story.effect(10_100, B, Operation::Read, "(empty)");
    story.step(10_100, B, "2s");
    story.effect(12_100, B, Operation::Write, "B");
    story.release(12_100, B, redis, Some(2));
    story.fault(17_000, FaultEvent::Resumed { client: A });
    story.effect(17_000, A, Operation::Write, "A");
    story.release(17_000, A, redis, None);
    story.end(17_000)
}

/// What the checker finds in [`gc_pause`].
pub fn gc_pause_highlights() -> Vec<Highlight> {
    vec![
        Highlight {
            from: Time(10_100_000),
            until: Time(12_100_000),
            event: None,
            clients: vec![A, B],
            resource: false,
            label: Text::new("two inside", "两个都在临界区"),
            words: Text::new(
                "mutual-exclusion: A and B are both inside for 2s",
                "mutual-exclusion：A 和 B 同时在临界区内 2s",
            ),
        },
        Highlight {
            from: Time(17_000_000),
            until: Time(17_000_000),
            event: None,
            clients: vec![A],
            resource: true,
            label: Text::new("stale write", "过期写入"),
            words: Text::new(
                "no-stale-write: A writes after B, whose grant is newer",
                "no-stale-write：A 在更新的持有者 B 之后写入",
            ),
        },
    ]
}

/// The master dies with the lock before its replica hears of it; B gets the lock from the new master.
pub fn failover() -> History {
    let (master, replica) = (NodeId(0), NodeId(1));
    let mut story = Story::new(&["A", "B"], &[("master", NodeRole::Master), ("replica", NodeRole::Replica)]);
    story.begin(0, A);
    story.acquire(0, A, master, 1);
    story.step(0, A, "5s");
    story.begin(500, B);
    story.refused(500, B, master);
    story.fault(550, FaultEvent::Down { node: master });
    story.fault(550, FaultEvent::Promoted { node: replica });
    story.ended(550, master, 1, GrantEnd::Vanished);
    story.acquire(600, B, replica, 2);
    story.effect(600, B, Operation::Write, "B");
    story.fault(700, FaultEvent::Cut { from: Machine::Client(A), to: Machine::Node(replica) });
    story.release(700, B, replica, Some(2));
    story.effect(5_000, A, Operation::Write, "A");
    story.fault(6_000, FaultEvent::Healed { from: Machine::Client(A), to: Machine::Node(replica) });
    story.fault(6_500, FaultEvent::Stepped { machine: Machine::Node(replica), by: -3_000_000 });
    story.at(6_500, What::Clock { machine: Machine::Node(replica), error: -3_000_000 });
    story.release(7_000, A, replica, None);
    story.end(7_000)
}

/// Two clients take turns for long, and a third one polls every 10 ms: about 20,000 events.
pub fn long() -> History {
    let (redis, poller) = (NodeId(0), ClientId(2));
    let mut story = Story::new(&["A", "B", "poller"], &[("redis", NodeRole::Master)]);
    story.begin(0, poller);
    for round in 0..700_u32 {
        let (client, at) = (ClientId((round % 2) as u16), u64::from(round) * 50);
        story.begin(at, client);
        story.acquire(at, client, redis, round + 1);
        story.effect(at + 1, client, Operation::Write, "x");
        for _ in 0..4 {
            story.refused(at + 2, poller, redis);
        }
        story.release(at + 40, client, redis, Some(round + 1));
    }
    story.end(40_000)
}

/// A gets three of five independent nodes; a request and a reply are lost on the way; B finds no quorum; A crashes.
pub fn quorum() -> History {
    let names = ["node-1", "node-2", "node-3", "node-4", "node-5"];
    let nodes: Vec<(&str, NodeRole)> = names.iter().map(|name| (*name, NodeRole::Independent)).collect();
    let mut story = Story::new(&["A", "B"], &nodes);
    story.begin(0, A);
    for node in (0..3).map(NodeId) {
        let created = What::Key { node, key: "lock".into(), change: KeyChange::Created, record: None, by: Some(A) };
        let granted = What::Grant {
            lock: LOCK,
            event: GrantEvent::Granted {
                grant: GrantId(1),
                holder: A,
                mode: Mode::Exclusive,
                ends: Some(Time(10_001_000)),
            },
        };
        let effects: Vec<What> = std::iter::once(created).chain((node.0 == 2).then_some(granted)).collect();
        story.command(u64::from(node.0), A, node, Phase::Acquire, "SET lock A-1 NX PX 10000", Reply::ok(), &effects);
    }
    story.missed(3, A, NodeId(3), LossReason::RequestLost);
    story.missed(4, A, NodeId(4), LossReason::ReplyLost);
    story.lock(110, A, LockEvent::Acquired { token: None, valid_for: Some(Span::from_millis(9_790)) });
    story.client(110, A, ClientEvent::Entered { lock: LOCK, hold: 1, mode: Mode::Exclusive });
    story.begin(500, B);
    for node in (0..5).map(NodeId) {
        story.refused(500 + u64::from(node.0), B, node);
    }
    story.lock(510, B, LockEvent::Refused { why: Refusal::NoQuorum });
    story.client(2_000, A, ClientEvent::Left { lock: LOCK, hold: 1, why: LeaveReason::Died });
    story.fault(2_000, FaultEvent::Crashed { client: A });
    for node in (0..3).map(NodeId) {
        story.at(10_001, What::Key { node, key: "lock".into(), change: KeyChange::Expired, record: None, by: None });
    }
    story.at(
        10_001,
        What::Grant { lock: LOCK, event: GrantEvent::Ended { grant: GrantId(1), why: GrantEnd::Expired, by: None } },
    );
    story.end(10_001)
}
