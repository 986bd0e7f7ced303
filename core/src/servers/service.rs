//! What a service is to the world around it, if its clients see it as one server: etcd, ZooKeeper, Kubernetes, Consul, a database.
//!
//! Redis is more than that (replicas, scripts, eviction) and stands beside this contract; a single Redis could keep it too.

use std::hash::Hasher;

use crate::time::{LocalClock, LocalTime, Span, Time};
use crate::wire::{ClientId, Command, Records, Reply};

/// A service that its clients see as one server.
///
/// It is a pure state machine, told what its own clock shows. Time alone changes it only where one of its [records](Service::records) has an
/// end, or where it is [`due`](Service::due): at that instant the world calls [`expire`](Service::expire). What changed, the world sees by
/// comparing the records.
pub trait Service {
    /// Runs one command of a client, or of an operator (`None`).
    fn execute(&mut self, now: LocalTime, client: Option<ClientId>, command: &Command) -> Execution;

    /// Ends a client's command that had blocked for as long as it said: its reply.
    fn time_out(&mut self, now: LocalTime, client: ClientId) -> Reply;

    /// A client's connection is gone, and with it all that lived as long as the connection. Gives what others get because of it.
    fn disconnect(&mut self, now: LocalTime, client: ClientId) -> Vec<Delivery>;

    /// A client's connection is cut and nobody tells the service, which finds out in its own time. Unless the service says otherwise: at once.
    fn cut_off(&mut self, now: LocalTime, client: ClientId) -> Vec<Delivery> {
        self.disconnect(now, client)
    }

    /// When time alone changes something that no record shows, such as the end of a wait: at that instant the world calls
    /// [`expire`](Service::expire), too.
    fn due(&self, _clock: &LocalClock, _now: Time) -> Option<Time> {
        None
    }

    /// Ends whatever is over by the service's clock. Gives what waiting clients get because of it.
    fn expire(&mut self, now: LocalTime) -> Vec<Delivery>;

    /// The service stops answering: it crashed, or lost its leader. Its connections have been reset.
    fn down(&mut self, now: LocalTime);

    /// It answers again: a new process, or a new leader; with its data or without.
    fn up(&mut self, now: LocalTime, data_kept: bool);

    /// What an observer beside the service sees at `now`, when the service's clock is `clock`.
    fn records(&self, clock: &LocalClock, now: Time) -> Records;

    /// Feeds what the service will answer into a hasher: instants relative to `now`; numbers that clients name or compare, as they are.
    fn remember<H: Hasher>(&self, now: LocalTime, hasher: &mut H);
}

/// The result of one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// What the caller gets.
    pub outcome: Outcome,
    /// What other clients get because of it, in order.
    pub deliveries: Vec<Delivery>,
}

/// What the caller of a command gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A reply.
    Reply(Reply),
    /// No reply yet: it comes as a [`Delivery`] that answers, or at the time-out (`None`: never).
    Blocked {
        /// How long the caller waits at most.
        timeout: Option<Span>,
    },
}

/// Something for a client that it did not just ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// To whom.
    pub client: ClientId,
    /// What.
    pub message: Reply,
    /// It answers a command that had blocked; else it is a message on a channel or a watch.
    pub answers: bool,
}

impl Execution {
    /// The reply; `None`: not yet.
    pub fn reply(&self) -> Option<&Reply> {
        match &self.outcome {
            Outcome::Reply(reply) => Some(reply),
            Outcome::Blocked { .. } => None,
        }
    }
}

impl From<Reply> for Execution {
    fn from(reply: Reply) -> Execution {
        Execution { outcome: Outcome::Reply(reply), deliveries: Vec::new() }
    }
}
