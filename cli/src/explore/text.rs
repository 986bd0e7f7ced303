//! A search told: the answer, the simplest run that breaks it, what was searched.

use std::fmt::Write as _;

use locklab_core::check::Property;
use locklab_core::explore::Answer;
use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use textwrap::Options;

use super::found::{Break, Found, Overall};
use crate::report;
use crate::terminal::{self, ALARM, FAINT, FINE, STRONG};

/// The page.
pub fn page(found: &Found, language: Language) -> String {
    let say = |text: &Text| text.in_language(language).to_owned();
    let mut page = String::new();
    let (answer, style) = answer(found);
    let _ = writeln!(page, "{style}{}{style:#}", say(&answer));
    let title = say(&found.title);
    let with = say(&say!("with the lock", "使用锁"));
    let _ = writeln!(page, "{STRONG}{title}{STRONG:#} ({}) {with} {STRONG}{}{STRONG:#}", found.scenario, found.lock);
    page.push('\n');
    let broken: Vec<Property> = found.broken.iter().map(|broken| broken.property).collect();
    for (label, style, properties) in [
        (say!("broken", "被破坏"), ALARM, broken),
        (say!("unknown", "无法判定"), ALARM, found.with(|answer| *answer == Answer::Unknown)),
        (say!("holds", "成立"), FINE, found.with(|answer| *answer == Answer::Holds)),
        (say!("untested", "未涉及"), FAINT, found.with(|answer| *answer == Answer::NotApplicable)),
    ] {
        if !properties.is_empty() {
            let (en, zh): (Vec<&str>, Vec<String>) =
                properties.iter().map(|property| (property.name(), property.title().zh)).unzip();
            let label = say(&label);
            let names = say(&Text::new(en.join(", "), zh.join("、")));
            let body = wrapped(&format!("{label}  "), "          ", &names);
            let rest = body.strip_prefix(label.as_str()).unwrap_or(&body);
            let _ = writeln!(page, "{style}{label}{style:#}{rest}");
        }
    }
    if let Some(simplest) = found.broken.first() {
        let _ = writeln!(page, "\n{STRONG}{}{STRONG:#}", say(&say!("The simplest run of all", "最简单的一次")));
        page.push_str(&report::story(&simplest.played, language));
    }
    if !found.broken.is_empty() {
        let _ = writeln!(
            page,
            "\n{STRONG}{}{STRONG:#}",
            say(&say!("The simplest run for each", "每条性质最简单的破坏方式"))
        );
        found.broken.iter().for_each(|broken| page.push_str(&one(broken, language)));
    }
    let _ = writeln!(page, "\n{STRONG}{}{STRONG:#}", say(&say!("What was searched", "搜索范围")));
    for bound in &found.bounds {
        let _ = writeln!(page, "{}", wrapped("  - ", "    ", &say(bound)));
    }
    let _ = writeln!(page, "{FAINT}{}{FAINT:#}", say(&effort(found)));
    page
}

fn answer(found: &Found) -> (Text, anstyle::Style) {
    match found.verdict {
        Overall::Broken => match found.stopped {
            None => (say!("BROKEN", "会被破坏"), ALARM),
            Some(stop) => (say!("BROKEN; {why}", "会被破坏；{why}", why = stop.said()), ALARM),
        },
        Overall::Holds => (
            say!(
                "HOLDS in all {states} states within the bounds below",
                "在下述范围内的全部 {states} 个状态中都成立",
                states = found.states
            ),
            FINE,
        ),
        Overall::Untested => (
            say!(
                "NOT TESTED: in none of {states} states did anything happen that could break it",
                "未涉及：{states} 个状态里都没有发生可能破坏它的事",
                states = found.states
            ),
            ALARM,
        ),
        Overall::Unknown => (
            say!(
                "UNKNOWN: {why}; nothing broke so far; looked at in full: {done}",
                "无法判定：{why}；目前没有被破坏；已查完：{done}",
                why = unknown_because(found),
                done = found.reached.done_before()
            ),
            ALARM,
        ),
    }
}

/// One broken property: how much it takes, and how to play it again.
fn one(broken: &Break, language: Language) -> String {
    let cost = broken.attack.cost;
    let words = say!(
        "{name}: faults {faults}, choices {choices}, shows at {at}",
        "{name}：故障 {faults} 次，选择 {choices} 次，在 {at} 显现",
        name = broken.property.name(),
        faults = cost.faults(),
        choices = cost.choices(),
        at = cost.length()
    );
    let mut lines = format!("{}\n", wrapped("  ", "    ", words.in_language(language)));
    let _ = writeln!(lines, "    fault = {}", broken.faults);
    if let Some(address) = broken.played.judged().and_then(|judged| judged.address.as_ref()) {
        let _ = writeln!(lines, "    locklab replay {address}");
    }
    lines
}

/// Why there is no answer: the search was stopped, or a violation did not show when it was played again.
fn unknown_because(found: &Found) -> Text {
    match found.stopped {
        Some(stop) => stop.said(),
        None => say!("a violation did not show when its run was played again", "有一次破坏在重放时没有出现"),
    }
}

fn effort(found: &Found) -> Text {
    say!(
        "{states} states, {waiting} of them not looked at",
        "{states} 个状态，其中 {waiting} 个未展开",
        states = found.states,
        waiting = found.waiting
    )
}

fn wrapped(first: &str, rest: &str, words: &str) -> String {
    let options = Options::new(terminal::width()).initial_indent(first).subsequent_indent(rest).break_words(false);
    textwrap::fill(words, options)
}
