//! One type for every service: what the model keeps for each server of a run.
//!
//! To add a service: implement [`servers::Service`](crate::servers::Service) for its model, add its line to `services!`, and say in
//! [`Service::new`] which [`Topology`] it is. Everything else follows.

use std::hash::Hasher;

use super::Instant;
use super::parts::{Answer, Change, Delivery, Executed};
use super::plan::Plan;
use crate::history::KeyChange;
use crate::scenario::Topology;
use crate::servers::consul::Consul;
use crate::servers::database::Database;
use crate::servers::etcd::Etcd;
use crate::servers::kubernetes::Kubernetes;
use crate::servers::redis::Redis;
use crate::servers::zookeeper::ZooKeeper;
use crate::servers::{Execution, Outcome, Service as _};
use crate::time::Time;
use crate::wire::{ClientId, Command, Records, Reply};

macro_rules! services {
    ($($(#[$doc:meta])* $name:ident($service:ty),)+) => {
        /// A server of any service. Redis stands apart: the model drives its replication, scripts and memory.
        #[derive(Clone, Debug)]
        pub(super) enum Service {
            /// A redis-server.
            Redis(Redis),
            $($(#[$doc])* $name($service),)+
        }

        impl Service {
            /// The records that an observer beside the server sees.
            pub(super) fn records(&self, at: Instant<'_>) -> Records {
                match self {
                    Service::Redis(redis) => redis.records(at.clock, at.now),
                    $(Service::$name(service) => service.records(at.clock, at.now),)+
                }
            }

            /// Feeds what the server will answer into a hasher.
            pub(super) fn remember<H: Hasher>(&self, at: Instant<'_>, hasher: &mut H) {
                match self {
                    Service::Redis(redis) => redis.remember(at.local(), hasher),
                    $(Service::$name(service) => service.remember(at.local(), hasher),)+
                }
            }

            /// When time alone changes something that no record shows.
            pub(super) fn due(&self, at: Instant<'_>) -> Option<Time> {
                match self {
                    Service::Redis(_) => None,
                    $(Service::$name(service) => service.due(at.clock, at.now),)+
                }
            }

            fn run(&mut self, at: Instant<'_>, act: Act<'_>) -> Execution {
                match self {
                    Service::Redis(_) => unreachable!("the model drives Redis itself"),
                    $(Service::$name(service) => act.on(service, at),)+
                }
            }
        }
    };
}

services! {
    /// A ZooKeeper ensemble.
    ZooKeeper(ZooKeeper),
    /// An etcd cluster.
    Etcd(Etcd),
    /// A relational database.
    Database(Database),
    /// A Kubernetes API server.
    Kubernetes(Kubernetes),
    /// A Consul cluster.
    Consul(Consul),
}

impl Service {
    /// A fresh server of the kind that the plan's topology asks for.
    pub(super) fn new(plan: &Plan) -> Service {
        match plan.topology {
            Topology::ZooKeeper => Service::ZooKeeper(ZooKeeper::default()),
            Topology::Etcd => Service::Etcd(Etcd::default()),
            Topology::Consul => Service::Consul(Consul::default()),
            Topology::Database => Service::Database(Database::new(plan.database_settings)),
            Topology::Kubernetes => Service::Kubernetes(Kubernetes::default()),
            _ => Service::Redis(Redis::new(plan.redis_settings.clone(), plan.scripting.clone())),
        }
    }

    /// How many effects its replication stream has had; only a Redis has one.
    pub(super) fn offset(&self) -> u64 {
        match self {
            Service::Redis(redis) => redis.offset(),
            _ => 0,
        }
    }

    /// The Redis that it is, if it is one.
    pub(super) fn redis(&mut self) -> Option<&mut Redis> {
        match self {
            Service::Redis(redis) => Some(redis),
            _ => None,
        }
    }

    /// Does something with a service that is no Redis, and compares its records before and after.
    pub(super) fn act(&mut self, at: Instant<'_>, act: Act<'_>) -> Executed {
        let gone = if matches!(act, Act::Expire) { KeyChange::Expired } else { KeyChange::Deleted };
        let before = self.records(at);
        let Execution { outcome, deliveries } = self.run(at, act);
        let answer = match outcome {
            Outcome::Reply(reply) => Answer::Reply(reply),
            Outcome::Blocked { timeout } => Answer::Blocked { timeout },
        };
        Executed { answer, changes: changes(&before, self.records(at), gone), deliveries, offset: 0 }
    }
}

/// What can be done with a service.
#[derive(Clone, Copy, Debug)]
pub(super) enum Act<'a> {
    /// Run a command.
    Execute(Option<ClientId>, &'a Command),
    /// Answer a command that has blocked for too long.
    TimeOut(ClientId),
    /// Reset a connection.
    Disconnect(ClientId),
    /// Cut a connection without a word.
    CutOff(ClientId),
    /// End what is over.
    Expire,
    /// Stop.
    Down,
    /// Start again, with its data or without.
    Up(bool),
}

impl Act<'_> {
    fn on(self, service: &mut impl crate::servers::Service, at: Instant<'_>) -> Execution {
        let now = at.local();
        let silent = |deliveries: Vec<Delivery>| Execution { outcome: Outcome::Reply(Reply::ok()), deliveries };
        match self {
            Act::Execute(client, command) => service.execute(now, client, command),
            Act::TimeOut(client) => service.time_out(now, client).into(),
            Act::Disconnect(client) => silent(service.disconnect(now, client)),
            Act::CutOff(client) => silent(service.cut_off(now, client)),
            Act::Expire => silent(service.expire(now)),
            Act::Down => {
                service.down(now);
                silent(Vec::new())
            }
            Act::Up(data_kept) => {
                service.up(now, data_kept);
                silent(Vec::new())
            }
        }
    }
}

fn changes(before: &Records, after: Records, gone: KeyChange) -> Vec<Change> {
    let lost = before.keys().filter(|key| !after.contains_key(*key));
    let mut changes: Vec<Change> =
        lost.map(|key| Change { key: key.as_str().into(), change: gone, record: None }).collect();
    let touched = after.into_iter().filter(|(key, record)| before.get(key) != Some(record));
    changes.extend(touched.map(|(key, record)| Change {
        key: key.into(),
        change: KeyChange::Changed,
        record: Some(record),
    }));
    changes
}
