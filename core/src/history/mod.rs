//! What happened in a run: all that a checker, a drawing or an export ever looks at.

mod digest;
mod effect;
mod event;
mod fault;
mod grant;
mod header;
mod lines;
mod lock;
mod place;

pub use digest::Digest;
pub use effect::{CellId, Effect, Effected, Operation, Outcome, Token};
pub use event::{ClientEvent, Code, EndReason, Event, KeyChange, LeaveReason, LossReason, Phase, Section, What};
pub use fault::{FaultEvent, Machine, Trouble};
pub use grant::{GrantEnd, GrantEvent, GrantId};
pub use header::{ClientInfo, Guard, Header, LockInfo, NodeInfo, NodeRole, Promises, ResourceInfo, ResourceKind};
pub(crate) use lines::Object;
pub use lines::{LinesError, Problem};
pub use lock::{LockEvent, Mode, Refusal};
pub use place::{Place, PlaceClock};

/// The version of the history format that this build writes.
pub const VERSION: u32 = 1;

/// A whole run: its header, then everything that happened, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// What a reader needs to know before the first event.
    pub header: Header,
    /// The events, by time; simultaneous ones in the order in which they took effect.
    pub events: Vec<Event>,
}
