//! An envelope told: a chart, the edges as numbers, the simplest run at each first edge, what was searched.

use std::fmt::Write as _;

use locklab_core::check::Property;
use locklab_core::explore::envelope::Outcome;
use locklab_core::i18n::{Language, Text};
use locklab_core::say;

use super::survey::{Line, Survey};
use crate::terminal::{self, ALARM, FAINT, FINE, STRONG};

/// The page.
pub fn page(survey: &Survey<'_>, language: Language) -> String {
    let inquiry = survey.inquiry;
    let say = |text: &Text| text.in_language(language).to_owned();
    let mut page = String::new();
    let with = say(&say!("with the lock", "使用锁"));
    let (title, name, lock) = (say(&survey.title), &inquiry.stage.scenario.name, &inquiry.lock.name);
    let _ = writeln!(page, "{STRONG}{title}{STRONG:#} ({name}) {with} {STRONG}{lock}{STRONG:#}\n");
    page.push_str(&super::chart(survey, language).text(language, terminal::width()));
    page.push('\n');
    for (place, property) in inquiry.properties.iter().enumerate() {
        for line in &survey.lines {
            let _ = writeln!(page, "{}", edges(survey, line, place, *property, language));
        }
    }
    if !survey.breaks.is_empty() {
        let heading = say!("The simplest run at the first edge of each", "每条性质第一个分界处最简单的一次运行");
        let _ = writeln!(page, "\n{STRONG}{}{STRONG:#}", say(&heading));
    }
    for (value, broken) in &survey.breaks {
        let _ = writeln!(page, "  {} {} {}", broken.property, inquiry.axis.name(), inquiry.axis.show(*value));
        let _ = writeln!(page, "    fault = {}", broken.faults);
        if let Some(address) = broken.played.address() {
            let _ = writeln!(page, "    locklab replay {address}");
        }
    }
    let _ = writeln!(page, "\n{STRONG}{}{STRONG:#}", say(&say!("What was searched at each point", "每个点的搜索范围")));
    for bound in &survey.bounds {
        let options = textwrap::Options::new(terminal::width()).initial_indent("  - ").subsequent_indent("    ");
        let _ = writeln!(page, "{}", textwrap::fill(bound.in_language(language), options));
    }
    let effort = say!(
        "{points} points, each decided by itself; where two neighbours agree, what lies between them is taken to agree",
        "{points} 个点，各自独立判定；相邻两点结论相同时，认为其间也相同",
        points = survey.points() as u64
    );
    let _ = writeln!(page, "{FAINT}{}{FAINT:#}", say(&effort));
    if let Some(stop) = survey.stopped {
        let words = say!(
            "{why}: what is unknown above was not decided",
            "{why}：上面“无法判定”的部分没有判定完",
            why = stop.said()
        );
        let _ = writeln!(page, "{ALARM}{}{ALARM:#}", say(&words));
    }
    page
}

/// One property's edges in a sentence.
fn edges(survey: &Survey<'_>, line: &Line, place: usize, property: Property, language: Language) -> String {
    let axis = survey.inquiry.axis;
    let stretches = line.envelope.stretches(place);
    let style = if stretches.iter().all(|stretch| stretch.outcome == Outcome::Held) { FINE } else { ALARM };
    let said = axis.tell(&stretches);
    let second = line.second.map_or(String::new(), |(axis, value)| format!(" ({} {})", axis.name(), axis.show(value)));
    format!("{style}{property}{style:#}{second}: {}", said.in_language(language))
}
