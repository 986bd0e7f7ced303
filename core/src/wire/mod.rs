//! What crosses the network: commands, replies, and the records that a service keeps.
//!
//! Every service is spoken to in words, as one would type them into its command line client: `SET lock A-1 NX PX 10000` for
//! Redis, `create -s -e /lock/n-` for ZooKeeper, an SQL statement for a database. One shape for all of them keeps listings, logs and drawings
//! the same for every lock.

mod bytes;
mod command;
mod ids;
mod record;
mod reply;

pub use bytes::Bytes;
pub use command::Command;
pub use ids::{ClientId, LockId, NodeId, RequestId};
pub use record::{Record, RecordValue, Records, SharedRecords};
pub use reply::Reply;
