//! One cell: a mechanism against a threat, played at every moment.

use std::sync::Arc;

use super::judgement::{Judgement, Onlooker, STRUCK, Severity};
use super::moments::{Place, moments};
use super::placement::{Placements, placements};
use super::scene::{self, Settings};
use super::{Answer, Found, Mechanism, Scene, Threat, Witness};
use crate::choices::Choices;
use crate::history::{ClientEvent, History, What};
use crate::i18n::Text;
use crate::locks::{Kind, Needs};
use crate::say;
use crate::scenario::{Fault, Scenario, written_faults};
use crate::sim::{self, Model, NotApplicable, Plan, World};
use crate::time::Span;

/// A run that has not ended by then would not end.
const BOUND: u64 = 50_000;

/// One cell of the comparison, not yet played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its row.
    pub mechanism: Mechanism,
    /// Its column.
    pub threat: Threat,
}

/// A scene made ready for a lock, with what happens when nothing goes wrong.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub scene: Scene,
    pub settings: Settings,
    pub scenario: Scenario,
    pub plan: Plan,
    pub calm: History,
}

impl Cell {
    /// Plays everything that there is to try, and says what came of it; where something broke, with its edge.
    pub fn play(&self) -> Found {
        let mut found = self.trial();
        if found.answer == Answer::Broken {
            found.edge = self.edge();
        }
        found
    }

    /// The same without the edge.
    pub(super) fn trial(&self) -> Found {
        let (scene, variants) = scene::variants(&self.mechanism, self.threat);
        let mut tally = Tally::default();
        for settings in variants {
            let stage = match Stage::new(scene, settings, self.mechanism.lock) {
                Ok(stage) => stage,
                Err(NotApplicable { why }) => return Found::not_applicable(why),
            };
            let Placements { all, tried } = match placements(self.threat, &stage) {
                Ok(placements) => placements,
                Err(why) => return Found::not_applicable(why),
            };
            tally.tried = tried;
            for faults in all {
                let judgement = stage.play(&faults, self.threat);
                tally.add(judgement, || stage.witness(&faults, &self.mechanism));
            }
        }
        tally.found()
    }
}

impl Stage {
    /// A scene with these changes, made ready for a lock. Where nobody gets a lock although nothing goes wrong, it needs something else: one that waits for
    /// replicas is given some, and a service that refuses so short a lease is asked for a longer one.
    ///
    /// # Errors
    /// The scene cannot be told with this lock, or nobody gets it even so.
    pub fn new(scene: Scene, settings: Settings, lock: &Kind) -> Result<Stage, NotApplicable> {
        let replicated = if lock.needs == Needs::Redis { scene::replicated() } else { Settings::new() };
        for needed in [Settings::new(), replicated, scene::longer()] {
            let stage = Stage::plain(scene, settings.iter().cloned().chain(needed).collect(), lock)?;
            if stage.acquired() {
                return Ok(stage);
            }
        }
        Err(NotApplicable {
            why: say!("nobody gets this lock in the scene", "在这个场景里没有人能拿到这把锁")
        })
    }

    fn plain(scene: Scene, settings: Settings, lock: &Kind) -> Result<Stage, NotApplicable> {
        let scenario = scene.scenario(&settings);
        let plan = Plan::new(&scenario, lock)?;
        let shared = Arc::new(plan.clone());
        let Ok(run) = sim::run_with(shared.clone(), Model::new(shared), Choices::scripted());
        Ok(Stage { scene, settings, scenario, plan, calm: run.history })
    }

    /// The moments of the struck client's run when nothing goes wrong.
    pub fn moments(&self) -> Vec<Place> {
        moments(&self.calm, STRUCK)
    }

    fn acquired(&self) -> bool {
        let entered = |what: &What| matches!(what, What::Client { event: ClientEvent::Entered { .. }, .. });
        self.calm.events.iter().any(|event| entered(&event.what))
    }

    /// How long a lease lasts.
    pub fn ttl(&self) -> Span {
        self.plan.params.first().map_or(Span::from_secs(3), |params| params.ttl)
    }

    /// As long as anything is tried: the longest fault outlives a lease and the next holder's work.
    pub fn longest(&self) -> Span {
        self.ttl() + Span(self.ttl().0 / 3 * 2)
    }

    /// Plays the scene with these faults.
    pub fn play(&self, faults: &[Fault], threat: Threat) -> Judgement {
        let plan = Arc::new(Plan { faults: faults.to_vec(), ..self.plan.clone() });
        let onlooker = Onlooker::new(&plan.header, self.scene);
        let Ok(mut world) = World::new(plan.clone(), Model::new(plan), onlooker, Choices::scripted());
        let Ok(_) = world.play(BOUND);
        world.into_sink().judgement(threat)
    }

    fn witness(&self, faults: &[Fault], mechanism: &Mechanism) -> Witness {
        let nodes: Vec<String> = self.plan.header.nodes.iter().map(|node| node.name.clone()).collect();
        let mut changes = self.settings.clone();
        if !faults.is_empty() {
            changes.push(("fault".into(), written_faults(faults, &self.scenario, &nodes)));
        }
        Witness { scenario: self.scene.name(), lock: mechanism.lock.name.to_string(), changes, breaks: Vec::new() }
    }
}

/// The runs so far.
#[derive(Debug, Default)]
struct Tally {
    runs: u32,
    broken: u32,
    unavailable: u32,
    overlapped: u32,
    served: u32,
    longest_wait: Span,
    tried: Text,
    worst: Option<(Badness, Witness)>,
}

/// How much a run has to tell: its severity, then whether sections overlapped.
type Badness = (Severity, bool);

impl Tally {
    fn add(&mut self, run: Judgement, witness: impl FnOnce() -> Witness) {
        self.runs += 1;
        self.broken += u32::from(run.severity == Severity::Broken);
        self.unavailable += u32::from(run.severity == Severity::Unavailable);
        self.overlapped += u32::from(run.overlapped);
        self.served += u32::from(run.served);
        self.longest_wait = self.longest_wait.max(run.longest_wait);
        let badness = (run.severity, run.overlapped);
        let worst = self.worst.as_ref().map_or((Severity::Held, false), |(worst, _)| *worst);
        // How far a run overlaps does not matter once the resource is harmed.
        let is_worse = if worst.0 == Severity::Broken { false } else { badness > worst };
        if is_worse {
            self.worst = Some((badness, Witness { breaks: run.breaks, ..witness() }));
        }
    }

    fn found(self) -> Found {
        let answer = match (self.broken, self.unavailable) {
            (0, 0) => Answer::Held,
            (0, _) => Answer::Unavailable,
            _ => Answer::Broken,
        };
        Found {
            answer,
            runs: self.runs,
            broken: self.broken,
            unavailable: self.unavailable,
            overlapped: self.overlapped,
            served: self.served,
            longest_wait: self.longest_wait,
            tried: self.tried,
            edge: None,
            witness: self.worst.map(|(_, witness)| witness),
        }
    }
}
