//! Which event a fault waits for.

use crate::history::{ClientEvent, Event, LockEvent, Operation, Phase, What};
use crate::scenario::{Milestone, Trigger};
use crate::wire::{ClientId, Command};
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

/// A fault that has not struck yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Armed {
    /// An index into the plan's faults.
    pub fault: usize,
    /// How many more times its trigger must come.
    pub left: u32,
}

/// What triggers need to remember of earlier events: which command a reply answers, and what a client asked the resource.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    sent: VecDeque<(ClientId, u32, Box<str>)>,
    asked: Vec<(ClientId, u32, Operation)>,
}

/// The longest memory of unanswered requests; more are never in flight in a scenario that a person can read.
const REMEMBERED: usize = 4_096;

impl Memory {
    /// Whether `event` is what `trigger` waits for.
    pub fn matches(&self, trigger: &Trigger, event: &Event) -> bool {
        match (trigger, &event.what) {
            (Trigger::Client { client, milestone }, what) => self.reaches(*client, *milestone, what),
            (Trigger::Sent { client, command }, What::Sent { client: by, command: sent, .. }) => {
                client == by && is_named(sent, command)
            }
            (Trigger::Got { client, command }, What::Got { client: by, request, .. }) => {
                let key = (*by, request.0);
                client == by
                    && self.sent.iter().any(|(who, id, name)| (*who, *id) == key && name.eq_ignore_ascii_case(command))
            }
            (
                Trigger::Executed { node, command, client },
                What::Executed { client: by, node: on, command: ran, .. },
            ) => node == on && is_named(ran, command) && client.is_none_or(|client| Some(client) == *by),
            (Trigger::Start | Trigger::Sent { .. } | Trigger::Got { .. } | Trigger::Executed { .. }, _) => false,
        }
    }

    /// Keeps what later matches need. Called after the event has been matched.
    pub fn keep(&mut self, event: &Event) {
        match &event.what {
            What::Sent { client, request, command, .. } => {
                if self.sent.len() == REMEMBERED {
                    self.sent.pop_front();
                }
                self.sent.push_back((*client, request.0, command.name().into()));
            }
            What::Got { client, request, .. } => self.sent.retain(|(who, id, _)| (*who, *id) != (*client, request.0)),
            What::Client { client, event: ClientEvent::Asked { request, operation, .. } } => {
                self.asked.push((*client, request.0, *operation));
            }
            What::Client {
                client,
                event: ClientEvent::Answered { request, .. } | ClientEvent::Unanswered { request },
            } => {
                self.asked.retain(|(who, id, _)| (*who, *id) != (*client, request.0));
            }
            _ => {}
        }
    }

    /// Feeds what later matches need into a hasher; `age` tells how long ago a client made a request, `None` where no answer can come any more.
    pub fn remember<H: Hasher>(&self, age: impl Fn(ClientId, u32) -> Option<u32>, hasher: &mut H) {
        for (client, request, name) in &self.sent {
            if let Some(age) = age(*client, *request) {
                (*client, age, name).hash(hasher);
            }
        }
        for (client, request, operation) in &self.asked {
            if let Some(age) = age(*client, *request) {
                (*client, age, *operation).hash(hasher);
            }
        }
    }

    fn reaches(&self, client: ClientId, milestone: Milestone, what: &What) -> bool {
        match what {
            What::Sent { client: by, phase, .. } => {
                *by == client
                    && match milestone {
                        Milestone::AcquireSent => *phase == Phase::Acquire,
                        Milestone::RenewSent => *phase == Phase::Renew,
                        Milestone::ReleaseSent => *phase == Phase::Release,
                        _ => false,
                    }
            }
            What::Executed { client: by, phase, .. } => {
                *by == Some(client)
                    && match milestone {
                        Milestone::AcquireExecuted => *phase == Phase::Acquire,
                        Milestone::RenewExecuted => *phase == Phase::Renew,
                        Milestone::ReleaseExecuted => *phase == Phase::Release,
                        _ => false,
                    }
            }
            What::Client { client: by, event } => *by == client && self.reports(client, milestone, event),
            _ => false,
        }
    }

    fn reports(&self, client: ClientId, milestone: Milestone, event: &ClientEvent) -> bool {
        let answered = |request: u32, operation: Operation| self.asked.contains(&(client, request, operation));
        match (milestone, event) {
            (Milestone::Started, ClientEvent::Started { .. })
            | (Milestone::Acquired, ClientEvent::Entered { .. })
            | (Milestone::Finished, ClientEvent::Finished { .. }) => true,
            (Milestone::BeforeRead, ClientEvent::Step { step }) => step.as_ref() == "read",
            (Milestone::BeforeWrite, ClientEvent::Step { step }) => {
                matches!(step.as_ref(), "write" | "atomic" | "call")
            }
            (Milestone::BeforeUnlock, ClientEvent::Step { step }) => step.starts_with("unlock"),
            (Milestone::WriteSent, ClientEvent::Asked { operation, .. }) => *operation != Operation::Read,
            (Milestone::Read, ClientEvent::Answered { request, accepted: true }) => {
                answered(request.0, Operation::Read)
            }
            (Milestone::Wrote, ClientEvent::Answered { request, accepted: true }) => {
                [Operation::Write, Operation::Atomic, Operation::Call].iter().any(|kind| answered(request.0, *kind))
            }
            (_, ClientEvent::Lock { event, .. }) => lock_reports(milestone, event),
            _ => false,
        }
    }
}

/// Whether a scenario can name what a client did, apart from what depends on earlier events.
pub(super) fn is_milestone(event: &ClientEvent) -> bool {
    match event {
        ClientEvent::Lock { event, .. } => lock_milestone(event).is_some(),
        ClientEvent::Started { .. } | ClientEvent::Entered { .. } | ClientEvent::Finished { .. } => true,
        ClientEvent::Step { step } => step.starts_with("unlock"),
        ClientEvent::Asked { operation, .. } => *operation != Operation::Read,
        ClientEvent::Answered { accepted, .. } => *accepted,
        ClientEvent::Left { .. } | ClientEvent::Unanswered { .. } => false,
    }
}

/// A trigger and an occurrence that name the last nameable one of these events, which are a run's from its start; `None`: nothing names any.
pub fn moment(events: &[Event]) -> Option<(Trigger, u32)> {
    let trigger = events.iter().rev().find_map(|event| trigger_of(event, events))?;
    let count = occurrences(&trigger, events);
    Some((trigger, count))
}

/// How often a trigger came in a run's first events.
pub fn occurrences(trigger: &Trigger, events: &[Event]) -> u32 {
    let mut memory = Memory::default();
    let mut count = 0;
    for event in events {
        count += u32::from(memory.matches(trigger, event));
        memory.keep(event);
    }
    count
}

fn trigger_of(event: &Event, events: &[Event]) -> Option<Trigger> {
    let at = |client: ClientId, milestone| Some(Trigger::Client { client, milestone });
    match &event.what {
        What::Sent { client, phase, command, .. } => match phase {
            Phase::Acquire => at(*client, Milestone::AcquireSent),
            Phase::Renew => at(*client, Milestone::RenewSent),
            Phase::Release => at(*client, Milestone::ReleaseSent),
            Phase::Check | Phase::Resource => Some(Trigger::Sent { client: *client, command: command.name().into() }),
        },
        What::Executed { client: Some(client), node, phase, command, .. } => match phase {
            Phase::Acquire => at(*client, Milestone::AcquireExecuted),
            Phase::Renew => at(*client, Milestone::RenewExecuted),
            Phase::Release => at(*client, Milestone::ReleaseExecuted),
            Phase::Check | Phase::Resource => {
                Some(Trigger::Executed { node: *node, command: command.name().into(), client: Some(*client) })
            }
        },
        What::Got { client, request, .. } => {
            let command = events.iter().rev().find_map(|event| match &event.what {
                What::Sent { client: by, request: asked, command, .. } if (by, asked) == (client, request) => {
                    Some(command.name())
                }
                _ => None,
            })?;
            Some(Trigger::Got { client: *client, command: command.into() })
        }
        What::Client { client, event } => at(*client, client_milestone(event, *client, events)?),
        _ => None,
    }
}

fn client_milestone(event: &ClientEvent, client: ClientId, events: &[Event]) -> Option<Milestone> {
    Some(match event {
        ClientEvent::Started { .. } => Milestone::Started,
        ClientEvent::Entered { .. } => Milestone::Acquired,
        ClientEvent::Finished { .. } => Milestone::Finished,
        ClientEvent::Step { step } => match step.as_ref() {
            "read" => Milestone::BeforeRead,
            "write" | "atomic" | "call" => Milestone::BeforeWrite,
            step if step.starts_with("unlock") => Milestone::BeforeUnlock,
            _ => return None,
        },
        ClientEvent::Asked { operation, .. } if *operation != Operation::Read => Milestone::WriteSent,
        ClientEvent::Answered { request, accepted: true } => {
            let operation = events.iter().rev().find_map(|event| match &event.what {
                What::Client { client: by, event: ClientEvent::Asked { request: asked, operation, .. } }
                    if (*by, asked) == (client, request) =>
                {
                    Some(*operation)
                }
                _ => None,
            })?;
            if operation == Operation::Read { Milestone::Read } else { Milestone::Wrote }
        }
        ClientEvent::Lock { event, .. } => lock_milestone(event)?,
        _ => return None,
    })
}

fn lock_milestone(event: &LockEvent) -> Option<Milestone> {
    let all = [
        Milestone::Checked,
        Milestone::Refused,
        Milestone::Renewed,
        Milestone::RenewFailed,
        Milestone::Lost,
        Milestone::Looked,
        Milestone::Released,
    ];
    all.into_iter().find(|milestone| lock_reports(*milestone, event))
}

fn lock_reports(milestone: Milestone, event: &LockEvent) -> bool {
    matches!(
        (milestone, event),
        (Milestone::Checked, LockEvent::Checked)
            | (Milestone::Refused, LockEvent::Refused { .. })
            | (Milestone::Renewed, LockEvent::Extended { .. })
            | (Milestone::RenewFailed, LockEvent::ExtendFailed { .. })
            | (Milestone::Lost, LockEvent::Lost)
            | (Milestone::Looked, LockEvent::Looked { .. })
            | (Milestone::Released, LockEvent::Released)
    )
}

fn is_named(command: &Command, name: &str) -> bool {
    command.word(0).is_some_and(|word| word.eq_ignore_ascii_case(name))
}
