//! `locklab compare` and `locklab advise`: every form, wrong names, answers as flags and on the standard input.

use expect_test::expect;
use serde_json::Value;

use super::{GC_PAUSE, locklab, locklab_with};

/// A cell that breaks and one that holds, in one form.
fn compared(format: &str) -> String {
    let said = locklab(&["compare", "--locks", "fenced", "--against", "pause-after-check", "--format", format]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{format}");
    said.out
}

#[test]
fn the_text_tells_each_of_a_few_cells_and_how_its_run_is_played_again() {
    let text = compared("text");
    for words in [
        "fenced against pause between check and write: broken in ",
        "safe only if it lasts ",
        "fenced; the resource checks the token",
    ] {
        assert!(text.contains(words), "{text}");
    }
    let address = text.lines().find_map(|line| line.trim().strip_prefix("locklab replay ")).expect("a run to replay");
    let replayed = locklab(&["replay", address]);
    assert!(replayed.out.contains("no-stale-write"), "{}{}", replayed.out, replayed.err);
}

#[test]
fn the_other_forms_hold_the_same_cells() {
    let document: Value = serde_json::from_str(&compared("json")).expect("it is JSON");
    let rows = document["rows"].as_array().expect("rows");
    let answers: Vec<&str> = rows.iter().filter_map(|row| row["cells"][0]["answer"].as_str()).collect();
    assert_eq!(answers, ["broken", "held"]);
    let edge = |row: usize| &rows[row]["cells"][0]["edge"];
    let of = |name: &str| edge(0)[name].as_u64().expect("a bound");
    assert!(0 < of("held_micros") && of("held_micros") < of("broken_micros"), "{}", edge(0));
    assert!(edge(1).is_null(), "what holds has no edge");

    let csv = compared("csv");
    let mut lines = csv.lines();
    let columns = lines.next().expect("headings").split(',').count();
    for (line, answer) in lines.zip(&answers) {
        assert_eq!((line.split(',').count(), line.split(',').nth(4)), (columns, Some(*answer)), "{line}");
    }

    let markdown = compared("md");
    assert!(markdown.contains("| `fenced` | ✗\\*¹ |") && markdown.contains("| `fenced+fencing` | "), "{markdown}");

    let page = compared("html");
    for row in ["fenced", "fenced-fencing"] {
        let id = format!("{row}-pause-after-check");
        assert!(page.contains(&format!("href=\"#{id}\"")) && page.contains(&format!("id=\"{id}\"")), "{id}: {page}");
    }
}

#[test]
fn a_bound_has_a_number_in_the_matrix_and_is_told_once_below() {
    let arguments = ["compare", "--locks", "token-lua,set-nx-ex,fenced+fencing", "--against", "pause,long-work"];
    let text = locklab(&arguments).out;
    // Both locks break at the same two lengths, which are told once; what holds has none.
    assert_eq!((text.matches('¹').count(), text.matches('²').count()), (3, 3), "{text}");
    assert_eq!(text.matches("a raised number: ").count(), 1, "{text}");
    let markdown = locklab(&[&arguments[..], &["--format", "md"]].concat()).out;
    assert!(markdown.contains("| ✗\\*¹ | "), "{markdown}");
    let chinese = locklab(&[&arguments[..], &["--lang", "zh"]].concat()).out;
    assert!(chinese.contains("右上角的数字：只有不超过这个界限"), "{chinese}");
}

#[test]
fn locks_are_compared_on_a_scenario_with_its_own_faults() {
    let said = locklab(&["compare", GC_PAUSE, "--locks", "token-lua,fenced", "--format", "csv"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.starts_with(",token-lua,fenced\nverdict,broken,broken\n"), "{}", said.out);
    assert!(said.out.contains("\nstale_writes,1,0\n"), "{}", said.out);
    assert_eq!(locklab(&["compare", GC_PAUSE, "--against", "pause"]).code, Some(2));
}

#[test]
fn wrong_names_are_told_with_the_nearest() {
    for (option, wrong, near) in [
        ("--locks", "tokn-lua", "token-lua"),
        ("--locks", "fenced+fensing", "fencing"),
        ("--against", "pasue", "pause"),
        ("--locks", "", "locklab list locks"),
        ("--locks", "something else entirely", "locklab list locks"),
    ] {
        let said = locklab(&["compare", option, wrong]);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{wrong}");
        let hint = said.err.lines().find(|line| line.starts_with("hint: ")).expect("a hint");
        assert!(hint.contains(near), "{hint}");
    }
}

#[test]
fn advice_is_the_same_by_flags_and_by_answers() {
    let flags =
        ["--task", "once", "--stakes", "harm", "--check", "condition", "--work", "3s", "--servers", "redis,database"];
    let by_flags = locklab(&[&["advise", "--format", "json"][..], &flags].concat());
    assert_eq!((by_flags.code, by_flags.err.as_str()), (Some(0), ""));
    let document: Value = serde_json::from_str(&by_flags.out).expect("it is JSON");
    assert_eq!((&document["needs_no_lock"], &document["is_enough"]), (&Value::Bool(true), &Value::Bool(true)));

    // By number, by name, and once more after an answer that is none.
    let answers = b"2\nhram\nharm\ncondition\nlong\n3s\n1, database\n";
    let by_answers = locklab_with(&["advise", "--format", "json"], &[], answers);
    assert_eq!(by_answers.code, Some(0), "{}", by_answers.err);
    assert_eq!(by_answers.out, by_flags.out);
}

#[test]
fn answers_that_end_too_soon_name_the_option_that_is_left() {
    let said = locklab_with(&["advise", "--stakes", "harm", "--lang", "en"], &[], b"update\n");
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    let end = said.err.find("error: ").expect("an error");
    expect![[r#"
        error: the answers ended before the questions, and --check was not given
        hint: --check takes nothing, condition, token
    "#]]
    .assert_eq(&said.err[end..]);
    assert_eq!(locklab(&["advise", "--task", "updtae"]).code, Some(2));
}

#[test]
fn whoever_answers_wrongly_for_ever_is_not_asked_for_ever() {
    for answers in [b"garbage\n".repeat(100_000), vec![0; 1_000_000]] {
        let said = locklab_with(&["advise"], &[], &answers);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
        assert!(said.err.contains("error: none of 10 answers was one, and --task was not given"), "{}", said.err);
    }
}
