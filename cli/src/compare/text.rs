//! A comparison as text: the matrix, what its letters and signs mean, and the cells of a small one in full.

use std::fmt::Write as _;

use anstyle::Style;
use locklab_core::compare::{Answer, Found};
use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use textwrap::Options;
use unicode_width::UnicodeWidthStr;

use super::matrix::{
    Bounds, Entry, Matrix, Row, cost_headings, cost_legend, costs, legend, letter, sentence, unplayed,
};
use crate::terminal::{self, ALARM, FAINT, FINE, HINT, STRONG};

/// With at most so many cells each is told.
pub const TOLD: usize = 24;

/// The page.
pub fn page(matrix: &Matrix, language: Language) -> String {
    let say = |text: &Text| text.in_language(language).to_owned();
    let count: usize = matrix.rows.iter().map(|row| row.entries.len()).sum();
    let mut page = String::new();
    if let Some(words) = unplayed(matrix) {
        let _ = writeln!(page, "{ALARM}{}{ALARM:#}\n", say(&words));
    }
    if count > 1 {
        let bounds = Bounds::of(matrix);
        table(&mut page, matrix, &bounds);
        let _ = writeln!(page);
        for (column, threat) in matrix.threats.iter().enumerate() {
            let line = format!("  {STRONG}{}{STRONG:#} {:<18} {}", letter(column), threat.name(), say(&threat.title()));
            let _ = writeln!(page, "{line}");
        }
        let _ = writeln!(page);
        for line in legend(matrix, &bounds) {
            let _ = writeln!(page, "{}", wrapped("  ", "     ", &say(&line)));
        }
        costs_table(&mut page, matrix, language);
    }
    if count <= TOLD {
        let entries = matrix.rows.iter().flat_map(|row| row.entries.iter().map(move |entry| (row, entry)));
        for (index, (row, entry)) in entries.enumerate() {
            let gap = if index > 0 || count > 1 { "\n" } else { "" };
            page.push_str(gap);
            told(&mut page, row, entry, language);
        }
    } else {
        let hint = say!(
            "open a cell, with the run that is its evidence: locklab compare --locks token-lua --against pause",
            "打开一格，查看作为证据的那次运行：locklab compare --locks token-lua --against pause"
        );
        let _ = writeln!(page, "\n{HINT}{}{HINT:#}", wrapped("", "", &say(&hint)));
    }
    let story = matrix.rows.first().and_then(|row| row.entries.first()).and_then(|entry| entry.opened.as_ref());
    if let (1, Some(opened)) = (count, story) {
        let _ = write!(page, "\n{}", opened.story);
    }
    page
}

/// The matrix, in as many blocks of columns as the terminal needs.
fn table(page: &mut String, matrix: &Matrix, bounds: &Bounds) {
    let names = matrix.rows.iter().map(|row| row.mechanism.name().width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..matrix.threats.len())
        .map(|column| {
            matrix
                .rows
                .iter()
                .map(|row| bounds.sign(row.entries[column].found.as_ref()).width())
                .max()
                .unwrap_or(0)
                .max(1)
        })
        .collect();
    let mut from = 0;
    while from < widths.len() {
        let mut used = names + 2;
        let fit = widths[from..].iter().take_while(|width| {
            used += **width + 1;
            used <= terminal::width()
        });
        let to = from + fit.count().max(1);
        if from > 0 {
            page.push('\n');
        }
        let _ = write!(page, "{:names$} ", "");
        for (column, width) in widths.iter().enumerate().take(to).skip(from) {
            let _ = write!(page, " {STRONG}{}{STRONG:#}", right(&letter(column).to_string(), *width));
        }
        page.push('\n');
        for row in &matrix.rows {
            let name = row.mechanism.name();
            let _ = write!(page, "{name:names$} ");
            for (column, width) in widths.iter().enumerate().take(to).skip(from) {
                let found = row.entries[column].found.as_ref();
                let style = style(found);
                let _ = write!(page, " {style}{}{style:#}", right(&bounds.sign(found), *width));
            }
            page.push('\n');
        }
        from = to;
    }
}

fn costs_table(page: &mut String, matrix: &Matrix, language: Language) {
    let say = |text: &Text| text.in_language(language).to_owned();
    let names = matrix.rows.iter().map(|row| row.mechanism.name().width()).max().unwrap_or(0);
    let headings = cost_headings().map(|heading| say(&heading));
    let rows: Vec<[String; 3]> = matrix.rows.iter().map(|row| costs(row).map(|cost| say(&cost))).collect();
    let width =
        |column: usize| rows.iter().map(|row| row[column].width()).chain([headings[column].width()]).max().unwrap_or(0);
    let line = |cells: &[String; 3]| {
        let cells = (0..3).map(|column| right(&cells[column], width(column)));
        cells.collect::<Vec<_>>().join("  ")
    };
    let _ = writeln!(page, "\n{:names$}  {STRONG}{}{STRONG:#}", "", line(&headings));
    for (row, cells) in matrix.rows.iter().zip(&rows) {
        let _ = writeln!(page, "{:names$}  {}", row.mechanism.name(), line(cells));
    }
    let _ = writeln!(page, "{}", wrapped("  ", "  ", &say(&cost_legend())));
}

/// One cell in full.
fn told(page: &mut String, row: &Row, entry: &Entry, language: Language) {
    let say = |text: &Text| text.in_language(language).to_owned();
    let found = entry.found.as_ref();
    let style = style(found);
    let head = say!(
        "{mechanism} against {threat}",
        "{mechanism}，面对：{threat}",
        mechanism = row.mechanism.title(),
        threat = entry.threat.title()
    );
    let colon = if language == Language::English { ": " } else { "：" };
    let _ = writeln!(page, "{STRONG}{}{STRONG:#}{colon}{style}{}{style:#}", say(&head), say(&sentence(found)));
    for line in details(entry) {
        let _ = writeln!(page, "{}", wrapped("  ", "    ", &say(&line)));
    }
    if let Some(opened) = &entry.opened {
        let _ = writeln!(page, "  {FAINT}locklab replay {}{FAINT:#}", opened.address);
    }
}

/// What else there is to say about a cell, a sentence each.
pub fn details(entry: &Entry) -> Vec<Text> {
    let Some(found) = entry.found.as_ref().filter(|found| !matches!(found.answer, Answer::NotApplicable { .. })) else {
        return Vec::new();
    };
    let mut lines = vec![say!("tried: {tried}", "尝试了：{tried}", tried = found.tried)];
    lines.extend(found.edge.map(|edge| edge.sentence(entry.threat)));
    if found.overlapped > 0 {
        lines.push(say!(
            "two clients were inside at the same time in {overlapped} runs",
            "{overlapped} 次运行中，两个客户端同时处于临界区",
            overlapped = found.overlapped
        ));
    }
    lines.push(say!(
        "the work was done in {served} of {runs} runs by whoever was not struck; the longest wait for the lock was {wait}",
        "{runs} 次运行中有 {served} 次，未受故障影响的一方完成了工作；等锁最长 {wait}",
        served = found.served,
        runs = found.runs,
        wait = found.longest_wait
    ));
    if let Some(witness) = &found.witness {
        let (en, zh): (Vec<&str>, Vec<String>) =
            witness.breaks.iter().map(|property| (property.name(), property.title().zh)).unzip();
        let breaks = Text::new(en.join(", "), zh.join("、"));
        let faults = witness.changes.iter().find(|(key, _)| key == "fault").map(|(_, value)| value.as_str());
        if let Some(faults) = faults {
            lines.push(Text::same(format!("fault = {faults}")));
        }
        if !en.is_empty() {
            lines.push(say!("what this run breaks: {breaks}", "这次运行破坏了：{breaks}", breaks = breaks));
        }
    }
    lines
}

fn style(found: Option<&Found>) -> Style {
    match found.map(|found| &found.answer) {
        Some(Answer::Held) => FINE,
        Some(Answer::Broken) => ALARM,
        Some(Answer::Unavailable) => anstyle::AnsiColor::Yellow.on_default().bold(),
        Some(Answer::NotApplicable { .. }) | None => FAINT,
    }
}

fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text.width())))
}

fn wrapped(first: &str, rest: &str, words: &str) -> String {
    let options = Options::new(terminal::width()).initial_indent(first).subsequent_indent(rest).break_words(false);
    textwrap::fill(words, options)
}
