//! The moments of a run at which a fault can strike a client: every event of it that a scenario can name.

use crate::history::{ClientEvent, Event, History, LockEvent, Operation, What};
use crate::scenario::{Moment, Trigger};
use crate::sim;
use crate::time::Span;
use crate::wire::ClientId;

/// A moment of a client's run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// As a fault names it.
    pub at: Moment,
    /// Where the client stands.
    pub stage: Stage,
    /// What has just happened.
    pub just: Just,
}

/// Where a client stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// It is not inside yet.
    Acquiring,
    /// It is inside.
    Inside,
    /// It is inside, and has asked whether it still holds the lock.
    Checked,
    /// It has begun to release.
    Releasing,
}

/// What has just happened, as far as a fault of a message asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Just {
    /// The client has put a request on the wire.
    Sent,
    /// It has sent a change to the resource.
    SentToResource,
    /// A server has run its command; the reply is not yet on the wire.
    Executed,
    /// Something else.
    Other,
}

/// The moments of one client's run, in order. The same moment is never there twice.
pub(super) fn moments(history: &History, of: ClientId) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let mut stage = Stage::Acquiring;
    for (position, event) in history.events.iter().enumerate() {
        let Some(just) = concerns(event, of) else { continue };
        stage = next(stage, &event.what);
        let Some((trigger, occurrence)) = sim::moment(&history.events[..=position]) else { continue };
        let at = Moment { trigger, occurrence, plus: Span::ZERO };
        if is_of(&at.trigger, of) && !places.iter().any(|place| place.at == at) {
            places.push(Place { at, stage, just });
        }
    }
    places
}

/// What an event means for the messages of a client; `None`: it is not the client's.
fn concerns(event: &Event, of: ClientId) -> Option<Just> {
    match &event.what {
        What::Sent { client, .. } if *client == of => Some(Just::Sent),
        What::Executed { client: Some(client), .. } if *client == of => Some(Just::Executed),
        What::Got { client, .. } if *client == of => Some(Just::Other),
        What::Client { client, event } if *client == of => Some(match event {
            ClientEvent::Asked { operation, .. } if *operation != Operation::Read => Just::SentToResource,
            _ => Just::Other,
        }),
        _ => None,
    }
}

fn next(stage: Stage, what: &What) -> Stage {
    let What::Client { event, .. } = what else { return stage };
    match event {
        ClientEvent::Entered { .. } => Stage::Inside,
        ClientEvent::Lock { event: LockEvent::Looked { .. }, .. } => Stage::Checked,
        // The write is on its way: a pause comes too late to keep it back.
        ClientEvent::Asked { operation, .. } if *operation != Operation::Read => Stage::Inside,
        ClientEvent::Left { .. } => Stage::Releasing,
        _ => stage,
    }
}

fn is_of(trigger: &Trigger, of: ClientId) -> bool {
    match trigger {
        Trigger::Client { client, .. } | Trigger::Sent { client, .. } | Trigger::Got { client, .. } => *client == of,
        Trigger::Executed { client, .. } => *client == Some(of),
        Trigger::Start => false,
    }
}
