//! Many runs: a line each, and what they amount to.

use locklab_core::check::Verdict;
use locklab_core::i18n::{Language, Say, Text};
use locklab_core::say;
use unicode_width::UnicodeWidthStr;

use super::{Agenda, Voice, words};
use crate::play::{Outcome, Played};
use crate::terminal::{ALARM, FAINT, FINE, STRONG};

/// A run in one line: whether it is as expected, what was played, what broke.
pub fn line(played: &Played, agenda: &Agenda, voice: Voice) -> String {
    let (sign, style) = match played.as_expected() {
        Some(true) => ("✓", FINE),
        Some(false) => ("✗", ALARM),
        None => ("·", FAINT),
    };
    let what = match &played.outcome {
        Outcome::NotApplicable { why, .. } => {
            let words = say!("not applicable: {why}", "不适用：{why}", why = why);
            words.in_language(voice.language).to_owned()
        }
        Outcome::Judged(judged) => {
            let (verdict, colour) = words::verdict(played);
            let broken = words::properties(judged, Verdict::is_broken).unwrap_or_default();
            let verdict = verdict.in_language(voice.language);
            let colon = match voice.language {
                _ if broken.en.is_empty() => "",
                Language::English => ": ",
                Language::Chinese => "：",
            };
            format!("{colour}{verdict}{colour:#}{colon}{}", broken.in_language(voice.language))
        }
    };
    let (scenario, lock) = (padded(&played.scenario, agenda.scenario_width), padded(&played.lock, agenda.lock_width));
    format!("{style}{sign}{style:#} {scenario}  {lock}  {what}\n")
}

/// The figures of safety below a line; nothing where all are zero.
pub fn figures(played: &Played, voice: Voice) -> String {
    let Some(judged) = played.judged() else { return String::new() };
    let figures = words::safety(judged);
    if figures.is_empty() {
        return String::new();
    }
    let each = figures.iter().map(|(name, value)| format!("{name} {}", value.in_language(voice.language)));
    format!("  {FAINT}{}{FAINT:#}\n", Text::list(each).in_language(voice.language))
}

/// The last line: of the runs that were planned so many were taken, so many were not as expected, and so many could not be played so.
pub fn summary(agenda: &Agenda, taken: usize, failed: usize, not_applicable: usize, voice: Voice) -> String {
    let (runs, scenarios) = (counted(agenda.runs, "run", "次运行"), counted(agenda.scenarios, "scenario", "个场景"));
    let (words, style) = match failed {
        0 if taken < agenda.runs => {
            let words = say!(
                "{taken} of {runs} of {scenarios} played: nothing against expectation",
                "{scenarios}、{runs}，进行了 {taken} 次：没有与预期不符的",
                taken = taken as u64,
                runs = runs,
                scenarios = scenarios
            );
            (words, ALARM)
        }
        0 => {
            let words = say!(
                "{runs} of {scenarios}: nothing against expectation",
                "{scenarios}、{runs}：没有与预期不符的",
                runs = runs,
                scenarios = scenarios
            );
            (words, STRONG)
        }
        failed => {
            let words = say!(
                "{failed} of {runs} not as expected",
                "{runs}中有 {failed} 次不符合预期",
                failed = failed as u64,
                runs = runs
            );
            (words, ALARM)
        }
    };
    let words = match not_applicable {
        0 => words,
        count => {
            say!("{words}; {count} not applicable", "{words}；{count} 次不适用", words = words, count = count as u64)
        }
    };
    let more = say!("-v tells each in full", "-v 详细讲述每一次");
    let (words, more) = (words.in_language(voice.language), more.in_language(voice.language));
    format!("\n{style}{words}{style:#} {FAINT}({more}){FAINT:#}\n")
}

/// A number of things.
fn counted(count: usize, thing: &str, classifier: &str) -> Text {
    let number = (count as u64).say(Language::English);
    let plural = if count == 1 { "" } else { "s" };
    Text::new(format!("{number} {thing}{plural}"), format!("{number} {classifier}"))
}

/// A name at least so wide.
fn padded(name: &str, width: usize) -> String {
    format!("{name}{}", " ".repeat(width.saturating_sub(name.width())))
}
