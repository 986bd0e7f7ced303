//! What is played: servers, a lock, a resource, clients, a network and faults, as a value that cannot be wrong.

mod comparison;
mod complete;
mod edit;
mod expectation;
mod fault;
pub mod library;
mod milestone;
mod parse;
mod parts;
mod problem;
mod set;
mod write;

pub use comparison::Comparison;
pub use complete::{Completion, complete};
pub use edit::{with_fault, without_fault};
pub use expectation::Expectation;
pub use fault::{Fault, FaultKind, Leg, Moment, Trigger};
pub use milestone::Milestone;
pub use parse::{fault_keys, file_keys};
pub use parts::{
    ClientSetting, DatabaseSetting, LinkSetting, LockSetting, Memory, NetworkSetting, Persistence, ResourceHome,
    ResourceSetting, ServerSetting, Topology,
};
pub use problem::{Problem, ScenarioErrors};
pub use set::{SetError, set};
pub use write::{written_faults, written_moment};

use std::sync::Arc;

use crate::i18n::Text;
use crate::time::{Span, Time};

/// A scenario. Made by parsing a file, which checks every name and number; ids in it are valid for its own lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Topic and file stem, such as `expiry/gc-pause`.
    pub name: Arc<str>,
    /// What happens, in a few words.
    pub title: Text,
    /// What a reader should ask before looking.
    pub question: Text,
    /// What to take home.
    pub lesson: Text,
    /// Where the story comes from, such as a case's number and its address.
    pub source: Option<String>,
    /// The seed of its choices, where the story needs chance; `None`: every default.
    pub seed: Option<u64>,
    /// When the run ends; `None`: when nothing is left to happen.
    pub until: Option<Time>,
    /// How long after the last fault somebody must have got the lock; `None`: three times the ttl.
    pub within: Option<Span>,
    /// Why it cannot be played on real servers; `None`: it can.
    pub not_live: Option<Text>,
    /// The servers.
    pub servers: ServerSetting,
    /// The lock.
    pub lock: LockSetting,
    /// The resource.
    pub resource: ResourceSetting,
    /// The clients, in file order.
    pub clients: Vec<ClientSetting>,
    /// The network.
    pub network: NetworkSetting,
    /// The faults, in file order.
    pub faults: Vec<Fault>,
    /// What is expected, one for each lock that teaches something here; at least one.
    pub expectations: Vec<Expectation>,
}
