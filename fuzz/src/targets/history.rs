//! A history as lines: read, explained if it is wrong, judged and written again if it is right.

use locklab_core::check::check;
use locklab_core::history::History;
use locklab_core::locks;
use locklab_core::scenario::{Scenario, library};

use super::Target;
use super::scenario::played;

pub const TARGET: Target = Target { name: "history", samples, words: WORDS, run };

const WORDS: &[&str] =
    &["{", "}", "[", "]", "\"at\":", "null", "true", "\"client\":", ",", "\\u0000", "\n", "{\"version\":2}\n"];

fn samples() -> Vec<Vec<u8>> {
    let scenarios = library::all().iter().filter_map(|scenario| Scenario::parse(scenario.name, scenario.text).ok());
    let histories =
        scenarios.flat_map(|scenario| locks::kinds().iter().filter_map(move |kind| played(&scenario, kind)));
    histories.map(|history| history.to_lines().into_bytes()).filter(|lines| lines.len() < 20_000).take(50).collect()
}

fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Ok(history) = History::from_lines(&text) {
        let again = History::from_lines(&history.to_lines());
        assert_eq!(again.as_ref(), Ok(&history), "what is written reads back");
        check(&history);
    }
}
