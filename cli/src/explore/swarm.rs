//! `locklab explore --swarm N`: random runs, and the smallest of each kind that breaks.

use std::ops::Range;
use std::time::Duration;

use locklab_core::check::Property;
use locklab_core::explore::shrink::{Case, CaseChoices};
use locklab_core::explore::{Attack, Swarm};
use locklab_core::i18n::Language;
use locklab_core::locks::Kind;
use locklab_core::time::Span;
use locklab_core::{say, scenario};
use serde_json::json;

use super::inquiry::Inquiry;
use crate::args::ExploreArguments;
use crate::failure::{Ending, Failure};
use crate::interrupt::{Interrupt, Stop};
use crate::options::ListFormat;
use crate::output::Output;
use crate::play::Stage;
use crate::progress::ProgressLine;
use crate::shrink::{self, Shrunk};
use crate::terminal::{ALARM, FAINT, STRONG};

/// How many runs a thread plays between two looks at the clock.
const AT_ONCE: u64 = 200;

/// What a swarm came to.
struct Hunt {
    lock: Kind,
    /// How many runs were played.
    runs: u64,
    /// For each property the first run that breaks it, shrunk.
    found: Vec<(u64, Shrunk)>,
    /// Why it ended before its end, if it did.
    stopped: Option<Stop>,
}

/// Plays random runs with each lock, and reports.
pub fn swarm(
    arguments: &ExploreArguments,
    runs: u64,
    format: ListFormat,
    inquiry: &Inquiry,
    interrupt: &Interrupt,
    language: Language,
) -> Result<Ending, Failure> {
    let Inquiry { stage, allowance, .. } = inquiry;
    let mut output = Output::to(arguments.output.as_deref())?;
    let mut hunts = Vec::new();
    for lock in &inquiry.locks {
        let swarm = match Swarm::new(&stage.scenario, lock, *allowance, arguments.seed) {
            Ok(swarm) => swarm,
            Err(error) if arguments.locks.is_empty() => {
                crate::note::note(&error.why, language);
                continue;
            }
            Err(error) => return Err(Failure::input(error.why)),
        };
        let hunt = hunt(arguments, runs, inquiry, (lock, &swarm), interrupt, language)?;
        if format == ListFormat::Text {
            output.write(&page(&hunt, stage, arguments.seed, language))?;
        }
        hunts.push(hunt);
        if interrupt.is_asked() {
            break;
        }
    }
    if format == ListFormat::Json {
        output.write(&document(&hunts, stage, arguments.seed))?;
    }
    output.finish()?;
    // Random runs never show that a lock holds.
    Ok(Ending::NotAsExpected)
}

/// Plays random runs with one lock.
fn hunt(
    arguments: &ExploreArguments,
    runs: u64,
    inquiry: &Inquiry,
    (lock, swarm): (&Kind, &Swarm),
    interrupt: &Interrupt,
    language: Language,
) -> Result<Hunt, Failure> {
    let Inquiry { stage, properties, .. } = inquiry;
    let threads = arguments.threads.map_or_else(super::processors, usize::from) as u64;
    let budget = Duration::from_micros(arguments.budget.micros());
    let mut line = ProgressLine::counting(runs, &say!("runs", "次运行"), language);
    let mut stopped = None;
    let mut attacks: Vec<(u64, Attack)> = Vec::new();
    let mut open = properties.clone();
    let mut next = 0;
    while next < runs && !open.is_empty() {
        stopped = match () {
            () if interrupt.is_asked() => Some(Stop::Interrupted),
            () if line.elapsed() >= budget => Some(Stop::Time),
            () => None,
        };
        if stopped.is_some() {
            break;
        }
        let piece = |thread: u64| {
            let from = (next + thread * AT_ONCE).min(runs);
            from..(from + AT_ONCE).min(runs)
        };
        let mut new = std::thread::scope(|scope| {
            let workers: Vec<_> = (1..threads)
                .map(|thread| (piece(thread), &open))
                .map(|(piece, open)| scope.spawn(move || played(swarm, piece, open)))
                .collect();
            let mut new = played(swarm, piece(0), &open);
            workers.into_iter().for_each(|worker| new.extend(worker.join().expect("a run does not panic")));
            new
        });
        // The first run of each property counts, whichever thread found it.
        new.sort_by_key(|(run, _)| *run);
        for (run, attack) in new {
            if open.contains(&attack.property) {
                open.retain(|property| *property != attack.property);
                attacks.push((run, attack));
            }
        }
        let end = piece(threads - 1).end;
        line.advance(end - next);
        next = end;
        let left = Span::from_secs(budget.saturating_sub(line.elapsed()).as_secs());
        line.show(|| {
            say!(
                "; at most {left}, {broken} properties broken",
                "；最多 {left}，已破坏 {broken} 条性质",
                left = left,
                broken = attacks.len() as u64
            )
        });
    }
    let mut line = ProgressLine::new(language);
    let mut found = Vec::new();
    for (run, attack) in attacks {
        let case = case(stage, swarm, &attack)?;
        found.push((run, shrink::shrunk(&stage.scenario.name, lock, attack.property, &case, interrupt, &mut line)?));
    }
    Ok(Hunt { lock: lock.clone(), runs: next, found, stopped })
}

fn played(swarm: &Swarm, runs: Range<u64>, properties: &[Property]) -> Vec<(u64, Attack)> {
    runs.flat_map(|run| swarm.run(run, properties).into_iter().map(move |attack| (run, attack))).collect()
}

/// An attack as a scenario's text and choices.
fn case(stage: &Stage, swarm: &Swarm, attack: &Attack) -> Result<Case, Failure> {
    let mut text = stage.text().to_owned();
    for (key, value) in attack.settings(swarm.plan(), &stage.scenario) {
        text = scenario::set(&text, &format!("{key}={value}")).map_err(|error| Failure::input(error.message))?;
    }
    Ok(Case { text, choices: CaseChoices::Taken(attack.taken.clone()) })
}

fn page(hunt: &Hunt, stage: &Stage, seed: u64, language: Language) -> String {
    let (style, mut answer) = match hunt.found.is_empty() {
        true => (
            STRONG,
            say!(
                "UNKNOWN: {runs} random runs broke nothing",
                "无法判定：{runs} 次随机运行都没有破坏什么",
                runs = hunt.runs
            ),
        ),
        false => {
            (ALARM, say!("BROKEN by one of {runs} random runs", "{runs} 次随机运行中有被破坏的", runs = hunt.runs))
        }
    };
    if let Some(stop) = hunt.stopped {
        answer = say!("{answer}; {why}", "{answer}；{why}", answer = answer, why = stop.said());
    }
    let title = stage.scenario.title.in_language(language);
    let (name, lock) = (&stage.scenario.name, &hunt.lock.name);
    let mut page =
        format!("{style}{}{style:#}\n{STRONG}{title}{STRONG:#} ({name}), {lock}\n", answer.in_language(language));
    for (run, shrunk) in &hunt.found {
        let from =
            say!("found by run {run} of seed {seed}", "由种子 {seed} 的第 {run} 次运行找到", run = *run, seed = seed);
        page.push_str(&format!("\n{}{FAINT}{}{FAINT:#}\n", shrink::page(shrunk, language), from.in_language(language)));
    }
    page
}

fn document(hunts: &[Hunt], stage: &Stage, seed: u64) -> String {
    let hunts: Vec<serde_json::Value> = hunts
        .iter()
        .map(|hunt| {
            let found = hunt.found.iter().map(|(run, shrunk)| {
                json!({
                    "property": shrunk.property.name(),
                    "run": run,
                    "scenario": shrunk.text,
                    "address": shrunk.played.address().map(|address| address.to_string()),
                })
            });
            let verdict = if hunt.found.is_empty() { "unknown" } else { "broken" };
            let mut told =
                json!({ "lock": &*hunt.lock.name, "verdict": verdict, "runs": hunt.runs, "found": found.collect::<Vec<_>>() });
            if let Some(stop) = hunt.stopped {
                told["stopped"] = json!(stop);
            }
            told
        })
        .collect();
    let document = json!({ "format": 1, "scenario": &*stage.scenario.name, "seed": seed, "swarms": hunts });
    serde_json::to_string_pretty(&document).expect("it has string keys only") + "\n"
}
