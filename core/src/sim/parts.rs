//! The seam between the world and what it is made of: models in a simulation, real processes in a live run.
//!
//! The world owns time, network, faults and order; the parts own what clients and servers do. A live run on the virtual clock is this very
//! world with real servers and real client processes behind the seam, which is why the two can be compared to the microsecond.

use std::sync::Arc;

use crate::history::{KeyChange, Outcome};
use crate::resource::Ask;
pub use crate::servers::Delivery;
use crate::time::{LocalClock, LocalTime, Span, Time};
use crate::wire::{ClientId, Command, NodeId, Record, Records, Reply, RequestId};
use crate::worker::{Input, Output};

/// Clients and servers. Every method may fail where the parts are real (`Error`); models cannot fail.
pub trait Parts {
    /// What can go wrong with the parts themselves; never a fault of the scenario.
    type Error;

    /// Time goes on to an instant. Parts that live in real time wait for it, and tell what time it is then: that instant or later.
    fn reach(&mut self, now: Time) -> Result<Time, Self::Error> {
        Ok(now)
    }

    /// A client's process begins its `life` (from 1), not yet started; `holds` counts the holds of its earlier lives.
    fn spawn(&mut self, client: ClientId, life: u32, holds: u32) -> Result<(), Self::Error>;
    /// A client's process dies.
    fn kill(&mut self, client: ClientId) -> Result<(), Self::Error>;
    /// A client's process stops (true) or goes on (false). The world keeps what comes meanwhile.
    fn freeze(&mut self, client: ClientId, frozen: bool) -> Result<(), Self::Error>;
    /// Gives a client an input, if there is one, and takes its next output.
    fn drive(&mut self, client: ClientId, now: LocalTime, input: Option<Input>) -> Result<Output, Self::Error>;

    /// A server runs a command.
    fn execute(&mut self, call: Call<'_>) -> Result<Executed, Self::Error>;
    /// The reply to a command that had blocked: for WAIT, `acknowledged` replicas have the write (enough, or the time-out has come);
    /// for any other its time-out has come.
    fn unblock(&mut self, at: Instant<'_>, client: ClientId, acknowledged: Option<u64>) -> Result<Reply, Self::Error>;
    /// A client's connection to a server is gone, and with it what lived only as long as the connection.
    fn disconnect(&mut self, at: Instant<'_>, client: ClientId) -> Result<Executed, Self::Error>;
    /// A client's connection to a server is cut, and nobody tells the server.
    fn cut_off(&mut self, at: Instant<'_>, client: ClientId) -> Result<Executed, Self::Error> {
        self.disconnect(at, client)
    }
    /// When time alone changes something at a server that no record shows, such as the end of a wait.
    fn due(&mut self, _at: Instant<'_>) -> Result<Option<Time>, Self::Error> {
        Ok(None)
    }
    /// A server removes what has expired by its own clock.
    fn expire(&mut self, at: Instant<'_>) -> Result<Executed, Self::Error>;
    /// All records of a server, after its clock or its data changed as a whole.
    fn records(&mut self, at: Instant<'_>) -> Result<Records, Self::Error>;

    /// A replica applies its master's stream up to an offset.
    fn replicate(&mut self, at: Instant<'_>, master: NodeId, upto: u64) -> Result<Vec<Change>, Self::Error>;
    /// A replica takes over all that its master has, as a full synchronisation does.
    fn synchronise(&mut self, at: Instant<'_>, master: NodeId) -> Result<(), Self::Error>;
    /// A replica becomes the master.
    fn promote(&mut self, at: Instant<'_>) -> Result<(), Self::Error>;
    /// A server process dies. Gives what its death alone changes of the records: a service that is down may not let a lease end.
    fn down(&mut self, at: Instant<'_>) -> Result<Vec<Change>, Self::Error>;
    /// It starts again, with its data or without.
    fn up(&mut self, at: Instant<'_>, data_kept: bool) -> Result<(), Self::Error>;
    /// A server evicts a key.
    fn evict(&mut self, at: Instant<'_>, key: &str) -> Result<Vec<Change>, Self::Error>;
    /// A server's script cache is emptied.
    fn flush_scripts(&mut self, at: Instant<'_>) -> Result<(), Self::Error>;

    /// The resource answers.
    fn answer(&mut self, client: ClientId, request: RequestId, ask: &Ask) -> Result<Outcome, Self::Error>;
}

/// A server at an instant: what its clock shows, and how to read that clock.
#[derive(Clone, Copy, Debug)]
pub struct Instant<'a> {
    /// Which server.
    pub node: NodeId,
    /// True time.
    pub now: Time,
    /// The server's clock.
    pub clock: &'a LocalClock,
}

impl Instant<'_> {
    /// What the server's clock shows.
    pub fn local(&self) -> LocalTime {
        self.clock.read(self.now)
    }
}

/// A command on its way into a server.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Where and when.
    pub at: Instant<'a>,
    /// From whom; `None`: an operator.
    pub client: Option<ClientId>,
    /// The command.
    pub command: &'a Arc<Command>,
}

/// What running a command did.
#[derive(Clone, Debug, Default)]
pub struct Executed {
    /// The reply, or what it waits for.
    pub answer: Answer,
    /// The records that changed on this server, in order.
    pub changes: Vec<Change>,
    /// What other clients get: messages to subscribers, and answers to commands that had blocked.
    pub deliveries: Vec<Delivery>,
    /// The server's replication offset after the command.
    pub offset: u64,
}

/// The answer to a command.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A reply.
    Reply(Reply),
    /// WAIT: a reply once so many replicas have reached the offset, or at the time-out (`None`: never).
    Replicas {
        /// How many are asked for.
        count: u64,
        /// The offset.
        offset: u64,
        /// The time-out.
        timeout: Option<Span>,
    },
    /// Another blocking command: a reply by a [`Delivery`], or at the time-out.
    Blocked {
        /// The time-out.
        timeout: Option<Span>,
    },
}

impl Default for Answer {
    fn default() -> Answer {
        Answer::Reply(Reply::ok())
    }
}

/// A record that changed.
#[derive(Clone, Debug)]
pub struct Change {
    /// The key.
    pub key: Arc<str>,
    /// How.
    pub change: KeyChange,
    /// The record now; `None`: gone.
    pub record: Option<Record>,
}
