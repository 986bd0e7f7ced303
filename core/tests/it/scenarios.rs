//! Every built-in scenario, played with every lock that it expects something of.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use locklab_core::check::{Report, TOTALS, check};
use locklab_core::choices::Choices;
use locklab_core::history::EndReason;
use locklab_core::i18n::{Language, Say as _};
use locklab_core::locks::{self, Kind};
use locklab_core::scenario::{Expectation, Scenario, library};
use locklab_core::sim::{self, Run};
use locklab_core::view::{self, Highlight};

/// The width of the drawings beside the scenarios, in columns.
const WIDTH: usize = 100;

fn scenarios() -> impl Iterator<Item = Scenario> {
    library::all()
        .iter()
        .map(|built_in| Scenario::parse(built_in.name, built_in.text).unwrap_or_else(|errors| panic!("{errors}")))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios")
}

/// The lock of an expectation: the scenario's own listing, or one that Locklab brings.
fn kind(scenario: &Scenario, lock: &str) -> Kind {
    match &scenario.lock.listing {
        Some(listing) if *scenario.lock.kind == *lock => Kind::from_listing(lock, listing).expect("it has been parsed"),
        _ => locks::find(lock).expect("it has been checked").clone(),
    }
}

fn play(scenario: &Scenario, expectation: &Expectation) -> (Run, Report) {
    let choices = scenario.seed.map_or_else(Choices::scripted, Choices::seeded);
    let kind = kind(scenario, &expectation.lock);
    let run = sim::run(scenario, &kind, choices)
        .unwrap_or_else(|reason| panic!("{} with {}: {}", scenario.name, expectation.lock, reason.why.en));
    assert!(run.end != EndReason::Bound, "{} with {} does not end", scenario.name, expectation.lock);
    let report = check(&run.history);
    (run, report)
}

#[test]
fn every_scenario_ends_as_it_expects() {
    let mut page = String::new();
    for scenario in scenarios() {
        for expectation in &scenario.expectations {
            let (run, report) = play(&scenario, expectation);
            let (name, lock) = (&scenario.name, &expectation.lock);
            for difference in expectation.compare(&report, &run.history).differences {
                writeln!(page, "{name} with {lock}: {}", difference.en).expect("a string takes everything");
            }
        }
    }
    assert!(page.is_empty(), "{page}");
}

/// WAIT never hears of a replica where there is none, so its lock is tried for ever.
#[test]
fn a_run_that_would_not_end_is_cut_before_it_is_too_long_to_keep() {
    let scenario = scenarios().find(|scenario| &*scenario.name == "basics/uncontended").expect("it is built in");
    let run =
        sim::run(&scenario, locks::find("wait").expect("it is shipped"), Choices::scripted()).expect("it applies");
    assert_eq!(run.end, EndReason::Bound);
    assert!(run.history.events.len() < 500_000, "{}", run.history.events.len());
}

#[test]
fn every_scenario_is_drawn_beside_it() {
    for scenario in scenarios() {
        let mut page = String::new();
        for expectation in &scenario.expectations {
            let (run, report) = play(&scenario, expectation);
            page.push_str(&drawing(&expectation.lock, &run, &report));
        }
        expect_file![folder().join(format!("{}.timeline", scenario.name))].assert_eq(&page);
    }
}

/// A run as the file beside its scenario shows it: the lock, what broke and why, the figures, the swimlanes.
fn drawing(lock: &str, run: &Run, report: &Report) -> String {
    let broken: Vec<&str> = report.broken().map(|property| property.name()).collect();
    let totals = TOTALS.iter().filter_map(|total| {
        let amount = report.totals.by_name(total.name).expect("the name is from the list");
        (!amount.is_zero()).then(|| format!("{} {}", total.name, amount.say(Language::English)))
    });
    let mut page = format!("==== {lock} {}\n\n", "=".repeat(WIDTH - 6 - lock.len()));
    writeln!(page, "broken: {}", if broken.is_empty() { "nothing".to_owned() } else { broken.join(", ") })
        .expect("a string takes everything");
    for sentence in &report.cause {
        writeln!(page, "  {}", sentence.en).expect("a string takes everything");
    }
    writeln!(page, "totals: {}\n", totals.collect::<Vec<_>>().join("; ")).expect("a string takes everything");
    let scene = view::scene(&run.history, Highlight::of(report, &run.history.header));
    writeln!(page, "{}", view::timeline(&scene, Language::English, WIDTH)).expect("a string takes everything");
    page
}

#[test]
fn every_scenario_is_in_the_library() {
    let mut files = Vec::new();
    for topic in fs::read_dir(folder()).expect("the folder is there").flatten() {
        for file in fs::read_dir(topic.path()).into_iter().flatten().flatten() {
            let path = file.path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let stem = path.file_stem().expect("it has an extension").to_string_lossy().into_owned();
                files.push(format!("{}/{stem}", topic.file_name().to_string_lossy()));
            }
        }
    }
    let mut listed: Vec<String> = library::all().iter().map(|scenario| scenario.name.to_owned()).collect();
    files.sort();
    listed.sort();
    assert_eq!(files, listed);
}

#[test]
fn every_scenario_asks_and_teaches_in_both_languages() {
    for scenario in scenarios() {
        for text in [&scenario.title, &scenario.question, &scenario.lesson] {
            assert!(!text.en.is_empty() && text.en.is_ascii(), "{}: {}", scenario.name, text.en);
            assert!(
                text.zh.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter)),
                "{}: {}",
                scenario.name,
                text.zh
            );
        }
    }
}

#[test]
fn every_scenario_has_one_history() {
    for scenario in scenarios() {
        for expectation in &scenario.expectations {
            assert_eq!(play(&scenario, expectation).0, play(&scenario, expectation).0, "{}", scenario.name);
        }
    }
}
