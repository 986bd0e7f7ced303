//! One run told in full: verdict, timeline, cause, figures, and how to play it again.

use std::fmt::Write as _;

use anstyle::Style;
use locklab_core::check::{Property, TOTALS, Verdict};
use locklab_core::history::Place;
use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use locklab_core::view::{Highlight, scene, timeline};
use textwrap::{Options, WordSplitter};
use unicode_width::UnicodeWidthStr;

use super::{Voice, words};
use crate::play::{Judged, Outcome, Played};
use crate::terminal::{self, ALARM, FAINT, FINE, STRONG};

/// The page.
pub fn page(played: &Played, voice: Voice) -> String {
    let mut page = Page { voice, text: String::new() };
    page.opening(played);
    match &played.outcome {
        Outcome::NotApplicable { why, .. } => page.paragraph("", "", why),
        Outcome::Judged(judged) => {
            page.verdicts(judged);
            page.differences(judged);
            page.timeline(judged);
            page.cause(judged);
            page.figures(judged);
            page.lesson(played);
            page.again(judged);
        }
    }
    page.text
}

/// A page in the making.
struct Page {
    voice: Voice,
    text: String,
}

impl Page {
    /// The verdict, then what was played.
    fn opening(&mut self, played: &Played) {
        let (verdict, style) = words::verdict(played);
        let (verdict, expected) = (self.say(&verdict), self.say(&words::expected(played)));
        let with = self.say(&say!("with the lock", "使用锁"));
        let title = self.say(&played.title);
        let _ = writeln!(self.text, "{style}{verdict}{expected}{style:#}");
        let _ = writeln!(
            self.text,
            "{STRONG}{title}{STRONG:#} ({}) {with} {STRONG}{}{STRONG:#}",
            played.scenario, played.lock
        );
        if let Some(judged) = played.judged() {
            let question = judged.history.header.question.clone();
            self.paragraph("", "", &question);
            let place = &judged.history.header.played_on;
            if *place != Place::Simulator {
                let on = say!("Played on {on}.", "运行环境：{on}。", on = place.words());
                self.paragraph("", "", &on);
            }
        }
    }

    /// The properties by verdict: what is broken with what it would have meant to keep it. Those that do not apply are not told.
    fn verdicts(&mut self, judged: &Judged) {
        self.text.push('\n');
        self.broken(judged);
        self.with_verdict(judged, &say!("unknown", "无法判定"), ALARM, |verdict| *verdict == Verdict::Unknown);
        self.with_verdict(judged, &say!("held", "成立"), FINE, |verdict| *verdict == Verdict::Holds);
    }

    fn broken(&mut self, judged: &Judged) {
        let names: Vec<(Property, String)> =
            judged.report.broken().map(|property| (property, self.say(&words::property(property)))).collect();
        let width = names.iter().map(|(_, name)| name.width()).max().unwrap_or(0) + 2;
        for (index, (property, name)) in names.iter().enumerate() {
            let label = if index == 0 { say!("broken", "被破坏") } else { Text::default() };
            let lead = format!("{name}{}", " ".repeat(width - name.width()));
            self.labelled(&label, ALARM, &lead, &property.sentence());
        }
    }

    fn with_verdict(&mut self, judged: &Judged, label: &Text, style: Style, of: fn(&Verdict) -> bool) {
        if let Some(names) = words::properties(judged, of) {
            self.labelled(label, style, "", &names);
        }
    }

    /// What differs from what was expected.
    fn differences(&mut self, judged: &Judged) {
        for difference in judged.comparison.iter().flat_map(|comparison| &comparison.differences) {
            self.labelled(&say!("differs", "差异"), ALARM, "", difference);
        }
    }

    fn timeline(&mut self, judged: &Judged) {
        let highlights = Highlight::of(&judged.report, &judged.history.header);
        let scene = scene(&judged.history, highlights);
        self.text.push('\n');
        for line in timeline(&scene, self.voice.language, self.voice.width).lines {
            for fragment in line.fragments {
                let style = terminal::style(fragment.style);
                let _ = write!(self.text, "{style}{}{style:#}", fragment.text);
            }
            self.text.push('\n');
        }
    }

    /// Why, as a chain of sentences.
    fn cause(&mut self, judged: &Judged) {
        if judged.report.cause.is_empty() {
            return;
        }
        self.heading(&say!("Why", "原因"));
        for (number, sentence) in (1..).zip(&judged.report.cause) {
            self.paragraph(&format!("{number:>3}. "), "     ", sentence);
        }
    }

    fn figures(&mut self, judged: &Judged) {
        let figures = words::figures(judged);
        if figures.is_empty() {
            return;
        }
        self.heading(&say!("Figures", "数据"));
        let names = figures.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let values: Vec<String> = figures.iter().map(|(_, value)| self.say(value)).collect();
        let widest = values.iter().map(|value| value.width()).max().unwrap_or(0).min(24);
        for ((name, _), value) in figures.iter().zip(&values) {
            let gap = " ".repeat(widest.saturating_sub(value.width()));
            let first = format!("  {name:<names$}  {value}{gap}  ");
            let indent = " ".repeat(first.width());
            let meaning =
                TOTALS.iter().find(|total| total.name == *name).map(|total| total.meaning()).unwrap_or_default();
            self.faint_paragraph(&first, &indent, &meaning);
        }
    }

    fn lesson(&mut self, played: &Played) {
        if !self.say(&played.lesson).is_empty() {
            self.heading(&say!("Take home", "记住"));
            self.paragraph("  ", "  ", &played.lesson);
        }
    }

    fn again(&mut self, judged: &Judged) {
        let Some(address) = &judged.address else { return };
        let digest = judged.history.digest().short();
        let words = self.say(&say!("Play it again", "重放"));
        let digest = self.say(&say!("digest {digest}", "摘要 {digest}", digest = digest));
        // One word of a shell, however long: it is never broken into lines.
        let _ =
            writeln!(self.text, "\n{STRONG}{words}{STRONG:#} {FAINT}({digest}){FAINT:#}\n  locklab replay {address}");
    }

    fn heading(&mut self, words: &Text) {
        let words = self.say(words);
        let _ = writeln!(self.text, "\n{STRONG}{words}{STRONG:#}");
    }

    /// A label in a column of its own, and beside it what leads a paragraph, which keeps clear of both.
    fn labelled(&mut self, label: &Text, style: Style, lead: &str, words: &Text) {
        let label = self.say(label);
        let column = match self.voice.language {
            Language::English => 9,
            Language::Chinese => 10,
        };
        let gap = " ".repeat(column_gap(column, &label));
        let rest = " ".repeat(column + lead.width());
        let body = self.wrapped(&format!("{label}{gap}{lead}"), &rest, words);
        let rest = body.strip_prefix(label.as_str()).unwrap_or(&body);
        let _ = writeln!(self.text, "{style}{label}{style:#}{rest}");
    }

    fn paragraph(&mut self, first: &str, rest: &str, words: &Text) {
        let body = self.wrapped(first, rest, words);
        if !body.is_empty() {
            let _ = writeln!(self.text, "{body}");
        }
    }

    fn faint_paragraph(&mut self, first: &str, rest: &str, words: &Text) {
        let body = self.wrapped(first, rest, words);
        let (head, tail) = body.split_at(first.len().min(body.len()));
        let _ = writeln!(self.text, "{head}{FAINT}{tail}{FAINT:#}");
    }

    fn wrapped(&self, first: &str, rest: &str, words: &Text) -> String {
        let options = Options::new(self.voice.width)
            .initial_indent(first)
            .subsequent_indent(rest)
            .word_splitter(WordSplitter::NoHyphenation)
            .break_words(false);
        textwrap::fill(words.in_language(self.voice.language), options)
    }

    fn say(&self, text: &Text) -> String {
        text.in_language(self.voice.language).to_owned()
    }
}

fn column_gap(column: usize, label: &str) -> usize {
    column.saturating_sub(label.width()).max(1)
}
