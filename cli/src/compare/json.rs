//! A comparison for programs: one document, described in docs/compare.md.

use std::collections::BTreeMap;

use locklab_core::compare::{Answer, Found, ROUND_TRIP};
use locklab_core::i18n::{Language, Say, Text};
use serde::Serialize;

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
struct Words {
    en: String,
    zh: String,
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
    runs: u32,
    broken: u32,
    unavailable: u32,
    overlapped: u32,
    served: u32,
    longest_wait_micros: u64,
    tried: Words,
    #[serde(skip_serializing_if = "Option::is_none")]
    edge: Option<JsonEdge>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Witness<'a>>,
}

#[derive(Serialize)]
struct JsonEdge {
    held_micros: u64,
    broken_micros: u64,
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
    let against = matrix.threats.iter().map(|threat| Named { name: threat.name(), title: words(&threat.title()) });
    let rows = matrix.rows.iter().map(row).collect();
    let document = Document { format: 1, stopped: matrix.stopped, against: against.collect(), rows };
    serde_json::to_string_pretty(&document).expect("it has string keys only") + "\n"
}

fn row(row: &Row) -> JsonRow<'_> {
    JsonRow {
        mechanism: row.mechanism.name(),
        lock: &row.mechanism.lock.name,
        resource: row.mechanism.means.name(),
        title: words(&row.mechanism.title()),
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
    let figure = |of: fn(&Found) -> u32| found.map_or(0, of);
    Cell {
        against: entry.threat.name(),
        answer: name(found),
        why: match found.map(|found| &found.answer) {
            Some(Answer::NotApplicable { why }) => Some(words(why)),
            Some(Answer::Held | Answer::Broken | Answer::Unavailable) | None => None,
        },
        runs: figure(|found| found.runs),
        broken: figure(|found| found.broken),
        unavailable: figure(|found| found.unavailable),
        overlapped: figure(|found| found.overlapped),
        served: figure(|found| found.served),
        longest_wait_micros: found.map_or(0, |found| found.longest_wait.0),
        tried: found.map_or_else(|| words(&Text::default()), |found| words(&found.tried)),
        edge: entry
            .opened
            .as_ref()
            .and_then(|opened| opened.edge)
            .map(|edge| JsonEdge { held_micros: edge.held.0, broken_micros: edge.broken.0 }),
        witness: found.and_then(|found| found.witness.as_ref()).map(|witness| Witness {
            scenario: witness.scenario,
            lock: &witness.lock,
            changes: witness.changes.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect(),
            breaks: witness.breaks.iter().map(|property| property.name()).collect(),
            address: entry.opened.as_ref().map(|opened| opened.address.as_str()),
            cause: entry.opened.iter().flat_map(|opened| &opened.cause).map(words).collect(),
        }),
    }
}

fn words(text: &Text) -> Words {
    Words { en: text.en.clone(), zh: text.zh.clone() }
}
