//! Locks side by side on one scenario, with the scenario's own faults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use locklab_core::check::{Amount, TOTALS, Verdict};
use locklab_core::i18n::{Language, Say, Text};
use locklab_core::say;
use serde_json::{Value, json};

use super::html::opening;
use super::sheet::Sheet;
use super::{CompareArguments, CompareFormat};
use crate::failure::Failure;
use crate::input;
use crate::play::{Ground, Outcome, Played, Stage};

/// The figures that are costs, shown although they say nothing of safety.
const COSTS: [&str; 5] = ["messages_per_acquisition", "commands", "wait_time", "longest_wait", "idle_time"];

/// Plays a scenario with each lock and shows them side by side.
pub fn compare(
    file: &Path,
    arguments: &CompareArguments,
    format: CompareFormat,
    language: Language,
) -> Result<String, Failure> {
    if !arguments.against.is_empty() {
        return Err(Failure::input(say!("a scenario has faults of its own", "场景有自己的故障"))
            .hint(say!("leave out --against, or leave out the scenario", "请去掉 --against，或去掉场景")));
    }
    let sources = input::sources(&[PathBuf::from(file)])?;
    let [source] = sources.as_slice() else {
        return Err(Failure::input(say!("one scenario at a time", "一次只能对比一个场景")));
    };
    let stage = Stage::new(source, Vec::new())?;
    let choices = stage.choices(None);
    let locks = stage.locks(&arguments.locks)?;
    let play = |lock| stage.play(lock, choices.clone(), &Ground::Models);
    let played: Vec<Played> = locks.iter().map(play).collect::<Result<_, _>>()?;
    let sheet = sheet(&played, language);
    let title = stage.scenario.title.in_language(language).to_owned();
    Ok(match format {
        CompareFormat::Text => format!("{title} ({})\n\n{}", stage.scenario.name, sheet.text()),
        CompareFormat::Md => sheet.markdown(),
        CompareFormat::Csv => sheet.csv(),
        CompareFormat::Json => document(&stage, &played),
        CompareFormat::Html => {
            format!("{}<div class=\"scroll\">{}</div>\n</html>\n", opening(&title, language), sheet.html())
        }
    })
}

/// A line for each verdict and figure that differs from nothing somewhere, a column for each lock.
fn sheet(played: &[Played], language: Language) -> Sheet {
    let say = |text: &Text| text.in_language(language).to_owned();
    let names = played.iter().map(|played| played.lock.clone());
    let headings = [String::new()].into_iter().chain(names).collect();
    let mut lines = vec![line(&say(&say!("verdict", "判定")), played, |played| say(&verdict(played)))];
    for property in locklab_core::check::Property::ALL {
        let is_broken =
            |played: &Played| played.judged().is_some_and(|judged| judged.report.verdict(property).is_broken());
        if played.iter().any(is_broken) {
            let name = match language {
                Language::English => property.name().to_owned(),
                Language::Chinese => property.title().zh,
            };
            let word = |played: &Played| {
                played.judged().map_or(String::from("-"), |judged| say(&judged.report.verdict(property).title()))
            };
            lines.push(line(&name, played, word));
        }
    }
    let safety = TOTALS.iter().filter(|total| played.iter().any(|played| tells(played, total.name)));
    let names = safety.map(|total| total.name).filter(|name| !COSTS.contains(name)).chain(COSTS);
    for name in names {
        let word = |played: &Played| amount(played, name).map_or(String::from("-"), |amount| amount.say(language));
        lines.push(line(name, played, word));
    }
    Sheet { headings, lines }
}

fn line(name: &str, played: &[Played], word: impl Fn(&Played) -> String) -> Vec<String> {
    [name.to_owned()].into_iter().chain(played.iter().map(word)).collect()
}

fn verdict(played: &Played) -> Text {
    match &played.outcome {
        Outcome::NotApplicable { .. } => say!("not applicable", "不适用"),
        Outcome::Judged(judged) if judged.report.broken().next().is_some() => say!("broken", "被破坏"),
        Outcome::Judged(judged) if judged.report.verdicts.iter().any(|(_, verdict)| *verdict == Verdict::Unknown) => {
            say!("unknown", "无法判定")
        }
        Outcome::Judged(_) => say!("held", "守住了"),
    }
}

/// Whether a figure is among those of safety that are not nothing.
fn tells(played: &Played, name: &str) -> bool {
    played.judged().is_some_and(|judged| judged.report.totals.of_safety().iter().any(|(info, _)| info.name == name))
}

fn amount(played: &Played, name: &str) -> Option<Amount> {
    played.judged().and_then(|judged| judged.report.totals.by_name(name).ok())
}

fn document(stage: &Stage, played: &[Played]) -> String {
    let locks: Vec<Value> = played.iter().map(lock).collect();
    let document = json!({ "format": 1, "scenario": &*stage.scenario.name, "locks": locks });
    serde_json::to_string_pretty(&document).expect("it has string keys only") + "\n"
}

fn lock(played: &Played) -> Value {
    let judged = played.judged();
    let verdicts: BTreeMap<&str, &str> = judged
        .into_iter()
        .flat_map(|judged| &judged.report.verdicts)
        .map(|(property, verdict)| (property.name(), verdict.name()))
        .collect();
    let totals: BTreeMap<&str, String> = TOTALS
        .iter()
        .filter_map(|total| Some((total.name, amount(played, total.name)?.say(Language::English))))
        .collect();
    json!({
        "lock": played.lock,
        "verdict": verdict(played).en,
        "verdicts": verdicts,
        "totals": totals,
        "address": played.address().map(|address| address.to_string()),
    })
}
