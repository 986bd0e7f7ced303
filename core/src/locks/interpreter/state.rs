//! Where an interpreter stands.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::program::{Answer, Kept, Program, Spoken};
use crate::history::Refusal;
use crate::locks::LockRequest;
use crate::time::Span;
use crate::wire::{Command, Reply};

/// What the caller waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Work {
    /// Nothing.
    #[default]
    Idle,
    /// A line of `acquire` is in flight.
    Acquiring(Attempt, Sent),
    /// The random part of the retry delay is being chosen; the reason is why this try failed.
    Drawing(Attempt, Refusal),
    /// The next try comes at this local instant.
    Delaying(Attempt, i64),
    /// A line of `release` is in flight that takes back what a failed try may have locked.
    Undoing(Attempt, After, Sent),
    /// A line of `release` is in flight.
    Releasing(Acquisition, Sent),
    /// A line of `check` is in flight.
    Checking(Sent),
}

/// A try to get the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    pub acquisition: Acquisition,
    /// The local instant after which no try begins.
    pub deadline: Option<i64>,
    /// When its first line was sent.
    pub began: i64,
    /// How long to wait after it, should it fail.
    pub delay: Span,
}

/// What follows taking back.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum After {
    Retry(Refusal),
    Refuse(Refusal),
}

/// A request in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    pub line: u16,
    pub request: LockRequest,
    pub at: i64,
}

/// A lock that the client holds, as far as it knows or wants to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hold {
    pub acquisition: Acquisition,
    pub lost: bool,
    /// Whether it has been given back, and lives on only because a renewal was under way that arms its timer again.
    pub released: bool,
    pub renewal: Renewal,
    /// How often it was extended, where that is bounded.
    pub extended: u32,
    /// How often it was entered and not left; 1 where nobody counts.
    pub entries: u32,
}

/// The timer that extends a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Renewal {
    /// There is none, or it has stopped.
    Off,
    /// It fires at this local instant.
    Due(i64),
    /// It fired, and a line of `renew` is in flight.
    Running { sent: Sent, fired: i64, ignored: bool },
}

/// One acquisition: its number, from which its token follows, and the replies that it keeps.
#[derive(Clone, Debug)]
pub(super) struct Acquisition {
    pub number: u32,
    /// What the client's wall clock shows when a lease that began with this try ends, in milliseconds; 0 for a lock that does not ask.
    pub until: i64,
    kept: Kept,
    /// Follows from the number: written once, so that a try that fails writes nothing.
    commands: Arc<[Option<Arc<Command>>]>,
}

impl Acquisition {
    pub fn new(number: u32, program: &Program) -> Acquisition {
        Acquisition { number, until: 0, kept: None, commands: program.commands(number) }
    }

    pub fn kept(&self) -> Option<&[Reply]> {
        self.kept.as_deref().map(Vec::as_slice)
    }

    pub fn spoken(&self, now: i64) -> Spoken<'_> {
        Spoken { number: self.number, kept: self.kept(), now, until: self.until }
    }

    pub fn keep(&mut self, index: u8, reply: Reply) {
        let kept = Arc::make_mut(self.kept.get_or_insert_default());
        let index = usize::from(index);
        if kept.len() <= index {
            kept.resize(index + 1, Reply::Nil);
        }
        kept[index] = reply;
    }

    /// Keeps the answer of a line that keeps its reply.
    pub fn keep_answer(&mut self, index: Option<u8>, answer: Answer) {
        if let (Some(index), Answer::Reply(reply)) = (index, answer) {
            self.keep(index, reply.clone());
        }
    }

    pub fn command(&self, line: u16, program: &Program, wall: i64) -> Arc<Command> {
        let line = usize::from(line);
        match &self.commands[line] {
            Some(command) => command.clone(),
            None => Arc::new(program.command(line, self.spoken(wall), &program.token(self.number).into())),
        }
    }
}

impl PartialEq for Acquisition {
    fn eq(&self, other: &Acquisition) -> bool {
        self.number == other.number && self.until == other.until && self.kept == other.kept
    }
}

impl Eq for Acquisition {}

impl Hash for Acquisition {
    fn hash<H: Hasher>(&self, out: &mut H) {
        // An instant that is written into a record stays what it is, here as there.
        (self.number, self.until).hash(out);
        self.kept.hash(out);
    }
}

impl Work {
    pub fn is_idle(&self) -> bool {
        matches!(self, Work::Idle)
    }

    /// The request that it waits for.
    pub fn sent(&self) -> Option<&Sent> {
        match self {
            Work::Idle | Work::Drawing(..) | Work::Delaying(..) => None,
            Work::Acquiring(_, sent) | Work::Undoing(_, _, sent) | Work::Releasing(_, sent) | Work::Checking(sent) => {
                Some(sent)
            }
        }
    }

    pub fn hash_relative(&self, now: i64, requests: u32, out: &mut impl Hasher) {
        std::mem::discriminant(self).hash(out);
        match self {
            Work::Idle => {}
            Work::Acquiring(attempt, sent) => {
                attempt.hash_relative(now, out);
                // Only a running try looks back at its beginning.
                (attempt.began - now).hash(out);
                sent.hash_relative(now, requests, out);
            }
            Work::Drawing(attempt, why) => {
                attempt.hash_relative(now, out);
                why.hash(out);
            }
            Work::Delaying(attempt, at) => {
                attempt.hash_relative(now, out);
                (at - now).hash(out);
            }
            Work::Undoing(attempt, after, sent) => {
                attempt.hash_relative(now, out);
                after.hash(out);
                sent.hash_relative(now, requests, out);
            }
            Work::Releasing(acquisition, sent) => {
                acquisition.hash(out);
                sent.hash_relative(now, requests, out);
            }
            Work::Checking(sent) => sent.hash_relative(now, requests, out),
        }
    }
}

impl Attempt {
    fn hash_relative(&self, now: i64, out: &mut impl Hasher) {
        self.acquisition.hash(out);
        self.deadline.map(|deadline| deadline.saturating_sub(now)).hash(out);
        self.delay.hash(out);
    }
}

impl Sent {
    fn hash_relative(&self, now: i64, requests: u32, out: &mut impl Hasher) {
        self.line.hash(out);
        (requests - self.request.0).hash(out);
        (self.at - now).hash(out);
    }
}

impl Hold {
    pub fn hash_relative(&self, now: i64, requests: u32, out: &mut impl Hasher) {
        self.acquisition.hash(out);
        (self.lost, self.released, self.extended, self.entries).hash(out);
        std::mem::discriminant(&self.renewal).hash(out);
        match &self.renewal {
            Renewal::Off => {}
            Renewal::Due(at) => (at - now).hash(out),
            Renewal::Running { sent, fired, ignored } => {
                sent.hash_relative(now, requests, out);
                (fired - now).hash(out);
                ignored.hash(out);
            }
        }
    }
}

impl Renewal {
    /// The request that it waits for.
    pub fn sent(&self) -> Option<&Sent> {
        match self {
            Renewal::Off | Renewal::Due(_) => None,
            Renewal::Running { sent, .. } => Some(sent),
        }
    }
}
