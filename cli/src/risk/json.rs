//! A risk for programs: one document, described in docs/risk.md.

use locklab_core::explore::risk::Estimate;
use serde_json::{Value, json};

use super::Assessment;

/// The document.
pub fn document(assessment: &Assessment) -> String {
    let (risk, tally) = (&assessment.inquiry.risk, &assessment.tally);
    let properties: Vec<Value> = risk
        .properties()
        .iter()
        .enumerate()
        .map(|(place, property)| {
            let steps = assessment.steps.iter();
            let curve = assessment.curve.iter();
            json!({
                "property": property.name(),
                "acquisition": estimate(risk.of_an_acquisition(tally, place)),
                "year": estimate(risk.of_a_year(tally, place)),
                "convergence": steps.map(|(runs, all)| json!({ "runs": runs, "acquisition": estimate(all[place]) })).collect::<Vec<_>>(),
                "ttl": curve.map(|(ttl, all)| json!({ "micros": ttl.0, "acquisition": estimate(all[place]) })).collect::<Vec<_>>(),
            })
        })
        .collect();
    let strata: Vec<Value> = risk
        .strata()
        .iter()
        .enumerate()
        .map(|(index, stratum)| {
            let places = 0..risk.properties().len();
            json!({
                "what": stratum.kind.title().en,
                "weight": stratum.weight,
                "runs": tally.runs[index],
                "broken": tally.broken[index],
                "excluded": places.map(|place| risk.is_excluded(index, place)).collect::<Vec<_>>(),
            })
        })
        .collect();
    let examples: Vec<Value> = assessment
        .examples
        .iter()
        .map(|(property, played)| {
            json!({ "property": property.name(), "address": played.address().map(|address| address.to_string()) })
        })
        .collect();
    let Assessment { inquiry, .. } = assessment;
    let mut document = json!({
        "format": 1,
        "scenario": &*inquiry.stage.scenario.name,
        "lock": &*inquiry.lock.name,
        "model": inquiry.model.title,
        "source": inquiry.model.source,
        "runs": assessment.runs(),
        "seed": inquiry.question.seed,
        "acquisitions_in_a_run": risk.acquisitions(),
        "run_micros": risk.window().0,
        "properties": properties,
        "strata": strata,
        "examples": examples,
    });
    if let Some(stop) = assessment.stopped {
        document["stopped"] = json!(stop);
    }
    serde_json::to_string_pretty(&document).expect("it has string keys only") + "\n"
}

fn estimate(value: Estimate) -> Value {
    json!({ "estimate": value.probability, "low": value.low, "high": value.high, "unseen": value.unseen })
}
