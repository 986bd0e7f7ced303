//! A comparison for programs: one document, described in docs/compare.md.

use std::collections::BTreeMap;

use locklab_core::compare::{Answer, ROUND_TRIP};
use locklab_core::i18n::{Language, Say};
use serde::Serialize;

use super::figures::{Figures, Words};
use super::matrix::{Entry, Matrix, Row, name};
use crate::interrupt::Stop;

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stop>,
    against: Vec<Named<'a>>,
    rows: Vec<JsonRow<'a>>,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    title: Words,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    mechanism: String,
    lock: &'a str,
    resource: &'a str,
    title: Words,
    cost: Option<JsonCost>,
    cells: Vec<Cell<'a>>,
}

#[derive(Serialize)]
struct JsonCost {
    messages_per_acquisition: String,
    acquire_micros: u64,
    round_trip_micros: u64,
    hand_over_micros: Option<u64>,
}

#[derive(Serialize)]
struct Cell<'a> {
    against: &'a str,
    answer: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Words>,
    #[serde(flatten)]
    figures: Figures,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Witness<'a>>,
}

#[derive(Serialize)]
struct Witness<'a> {
    scenario: &'a str,
    lock: &'a str,
    changes: BTreeMap<&'a str, &'a str>,
    breaks: Vec<&'a str>,
    address: Option<&'a str>,
    cause: Vec<Words>,
}

/// The document.
pub fn document(matrix: &Matrix) -> String {
    let against = matrix.threats.iter().map(|threat| Named { name: threat.name(), title: Words::of(&threat.title()) });
    let rows = matrix.rows.iter().map(row).collect();
    let document = Document { format: 1, stopped: matrix.stopped, against: against.collect(), rows };
    serde_json::to_string_pretty(&document).expect("it has string keys only") + "\n"
}

fn row(row: &Row) -> JsonRow<'_> {
    JsonRow {
        mechanism: row.mechanism.name(),
        lock: &row.mechanism.lock.name,
        resource: row.mechanism.means.name(),
        title: Words::of(&row.mechanism.title()),
        cost: row.cost.as_ref().map(|cost| JsonCost {
            messages_per_acquisition: cost.messages.say(Language::English),
            acquire_micros: cost.acquire.0,
            round_trip_micros: ROUND_TRIP.0,
            hand_over_micros: cost.hand_over.map(|span| span.0),
        }),
        cells: row.entries.iter().map(cell).collect(),
    }
}

fn cell(entry: &Entry) -> Cell<'_> {
    let found = entry.found.as_ref();
    Cell {
        against: entry.threat.name(),
        answer: name(found),
        why: match found.map(|found| &found.answer) {
            Some(Answer::NotApplicable { why }) => Some(Words::of(why)),
            Some(Answer::Held | Answer::Broken | Answer::Unavailable) | None => None,
        },
        figures: found.map(Figures::of).unwrap_or_default(),
        witness: found.and_then(|found| found.witness.as_ref()).map(|witness| Witness {
            scenario: witness.scenario,
            lock: &witness.lock,
            changes: witness.changes.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect(),
            breaks: witness.breaks.iter().map(|property| property.name()).collect(),
            address: entry.opened.as_ref().map(|opened| opened.address.as_str()),
            cause: entry.opened.iter().flat_map(|opened| &opened.cause).map(Words::of).collect(),
        }),
    }
}
