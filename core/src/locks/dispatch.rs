//! One type for every lock client.

use std::hash::Hasher;

use super::{Input, Interpreter, LockClient, Output, Redlock};
use crate::time::LocalTime;

/// A client of any lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// A listing.
    Listing(Interpreter),
    /// Several independent Redis nodes.
    Redlock(Redlock),
}

impl Client {
    /// The same client after a crash: it knows nothing, but its next token is still a new one.
    pub fn restarted(&self) -> Client {
        match self {
            Client::Listing(client) => Client::Listing(client.restarted()),
            Client::Redlock(client) => Client::Redlock(client.restarted()),
        }
    }

    /// Writes what the client will do from here on into a hash, with local times relative to `now`: for a search that recognises a
    /// state which it has met at another time.
    pub fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        match self {
            Client::Listing(client) => client.hash_relative(now, out),
            Client::Redlock(client) => client.hash_relative(now, out),
        }
    }

    /// How many requests the client has made so far: what a request's number is compared with where only its age counts.
    pub fn requests(&self) -> u32 {
        match self {
            Client::Listing(client) => client.requests(),
            Client::Redlock(client) => client.requests(),
        }
    }
}

impl LockClient for Client {
    fn handle(&mut self, now: LocalTime, input: Input) {
        match self {
            Client::Listing(client) => client.handle(now, input),
            Client::Redlock(client) => client.handle(now, input),
        }
    }

    fn poll(&mut self) -> Output {
        match self {
            Client::Listing(client) => client.poll(),
            Client::Redlock(client) => client.poll(),
        }
    }
}
