//! The scenarios that every Locklab has, in the order in which a reader should meet them.
//!
//! Their names are always here. Their texts are part of a program that has the feature `texts`; one that has not, the page, brings them when it
//! starts and hands them over ([`provide`]).

use std::sync::OnceLock;

use crate::i18n;

/// A scenario that every Locklab has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name: topic and file stem, such as `expiry/gc-pause`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// What stands before the name of each text where many are packed into one.
const OPENS: &str = "\n=== ";

static PROVIDED: OnceLock<Vec<BuiltIn>> = OnceLock::new();

/// All of them; none, where their texts are neither part of the program nor provided.
pub fn all() -> &'static [BuiltIn] {
    match PROVIDED.get() {
        Some(provided) => provided,
        None if cfg!(feature = "texts") => SHIPPED,
        None => &[],
    }
}

/// Takes the texts from one that holds many: before each stand an empty line and its name,
/// `=== expiry/gc-pause`. What is already there stays.
pub fn provide(packed: String) {
    let _ = PROVIDED.set(unpacked(packed.leak()));
}

fn unpacked(packed: &'static str) -> Vec<BuiltIn> {
    let entries: Vec<(&str, &str)> = packed.split(OPENS).filter_map(|entry| entry.split_once('\n')).collect();
    let text_of = |name| entries.iter().find(|entry| entry.0 == name).map(|entry| entry.1);
    SHIPPED.iter().filter_map(|scenario| Some(BuiltIn { text: text_of(scenario.name)?, ..*scenario })).collect()
}

/// One by its name.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    all().iter().find(|scenario| scenario.name == name)
}

/// The name most like one that does not exist; a stem alone finds its topic.
pub fn nearest(name: &str) -> Option<&'static str> {
    let stem = all().iter().find(|scenario| scenario.name.split('/').next_back() == Some(name));
    stem.map(|scenario| scenario.name).or_else(|| i18n::nearest(name, all().iter().map(|scenario| scenario.name)))
}

#[cfg(feature = "texts")]
macro_rules! text {
    ($name:literal) => {
        include_str!(concat!("../../../scenarios/", $name, ".toml"))
    };
}

#[cfg(not(feature = "texts"))]
macro_rules! text {
    ($name:literal) => {
        ""
    };
}

macro_rules! library {
    ($($name:literal)*) => {
        &[$(BuiltIn { name: $name, text: text!($name) }),*]
    };
}

const SHIPPED: &[BuiltIn] = library! {
    "basics/uncontended"
    "basics/contended"
    "crash/holder-dies"
    "crash/between-setnx-and-expire"
    "crash/waiters-extend-the-lease"
    "crash/scripts-forgotten"
    "release/frees-the-successor"
    "release/chain-of-foreign-releases"
    "release/get-then-del"
    "release/fixed-value"
    "release/token-of-the-last"
    "release/delivered-twice"
    "expiry/work-outlives-lease"
    "expiry/pause-within-the-lease"
    "expiry/gc-pause"
    "expiry/check-then-pause"
    "expiry/clock-jump"
    "renewal/long-work"
    "renewal/pause-stops-the-watchdog"
    "renewal/stuck-work"
    "renewal/bounded-renewals"
    "renewal/cut-off"
    "renewal/one-error-ends-it"
    "renewal/refused-and-still-working"
    "renewal/refused-and-stopped"
    "renewal/renewal-after-the-release"
    "failover/before-replication"
    "failover/wait"
    "failover/wait-for-the-wrong-one"
    "failover/wait-for-all"
    "failover/fencing-counter-lost"
    "fencing/token-33-and-34"
    "fencing/no-guard"
    "fencing/uuid-is-no-number"
    "redlock/uncontended"
    "redlock/minority-down"
    "redlock/majority-down"
    "redlock/pause-before-the-last-look"
    "redlock/pause-that-nobody-checks"
    "redlock/pause-after-the-last-look"
    "redlock/pause-while-holding"
    "redlock/clock-jump-on-one-node"
    "redlock/small-clock-jump"
    "redlock/restart-without-data"
    "redlock/delayed-restart"
    "redlock/majority-restarts"
    "redlock/never-topped-up"
    "redlock/all-five"
    "redlock/split-vote"
    "redlock/split-vote-with-jitter"
    "redlock/even-number"
    "waiting/polling-every-millisecond"
    "waiting/polling-slowly"
    "waiting/backing-off"
    "jobs/wait-taken-for-lease"
    "jobs/stalled-worker"
    "jobs/leader-lock-without-expiry"
    "jobs/orphaned-digest"
    "jobs/reaper-takes-a-live-lock"
    "jobs/shorter-than-the-clock-skew"
    "jobs/fail-open"
    "jobs/fail-closed"
    "libraries/longer-than-the-lease"
    "libraries/kept-alive"
    "libraries/kept-alive-until-an-error"
    "libraries/entries-counted-in-the-process"
    "libraries/no-timeout-no-end"
    "libraries/lost-and-not-told"
    "libraries/re-armed-after-the-release"
    "libraries/token-forgotten-before-the-release"
    "libraries/token-kept-until-the-reply"
    "libraries/handed-over-by-a-signal"
    "libraries/token-that-begins-like-another"
    "libraries/renews-whatever-is-there"
    "libraries/unit-mix-up"
    "libraries/contender-erases-the-lifetime"
    "libraries/guard-without-contender"
    "libraries/script-that-fails-half-way"
    "libraries/clock-ahead-takes-over"
    "libraries/clock-behind-waits"
    "libraries/one-node-down-fails-all"
    "libraries/quorum-of-those-that-answer"
    "libraries/own-keys-vote-against"
    "libraries/expiry-of-the-first-try"
    "libraries/returned-already-expired"
    "libraries/own-deadline-before-the-wait"
    "libraries/a-quorum-that-comes-late"
    "libraries/a-lost-lock-comes-back"
    "libraries/an-extension-that-only-extends"
    "libraries/an-extension-that-tops-up"
    "libraries/key-that-is-data"
    "libraries/replicas-are-no-nodes"
    "redisson/contended"
    "redisson/try-lock"
    "redisson/reentrant"
    "redisson/one-thread-twice"
    "redisson/long-work"
    "redisson/lease-switches-the-watchdog-off"
    "redisson/pause-outlives-the-watchdog"
    "redisson/thirty-milliseconds"
    "redisson/stale-registration"
    "redisson/message-lost"
    "redisson/another-thread-unlocks-a-lease"
    "redisson/another-thread-unlocks"
    "redisson/acquire-sent-twice"
    "redisson/acquire-sent-twice-and-renewed"
    "redisson/unlock-sent-twice"
    "redisson/unlock-sent-twice-without-a-latch"
    "redisson/inner-unlock-sets-the-lease"
    "redisson/failover-before-replication"
    "redisson/replicas-confirm"
    "redisson/the-other-replica"
    "redisson/unconfirmed"
    "redisson/fair-order"
    "redisson/dead-waiters"
    "redisson/readers-and-a-writer"
    "redisson/dead-reader"
    "redisson/downgrade"
    "redisson/upgrade"
    "redisson/write-leases-add-up"
    "redisson/plain-and-read"
    "redisson/all-or-nothing"
    "redisson/negative-wait"
    "redisson/red-lock-minority-down"
    "redisson/red-lock-never-looks"
    "resource/oversold"
    "resource/one-script"
    "resource/optimistic"
    "pitfalls/one-global-lock"
    "pitfalls/lock-per-order"
    "pitfalls/re-entry"
    "pitfalls/re-entry-counted"
    "pitfalls/two-locks-in-a-circle"
    "pitfalls/two-locks-in-one-order"
    "pitfalls/evicted"
    "pitfalls/memory-full"
    "pitfalls/operator-deletes"
    "pitfalls/single-instance-down"
    "zookeeper/uncontended"
    "zookeeper/contended"
    "zookeeper/pause-outlives-the-session"
    "zookeeper/nobody-interrupts-the-holder"
    "zookeeper/a-listener-stops-in-time"
    "etcd/uncontended"
    "etcd/contended"
    "etcd/pause-outlives-the-lease"
    "etcd/a-waiter-without-its-key"
    "etcd/a-waiter-looks-again"
    "etcd/read-sleep-write"
    "etcd/read-sleep-compare-and-write"
    "etcd/a-new-leader-starts-leases-anew"
    "etcd/a-new-leader-every-five-seconds"
    "etcd/the-stalled-primary-carries-on"
    "kubernetes/uncontended"
    "kubernetes/contended"
    "kubernetes/pause-outlives-the-lease"
    "kubernetes/an-hour-ahead"
    "kubernetes/an-hour-ahead-of-nothing"
    "kubernetes/ten-seconds-against-thirty"
    "kubernetes/thirty-seconds-for-both"
    "kubernetes/a-leader-that-does-not-stop"
    "kubernetes/a-slow-shutdown"
    "kubernetes/an-exit-without-a-release"
    "consul/uncontended"
    "consul/contended"
    "consul/pause-outlives-the-session"
    "consul/stopped-too-late"
    "consul/stopped-in-time"
    "compare/update"
    "compare/once"
    "compare/stock"
    "database/oversold"
    "database/conditional-update"
    "database/lost-update"
    "database/version-column"
    "database/retry-storm"
    "database/retry-bounded"
    "database/stamp-same-tick"
    "database/stamp-skew"
    "database/stamp-truncated"
    "database/for-update"
    "database/crash-in-transaction"
    "database/long-transaction"
    "database/half-open"
    "database/wide-range"
    "database/deadlock"
    "database/same-order"
    "database/connection-lost"
    "database/transaction-lost"
    "database/server-restart"
    "database/holder-dies"
    "database/lease-clock-jump"
    "database/app-clock-ahead"
    "database/double-run"
    "database/unique-key"
    "database/state-machine"
    "database/third-party"
    "database/pooler-orphan"
    "database/pooler-shared"
};

#[cfg(test)]
mod tests {
    use super::{OPENS, all, unpacked};

    #[test]
    fn texts_that_were_packed_into_one_are_the_same_library() {
        let packed: String =
            all().iter().rev().flat_map(|scenario| [OPENS, scenario.name, "\n", scenario.text]).collect();
        assert_eq!(unpacked(packed.leak()), all());
    }
}
