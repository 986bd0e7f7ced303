//! Everything that has a name can be listed and explained.

use expect_test::expect;
use serde_json::Value;

use super::{locklab, locklab_with};

#[test]
fn everything_that_is_listed_is_explained_in_both_languages() {
    let lists: Value = serde_json::from_str(&locklab(&["list", "--format", "json"]).out).unwrap();
    for (topic, entries) in lists.as_object().unwrap() {
        assert!(!entries.as_array().unwrap().is_empty(), "{topic}");
        for entry in entries.as_array().unwrap() {
            let name = entry["name"].as_str().unwrap();
            for language in ["en", "zh"] {
                assert!(!entry["summary"][language].as_str().unwrap().is_empty(), "{name} has no {language}");
            }
        }
        let name = entries[0]["name"].as_str().unwrap();
        let said = locklab_with(&["explain", name, "--lang", "zh"], &[], b"");
        assert_eq!(said.code, Some(0), "{name}: {}", said.err);
        assert!(said.out.starts_with(name), "{}", said.out);
    }
}

#[test]
fn one_topic_can_be_listed_alone() {
    let said = locklab(&["list", "properties"]);
    assert_eq!(said.code, Some(0));
    assert!(said.out.starts_with("Properties\n  mutual-exclusion "), "{}", said.out);
    assert!(!said.out.contains("token-lua"));
}

#[test]
fn a_lock_is_found_by_its_other_names_and_shows_its_code() {
    let said = locklab(&["explain", "v4"]);
    assert!(said.out.starts_with("token-lua\n"), "{}", said.out);
    assert!(said.out.contains("    EVAL @release 1 {key} {token}"), "{}", said.out);
}

#[test]
fn a_name_that_does_not_exist_is_told_with_the_nearest() {
    let said = locklab(&["explain", "mutual-exlusion"]);
    assert_eq!(said.code, Some(2));
    expect![[r#"
        error: nothing is called "mutual-exlusion"
        hint: did you mean "mutual-exclusion"?
    "#]]
    .assert_eq(&said.err);
}

#[test]
fn a_name_in_other_letters_is_told_before_names_that_are_like_it() {
    assert!(locklab(&["explain", "Pause"]).err.ends_with("hint: did you mean \"pause\"?\n"));
}

#[test]
fn a_fault_that_is_a_column_of_the_comparison_too_is_explained_as_both() {
    let said = locklab(&["explain", "pause"]);
    assert!(said.out.contains("    [[fault]]\n"), "{}", said.out);
    assert!(said.out.ends_with("    locklab compare --against pause\n"), "{}", said.out);
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let said = locklab(&["completions", shell]);
        assert_eq!(said.code, Some(0));
        assert!(said.out.contains("check-history"), "{shell}");
    }
}

#[test]
fn the_doctor_looks_for_every_server() {
    let said = locklab(&["doctor"]);
    assert_eq!(said.code, Some(0));
    for program in ["redis-server", "--clock virtual", "etcd", "ZooKeeper", "SQLite", "PostgreSQL"] {
        assert!(said.out.contains(program), "{program}: {}", said.out);
    }
}
