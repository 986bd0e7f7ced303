//! One type for every lock client.

use std::hash::Hasher;

use super::{Consul, Etcd, Input, Interpreter, Kubernetes, LockClient, Multi, Output, Redisson, Redlock, ZooKeeper};
use crate::time::LocalTime;

macro_rules! clients {
    ($($(#[$doc:meta])* $name:ident($client:ty),)+) => {
        /// A client of any lock.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Client {
            $($(#[$doc])* $name($client),)+
        }

        impl Client {
            /// The same client after a crash: it knows nothing, but its next token is still a new one.
            pub fn restarted(&self) -> Client {
                match self {
                    $(Client::$name(client) => Client::$name(client.restarted()),)+
                }
            }

            /// Writes what the client will do from here on into a hash, with local times relative to `now`: for a search that recognises a
            /// state which it has met at another time.
            pub fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
                match self {
                    $(Client::$name(client) => client.hash_relative(now, out),)+
                }
            }

            /// How many requests the client has made so far: what a request's number is compared with where only its age counts.
            pub fn requests(&self) -> u32 {
                match self {
                    $(Client::$name(client) => client.requests(),)+
                }
            }
        }

        impl LockClient for Client {
            fn handle(&mut self, now: LocalTime, input: Input) {
                match self {
                    $(Client::$name(client) => client.handle(now, input),)+
                }
            }

            fn poll(&mut self) -> Output {
                match self {
                    $(Client::$name(client) => client.poll(),)+
                }
            }
        }
    };
}

impl Client {
    /// Whether the client, or a command of it, reads a wall clock for more than how much time has passed; true where that is not known.
    pub fn tells_wall_clock(&self) -> bool {
        match self {
            Client::Listing(client) => client.tells_wall_clock(),
            Client::Redlock(client) => client.tells_wall_clock(),
            Client::Redisson(_)
            | Client::Multi(_)
            | Client::ZooKeeper(_)
            | Client::Etcd(_)
            | Client::Kubernetes(_)
            | Client::Consul(_) => true,
        }
    }
}

clients! {
    /// A listing.
    Listing(Interpreter),
    /// Several independent Redis nodes.
    Redlock(Redlock),
    /// One of Redisson's locks.
    Redisson(Redisson),
    /// Several of Redisson's locks as one.
    Multi(Multi),
    /// Sequential znodes on ZooKeeper.
    ZooKeeper(ZooKeeper),
    /// A queue of keys on etcd.
    Etcd(Etcd),
    /// Leader election on a Kubernetes Lease.
    Kubernetes(Kubernetes),
    /// A session that acquires a key on Consul.
    Consul(Consul),
}
