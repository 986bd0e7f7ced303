//! Scenario files that somebody's cat has walked over: whatever comes in, something sensible comes out.

use locklab_core::i18n::Language;
use locklab_core::scenario::{Scenario, set};
use proptest::prelude::*;

const GOOD: &str = include_str!("../../../scenarios/expiry/gc-pause.toml");

/// Pieces that are likely to lead somewhere.
const PIECES: [&str; 24] = [
    "\"",
    "'",
    "\"\"\"",
    "[",
    "]",
    "[[",
    "{",
    "}",
    "=",
    "#",
    "\n",
    "\\",
    ".",
    "+",
    "#2",
    "10s",
    "-1",
    "99999999999999999999",
    "A.acquired",
    "redis.executed SET by A",
    "[expect.none]",
    "[[fault]]",
    "停顿",
    "\u{202e}",
];

#[derive(Clone, Debug)]
enum Change {
    Insert(prop::sample::Index, &'static str),
    Remove(prop::sample::Index, usize),
    SwapLines(prop::sample::Index, prop::sample::Index),
    RepeatLine(prop::sample::Index, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        (place(), prop::sample::select(&PIECES[..])).prop_map(|(at, piece)| Change::Insert(at, piece)),
        (place(), 1..30_usize).prop_map(|(at, length)| Change::Remove(at, length)),
        (place(), place()).prop_map(|(one, other)| Change::SwapLines(one, other)),
        (place(), 1..70_usize).prop_map(|(line, times)| Change::RepeatLine(line, times)),
    ]
}

fn apply(text: &str, change: &Change) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let mut lines: Vec<&str> = text.split('\n').collect();
    match change {
        Change::Insert(at, piece) => {
            let at = at.index(letters.len() + 1);
            letters.splice(at..at, piece.chars());
            letters.into_iter().collect()
        }
        Change::Remove(at, length) => {
            let at = at.index(letters.len() + 1);
            letters.drain(at..letters.len().min(at + length));
            letters.into_iter().collect()
        }
        Change::SwapLines(one, other) => {
            let (one, other) = (one.index(lines.len()), other.index(lines.len()));
            lines.swap(one, other);
            lines.join("\n")
        }
        Change::RepeatLine(line, times) => {
            let at = line.index(lines.len());
            let line = lines[at];
            lines.splice(at..at, std::iter::repeat_n(line, *times));
            lines.join("\n")
        }
    }
}

fn parses_or_explains(text: &str) -> Result<(), TestCaseError> {
    let Err(errors) = Scenario::parse("x.toml", text) else { return Ok(()) };
    prop_assert!(!errors.problems.is_empty());
    for problem in &errors.problems {
        prop_assert!(problem.line >= 1 && problem.column >= 1 && problem.length >= 1);
        prop_assert!(!problem.message.en.is_empty() && !problem.message.zh.is_empty());
        prop_assert!(problem.line <= text.matches('\n').count() + 1);
    }
    for language in Language::ALL {
        prop_assert!(errors.render(language).lines().all(|line| line.chars().count() < 2_000));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_good_file_changed_at_random_parses_or_is_explained(changes in prop::collection::vec(change(), 1..6)) {
        let text = changes.iter().fold(GOOD.to_owned(), |text, change| apply(&text, change));
        parses_or_explains(&text)?;
    }

    #[test]
    fn any_text_at_all_parses_or_is_explained(text in "\\PC{0,200}") {
        parses_or_explains(&text)?;
    }

    #[test]
    fn any_setting_is_taken_or_explained(key in "[a-zA-Z0-9._]{0,20}", value in "\\PC{0,30}") {
        if let Ok(text) = set(GOOD, &format!("{key}={value}")) {
            parses_or_explains(&text)?;
        }
    }

    #[test]
    fn a_lease_that_was_set_is_the_lease(millis in 1..8_640_000_000_u64) {
        let text = set(GOOD, &format!("ttl={millis}ms")).expect("ttl can be set");
        let scenario = Scenario::parse("x.toml", &text).expect("the lease is in range");
        prop_assert_eq!(scenario.lock.ttl.as_millis(), millis);
    }
}
