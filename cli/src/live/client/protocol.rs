//! What the driver and a client process say to each other: one JSON value a line.

use std::net::SocketAddr;

use locklab_core::choices::ChoiceLabel;
use locklab_core::locks::{self, Kind};
use serde::{Deserialize, Serialize};

use super::super::change::Changes;

/// From the driver to the client process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The first order: who you are.
    Setup(Box<Setup>),
    /// Take this input; your clock shows so much.
    Handle {
        /// The calendar clock in microseconds since the run's epoch.
        wall: i64,
        /// The monotonic clock in microseconds since the run's start.
        monotonic: i64,
        /// What happened.
        told: Told,
    },
    /// Give the next output; your clock shows so much. Answered by a [`Want`].
    Poll {
        /// The calendar clock in microseconds since the run's epoch.
        wall: i64,
        /// The monotonic clock in microseconds since the run's start.
        monotonic: i64,
    },
}

/// Who a client is, and where its links begin.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// The scenario's name.
    pub name: String,
    /// The scenario's file, as text.
    pub source: String,
    /// The lock that is played.
    pub lock: String,
    /// Its listing, when it is not one that this program brings.
    pub code: Option<String>,
    /// How the scenario is changed for this run.
    pub changes: Changes,
    /// Which of the scenario's clients.
    pub client: u16,
    /// The how-manieth process of this client, from 1.
    pub life: u32,
    /// How many holds its earlier processes had.
    pub holds: u32,
    /// Its links to the servers, by node.
    pub nodes: Vec<SocketAddr>,
    /// Its link to the resource.
    pub resource: SocketAddr,
}

impl Setup {
    /// What all clients of a run are told alike.
    pub fn new(name: &str, source: &str, lock: &Kind, changes: Changes) -> Setup {
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
        let shipped = locks::find(&lock.name).is_ok_and(|shipped| shipped.code == lock.code);
        let code = (!shipped).then(|| lock.code.to_string());
        let (name, source, lock) = (name.into(), source.into(), lock.name.to_string());
        Setup { name, source, lock, code, changes, client: 0, life: 1, holds: 0, nodes: Vec::new(), resource: nowhere }
    }
}

/// A worker's input, without what the process reads from its own connections.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// Begin.
    Start,
    /// A server's reply to this request is on its connection.
    Reply(u32),
    /// The resource's answer to this request is on its connection.
    Answer(u32),
    /// A message from this node is on the connection that has this port.
    Push {
        /// The node.
        from: u8,
        /// The port of the client's side.
        line: u16,
    },
    /// The connection of this request has been closed.
    Disconnected(u32),
    /// The work stops (true) or goes on.
    Suspend(bool),
    /// The timer.
    Timer,
    /// The index that was chosen.
    Chosen(u32),
}

/// A worker's output, without what the process has put on its own connections.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Want {
    /// A command for a server is on the connection that has this port.
    Send {
        /// The event `sent` as a line of a history.
        sent: String,
        /// The port of the client's side.
        line: u16,
    },
    /// A question for the resource is on the connection that has this port.
    Ask {
        /// The request's number.
        request: u32,
        /// The port of the client's side.
        line: u16,
    },
    /// The answer to this request is no longer wanted; its connection is closed.
    Cancel(u32),
    /// What the client did or learned, as a line of a history.
    Event(String),
    /// Pick an index.
    Choose {
        /// What is chosen.
        pick: Pick,
        /// How many there are.
        count: u32,
    },
    /// Nothing more to do until an input comes or the monotonic clock shows so much.
    Wait(Option<i64>),
    /// The process cannot go on.
    Failed(String),
}

/// What a client may leave to chance.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pick {
    /// The random part of a delay.
    Jitter,
    /// The order of nodes.
    NodeOrder,
}

impl From<ChoiceLabel> for Pick {
    fn from(label: ChoiceLabel) -> Pick {
        if label == ChoiceLabel::NodeOrder { Pick::NodeOrder } else { Pick::Jitter }
    }
}

impl From<Pick> for ChoiceLabel {
    fn from(pick: Pick) -> ChoiceLabel {
        match pick {
            Pick::Jitter => ChoiceLabel::Jitter,
            Pick::NodeOrder => ChoiceLabel::NodeOrder,
        }
    }
}
