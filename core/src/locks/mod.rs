//! Lock clients: state machines without I/O, and the contract that the simulator and the live driver both keep.
//!
//! Most locks are listings (`listings/*.lock`), run by one interpreter; a lock that needs more is one file of Rust. The
//! registry knows them all by name.
//!
//! A library that differs from one of them only in numbers and switches is a *preset* of it: an entry in `libraries.rs`.
//!
//! To add a lock that is a listing: its text in `listings/`, its explanation in `explain/`, an entry in `shipped.rs`. To add one in Rust: a
//! file with its state machine and a `kind()` whose [`Implementation`] is `Machine`, a variant of [`Client`], and where its records are read
//! in another way, of [`Reading`]; then its `kind()` in `shipped.rs`. One that asks a single service writes no state machine, only what is its own
//! of it: see `one_service`.

mod client;
mod consul;
mod dispatch;
mod etcd;
mod explained;
mod grants;
mod interpreter;
mod kind;
mod kubernetes;
mod libraries;
pub mod listing;
mod one_service;
mod outbox;
mod params;
mod presets;
mod reading;
mod redisson;
mod redlock;
mod registry;
mod shipped;
#[cfg(test)]
mod stage;
mod tables;
mod zookeeper;

pub use client::{Input, LockClient, LockRequest, Output};
pub use consul::Consul;
pub use dispatch::Client;
pub use etcd::Etcd;
pub use grants::{ChangeCause, GrantTracker};
pub use interpreter::{Interpreter, MAX_RENEWALS, RENEW_EVERY};
pub use kind::{
    Defaults, Implementation, Kind, LONGEST_TTL, Needs, ParamError, ParamProblem, Parameter, Range, Standing,
};
pub use kubernetes::Kubernetes;
pub use params::{Identity, Params, TokenForm, Value};
pub use presets::{Difference, Preset, preset};
pub use reading::{Fields, Holding, NodeRecords, Place, Reading};
pub use redisson::{Multi, Redisson};
pub use redlock::Redlock;
pub use registry::{UnknownLock, find, kinds};
pub use tables::tables;
pub use zookeeper::ZooKeeper;
