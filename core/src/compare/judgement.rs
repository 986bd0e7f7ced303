//! What one run did to the resource.

use super::{Scene, Threat};
use crate::check::{Judge, Property, Violation};
use crate::history::{ClientEvent, Effect, Event, Guard, Header, LockEvent, Operation, Outcome, What};
use crate::sim::Sink;
use crate::time::{Span, Time};
use crate::wire::ClientId;

/// The client that is struck.
pub(super) const STRUCK: ClientId = ClientId(0);
/// The client that only wants to work.
pub(super) const BYSTANDER: ClientId = ClientId(1);

/// What a run must keep for others to be able to work.
const OF_SERVICE: [Property; 3] = [Property::NoDeadlock, Property::Progress, Property::Available];

/// Looks on while a run is played.
#[derive(Clone, Debug)]
pub(super) struct Onlooker {
    scene: Scene,
    rules: &'static [Property],
    judge: Judge,
    /// Whether the resource accepted a change of the struck client; of the bystander.
    changed: [bool; 2],
    waiting_since: Option<Time>,
    longest_wait: Span,
}

/// What one run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Judgement {
    /// How bad it was.
    pub severity: Severity,
    /// Whether sections overlapped.
    pub overlapped: bool,
    /// Whether the work of the client that was not struck was done.
    pub served: bool,
    /// The longest that this client waited.
    pub longest_wait: Span,
    /// What it broke.
    pub breaks: Vec<Property>,
}

/// How bad a run was for the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    /// All is well.
    Held,
    /// Somebody could not work.
    Unavailable,
    /// The resource accepted what it should not have.
    Broken,
}

impl Onlooker {
    /// Before the first event.
    pub fn new(header: &Header, scene: Scene) -> Onlooker {
        let rules = of_resource(scene, header.resource.guard);
        let properties = rules.iter().chain(&OF_SERVICE).copied().chain([Property::MutualExclusion]);
        Onlooker {
            scene,
            rules,
            judge: Judge::start(header, properties),
            changed: [false; 2],
            waiting_since: None,
            longest_wait: Span::ZERO,
        }
    }

    /// After the last event.
    pub fn judgement(&self, threat: Threat) -> Judgement {
        let broken: Vec<Property> = self.judge.broken().filter(|property| self.counts(*property)).collect();
        let any = |of: &[Property]| broken.iter().any(|property| of.contains(property));
        let served = match self.scene {
            Scene::Update => self.changed[1],
            // Whoever did it, it is done.
            Scene::Once | Scene::Stock => self.changed[0] || self.changed[1],
        };
        let served = served || (threat == Threat::Duplicate && self.changed[0]);
        let severity = match (any(self.rules), any(&OF_SERVICE) || !served) {
            (true, _) => Severity::Broken,
            (false, true) => Severity::Unavailable,
            (false, false) => Severity::Held,
        };
        Judgement {
            severity,
            overlapped: broken.contains(&Property::MutualExclusion),
            served,
            longest_wait: self.longest_wait,
            breaks: broken,
        }
    }

    /// Whether a broken property tells something of the mechanism.
    fn counts(&self, property: Property) -> bool {
        let by = |is: fn(&Violation) -> bool| self.judge.violations(property).iter().any(is);
        match property {
            // A job that never took effect is one that nobody was free to do; only a second effect harms the resource.
            Property::ExactlyOnce => by(|violation| !violation.clients.is_empty()),
            // That the struck client cannot work is no surprise.
            Property::Progress | Property::Available => by(|violation| violation.clients.contains(&BYSTANDER)),
            _ => true,
        }
    }

    fn effect(&mut self, effect: &Effect) {
        let changes = effect.operation != Operation::Read && matches!(effect.outcome, Outcome::Accepted(_));
        if let Some(changed) = self.changed.get_mut(usize::from(effect.client.0)) {
            *changed |= changes;
        }
    }

    fn waited(&mut self, until: Time) {
        if let Some(since) = self.waiting_since.take() {
            self.longest_wait = self.longest_wait.max(until.since(since));
        }
    }
}

impl Sink for Onlooker {
    const LOOKS: bool = true;

    fn take(&mut self, event: Event) {
        match &event.what {
            What::Effect(effect) => self.effect(effect),
            What::Client { client: BYSTANDER, event: told } => match told {
                ClientEvent::Lock { event: LockEvent::Acquiring, .. } => {
                    self.waiting_since.get_or_insert(event.at);
                }
                ClientEvent::Entered { .. } | ClientEvent::Finished { .. } => self.waited(event.at),
                _ => {}
            },
            What::End(_) => self.waited(event.at),
            _ => {}
        }
        self.judge.step(&event);
    }
}

/// The rules of the resource of a scene.
fn of_resource(scene: Scene, guard: Guard) -> &'static [Property] {
    match (scene, guard) {
        // Whoever is late but has read the newest version harms nobody: who comes after him is refused and reads again.
        (Scene::Update, Guard::Version) => &[Property::NoLostUpdate],
        (Scene::Update, _) => &[Property::NoStaleWrite, Property::NoLostUpdate],
        (Scene::Once, _) => &[Property::ExactlyOnce],
        (Scene::Stock, _) => &[Property::NoOversell],
    }
}
