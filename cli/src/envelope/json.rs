//! An envelope for programs: one document, described in docs/envelope.md.

use locklab_core::explore::envelope::Outcome;
use serde_json::{Value, json};

use super::survey::{Line, Survey};

/// The document.
pub fn document(survey: &Survey<'_>) -> String {
    let inquiry = survey.inquiry;
    let lines: Vec<Value> = survey.lines.iter().map(|line| self::line(survey, line)).collect();
    let breaks: Vec<Value> = survey
        .breaks
        .iter()
        .map(|(value, broken)| {
            json!({
                "property": broken.property.name(),
                "value": value,
                "faults": broken.faults,
                "address": broken.played.address().map(|address| address.to_string()),
            })
        })
        .collect();
    let mut document = json!({
        "format": 1,
        "scenario": &*inquiry.stage.scenario.name,
        "lock": &*inquiry.lock.name,
        "axis": inquiry.axis.name(),
        "unit": if inquiry.axis.is_time() { "microseconds" } else { "ppm" },
        "from": survey.range.0,
        "to": survey.range.1,
        "points": survey.points(),
        "lines": lines,
        "breaks": breaks,
        "bounds": survey.bounds.iter().map(|bound| bound.en.as_str()).collect::<Vec<_>>(),
    });
    if let Some(stop) = survey.stopped {
        document["stopped"] = json!(stop);
    }
    serde_json::to_string_pretty(&document).expect("it has string keys only") + "\n"
}

fn line(survey: &Survey<'_>, line: &Line) -> Value {
    let properties: Vec<Value> = survey
        .inquiry
        .properties
        .iter()
        .enumerate()
        .map(|(place, property)| {
            let stretches: Vec<Value> = line
                .envelope
                .stretches(place)
                .into_iter()
                .map(|stretch| json!({ "from": stretch.from, "to": stretch.to, "outcome": name(stretch.outcome) }))
                .collect();
            json!({ "property": property.name(), "stretches": stretches })
        })
        .collect();
    json!({
        "against": line.second.map(|(axis, value)| json!({ "axis": axis.name(), "value": value })),
        "properties": properties,
    })
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Held => "held",
        Outcome::Broken => "broken",
        Outcome::Unknown => "unknown",
    }
}
