//! A comparison as comma-separated values: a line a cell.

use locklab_core::compare::Answer;
use locklab_core::i18n::Language;

use super::matrix::{Entry, Matrix, Row};

/// The names of the columns; the same in every language.
const HEADINGS: &str =
    "mechanism,lock,resource,against,answer,runs,broken,unavailable,overlapped,served,longest_wait_ms,why,replay\n";

/// The document.
pub fn document(matrix: &Matrix, language: Language) -> String {
    let cells = matrix.rows.iter().flat_map(|row| row.entries.iter().map(move |entry| line(row, entry, language)));
    HEADINGS.to_owned() + &cells.collect::<String>()
}

fn line(row: &Row, entry: &Entry, language: Language) -> String {
    let found = &entry.found;
    let why = match &found.answer {
        Answer::NotApplicable { why } => why.in_language(language),
        Answer::Held | Answer::Broken | Answer::Unavailable => "",
    };
    let fields = [
        row.mechanism.name(),
        row.mechanism.lock.name.to_string(),
        row.mechanism.means.name().to_owned(),
        entry.threat.name().to_owned(),
        found.answer.name().to_owned(),
        found.runs.to_string(),
        found.broken.to_string(),
        found.unavailable.to_string(),
        found.overlapped.to_string(),
        found.served.to_string(),
        (found.longest_wait.0 / 1_000).to_string(),
        why.to_owned(),
        entry.opened.as_ref().map_or(String::new(), |opened| opened.address.clone()),
    ];
    super::sheet::csv_line(&fields)
}
