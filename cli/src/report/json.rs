//! The report for programs, as `docs/json.md` describes it. Times are in microseconds.

use locklab_core::check::{Amount, TOTALS, Verdict, Violation};
use locklab_core::history::{Header, VERSION as HISTORY_VERSION};
use locklab_core::i18n::Text;
use locklab_core::time::Time;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::play::{Judged, Outcome, Played};

/// The version of this format.
const VERSION: u32 = 1;

#[derive(Debug, Serialize)]
struct Document {
    version: u32,
    locklab: &'static str,
    history_version: u32,
    runs: Vec<Run>,
}

/// One run.
#[derive(Debug, Serialize)]
pub struct Run {
    scenario: String,
    lock: String,
    verdicts: Vec<PropertyVerdict>,
    totals: Map<String, Value>,
    expected: Option<bool>,
    differences: Vec<Value>,
    cause: Vec<Value>,
    not_applicable: Option<Value>,
    played_on: Option<String>,
    digest: Option<String>,
    replay: Option<String>,
}

#[derive(Debug, Serialize)]
struct PropertyVerdict {
    property: &'static str,
    verdict: &'static str,
    evidence: Vec<Evidence>,
}

/// One violation, its parties by name.
#[derive(Debug, Serialize)]
struct Evidence {
    from: u64,
    until: Option<u64>,
    clients: Vec<String>,
    lock: Option<String>,
    grant: Option<u32>,
    cell: Option<String>,
    event: usize,
}

/// The whole document.
pub fn document(runs: Vec<Run>) -> String {
    let document =
        Document { version: VERSION, locklab: env!("CARGO_PKG_VERSION"), history_version: HISTORY_VERSION, runs };
    let text = serde_json::to_string_pretty(&document).expect("names and numbers are always JSON");
    format!("{text}\n")
}

/// What is told of one run.
pub fn run(played: &Played) -> Run {
    let empty = Run {
        scenario: played.scenario.clone(),
        lock: played.lock.clone(),
        verdicts: Vec::new(),
        totals: Map::new(),
        expected: played.as_expected(),
        differences: Vec::new(),
        cause: Vec::new(),
        not_applicable: None,
        played_on: None,
        digest: None,
        replay: None,
    };
    match &played.outcome {
        Outcome::NotApplicable { why, .. } => Run { not_applicable: Some(both(why)), ..empty },
        Outcome::Judged(judged) => Run {
            verdicts: verdicts(judged),
            totals: totals(judged),
            differences: judged.comparison.iter().flat_map(|comparison| &comparison.differences).map(both).collect(),
            cause: judged.report.cause.iter().map(both).collect(),
            played_on: Some(judged.history.header.played_on.to_string()),
            digest: Some(judged.history.digest().to_string()),
            replay: judged.address.as_ref().map(ToString::to_string),
            ..empty
        },
    }
}

fn verdicts(judged: &Judged) -> Vec<PropertyVerdict> {
    let header = &judged.history.header;
    let each = judged.report.verdicts.iter().map(|(property, verdict)| {
        let evidence = match verdict {
            Verdict::Broken { evidence } => evidence.iter().map(|violation| found(violation, header)).collect(),
            Verdict::Holds | Verdict::Unknown | Verdict::NotApplicable => Vec::new(),
        };
        PropertyVerdict { property: property.name(), verdict: verdict.name(), evidence }
    });
    each.collect()
}

fn found(violation: &Violation, header: &Header) -> Evidence {
    Evidence {
        from: violation.from.0,
        until: instant(violation.until),
        clients: violation.clients.iter().map(|client| header.clients[usize::from(client.0)].name.clone()).collect(),
        lock: violation.lock.map(|lock| header.locks[usize::from(lock.0)].key.clone()),
        grant: violation.grant.map(|grant| grant.0),
        cell: violation.cell.map(|cell| header.resource.cells[usize::from(cell.0)].clone()),
        event: violation.event,
    }
}

fn totals(judged: &Judged) -> Map<String, Value> {
    let totals = &judged.report.totals;
    let value = |name: &str| totals.by_name(name).map_or(Value::Null, |amount| amount_value(&amount));
    TOTALS.iter().map(|total| (total.name.to_owned(), value(total.name))).collect()
}

fn amount_value(amount: &Amount) -> Value {
    match amount {
        Amount::Span(span) => json!(span.micros()),
        Amount::Count(count) => json!(count),
        Amount::Intervals(intervals) => {
            intervals.iter().map(|(from, until)| json!([from.0, instant(*until)])).collect()
        }
        Amount::Ratio(ratio) => json!({ "of": ratio.of, "by": ratio.by }),
    }
}

/// An instant; none where there is no end.
fn instant(at: Time) -> Option<u64> {
    (at != Time::NEVER).then_some(at.0)
}

fn both(text: &Text) -> Value {
    json!({ "en": text.en, "zh": text.zh })
}
