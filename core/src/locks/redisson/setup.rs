//! What never changes while a client lives: its parameters, made ready, and its commands.

use std::sync::{Arc, LazyLock};

use super::code::{Line, Listing};
use crate::history::{Code, Mode, Phase, Section};
use crate::locks::{Identity, Params};
use crate::time::{LocalTime, Span};
use crate::wire::{Command, NodeId};

/// Which of the family's locks it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavor {
    /// RLock.
    Reentrant,
    /// RFairLock.
    Fair,
    /// RReadWriteLock.
    ReadWrite,
    /// RFencedLock.
    Fenced,
    /// RSpinLock.
    Spin,
    /// One of a multi-lock's children.
    Child,
    /// One of the deprecated RedissonRedLock's children.
    RedChild,
}

macro_rules! listing {
    ($head:literal $(, $script:literal)*) => {
        concat!(
            include_str!(concat!("listings/", $head, ".txt")),
            $(include_str!(concat!("scripts/", $script, ".txt"))),*
        )
    };
}

impl Flavor {
    /// The lock as a person reads it.
    pub fn code(self) -> &'static str {
        match self {
            Flavor::Reentrant => listing!("redisson", "acquire", "release-once", "renew"),
            Flavor::Fair => listing!("fair", "acquire-in-turn", "leave", "release-to-the-next", "renew"),
            Flavor::ReadWrite => listing!(
                "read-write",
                "read",
                "write",
                "acquire",
                "end-read",
                "end-write",
                "release",
                "keep-read",
                "renew"
            ),
            Flavor::Fenced => listing!("fenced", "acquire-fenced", "release", "renew"),
            Flavor::Spin => listing!("spin", "acquire", "release-silently", "renew"),
            Flavor::Child => listing!("multi", "acquire", "release", "renew"),
            Flavor::RedChild => listing!("red-lock", "acquire", "release", "renew"),
        }
    }

    /// Its listing, taken apart once.
    pub fn listing(self) -> &'static Listing {
        macro_rules! parsed {
            ($flavor:ident) => {{
                static LISTING: LazyLock<Listing> = LazyLock::new(|| Listing::read(Flavor::$flavor.code()));
                &LISTING
            }};
        }
        match self {
            Flavor::Reentrant => parsed!(Reentrant),
            Flavor::Fair => parsed!(Fair),
            Flavor::ReadWrite => parsed!(ReadWrite),
            Flavor::Fenced => parsed!(Fenced),
            Flavor::Spin => parsed!(Spin),
            Flavor::Child => parsed!(Child),
            Flavor::RedChild => parsed!(RedChild),
        }
    }
}

/// What a server is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Act {
    Acquire,
    Subscribe,
    Unsubscribe,
    /// Wait until replicas have the lock.
    Confirm,
    /// Leave the queue of a fair lock.
    Leave,
    Release,
    Renew,
    Check,
    /// Set a multi-lock's child to its real lease.
    Expire,
}

impl Act {
    pub fn phase(self) -> Phase {
        self.place().0.phase()
    }

    /// The section and the command of its line.
    fn place(self) -> (Section, &'static str) {
        match self {
            Act::Acquire => (Section::Acquire, "EVAL"),
            Act::Subscribe => (Section::Acquire, "SUBSCRIBE"),
            Act::Unsubscribe => (Section::Acquire, "UNSUBSCRIBE"),
            Act::Confirm => (Section::Acquire, "WAIT"),
            Act::Leave => (Section::Acquire, "EVAL @leave"),
            Act::Expire => (Section::Acquire, "PEXPIRE"),
            Act::Release => (Section::Release, "EVAL"),
            Act::Renew => (Section::Renew, "EVAL"),
            Act::Check => (Section::Check, "HEXISTS"),
        }
    }
}

/// Whose answer ends a watchdog's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WatchdogStops {
    /// Every unlock counts its registrations down, whatever comes of it.
    Unlock,
    /// Only a server's word that the lock is free.
    Free,
}

/// A client's parameters, made ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setup {
    pub flavor: Flavor,
    pub identity: Identity,
    pub params: Params,
    /// The lease that its caller gives; `None`: the watchdog keeps the lock up.
    pub lease: Option<Span>,
    /// An acquire or release whose reply is late is sent once more.
    pub resends: bool,
    pub watchdog_stops: WatchdogStops,
    /// A renewal that failed leaves a registration without a timer.
    pub goes_stale: bool,
    /// What an inner unlock sets is the watchdog's lease, whatever the caller gave.
    pub unlock_sets_watchdog: bool,
    /// It is unlocked from another thread than it was locked from.
    pub other_thread: bool,
    /// A plain lock is taken by those who exclude all others.
    pub plain: bool,
    pub latched: bool,
    /// How many replicas its client believes to be connected; 0: it waits for none.
    pub replicas: u32,
    pub sync_timeout: Span,
    pub sync_delay: Span,
    /// That no replica has confirmed fails the try.
    pub sync_checked: bool,
    /// A try that fails so is taken back.
    pub sync_undone: bool,
    pub waiter_timeout: Span,
}

impl Setup {
    pub fn new(flavor: Flavor, params: &Params, identity: Identity) -> Setup {
        let switch = |name: &str, default: bool| params.switch(name).unwrap_or(default);
        let is = |name: &str, wanted: &str| params.word(name) == Some(wanted);
        let replicas = params.number("wait_replicas").unwrap_or(0);
        Setup {
            lease: params.span("lease"),
            resends: switch("resend", false),
            watchdog_stops: if is("watchdog_stops", "free") { WatchdogStops::Free } else { WatchdogStops::Unlock },
            goes_stale: switch("stale_registration", false),
            unlock_sets_watchdog: is("unlock_sets", "watchdog"),
            other_thread: is("unlock_thread", "another"),
            plain: is("exclusive_as", "plain"),
            latched: switch("unlock_latch", false),
            replicas: u32::try_from(replicas).unwrap_or(0),
            sync_timeout: params.span("sync_timeout").unwrap_or(SYNC_TIMEOUT),
            sync_delay: params.span("sync_delay").unwrap_or(SYNC_DELAY),
            sync_checked: switch("sync_checked", true),
            sync_undone: switch("sync_undone", true),
            waiter_timeout: params.span("waiter_timeout").unwrap_or(WAITER_TIMEOUT),
            flavor,
            params: params.clone(),
            identity,
        }
    }

    pub fn node(&self) -> NodeId {
        self.params.nodes[0]
    }

    /// The time from one renewal to the next: a third of the watchdog's lease.
    pub fn renew_every(&self) -> Span {
        Span(self.params.ttl.micros() / 3)
    }

    /// The owner as the hash's field names it: client and thread. Who starts again is another owner.
    pub fn owner(&self, thread: u8) -> String {
        let name = &self.identity.name;
        match self.identity.acquisitions {
            0 => format!("{name}:{thread}"),
            earlier => format!("{name}-{earlier}:{thread}"),
        }
    }

    /// The channel on which a release is announced; `None` where nobody announces it.
    pub fn channel(&self) -> Option<String> {
        let line = self.flavor.listing().line(Section::Acquire, "SUBSCRIBE", 0)?;
        Some(self.word(&line.words[1], &Call::default()))
    }

    /// What is sent for an act, and the line that says so; `None` where the lock's listing knows no such act.
    pub fn command(&self, act: Act, call: &Call) -> Option<(Code, Arc<Command>)> {
        let (section, command) = act.place();
        let Line { code, words } = self.flavor.listing().line(section, command, self.side())?;
        let words = words.iter().map(|word| self.word(word, call));
        Some((*code, Arc::new(Command::new(words))))
    }

    /// Which of several lines of the same kind is its own: a reader's, a writer's, a plain lock's.
    fn side(&self) -> usize {
        match self.flavor {
            Flavor::ReadWrite => match self.identity.mode {
                Mode::Shared => 0,
                Mode::Exclusive if self.plain => 2,
                Mode::Exclusive => 1,
            },
            _ => 0,
        }
    }

    /// A word of a listing with its placeholders filled in.
    fn word(&self, word: &str, call: &Call) -> String {
        if let Some(script) = self.flavor.listing().script(word) {
            return script.to_string();
        }
        if !word.contains('{') {
            return word.to_owned();
        }
        let lease = call.lease_ms.unwrap_or_else(|| millis(self.lease.unwrap_or(self.params.ttl)));
        let unlock = if self.unlock_sets_watchdog { millis(self.params.ttl) } else { lease };
        let latch = if self.latched { LATCH_MS } else { 0 };
        let thread = if call.other_thread { 2 } else { 1 };
        [
            ("{key}", self.params.key.to_string()),
            ("{owner}", self.owner(thread)),
            ("{lease_ms}", lease.to_string()),
            ("{child_ms}", lease.to_string()),
            ("{unlock_ms}", unlock.to_string()),
            ("{latch_ms}", latch.to_string()),
            ("{request}", format!("{}-{}", self.identity.name, call.number)),
            ("{replicas}", self.replicas.to_string()),
            ("{sync_ms}", millis(self.sync_timeout).to_string()),
            ("{waiter_ms}", millis(self.waiter_timeout).to_string()),
            ("{now_ms}", call.now.wall.div_euclid(1_000).to_string()),
        ]
        .into_iter()
        .fold(word.to_owned(), |word, (placeholder, value)| word.replace(placeholder, &value))
    }
}

/// What is different each time a command is sent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Call {
    pub now: LocalTime,
    /// A lease other than the caller's, in milliseconds: a multi-lock's child has one, and it may be below zero.
    pub lease_ms: Option<i64>,
    /// The thread that asks is not the one that has the lock.
    pub other_thread: bool,
    /// Which of its releases it is, from 1.
    pub number: u32,
}

/// How long the answer to an unlock is remembered, for one that is sent again: four tries of 3 s, with 1 s between them.
const LATCH_MS: i64 = 16_000;

/// How long a client waits for its replicas.
pub(super) const SYNC_TIMEOUT: Span = Span::from_secs(1);

/// How long it waits before a try that no replica confirmed is repeated.
pub(super) const SYNC_DELAY: Span = Span::from_secs(1);

/// How long a waiter at the head of a fair lock's queue may leave the lock alone before it is dropped.
pub(super) const WAITER_TIMEOUT: Span = Span::from_secs(300);

pub(super) fn millis(span: Span) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}
