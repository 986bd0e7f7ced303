//! What is played for a cell: a built-in scenario, and what is changed in it.

use super::{Means, Mechanism, Threat};
use crate::locks::Needs;
use crate::scenario::{Scenario, library, set};
use crate::time::Span;

/// A scenario of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scene {
    /// Two clients read, change and write one value.
    Update,
    /// Two clients mean to run the same job.
    Once,
    /// Two clients take from a stock of one, in one step.
    Stock,
}

/// Changes to a scenario: key and value, as `--set` takes them.
pub(super) type Settings = Vec<(String, String)>;

/// How long A works, unless work is what is in question: longer than a renewal takes to come, shorter than the lease.
const WORK: Span = Span::from_millis(1_500);

/// The work that is longer than the lease, and some that is not.
const LONG_WORK: [Span; 6] = [
    Span::from_secs(2),
    Span::from_millis(3_200),
    Span::from_millis(3_800),
    Span::from_secs(5),
    Span::from_secs(8),
    Span::from_secs(12),
];

impl Scene {
    /// The name of the built-in scenario.
    pub const fn name(self) -> &'static str {
        match self {
            Scene::Update => "compare/update",
            Scene::Once => "compare/once",
            Scene::Stock => "compare/stock",
        }
    }

    /// The scenario with these changes.
    pub(super) fn scenario(self, settings: &Settings) -> Scenario {
        let text = library::find(self.name()).expect("the scenes are built in").text.to_owned();
        let text = settings.iter().fold(text, |text, (key, value)| {
            set(&text, &format!("{key}={value}")).expect("the comparison changes what the scenes have")
        });
        Scenario::parse(self.name(), &text).expect("the comparison changes scenes to what a scenario can say")
    }

    /// A's steps, as a scenario writes them.
    fn steps(self, lock: &str, work: Span, before_write: &str, unlock: &str) -> String {
        match self {
            Scene::Update | Scene::Once => {
                format!("[{lock}, \"read\", \"{work}\", {before_write}\"write\", {unlock}]")
            }
            Scene::Stock => format!("[{lock}, \"{work}\", {before_write}\"atomic\", {unlock}]"),
        }
    }
}

/// What is played for a mechanism against a threat: a scene, and its changes once for each variant of it.
pub(super) fn variants(mechanism: &Mechanism, threat: Threat) -> (Scene, Vec<Settings>) {
    let usual = mechanism.means.scene();
    let scene = if threat == Threat::Duplicate { Scene::Once } else { usual };
    let settings = resource(mechanism.means);
    let with = |steps: String| {
        let mut settings = settings.clone();
        settings.push(("A.steps".into(), steps));
        settings
    };
    let variants = match threat {
        Threat::LongWork => LONG_WORK.map(|work| with(usual.steps("\"lock\"", work, "", "\"unlock\""))).to_vec(),
        Threat::PauseAfterCheck => vec![with(usual.steps("\"lock\"", WORK, "\"check\", ", "\"unlock\""))],
        Threat::ReEntry => vec![with(usual.steps("\"lock\", \"lock\"", WORK, "", "\"unlock\", \"unlock\""))],
        Threat::Duplicate => {
            // Nobody else comes: whatever takes effect twice was delivered twice.
            let mut settings = with(usual.steps("\"lock\"", WORK, "", "\"unlock\""));
            settings.push(("B.starts".into(), "30s".into()));
            vec![settings]
        }
        Threat::Failover if mechanism.lock.needs == Needs::Redis => {
            vec![settings.into_iter().chain(replicated()).collect()]
        }
        _ => vec![settings],
    };
    (scene, variants)
}

/// What is played for work of this length.
pub(super) fn working(mechanism: &Mechanism, work: Span) -> (Scene, Settings) {
    let scene = mechanism.means.scene();
    let mut settings = resource(mechanism.means);
    settings.push(("A.steps".into(), scene.steps("\"lock\"", work, "", "\"unlock\"")));
    (scene, settings)
}

/// What is played to measure a mechanism's cost: A and B one after the other, and A with B waiting, from several instants on: who polls may be lucky.
pub(super) fn for_cost(mechanism: &Mechanism) -> (Scene, Settings, Vec<Settings>) {
    let starting = |starts: Span| {
        let mut settings = resource(mechanism.means);
        settings.push(("B.starts".into(), starts.to_string()));
        settings
    };
    let contended = (0..8).map(|step| starting(Span::from_millis(3_100 + 25 * step)));
    (mechanism.means.scene(), starting(Span::from_secs(12)), contended.collect())
}

/// A master with replicas, one quick and one slow.
pub(super) fn replicated() -> Settings {
    let setting = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    vec![
        setting("servers.redis", "replicated"),
        setting("servers.replicas", "2"),
        setting("servers.lag", "[\"50ms\", \"2s\"]"),
    ]
}

/// A lease that every service grants, and the time to see what comes of it.
pub(super) fn longer() -> Settings {
    [("ttl", "10s"), ("until", "80s"), ("within", "40s")]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .to_vec()
}

/// What the resource contributes.
fn resource(means: Means) -> Settings {
    let setting = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    match means {
        Means::Nothing | Means::Atomic => vec![setting("resource.guard", "none")],
        Means::Token => vec![setting("resource.guard", "fencing")],
        // Whoever is refused reads again.
        Means::Version => vec![
            setting("resource.guard", "version"),
            setting("A.when_rejected", "retry"),
            setting("B.when_rejected", "retry"),
        ],
        Means::UniqueKey => vec![setting("resource.guard", "unique-key")],
        Means::Script => vec![setting("resource.home", "redis")],
    }
}
