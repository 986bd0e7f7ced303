//! Models of the services on which locks live.
//!
//! A model is one server process as a pure state machine: its own clock's time and a command go in, a reply and the effects to
//! replicate come out. A server never knows which lock calls it.

pub mod consul;
pub mod database;
pub mod etcd;
pub mod kubernetes;
mod lease;
pub mod redis;
mod service;
mod sorted;
#[cfg(test)]
mod typed;
mod watch;
pub mod zookeeper;

pub use service::{Delivery, Execution, Outcome, Service};
