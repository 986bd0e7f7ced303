//! What the world knows of each client and each server.

use std::sync::Arc;

use crate::history::{Machine, Outcome, Phase, Trouble};
use crate::resource::Ask;
use crate::time::{LocalClock, Span, Time};
use crate::wire::{ClientId, Command, LockId, NodeId, Reply, RequestId, SharedRecords};
use crate::worker::Input;

/// Something that is going to happen.
#[derive(Clone, Debug)]
pub(super) enum Pending {
    /// For one life of one client.
    ForClient { client: ClientId, life: u32, item: ForClient },
    /// A command arrives at one start (`boot`) of one server. `served`: its slow server has taken its time.
    Request { client: ClientId, life: u32, node: NodeId, boot: u32, message: Message, served: bool },
    /// A request arrives at the resource.
    Ask { client: ClientId, life: u32, request: RequestId, ask: Arc<Ask> },
    /// A replica applies its master's stream.
    Replicate { replica: NodeId, boot: u32, upto: u64 },
    /// Time alone changes something at a server.
    Due(NodeId),
    /// The time-out of a command that blocks.
    BlockedTooLong { node: NodeId, client: ClientId, request: RequestId },
    /// A fault strikes: an index into the plan's faults.
    Strike(usize),
    /// A fault ends.
    Lift(Lift),
}

const _: () =
    assert!(size_of::<Pending>() <= 48, "pending events are moved at every step: what is large and rare is shared");

/// What a client is going to notice. A paused client notices it at the resume.
#[derive(Clone, Debug)]
pub(super) enum ForClient {
    Timer {
        generation: u32,
    },
    Reply {
        node: NodeId,
        request: RequestId,
        phase: Phase,
        reply: Arc<Reply>,
    },
    Answer {
        request: RequestId,
        outcome: Outcome,
    },
    Push {
        node: NodeId,
        message: Arc<Reply>,
    },
    Disconnected {
        request: RequestId,
    },
    /// What had arrived, but had not been handled when the client was stopped.
    Arrived(Box<Input>),
}

/// A command on its way.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub request: RequestId,
    pub phase: Phase,
    pub command: Arc<Command>,
}

/// The end of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Lift {
    Resume(ClientId),
    Restart(ClientId),
    Up { node: NodeId, data_kept: bool },
    InUse(NodeId),
    Promote(NodeId),
    Heal(Machine, Machine),
    Drift(Machine),
    Slow(NodeId),
}

/// How far a client is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Stopped {
    No,
    /// Its work only.
    Task,
    /// Its whole process.
    Process,
}

/// A client, as the world sees it.
#[derive(Clone, Debug)]
pub(super) struct ClientState {
    pub clock: LocalClock,
    /// Counts its lives from 1; 0 before its first.
    pub life: u32,
    pub up: bool,
    pub stopped: Stopped,
    /// It was stopped while being drained: the drain goes on at the resume.
    pub interrupted: bool,
    /// What has come for it while it was stopped.
    pub backlog: Vec<ForClient>,
    /// Requests without an answer yet, and whom they were sent to (`None`: the resource).
    pub outstanding: Vec<(RequestId, Option<NodeId>)>,
    /// Its pending timer: later ones outdate earlier ones.
    pub timer: u32,
    pub wakes: Option<i64>,
    /// Whether one of its timers may stand in the queue, if only one that its death has outdated.
    pub is_timed: bool,
    /// The databases that it has a connection to, and those whose connection it has lost without having noticed: its next statement fails.
    pub connected: Vec<NodeId>,
    pub broken: Vec<NodeId>,
    /// The holds that it is inside of.
    pub inside: Vec<(LockId, u32)>,
    /// How many holds it has had in all its lives.
    pub holds: u32,
    /// What happens to its next request, and to the next reply to it.
    pub request_trouble: Option<Trouble>,
    pub reply_trouble: Option<Trouble>,
}

impl ClientState {
    pub fn new(clock: LocalClock) -> ClientState {
        ClientState {
            clock,
            life: 0,
            up: false,
            stopped: Stopped::No,
            interrupted: false,
            backlog: Vec::new(),
            outstanding: Vec::new(),
            timer: 0,
            wakes: None,
            is_timed: false,
            connected: Vec::new(),
            broken: Vec::new(),
            inside: Vec::new(),
            holds: 0,
            request_trouble: None,
            reply_trouble: None,
        }
    }

    /// Forgets a request; false if it is not waited for.
    pub fn settle(&mut self, request: RequestId) -> bool {
        let place = self.outstanding.iter().position(|(waited, _)| *waited == request);
        place.map(|place| self.outstanding.swap_remove(place)).is_some()
    }
}

/// A client that waits for the end of a command that blocks.
#[derive(Clone, Debug)]
pub(super) struct Blocked {
    pub client: ClientId,
    pub life: u32,
    pub request: RequestId,
    pub phase: Phase,
    pub command: Arc<Command>,
    /// For WAIT: how many replicas must have reached which offset.
    pub replicas: Option<(u64, u64)>,
}

/// A server, as the world sees it.
#[derive(Clone, Debug)]
pub(super) struct NodeState {
    pub clock: LocalClock,
    pub up: bool,
    /// Up, but kept out of use after a restart.
    pub resting: bool,
    /// Counts its starts.
    pub boot: u32,
    pub slow: Span,
    /// A replica: how far it has applied its master's stream, and how far it has been asked to.
    pub applied: u64,
    pub asked: u64,
    pub lag: Span,
    /// A master's replication offset.
    pub offset: u64,
    pub is_replica: bool,
    pub blocked: Vec<Blocked>,
    /// Its latest reply, shared with an equal one that follows: whoever asks for a lock that is held hears what the one before heard.
    pub answered: Arc<Reply>,
    /// What an observer beside it sees.
    pub records: SharedRecords,
    /// The first instant at which one of the records is gone.
    pub next_gone: Time,
    /// When time alone changes something else there.
    pub due: Option<Time>,
}

impl NodeState {
    pub fn new(clock: LocalClock, is_replica: bool, lag: Span) -> NodeState {
        NodeState {
            clock,
            up: true,
            resting: false,
            boot: 0,
            slow: Span::ZERO,
            applied: 0,
            asked: 0,
            lag,
            offset: 0,
            is_replica,
            blocked: Vec::new(),
            answered: Arc::new(Reply::Nil),
            records: SharedRecords::new(),
            next_gone: Time::NEVER,
            due: None,
        }
    }

    /// A reply, shared with the one before if they are equal.
    pub fn share(&mut self, reply: Reply) -> Arc<Reply> {
        if *self.answered != reply {
            self.answered = Arc::new(reply);
        }
        self.answered.clone()
    }

    /// Whether clients can use it.
    pub fn serves(&self) -> bool {
        self.up && !self.resting
    }
}
