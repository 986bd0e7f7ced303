//! Hand-made histories: what a test says happened, in milliseconds.

use std::sync::Arc;

use locklab_core::history::{
    CellId, ClientEvent, ClientInfo, Effect, Effected, EndReason, Event, FaultEvent, GrantEnd, GrantEvent, GrantId,
    Guard, Header, History, LeaveReason, LockEvent, LockInfo, Machine, Mode, NodeInfo, NodeRole, Operation, Outcome,
    Phase, Promises, Refusal, ResourceInfo, ResourceKind, Token, VERSION, What,
};
use locklab_core::i18n::Text;
use locklab_core::time::{Span, Time};
use locklab_core::wire::{ClientId, Command, LockId, NodeId, RequestId};

pub const A: ClientId = ClientId(0);
pub const B: ClientId = ClientId(1);
pub const C: ClientId = ClientId(2);
pub const LOCK: LockId = LockId(0);
pub const REDIS: NodeId = NodeId(0);

/// A history in the making.
#[derive(Clone)]
pub struct Run {
    pub header: Header,
    events: Vec<Event>,
    now: Time,
    holds: [u32; 3],
    grants: u32,
    requests: u32,
    version: u32,
    value: String,
    /// What each client has read: the version and the value.
    read: [(u32, String); 3],
}

impl Run {
    /// Clients A, B and C, one server, one lock with a lease of 10 s, one unguarded register.
    pub fn new() -> Run {
        let client = |name: &str| ClientInfo { name: name.into(), cell: None };
        let header = Header {
            version: VERSION,
            scenario: "test/run".into(),
            title: Text::new("A test", "一个测试"),
            question: Text::default(),
            lock: "token-lua".into(),
            listing: "acquire:\n    SET {key} {token} NX PX {ttl_ms}\n".into(),
            ttl: Some(Span::from_secs(10)),
            promises: Promises { exclusion: true, ..Promises::default() },
            within: Span::from_secs(30),
            clients: ["A", "B", "C"].map(client).to_vec(),
            nodes: vec![NodeInfo { name: "redis".into(), role: NodeRole::Master }],
            locks: vec![LockInfo { key: "lock".into() }],
            resource: ResourceInfo {
                kind: ResourceKind::Register,
                guard: Guard::None,
                initial: 0,
                cells: vec!["register".into()],
            },
            played_on: "sim".into(),
        };
        Run {
            header,
            events: Vec::new(),
            now: Time::START,
            holds: [0; 3],
            grants: 0,
            requests: 0,
            version: 0,
            value: String::new(),
            read: Default::default(),
        }
    }

    /// The next events happen at this millisecond.
    pub fn at(&mut self, millis: u64) -> &mut Run {
        self.now = Time::START + Span::from_millis(millis);
        self
    }

    pub fn what(&mut self, what: What) -> &mut Run {
        self.events.push(Event { at: self.now, what });
        self
    }

    pub fn client(&mut self, client: ClientId, event: ClientEvent) -> &mut Run {
        self.what(What::Client { client, event })
    }

    pub fn lock(&mut self, client: ClientId, event: LockEvent) -> &mut Run {
        self.client(client, ClientEvent::Lock { lock: LOCK, event })
    }

    pub fn fault(&mut self, fault: FaultEvent) -> &mut Run {
        self.what(What::Fault(fault))
    }

    pub fn waits(&mut self, client: ClientId) -> &mut Run {
        self.lock(client, LockEvent::Acquiring)
    }

    /// The service grants a lease that ends at a millisecond; `None`: never.
    pub fn granted(&mut self, client: ClientId, ends: Option<u64>) -> &mut Run {
        self.grants += 1;
        let ends = ends.map(|millis| Time::START + Span::from_millis(millis));
        let grant = GrantId(self.grants);
        self.what(What::Grant {
            lock: LOCK,
            event: GrantEvent::Granted { grant, holder: client, mode: Mode::Exclusive, ends },
        })
    }

    /// The client is told "acquired" and enters.
    pub fn enters(&mut self, client: ClientId) -> &mut Run {
        self.enters_with(client, None)
    }

    pub fn enters_with(&mut self, client: ClientId, token: Option<Token>) -> &mut Run {
        self.holds[usize::from(client.0)] += 1;
        let hold = self.holds[usize::from(client.0)];
        self.lock(client, LockEvent::Acquired { token, valid_for: Some(Span::from_secs(10)) });
        self.client(client, ClientEvent::Entered { lock: LOCK, hold, mode: Mode::Exclusive })
    }

    /// Waits, is granted and enters, all at once.
    pub fn acquires(&mut self, client: ClientId, ends: Option<u64>) -> &mut Run {
        self.waits(client).granted(client, ends).enters(client)
    }

    pub fn ends(&mut self, grant: u32, why: GrantEnd, by: Option<ClientId>) -> &mut Run {
        self.what(What::Grant { lock: LOCK, event: GrantEvent::Ended { grant: GrantId(grant), why, by } })
    }

    pub fn expires(&mut self, grant: u32) -> &mut Run {
        self.ends(grant, GrantEnd::Expired, None)
    }

    pub fn moves(&mut self, grant: u32, ends: Option<u64>, by: ClientId) -> &mut Run {
        let ends = ends.map(|millis| Time::START + Span::from_millis(millis));
        self.what(What::Grant { lock: LOCK, event: GrantEvent::Moved { grant: GrantId(grant), ends, by: Some(by) } })
    }

    pub fn leaves(&mut self, client: ClientId, why: LeaveReason) -> &mut Run {
        let hold = self.holds[usize::from(client.0)];
        self.client(client, ClientEvent::Left { lock: LOCK, hold, why })
    }

    /// Leaves and gives back a grant that is still its own.
    pub fn releases(&mut self, client: ClientId, grant: u32) -> &mut Run {
        self.leaves(client, LeaveReason::Releasing).ends(grant, GrantEnd::Removed, Some(client));
        self.lock(client, LockEvent::Released).client(client, ClientEvent::Finished { done: true })
    }

    /// Leaves and deletes another's grant.
    pub fn releases_by(&mut self, client: ClientId, grant: u32) -> &mut Run {
        self.leaves(client, LeaveReason::Releasing);
        self.executes(client, Phase::Release, REDIS).ends(grant, GrantEnd::Removed, Some(client));
        self.lock(client, LockEvent::Released).client(client, ClientEvent::Finished { done: true })
    }

    /// A server runs a command of a client.
    pub fn executes(&mut self, client: ClientId, phase: Phase, node: NodeId) -> &mut Run {
        let (command, request) = (Arc::new(Command::new(["PING"])), Some(RequestId(0)));
        self.what(What::Executed { client: Some(client), node, request, phase, command, reply: None })
    }

    pub fn executed(&mut self, client: ClientId, node: NodeId) -> &mut Run {
        self.executes(client, Phase::Acquire, node)
    }

    /// Leaves, and finds that there is nothing of its own to give back.
    pub fn releases_nothing(&mut self, client: ClientId) -> &mut Run {
        self.leaves(client, LeaveReason::Releasing);
        self.lock(client, LockEvent::ReleaseFailed { why: Refusal::NotHolder });
        self.client(client, ClientEvent::Finished { done: true })
    }

    pub fn reads(&mut self, client: ClientId) -> &mut Run {
        self.read[usize::from(client.0)] = (self.version, self.value.clone());
        let effected = Effected { base: self.version, version: self.version, value: self.value.as_str().into() };
        self.effect(client, Operation::Read, Outcome::Accepted(effected))
    }

    pub fn writes(&mut self, client: ClientId) -> &mut Run {
        let (base, value) = self.read[usize::from(client.0)].clone();
        self.value = format!("{value}{}", self.header.clients[usize::from(client.0)].name);
        self.version += 1;
        let effected = Effected { base, version: self.version, value: self.value.as_str().into() };
        self.effect(client, Operation::Write, Outcome::Accepted(effected))
    }

    pub fn write_refused(&mut self, client: ClientId, because: &str) -> &mut Run {
        self.effect(client, Operation::Write, Outcome::Refused { because: Arc::from(because) })
    }

    pub fn write_refused_with(&mut self, client: ClientId, token: Token, because: &str) -> &mut Run {
        self.write_refused(client, because);
        if let Some(Event { what: What::Effect(effect), .. }) = self.events.last_mut() {
            Arc::make_mut(effect).token = Some(token);
        }
        self
    }

    pub fn effect(&mut self, client: ClientId, operation: Operation, outcome: Outcome) -> &mut Run {
        self.requests += 1;
        let (hold, request) = (self.holds[usize::from(client.0)], RequestId(self.requests));
        let effect = Effect { client, hold, request, cell: CellId(0), operation, token: None, outcome };
        self.what(What::Effect(effect.into()))
    }

    pub fn pauses(&mut self, client: ClientId, millis: u64) -> &mut Run {
        self.fault(FaultEvent::Paused { client, task: false, length: Some(Span::from_millis(millis)) })
    }

    pub fn resumes(&mut self, client: ClientId) -> &mut Run {
        self.fault(FaultEvent::Resumed { client })
    }

    pub fn crashes(&mut self, client: ClientId) -> &mut Run {
        self.fault(FaultEvent::Crashed { client })
    }

    pub fn cut(&mut self, client: ClientId) -> &mut Run {
        self.fault(FaultEvent::Cut { from: Machine::Client(client), to: Machine::Node(REDIS) })
    }

    /// Everybody so far came as a reader.
    pub fn shared(&mut self) -> &mut Run {
        for event in &mut self.events {
            match &mut event.what {
                What::Grant { event: GrantEvent::Granted { mode, .. }, .. }
                | What::Client { event: ClientEvent::Entered { mode, .. }, .. } => *mode = Mode::Shared,
                _ => {}
            }
        }
        self
    }

    /// The run is over.
    pub fn end(&mut self, why: EndReason) -> History {
        self.what(What::End(why));
        History { header: self.header.clone(), events: self.events.clone() }
    }

    pub fn quiet(&mut self) -> History {
        self.end(EndReason::Quiet)
    }
}

/// A (lease 10 s) stops for 15 s; B acquires meanwhile, writes and leaves; A writes when it wakes.
pub fn gc_pause() -> Run {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).reads(A);
    run.at(1_000).waits(B);
    run.at(2_000).pauses(A, 15_000);
    run.at(10_001).expires(1);
    run.at(10_100).granted(B, Some(20_101)).enters(B).reads(B);
    run.at(12_100).writes(B).releases(B, 2);
    run.at(17_000).resumes(A).writes(A).releases_nothing(A);
    run
}
