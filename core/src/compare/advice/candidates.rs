//! What there is to choose from, the plainest first, and what the choice must withstand.

use super::{Check, Server, Situation, Stakes, Task};
use crate::compare::{Means, Mechanism, Threat};
use crate::locks::{self, Kind, Needs, Standing};
use crate::time::Span;

/// The locks on one Redis that are recommended, the plainest first. What they are good for is not written here: it is played.
const ON_REDIS: [&str; 3] = ["token-lua", "watchdog", "fenced"];

/// The longest work that surely fits into an ordinary lease.
const SHORT: Span = Span::from_secs(1);

/// Something that the choice must withstand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Demand {
    /// What.
    pub threat: Threat,
    /// Whether the service must not even let two clients in.
    pub is_strict: bool,
}

/// What the choice must withstand.
pub(super) fn demands(situation: &Situation) -> Vec<Demand> {
    // Whoever is in the way of others for ever is no use even where mistakes are cheap.
    let mut threats = vec![Threat::CrashHolding, Threat::CrashBetween];
    if situation.work.is_none_or(|work| work > SHORT) {
        threats.push(Threat::LongWork);
    }
    if situation.stakes >= Stakes::Harm {
        threats.extend([Threat::Pause, Threat::PauseAfterCheck, Threat::LateRequest, Threat::LostReply]);
    }
    if situation.task == Task::Once {
        threats.push(Threat::Duplicate);
    }
    let demands = threats.into_iter().map(|threat| Demand { threat, is_strict: false });
    // A pause brings two inside with any lock; where money is at stake, the failure of a server must not.
    let of_servers = [Threat::Failover, Threat::RestartEmpty, Threat::ClockOne, Threat::ClockMajority];
    let of_servers = of_servers.into_iter().filter(|_| situation.stakes == Stakes::Money);
    demands.chain(of_servers.map(|threat| Demand { threat, is_strict: true })).collect()
}

/// What there is to choose from, the plainest first: no lock where the resource can do without, else locks on the servers that there are.
pub(super) fn candidates(situation: &Situation) -> Vec<Mechanism> {
    let mut candidates = without_lock(situation);
    let locks = hosted(situation);
    // What the resource can check is checked, where a mistake costs more than work.
    if situation.stakes > Stakes::Waste {
        candidates.extend(locks.iter().filter_map(|lock| checked(lock, situation.check)));
    }
    candidates.extend(locks.into_iter().map(|lock| Mechanism { lock, means: Means::Nothing }));
    if candidates.is_empty() {
        candidates.extend(named("none", Means::Nothing));
    }
    candidates
}

fn without_lock(situation: &Situation) -> Vec<Mechanism> {
    let checks = situation.check >= Check::Condition;
    let has = |server| situation.servers.contains(&server);
    let script = (has(Server::Redis)).then_some(Means::Script);
    let condition = checks.then_some(Means::Atomic);
    let version = checks.then_some(Means::Version);
    let means: Vec<Means> = match situation.task {
        Task::Counter => script.into_iter().chain(condition).chain(version).collect(),
        Task::Once => checks.then_some(Means::UniqueKey).into_iter().collect(),
        // A number that must grow is checked where the lock hands it out; the version is the resource's own.
        Task::Update if situation.stakes > Stakes::Waste => version.into_iter().collect(),
        Task::Update | Task::Several | Task::Job => Vec::new(),
    };
    means.into_iter().filter_map(|means| named("none", means)).collect()
}

/// The locks for which there are servers, in the order in which they are tried.
fn hosted(situation: &Situation) -> Vec<&'static Kind> {
    let there = |kind: &&Kind| situation.servers.iter().any(|server| server.hosts(kind.needs));
    let on_redis = ON_REDIS.iter().filter_map(|name| locks::find(name).ok());
    let elsewhere = locks::kinds()
        .iter()
        .filter(|kind| kind.standing == Standing::Mechanism && kind.promises.exclusion && kind.needs != Needs::Redis);
    let all: Vec<&Kind> = match situation.task {
        // A cluster that can lease the job to one of its machines needs nothing else.
        Task::Job => elsewhere
            .clone()
            .filter(|kind| kind.needs == Needs::Kubernetes)
            .chain(on_redis)
            .chain(elsewhere.filter(|kind| kind.needs != Needs::Kubernetes))
            .collect(),
        _ => on_redis.chain(elsewhere).collect(),
    };
    all.into_iter().filter(there).collect()
}

/// A lock whose latecomers the resource refuses: by the lock's own number, or by its own version.
fn checked(lock: &'static Kind, check: Check) -> Option<Mechanism> {
    let means = match check {
        Check::Nothing => return None,
        Check::Token if lock.promises.fencing => Means::Token,
        Check::Token | Check::Condition => Means::Version,
    };
    Some(Mechanism { lock, means })
}

fn named(lock: &str, means: Means) -> Option<Mechanism> {
    locks::find(lock).ok().map(|lock| Mechanism { lock, means })
}
