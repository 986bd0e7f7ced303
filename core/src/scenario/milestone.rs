//! Milestones: what every client goes through with every lock.

use std::fmt;

use crate::worker::Step;

/// A milestone of a client, for which a fault can wait: `at = "A.acquired"`. Milestones mean the same for every lock.
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
    /// `before-unlock`: it is about to release.
    BeforeUnlock,
    /// `release-sent`: a command to give the lock back is on the wire.
    ReleaseSent,
    /// `release-executed`: a server ran a command to give the lock back.
    ReleaseExecuted,
    /// `released`: it knows that its release is done.
    Released,
    /// `finished`: it has done its steps, or given up.
    Finished,
}

impl Milestone {
    /// Every milestone with its name, in the order in which a client meets them.
    pub const ALL: [(&'static str, Milestone); 22] = [
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
        ("before-unlock", Milestone::BeforeUnlock),
        ("release-sent", Milestone::ReleaseSent),
        ("release-executed", Milestone::ReleaseExecuted),
        ("released", Milestone::Released),
        ("finished", Milestone::Finished),
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
            Milestone::Started | Milestone::Finished => true,
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
            Milestone::BeforeWrite | Milestone::WriteSent | Milestone::Wrote => {
                any(|step| matches!(step, Step::Write | Step::Atomic | Step::Call))
            }
            // A client that stops early gives back what it holds, so a release needs no step of its own.
            Milestone::ReleaseSent | Milestone::ReleaseExecuted | Milestone::Released => {
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
