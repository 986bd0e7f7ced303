//! Advice for programs: one document, described in docs/compare.md.

use locklab_core::compare::Mechanism;
use locklab_core::compare::advice::{Advice, Reason, Server, Situation};
use locklab_core::i18n::Text;
use serde_json::{Value, json};

/// The document.
pub fn document(situation: &Situation, advice: &Advice) -> String {
    let servers: Vec<&str> = situation.servers.iter().copied().map(Server::name).collect();
    let document = json!({
        "format": 1,
        "situation": {
            "task": situation.task.name(),
            "stakes": situation.stakes.name(),
            "check": situation.check.name(),
            "work_micros": situation.work.map(|work| work.0),
            "servers": servers,
        },
        "choice": mechanism(&advice.choice),
        "needs_no_lock": advice.needs_no_lock(),
        "is_enough": advice.is_enough(),
        "alternatives": advice.alternatives.iter().map(mechanism).collect::<Vec<_>>(),
        "reasons": advice.reasons.iter().map(reason).collect::<Vec<_>>(),
        "rejected": advice.rejected.iter().map(reason).collect::<Vec<_>>(),
        "left": advice.left.iter().map(left).collect::<Vec<_>>(),
    });
    serde_json::to_string_pretty(&document).expect("it has string keys only") + "\n"
}

fn mechanism(mechanism: &Mechanism) -> Value {
    json!({ "mechanism": mechanism.name(), "title": words(&mechanism.title()) })
}

fn reason(reason: &Reason) -> Value {
    json!({
        "mechanism": reason.cell.mechanism.name(),
        "against": reason.cell.threat.name(),
        "answer": reason.found.answer.name(),
        "runs": reason.found.runs,
        "broken": reason.found.broken,
        "unavailable": reason.found.unavailable,
        "overlapped": reason.found.overlapped,
        "speaks_for_it": reason.is_good(),
    })
}

fn left(of: &Reason) -> Value {
    let mut value = reason(of);
    value["remedy"] = words(&of.remedy());
    value
}

fn words(text: &Text) -> Value {
    json!({ "en": text.en, "zh": text.zh })
}
