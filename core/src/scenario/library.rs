//! The scenarios that every Locklab has, in the order in which a reader should meet them.

use super::problem;

/// A scenario that every Locklab has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name: topic and file stem, such as `expiry/gc-pause`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! library {
    ($($name:literal)*) => {
        &[$(BuiltIn { name: $name, text: include_str!(concat!("../../../scenarios/", $name, ".toml")) }),*]
    };
}

/// All of them.
pub const ALL: &[BuiltIn] = library! {
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
    "compare/update"
    "compare/once"
    "compare/stock"
};

/// One by its name.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    ALL.iter().find(|scenario| scenario.name == name)
}

/// The name most like one that does not exist; a stem alone finds its topic.
pub fn nearest(name: &str) -> Option<&'static str> {
    let stem = ALL.iter().find(|scenario| scenario.name.split('/').next_back() == Some(name));
    stem.map(|scenario| scenario.name).or_else(|| problem::nearest(name, ALL.iter().map(|scenario| scenario.name)))
}
