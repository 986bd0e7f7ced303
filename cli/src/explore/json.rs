//! A search for programs: one document, described in docs/search.md.

use locklab_core::explore::Answer;
use serde::Serialize;
use serde_json::Value;

use super::found::{Break, Found};
use crate::interrupt::Stop;

#[derive(Serialize)]
struct Document {
    format: u32,
    searches: Vec<Value>,
}

#[derive(Serialize)]
struct Search<'a> {
    scenario: &'a str,
    lock: &'a str,
    verdict: &'static str,
    states: u64,
    waiting: u64,
    reached_faults: u32,
    reached_choices: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stop>,
    bounds: Vec<&'a str>,
    properties: Vec<Property<'a>>,
}

#[derive(Serialize)]
struct Property<'a> {
    property: &'static str,
    answer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    attack: Option<Attack<'a>>,
}

#[derive(Serialize)]
struct Attack<'a> {
    faults: &'a str,
    fault_count: u32,
    choices: u32,
    shows_at_micros: u64,
    address: Option<String>,
}

/// The document.
pub fn document(all: &[Found]) -> String {
    let searches = all.iter().map(|found| serde_json::to_value(search(found)).expect("it has string keys only"));
    let document = Document { format: 1, searches: searches.collect() };
    serde_json::to_string_pretty(&document).expect("it has string keys only") + "\n"
}

fn search(found: &Found) -> Search<'_> {
    let broken = found.broken.iter().map(|broken| Property {
        property: broken.property.name(),
        answer: "broken",
        attack: Some(attack(broken)),
    });
    let others = found.others.iter().map(|(property, answer)| Property {
        property: property.name(),
        answer: match answer {
            Answer::Broken(_) => "broken",
            Answer::Holds => "holds",
            Answer::NotApplicable => "not-applicable",
            Answer::Unknown => "unknown",
        },
        attack: None,
    });
    Search {
        scenario: &found.scenario,
        lock: &found.lock,
        verdict: found.verdict.name(),
        states: found.states,
        waiting: found.waiting,
        reached_faults: found.reached.faults(),
        reached_choices: found.reached.choices(),
        stopped: found.stopped,
        bounds: found.bounds.iter().map(|bound| bound.en.as_str()).collect(),
        properties: broken.chain(others).collect(),
    }
}

fn attack(broken: &Break) -> Attack<'_> {
    let address = broken.played.judged().and_then(|judged| judged.address.as_ref());
    Attack {
        faults: &broken.faults,
        fault_count: broken.attack.cost.faults(),
        choices: broken.attack.cost.choices(),
        shows_at_micros: broken.attack.cost.length().0,
        address: address.map(ToString::to_string),
    }
}
