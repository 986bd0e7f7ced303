//! A comparison as a page of its own: the matrix, and below it every cell with its evidence told.

use std::fmt::Write as _;

use locklab_core::i18n::{Language, Text};
use locklab_core::say;

use super::matrix::{Bounds, Entry, Matrix, Row, cost_headings, cost_legend, costs, legend, name, sentence, unplayed};
use super::sheet::escaped;
use super::text::details;

/// Colours that people who do not see red and green apart can tell, and signs beside them.
const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .25rem .5rem; border: 1px solid #8884; text-align: center; }
th[scope=row] { text-align: left; white-space: nowrap; font-weight: 600; }
thead th { font-weight: 600; vertical-align: bottom; max-width: 7rem; }
td a { color: inherit; display: block; text-decoration: none; }
td a:hover, td a:focus { text-decoration: underline; }
.held { background: #2a78d633; }
.broken { background: #d6452a55; font-weight: 700; }
.unavailable { background: #e6b80055; }
.not-applicable { opacity: .5; }
code { overflow-wrap: anywhere; }
section { border-top: 1px solid #8884; margin-top: 1rem; }
section:target { outline: 3px solid #2a78d6; outline-offset: .5rem; }
";

/// The document.
pub fn document(matrix: &Matrix, language: Language) -> String {
    let say = |text: &Text| escaped(text.in_language(language));
    let mut page = opening(say!("Locks compared", "锁的对比").in_language(language), language);
    if let Some(words) = unplayed(matrix) {
        let _ = writeln!(page, "<p>{}</p>", say(&words));
    }
    let bounds = Bounds::of(matrix);
    table(&mut page, matrix, &bounds, language);
    page.push_str("<ul>\n");
    for line in legend(matrix, &bounds).iter().chain([&cost_legend()]) {
        let _ = writeln!(page, "<li>{}</li>", say(line));
    }
    page.push_str("</ul>\n");
    for row in &matrix.rows {
        row.entries.iter().for_each(|entry| section(&mut page, row, entry, language));
    }
    page.push_str("</html>\n");
    page
}

/// The beginning of a page: its head, and its title as the first heading.
pub fn opening(title: &str, language: Language) -> String {
    let title = escaped(title);
    let tag = if language == Language::English { "en" } else { "zh" };
    format!(
        "<!doctype html>\n<html lang=\"{tag}\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n"
    )
}

fn table(page: &mut String, matrix: &Matrix, bounds: &Bounds, language: Language) {
    let say = |text: &Text| escaped(text.in_language(language));
    page.push_str("<div class=\"scroll\"><table>\n<thead><tr><td></td>");
    let threats = matrix.threats.iter().map(|threat| threat.title());
    for heading in threats.chain(cost_headings()) {
        let _ = write!(page, "<th scope=\"col\">{}</th>", say(&heading));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in &matrix.rows {
        let _ = write!(page, "<tr><th scope=\"row\">{}</th>", say(&row.mechanism.title()));
        for entry in &row.entries {
            let found = entry.found.as_ref();
            let answer = name(found);
            let words = say(&sentence(found));
            let sign = escaped(&bounds.sign(found));
            let id = id(row, entry);
            let _ = write!(
                page,
                "<td class=\"{answer}\"><a href=\"#{id}\" title=\"{words}\" aria-label=\"{words}\">{sign}</a></td>"
            );
        }
        for cost in costs(row) {
            let _ = write!(page, "<td>{}</td>", say(&cost));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
}

fn section(page: &mut String, row: &Row, entry: &Entry, language: Language) {
    let say = |text: &Text| escaped(text.in_language(language));
    let (row_title, threat) = (say(&row.mechanism.title()), say(&entry.threat.title()));
    let _ = writeln!(page, "<section id=\"{}\">\n<h2>{row_title} × {threat}</h2>", id(row, entry));
    let _ = writeln!(page, "<p>{}</p>", say(&sentence(entry.found.as_ref())));
    let details = details(entry);
    if details.is_empty() {
        page.push_str("</section>\n");
        return;
    }
    page.push_str("<ul>\n");
    for line in details {
        let _ = writeln!(page, "<li>{}</li>", say(&line));
    }
    page.push_str("</ul>\n");
    if let Some(opened) = &entry.opened {
        page.push_str("<ol>\n");
        for sentence in &opened.cause {
            let _ = writeln!(page, "<li>{}</li>", say(sentence));
        }
        let _ = writeln!(page, "</ol>\n<p><code>locklab replay {}</code></p>", escaped(&opened.address));
    }
    page.push_str("</section>\n");
}

fn id(row: &Row, entry: &Entry) -> String {
    format!("{}-{}", row.mechanism.name().replace('+', "-"), entry.threat.name())
}
