//! A comparison as comma-separated values: a line a cell.

use locklab_core::compare::{Answer, Found};
use locklab_core::i18n::Language;

use super::matrix::{Entry, Matrix, Row, name};

/// The names of the columns; the same in every language.
const HEADINGS: &str = "mechanism,lock,resource,against,answer,runs,broken,unavailable,overlapped,served,longest_wait_ms,safe_up_to_ms,why,replay\n";

/// The document.
pub fn document(matrix: &Matrix, language: Language) -> String {
    let cells = matrix.rows.iter().flat_map(|row| row.entries.iter().map(move |entry| line(row, entry, language)));
    HEADINGS.to_owned() + &cells.collect::<String>()
}

fn line(row: &Row, entry: &Entry, language: Language) -> String {
    let found = entry.found.as_ref();
    let why = match found.map(|found| &found.answer) {
        Some(Answer::NotApplicable { why }) => why.in_language(language),
        Some(Answer::Held | Answer::Broken | Answer::Unavailable) | None => "",
    };
    let figure = |of: fn(&Found) -> u64| found.map_or(String::new(), |found| of(found).to_string());
    let edge = found.and_then(|found| found.edge);
    let fields = [
        row.mechanism.name(),
        row.mechanism.lock.name.to_string(),
        row.mechanism.means.name().to_owned(),
        entry.threat.name().to_owned(),
        name(found).to_owned(),
        figure(|found| found.runs.into()),
        figure(|found| found.broken.into()),
        figure(|found| found.unavailable.into()),
        figure(|found| found.overlapped.into()),
        figure(|found| found.served.into()),
        figure(|found| found.longest_wait.0 / 1_000),
        edge.map_or(String::new(), |edge| (edge.held.0 / 1_000).to_string()),
        why.to_owned(),
        entry.opened.as_ref().map_or(String::new(), |opened| opened.address.clone()),
    ];
    super::sheet::csv_line(&fields)
}
