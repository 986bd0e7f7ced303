//! A scenario file: read, explained if it is wrong, played and judged if it is right.

use std::sync::Arc;

use locklab_core::check::check;
use locklab_core::choices::Choices;
use locklab_core::history::History;
use locklab_core::i18n::Language;
use locklab_core::locks::{self, Kind};
use locklab_core::scenario::{Scenario, library};
use locklab_core::sim::{Model, Plan, Recorder, World};

use super::Target;

/// How far a scenario is played: enough to get somewhere, too little to be slow.
const STEPS: u64 = 1_000;

pub const TARGET: Target = Target { name: "scenario", samples, words: WORDS, run };

const WORDS: &[&str] = &[
    "[[fault]]\n",
    "[[client]]\n",
    "[expect.token-lua]\n",
    "[lock]\n",
    "[servers]\n",
    "[resource]\n",
    "[network]\n",
    "pause = \"A\"\n",
    "crash = \"A\"\n",
    "at = \"A.acquired + 2s\"\n",
    "for = \"15s\"\n",
    "kind = \"watchdog\"\n",
    "steps = [\"lock\", \"read\", \"3s\", \"check\", \"write\", \"unlock\"]\n",
    "broken = [\"mutual-exclusion\"]\n",
    "until = \"1h\"\n",
    "runs = 100\n",
    "count = 64\n",
    "every = \"1ms\"\n",
    "latency = \"1ms..5ms\"\n",
    "loss = \"1%\"\n",
    "\"\"\"",
    "'''",
    "{",
    "}",
    "[",
    "]",
    "=",
    "#2",
    "10s",
    "250ms",
    "1us",
    "停顿",
];

fn samples() -> Vec<Vec<u8>> {
    library::all().iter().map(|scenario| scenario.text.as_bytes().to_vec()).collect()
}

fn run(input: &[u8]) {
    let scenario = match Scenario::parse_bytes("fuzz", input) {
        Ok(scenario) => scenario,
        Err(errors) => {
            for language in Language::ALL {
                assert!(!errors.render(language).is_empty(), "an error says something");
            }
            return;
        }
    };
    for kind in locks::kinds() {
        if let Some(history) = played(&scenario, kind) {
            check(&history);
        }
    }
}

/// What happens first in a scenario with a lock; `None` where it cannot be told with this lock.
pub fn played(scenario: &Scenario, kind: &Kind) -> Option<History> {
    let plan = Arc::new(Plan::new(scenario, kind).ok()?);
    let header = plan.header.clone();
    let parts = Model::new(Arc::clone(&plan));
    let Ok(mut world) = World::new(plan, parts, Recorder::default(), Choices::seeded(1));
    let Ok(_) = world.play(STEPS);
    Some(History { header, events: world.into_sink().events })
}
