//! What never changes while a Redlock client lives: its parameters, made ready, and its commands.

use std::sync::Arc;

use crate::history::{Code, Phase, Refusal, Section};
use crate::locks::{Identity, Params};
use crate::time::{LocalTime, Span};
use crate::wire::{Command, NodeId, Reply};

/// The lock as a person reads it; the lines that [`Act::code`] names are its lines.
pub(super) const CODE: &str = include_str!("redlock.txt");

/// Compares and deletes in one step.
pub(super) const RELEASE: &str = "if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
end
return 0
";

/// Compares and lengthens in one step.
pub(super) const EXTEND: &str = "if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
";

/// As [`EXTEND`], but a key that is gone is set again: a lock that ended comes back.
pub(super) const RECREATE: &str = "local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then
    return redis.call('PEXPIRE', KEYS[1], ARGV[2])
elseif not holder then
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    return 1
end
return -1
";

/// What every node is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Act {
    Lock,
    Free,
    Look,
    Extend,
}

impl Act {
    pub fn phase(self) -> Phase {
        match self {
            Act::Lock => Phase::Acquire,
            Act::Free => Phase::Release,
            Act::Look => Phase::Check,
            Act::Extend => Phase::Renew,
        }
    }

    pub fn code(self) -> Code {
        let (section, line) = match self {
            Act::Lock => (Section::Acquire, 5),
            Act::Free => (Section::Release, 10),
            Act::Look => (Section::Check, 12),
            Act::Extend => (Section::Renew, 14),
        };
        Code { section, line }
    }
}

/// What an answer counts for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Vote {
    For,
    Against,
    /// No answer, or one that tells nothing: what the node did is unknown.
    Unknown(Refusal),
}

/// Of which nodes a quorum is more than half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Electorate {
    /// Those that are configured, whether they answer or not.
    Configured,
    /// Those that answered: a mistake that two halves of a network can make at once.
    Answering,
}

/// Where a failed try is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CleanUp {
    /// On every node: a reply may be lost where the command was not.
    Everywhere,
    /// On the nodes that said yes.
    Granted,
    /// On every node, but only after the last try.
    AtTheEnd,
    /// Nowhere.
    Never,
}

/// How a lease is extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extension {
    /// From one to the next.
    pub every: Span,
    /// Whether a node that has lost the key sets it again.
    pub recreates: bool,
    pub on_failure: OnFailure,
}

/// What follows an extension that no quorum confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnFailure {
    /// The next one, as if nothing had happened.
    Retry,
    /// The lock is lost.
    Lose,
    /// The next one; the lock is lost when its time is over, or when a quorum says so.
    LoseAtTheEnd,
}

/// A client's parameters, made ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setup {
    pub identity: Identity,
    pub params: Params,
    /// All nodes at once, or one after the other.
    pub parallel: bool,
    /// Whether the node that is asked first is chosen anew for each try.
    pub rotated: bool,
    /// Whether the clock is read once more after the replies.
    pub checked: bool,
    /// What clocks may be apart over one lease.
    pub drift: Span,
    /// What must be left of a lease for it to count.
    pub least_left: Span,
    /// Whether validity is counted on the wall clock, which can be set.
    pub on_wall_clock: bool,
    /// Whether validity is counted from the first try, not from the one that succeeded.
    pub from_first_try: bool,
    pub electorate: Electorate,
    /// Whether a round ends as soon as its outcome is certain.
    pub decides_early: bool,
    /// Whether one node that does not answer fails a try that has its quorum.
    pub error_is_fatal: bool,
    pub clean_up: CleanUp,
    /// Whether a release without a quorum is a failure.
    pub release_is_counted: bool,
    pub extension: Option<Extension>,
}

impl Setup {
    pub fn new(params: &Params, identity: Identity) -> Setup {
        let word = |name: &str| params.word(name).unwrap_or_default();
        let percent = |name: &str, default: i64| share(params.ttl, params.number(name).unwrap_or(default));
        let drift_base = params.span("drift_base").unwrap_or(Span::from_millis(2));
        let extension = Extension {
            every: percent("renew_percent", 33),
            recreates: word("renew") == "recreate",
            on_failure: match word("not_renewed") {
                "lost" => OnFailure::Lose,
                "lost-at-the-end" => OnFailure::LoseAtTheEnd,
                _ => OnFailure::Retry,
            },
        };
        Setup {
            parallel: word("sends") != "sequential",
            rotated: word("order") == "rotated",
            checked: params.switch("checked").unwrap_or(true),
            drift: params.span("drift").unwrap_or(share(params.ttl, 1) + drift_base),
            least_left: percent("least_percent", 0),
            on_wall_clock: word("clock") == "wall",
            from_first_try: word("counted_from") == "first-try",
            electorate: if word("quorum") == "answering" { Electorate::Answering } else { Electorate::Configured },
            decides_early: word("decided_by") == "quorum",
            error_is_fatal: word("errors") == "fatal",
            clean_up: match word("clean_up") {
                "granted" => CleanUp::Granted,
                "at-the-end" => CleanUp::AtTheEnd,
                "never" => CleanUp::Never,
                _ => CleanUp::Everywhere,
            },
            release_is_counted: word("release") != "ignored",
            extension: matches!(word("renew"), "extend" | "recreate").then_some(extension),
            params: params.clone(),
            identity,
        }
    }

    pub fn nodes(&self) -> usize {
        self.params.nodes.len()
    }

    /// More than half of the nodes that are configured.
    pub fn quorum(&self) -> usize {
        self.nodes() / 2 + 1
    }

    /// All nodes in the order in which they are asked, where the one at `first` comes first.
    pub fn nodes_from(&self, first: usize) -> Vec<NodeId> {
        let mut nodes = self.params.nodes.clone();
        nodes.rotate_left(first % self.nodes());
        nodes
    }

    /// The clock by which validity is counted.
    pub fn clock(&self, now: LocalTime) -> i64 {
        if self.on_wall_clock { now.wall } else { now.monotonic }
    }

    /// What marks the acquisition of this number.
    pub fn token(&self, number: u32) -> String {
        self.identity.token(self.params.token, number)
    }

    pub fn command(&self, act: Act, number: u32) -> Arc<Command> {
        let (key, token, ttl) = (&*self.params.key, &*self.token(number), &*self.params.ttl.as_millis().to_string());
        let extend = if self.extension.is_some_and(|extension| extension.recreates) { RECREATE } else { EXTEND };
        Arc::new(match act {
            Act::Lock => Command::new(["SET", key, token, "NX", "PX", ttl]),
            Act::Free => Command::new(["EVAL", RELEASE, "1", key, token]),
            Act::Look => Command::new(["GET", key]),
            Act::Extend => Command::new(["EVAL", extend, "1", key, token, ttl]),
        })
    }

    /// How a node's answer counts.
    pub fn vote(&self, act: Act, number: u32, reply: &Reply) -> Vote {
        if let Some(code) = reply.error_code() {
            return Vote::Unknown(Refusal::Error(code.into()));
        }
        let is_for = match (act, reply) {
            (Act::Lock, Reply::Status(text)) => **text == *"OK",
            (Act::Free | Act::Extend, Reply::Integer(number)) => *number == 1,
            (Act::Look, reply) => reply.text().is_some_and(|text| text == self.token(number)),
            (Act::Lock | Act::Free | Act::Extend, _) => false,
        };
        if is_for { Vote::For } else { Vote::Against }
    }
}

/// A share of a lease in percent, 0 to 100.
fn share(ttl: Span, percent: i64) -> Span {
    Span(ttl.micros() / 100 * u64::try_from(percent).unwrap_or(0))
}
