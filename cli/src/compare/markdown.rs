//! A comparison in Markdown: what `cargo xtask bless` writes into the README and the docs.

use std::fmt::Write as _;

use locklab_core::i18n::{Language, Text};
use locklab_core::say;

use super::matrix::{Bounds, Matrix, cost_headings, cost_legend, costs, legend, letter};
use super::sheet::Sheet;

/// The document: the matrix with the costs, then what letters and signs mean.
pub fn document(matrix: &Matrix, language: Language) -> String {
    let say = |text: &Text| text.in_language(language).to_owned();
    let bounds = Bounds::of(matrix);
    let letters = (0..matrix.threats.len()).map(|column| letter(column).to_string());
    let headings = [say(&say!("mechanism", "做法"))].into_iter().chain(letters);
    let headings = headings.chain(cost_headings().map(|heading| say(&heading)));
    let lines = matrix.rows.iter().map(|row| {
        let cells = row.entries.iter().map(|entry| bounds.sign(entry.found.as_ref()).replace('*', "\\*"));
        let costs = costs(row).map(|cost| say(&cost));
        [format!("`{}`", row.mechanism.name())].into_iter().chain(cells).chain(costs).collect()
    });
    let mut page = Sheet { headings: headings.collect(), lines: lines.collect() }.markdown();
    let columns: Vec<String> = matrix
        .threats
        .iter()
        .enumerate()
        .map(|(column, threat)| format!("**{}** {}", letter(column), say(&threat.title())))
        .collect();
    let (between, end) = if language == Language::English { ("; ", ".") } else { ("；", "。") };
    let _ = writeln!(page, "\n{}{end}\n", columns.join(between));
    for line in legend(matrix, &bounds) {
        let _ = writeln!(page, "- {}{end}", say(&line).replace('*', "\\*"));
    }
    let _ = writeln!(page, "- {}", say(&cost_legend()));
    page
}
