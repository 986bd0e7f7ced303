//! Milestones: what every client goes through with every lock, and when a history shows that it has.

use std::collections::BTreeMap;
use std::fmt;

use crate::history::{ClientEvent, LockEvent, Operation, Outcome, Phase, What};
use crate::wire::{ClientId, RequestId};
use crate::worker::Step;

/// A milestone of a client. Faults wait for them (`at = "A.acquired"`), expectations name them (`happens = ["A.write-refused"]`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Milestone {
    /// `started`: it begins a run of its steps.
    Started,
    /// `acquire-sent`: a command to get the lock is on the wire.
    AcquireSent,
    /// `acquire-executed`: a server ran a command to get the lock.
    AcquireExecuted,
    /// `checked`: it read its clock to decide whether what it has is still valid.
    Checked,
    /// `acquired`: its caller is told that it has the lock.
    Acquired,
    /// `refused`: its caller is told that it does not get the lock.
    Refused,
    /// `renew-sent`: a command to keep the lock is on the wire.
    RenewSent,
    /// `renew-executed`: a server ran a command to keep the lock.
    RenewExecuted,
    /// `renewed`: it knows that its lease was extended.
    Renewed,
    /// `renew-failed`: it knows that a renewal failed.
    RenewFailed,
    /// `lost`: it knows that it no longer has the lock.
    Lost,
    /// `looked`: a check whether the lock is still held has been answered.
    Looked,
    /// `before-read`: it is about to ask the resource for its value.
    BeforeRead,
    /// `read`: it knows the value.
    Read,
    /// `before-write`: it is about to write.
    BeforeWrite,
    /// `write-sent`: its write is on the wire.
    WriteSent,
    /// `wrote`: it knows that its write was accepted.
    Wrote,
    /// `write-refused`: it knows that the resource's guard refused its write.
    WriteRefused,
    /// `sold-out`: it knows that nothing was left to take.
    SoldOut,
    /// `before-unlock`: it is about to release.
    BeforeUnlock,
    /// `release-sent`: a command to give the lock back is on the wire.
    ReleaseSent,
    /// `release-executed`: a server ran a command to give the lock back.
    ReleaseExecuted,
    /// `released`: it knows that its release is done.
    Released,
    /// `release-failed`: it knows that its release freed nothing.
    ReleaseFailed,
    /// `finished`: it has done its steps.
    Finished,
    /// `gave-up`: it left out the rest of its steps.
    GaveUp,
}

impl Milestone {
    /// Every milestone with its name, in the order in which a client meets them.
    pub const ALL: [(&'static str, Milestone); 26] = [
        ("started", Milestone::Started),
        ("acquire-sent", Milestone::AcquireSent),
        ("acquire-executed", Milestone::AcquireExecuted),
        ("checked", Milestone::Checked),
        ("acquired", Milestone::Acquired),
        ("refused", Milestone::Refused),
        ("renew-sent", Milestone::RenewSent),
        ("renew-executed", Milestone::RenewExecuted),
        ("renewed", Milestone::Renewed),
        ("renew-failed", Milestone::RenewFailed),
        ("lost", Milestone::Lost),
        ("looked", Milestone::Looked),
        ("before-read", Milestone::BeforeRead),
        ("read", Milestone::Read),
        ("before-write", Milestone::BeforeWrite),
        ("write-sent", Milestone::WriteSent),
        ("wrote", Milestone::Wrote),
        ("write-refused", Milestone::WriteRefused),
        ("sold-out", Milestone::SoldOut),
        ("before-unlock", Milestone::BeforeUnlock),
        ("release-sent", Milestone::ReleaseSent),
        ("release-executed", Milestone::ReleaseExecuted),
        ("released", Milestone::Released),
        ("release-failed", Milestone::ReleaseFailed),
        ("finished", Milestone::Finished),
        ("gave-up", Milestone::GaveUp),
    ];

    /// Its canonical name, such as `before-write`.
    pub fn name(self) -> &'static str {
        Milestone::ALL.iter().find(|(_, milestone)| *milestone == self).map_or("", |(name, _)| name)
    }

    /// The milestone of a name.
    pub fn from_name(name: &str) -> Option<Milestone> {
        Milestone::ALL.iter().find(|(known, _)| *known == name).map(|(_, milestone)| *milestone)
    }

    /// Whether a client with these steps can ever come to it.
    pub fn is_on_the_way_of(self, steps: &[Step]) -> bool {
        let any = |wanted: fn(&Step) -> bool| steps.iter().any(wanted);
        match self {
            Milestone::Started | Milestone::Finished | Milestone::GaveUp => true,
            Milestone::AcquireSent
            | Milestone::AcquireExecuted
            | Milestone::Checked
            | Milestone::Acquired
            | Milestone::Refused
            | Milestone::RenewSent
            | Milestone::RenewExecuted
            | Milestone::Renewed
            | Milestone::RenewFailed
            | Milestone::Lost => any(|step| matches!(step, Step::Lock { .. })),
            Milestone::Looked => any(|step| matches!(step, Step::Check { .. })),
            Milestone::BeforeRead | Milestone::Read => any(|step| matches!(step, Step::Read)),
            Milestone::BeforeWrite
            | Milestone::WriteSent
            | Milestone::Wrote
            | Milestone::WriteRefused
            | Milestone::SoldOut => any(|step| matches!(step, Step::Write | Step::Atomic | Step::Call)),
            // A client that stops early gives back what it holds, so a release needs no step of its own.
            Milestone::ReleaseSent | Milestone::ReleaseExecuted | Milestone::Released | Milestone::ReleaseFailed => {
                any(|step| matches!(step, Step::Lock { .. }))
            }
            Milestone::BeforeUnlock => any(|step| matches!(step, Step::Unlock { .. })),
        }
    }
}

impl fmt::Display for Milestone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Sees milestones go by in a history: feed it every event in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Milestones {
    /// Requests to the resource that are not answered yet, and what came of them so far.
    asked: BTreeMap<(ClientId, RequestId), (Operation, Fate)>,
}

/// What the resource did with a request, before its client has heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Fate {
    Open,
    Accepted,
    Refused,
    SoldOut,
}

impl Milestones {
    /// The milestone that this event is, if it is one.
    pub fn see(&mut self, what: &What) -> Option<(ClientId, Milestone)> {
        match what {
            What::Sent { client, phase, .. } => Some((*client, sent(*phase)?)),
            What::Executed { client: Some(client), phase, .. } => Some((*client, executed(*phase)?)),
            What::Client { client, event } => Some((*client, self.see_client(*client, event)?)),
            What::Effect(effect) => {
                if let Some((_, fate)) = self.asked.get_mut(&(effect.client, effect.request)) {
                    *fate = match effect.outcome {
                        Outcome::Accepted(_) => Fate::Accepted,
                        Outcome::Refused { .. } => Fate::Refused,
                        Outcome::SoldOut => Fate::SoldOut,
                    };
                }
                None
            }
            What::Executed { client: None, .. }
            | What::Got { .. }
            | What::Missed { .. }
            | What::Pushed { .. }
            | What::Key { .. }
            | What::Grant { .. }
            | What::Fault(_)
            | What::Clock { .. }
            | What::End(_) => None,
        }
    }

    fn see_client(&mut self, client: ClientId, event: &ClientEvent) -> Option<Milestone> {
        match event {
            ClientEvent::Started { .. } => Some(Milestone::Started),
            ClientEvent::Step { step } => about_to(step),
            ClientEvent::Entered { .. } => Some(Milestone::Acquired),
            ClientEvent::Left { .. } => None,
            ClientEvent::Lock { event, .. } => reported(event),
            ClientEvent::Asked { request, operation, .. } => {
                self.asked.insert((client, *request), (*operation, Fate::Open));
                (*operation != Operation::Read).then_some(Milestone::WriteSent)
            }
            ClientEvent::Answered { request, accepted } => {
                let (operation, fate) = self.asked.remove(&(client, *request))?;
                match (operation, fate) {
                    (Operation::Read, _) => accepted.then_some(Milestone::Read),
                    (_, Fate::SoldOut) => Some(Milestone::SoldOut),
                    (_, Fate::Open | Fate::Accepted | Fate::Refused) if *accepted => Some(Milestone::Wrote),
                    (_, Fate::Open | Fate::Accepted | Fate::Refused) => Some(Milestone::WriteRefused),
                }
            }
            ClientEvent::Unanswered { request } => {
                self.asked.remove(&(client, *request));
                None
            }
            ClientEvent::Finished { done: true } => Some(Milestone::Finished),
            ClientEvent::Finished { done: false } => Some(Milestone::GaveUp),
        }
    }
}

fn sent(phase: Phase) -> Option<Milestone> {
    match phase {
        Phase::Acquire => Some(Milestone::AcquireSent),
        Phase::Renew => Some(Milestone::RenewSent),
        Phase::Release => Some(Milestone::ReleaseSent),
        Phase::Check | Phase::Resource => None,
    }
}

fn executed(phase: Phase) -> Option<Milestone> {
    match phase {
        Phase::Acquire => Some(Milestone::AcquireExecuted),
        Phase::Renew => Some(Milestone::RenewExecuted),
        Phase::Release => Some(Milestone::ReleaseExecuted),
        Phase::Check | Phase::Resource => None,
    }
}

fn about_to(step: &str) -> Option<Milestone> {
    match step.split(' ').next() {
        Some("read") => Some(Milestone::BeforeRead),
        Some("write" | "atomic" | "call") => Some(Milestone::BeforeWrite),
        Some("unlock") => Some(Milestone::BeforeUnlock),
        _ => None,
    }
}

fn reported(event: &LockEvent) -> Option<Milestone> {
    match event {
        LockEvent::Checked => Some(Milestone::Checked),
        LockEvent::Refused { .. } => Some(Milestone::Refused),
        LockEvent::Looked { .. } => Some(Milestone::Looked),
        LockEvent::Extended { .. } => Some(Milestone::Renewed),
        LockEvent::ExtendFailed { .. } => Some(Milestone::RenewFailed),
        LockEvent::Lost => Some(Milestone::Lost),
        LockEvent::Released => Some(Milestone::Released),
        LockEvent::ReleaseFailed { .. } => Some(Milestone::ReleaseFailed),
        // The caller is told with `Entered`, which follows `Acquired`.
        LockEvent::Acquiring
        | LockEvent::Acquired { .. }
        | LockEvent::Reentered { .. }
        | LockEvent::Releasing
        | LockEvent::Descended { .. } => None,
    }
}
