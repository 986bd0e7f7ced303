//! Runs that are longer than a person reads.

use locklab_core::choices::Choices;
use locklab_core::i18n::Language;
use locklab_core::scenario::{self, Scenario};
use locklab_core::{locks, sim, view};

#[test]
fn a_long_story_is_told_without_its_middle() {
    let built_in = scenario::library::find("basics/uncontended").expect("it is built in");
    let text = scenario::set(built_in.text, "until=600s").expect("a scenario may end by the clock");
    let scenario = Scenario::parse(built_in.name, &text).expect("it can be read");
    // No replica ever answers WAIT, so the lock is tried for ever, each time with a lease that is given back.
    let lock = locks::find("wait").expect("there is such a lock");
    let run = sim::run(&scenario, lock, Choices::scripted()).expect("it can be played");
    let scene = view::scene(&run.history, Vec::new());
    let lines = view::timeline(&scene, Language::English, 100).lines;
    let left_out = lines.iter().filter(|line| line.to_string().contains("rows are left out here")).count();
    assert_eq!(left_out, 1);
    assert!(lines.len() < 10_000, "{} lines", lines.len());
}
