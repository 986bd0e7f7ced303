//! Many runs: a line each, and what they amount to.

use locklab_core::check::Verdict;
use locklab_core::i18n::{Language, Say, Text};
use locklab_core::say;
use unicode_width::UnicodeWidthStr;

use super::{Voice, words};
use crate::play::{Outcome, Played};
use crate::terminal::{ALARM, FAINT, FINE, STRONG};

/// The columns of a scenario's name.
const NAMES: usize = 34;

/// The columns of a lock's name.
const LOCKS: usize = 14;

/// How many runs came out how.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// The scenarios.
    pub scenarios: usize,
    /// The runs.
    pub runs: usize,
    /// The runs that were not as expected.
    pub failed: usize,
}

/// A run in one line: whether it is as expected, what was played, what broke.
pub fn line(played: &Played, voice: Voice) -> String {
    let (sign, style) = match played.as_expected() {
        Some(true) => ("✓", FINE),
        Some(false) => ("✗", ALARM),
        None => ("·", FAINT),
    };
    let what = match &played.outcome {
        Outcome::NotApplicable { why, .. } => why.in_language(voice.language).to_owned(),
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
    format!("{style}{sign}{style:#} {} {} {what}\n", padded(&played.scenario, NAMES), padded(&played.lock, LOCKS))
}

/// The last line.
pub fn summary(count: &Count, voice: Voice) -> String {
    let (runs, scenarios) = (counted(count.runs, "run", "次运行"), counted(count.scenarios, "scenario", "个场景"));
    let (words, style) = match count.failed {
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
    format!("\n{style}{}{style:#}\n", words.in_language(voice.language))
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
