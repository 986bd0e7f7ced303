//! What `locklab run` reports, in every form.

use std::fs;

use expect_test::expect_file;
use serde_json::Value;

use super::{GC_PAUSE, locklab, locklab_with, workspace};

#[test]
fn the_first_command_of_the_readme_tells_the_story() {
    let said = locklab(&["run", GC_PAUSE]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    expect_file!["gc-pause.en.txt"].assert_eq(&said.out);
}

#[test]
fn the_same_story_in_chinese() {
    let said = locklab_with(&["run", GC_PAUSE], &[("LOCKLAB_LANG", "zh")], b"");
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    expect_file!["gc-pause.zh.txt"].assert_eq(&said.out);
}

/// The verdicts of the only run of a JSON report.
fn verdicts(report: &Value) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let verdicts = report["runs"][0]["verdicts"].as_array().unwrap();
    verdicts.iter().map(|verdict| (word(&verdict["property"]), word(&verdict["verdict"]))).collect()
}

fn json(arguments: &[&str]) -> Value {
    let said = locklab(arguments);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    serde_json::from_str(&said.out).unwrap()
}

#[test]
fn json_shows_what_a_pause_breaks() {
    let report = json(&["run", GC_PAUSE, "--lock", "token-lua", "--format", "json"]);
    let broken: Vec<String> =
        verdicts(&report).into_iter().filter(|(_, verdict)| verdict == "broken").map(|(name, _)| name).collect();
    assert_eq!(broken, ["mutual-exclusion", "no-overrun", "no-stale-write", "no-lost-update"]);
    let run = &report["runs"][0];
    assert_eq!((report["version"].as_u64(), run["expected"].as_bool()), (Some(1), Some(true)));
    assert_eq!((run["scenario"].as_str(), run["lock"].as_str()), (Some("expiry/gc-pause"), Some("token-lua")));
    assert_eq!(run["totals"]["overlap"].as_u64(), Some(2_000_000));
    assert_eq!(run["verdicts"][0]["evidence"][0]["from"].as_u64(), Some(10_100_000));
}

#[test]
fn json_shows_that_fencing_refuses_the_late_write() {
    let report = json(&["run", GC_PAUSE, "--lock", "fenced", "--format", "json"]);
    let run = &report["runs"][0];
    assert_eq!(run["totals"]["overlap"].as_u64(), Some(2_000_000));
    assert_eq!(run["totals"]["rejected_writes"].as_u64(), Some(1));
    assert_eq!(run["totals"]["lost_updates"].as_u64(), Some(0));
}

#[test]
fn a_changed_scenario_is_judged_against_nothing() {
    let report = json(&["run", GC_PAUSE, "--lock", "token-lua", "--set", "ttl=60s", "--format", "json"]);
    assert_eq!(report["runs"][0]["expected"], Value::Null);
    assert!(verdicts(&report).iter().all(|(_, verdict)| verdict != "broken"));
}

#[test]
fn a_run_that_is_not_as_expected_ends_with_1_and_says_how_it_differs() {
    let text = fs::read_to_string(workspace().join(GC_PAUSE)).unwrap();
    let text = text.replacen("broken = [\"mutual-exclusion\", ", "broken = [", 1);
    let said = locklab_with(&["run", "-", "--lock", "token-lua"], &[], text.as_bytes());
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.starts_with("BROKEN, not as expected\n"), "{}", said.out);
    assert!(said.out.contains("differs  mutual-exclusion is broken, and was expected to hold\n"), "{}", said.out);
}

#[test]
fn every_run_of_many_has_its_line_and_its_test_case() {
    let said = locklab(&["run", GC_PAUSE, "expiry/gc-pause", "--runs", "2"]);
    assert_eq!(said.code, Some(0));
    assert_eq!(said.out.lines().filter(|line| line.starts_with("✓ expiry/gc-pause")).count(), 8, "{}", said.out);
    assert!(said.out.contains("\n8 runs of 2 scenarios: nothing against expectation ("), "{}", said.out);
    let said = locklab(&["run", GC_PAUSE, "--format", "junit"]);
    assert_eq!(said.out.matches("<testcase classname=\"expiry/gc-pause\"").count(), 2);
    assert!(said.out.contains("tests=\"2\" failures=\"0\""), "{}", said.out);
}

#[test]
fn the_same_run_has_the_same_bytes() {
    let arguments = ["run", GC_PAUSE, "--lock", "fenced", "--seed", "7", "--format", "history"];
    assert_eq!(locklab(&arguments).out, locklab(&arguments).out);
}

#[test]
fn a_recorded_history_is_judged_like_the_run_that_made_it() {
    let history = locklab(&["run", GC_PAUSE, "--lock", "token-lua", "--format", "history"]).out;
    let said = locklab_with(&["check-history", "-"], &[], history.as_bytes());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let run = locklab(&["run", GC_PAUSE, "--lock", "token-lua"]).out;
    let timeline = |text: &str| text[text.find("time ").unwrap()..text.find("\nWhy").unwrap()].to_owned();
    assert_eq!(timeline(&said.out), timeline(&run));
}

#[test]
fn a_file_is_written_as_a_whole_in_the_form_that_its_ending_means() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("timeline.svg");
    let said = locklab(&["run", GC_PAUSE, "--lock", "fenced", "-o", file.to_str().unwrap()]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (Some(0), "", ""));
    assert!(fs::read_to_string(&file).unwrap().starts_with("<svg "));
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["timeline.svg"]);
}

#[test]
fn a_page_of_its_own_is_one_file() {
    let said = locklab(&["run", GC_PAUSE, "--lock", "token-lua", "--format", "html"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(said.out.starts_with("<!DOCTYPE html>") || said.out.starts_with("<!doctype html>"), "{}", &said.out[..80]);
    assert!(said.out.contains("<svg "));
}

#[test]
fn a_report_that_fails_leaves_the_old_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.json");
    fs::write(&file, "old").unwrap();
    let said = locklab(&["run", GC_PAUSE, "nope", "-o", file.to_str().unwrap()]);
    assert_eq!(said.code, Some(2));
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn colours_are_for_terminals() {
    assert!(!locklab(&["run", GC_PAUSE]).out.contains('\u{1b}'));
    assert!(locklab_with(&["run", GC_PAUSE], &[("CLICOLOR_FORCE", "1")], b"").out.contains('\u{1b}'));
    let both = [("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")];
    assert!(!locklab_with(&["run", GC_PAUSE], &both, b"").out.contains('\u{1b}'));
}

#[test]
fn the_command_line_decides_the_language_before_the_environment() {
    let environment = [("LOCKLAB_LANG", "zh")];
    let said = locklab_with(&["run", GC_PAUSE, "--lang", "en"], &environment, b"");
    assert!(said.out.starts_with("BROKEN, as expected\n"));
    let said = locklab_with(&["run", GC_PAUSE], &environment, b"");
    assert!(said.out.starts_with("被破坏，符合预期\n"));
}
