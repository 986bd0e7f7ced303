//! What a run amounts to, in a few words.

use locklab_core::check::{Amount, Property, TotalInfo, Verdict};
use locklab_core::i18n::{Language, Say, Text};
use locklab_core::say;

use crate::play::{Judged, Outcome, Played};
use crate::terminal::{ALARM, FAINT, FINE};

/// What a run amounts to: the word that opens its report, and its colour.
pub fn verdict(played: &Played) -> (Text, anstyle::Style) {
    let Outcome::Judged(judged) = &played.outcome else { return (say!("NOT APPLICABLE", "不适用"), FAINT) };
    let broken = judged.report.broken().next().is_some();
    let unknown = judged.report.verdicts.iter().any(|(_, verdict)| *verdict == Verdict::Unknown);
    if broken {
        (say!("BROKEN", "被破坏"), ALARM)
    } else if unknown {
        (say!("UNKNOWN", "无法判定"), ALARM)
    } else {
        (say!("HELD", "守住了"), FINE)
    }
}

/// Whether that was expected, as it follows the verdict; empty where nothing was.
pub fn expected(played: &Played) -> Text {
    match played.as_expected() {
        Some(true) => say!(", as expected", "，符合预期"),
        Some(false) => say!(", not as expected", "，不符合预期"),
        None => Text::default(),
    }
}

/// What a property is called: in English by its canonical name, which is plain words.
pub fn property(property: Property) -> Text {
    Text::new(property.name(), property.title().zh)
}

/// The properties with one verdict.
pub fn properties(judged: &Judged, of: impl Fn(&Verdict) -> bool) -> Option<Text> {
    let found = judged.report.verdicts.iter().filter(|(_, verdict)| of(verdict));
    let names = found.map(|(found, _)| property(*found)).map(|Text { en, zh }| (en, zh));
    let (en, zh): (Vec<String>, Vec<String>) = names.unzip();
    (!en.is_empty()).then(|| Text::new(en.join(", "), zh.join("、")))
}

/// The figures that matter here with their values: those of safety, then an operator's.
pub fn figures(judged: &Judged) -> Vec<(&'static str, Text)> {
    worded(judged.report.totals.telling())
}

/// The figures of safety with their values.
pub fn safety(judged: &Judged) -> Vec<(&'static str, Text)> {
    worded(judged.report.totals.of_safety())
}

fn worded(figures: Vec<(&'static TotalInfo, Amount)>) -> Vec<(&'static str, Text)> {
    let words = |amount: Amount| Text::new(amount.say(Language::English), amount.say(Language::Chinese));
    figures.into_iter().map(|(info, amount)| (info.name, words(amount))).collect()
}
