//! Every level of the game can be played: what the search says of it is what a reader can do.

use std::collections::BTreeSet;

use locklab_core::check::check;
use locklab_core::choices::Choices;
use locklab_core::explore::{Answer, Progress};
use locklab_core::game::{LEVELS, Level, OverBudget};
use locklab_core::scenario::{Scenario, library, written_faults};
use locklab_core::sim::{self, FaultClass};

/// The simplest attack on a level; `None` where it holds.
fn answer(level: &Level) -> Answer {
    let mut search = level.search();
    while search.advance(1_000) == Progress::Going {
        assert!(search.states() < 200_000, "{}: a reader does not wait so long", level.name);
    }
    let (_, answer) = search.answers().next().expect("one question");
    answer
}

#[test]
fn a_level_is_unbroken_before_the_first_move() {
    for level in LEVELS {
        let scenario = level.scenario();
        let run = sim::run(&scenario, level.lock(), Choices::scripted()).expect("it can be played");
        let report = check(&run.history);
        assert!(!report.verdict(level.goal()).is_broken(), "{}", level.name);
        let expectation = &scenario.expectations[0];
        assert!(expectation.compare(&report, &run.history).as_expected(), "{}", level.name);
    }
}

#[test]
fn all_levels_but_the_last_can_be_broken_with_what_is_allowed() {
    for level in LEVELS {
        let (answer, plan) = (answer(level), level.search().plan().clone());
        if level.name == "fenced" {
            assert_eq!(answer, Answer::Holds);
            continue;
        }
        let Answer::Broken(attack) = answer else { panic!("{}: {answer:?}", level.name) };
        assert!(!attack.faults.is_empty(), "{}", level.name);
        let hints = level.hints(&attack, &plan);
        assert_eq!(hints.len(), 3, "{}: {hints:?}", level.name);

        // What the last hint says is what a reader can write, and it breaks the level.
        let nodes: Vec<String> = plan.header.nodes.iter().map(|node| node.name.clone()).collect();
        let faults = written_faults(&attack.faults, &level.scenario(), &nodes);
        let text = level.text().replace("until    =", &format!("fault = {faults}\nuntil ="));
        let attempt =
            Scenario::parse(level.name, &text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", level.name));
        let attempt = level.attempt(&attempt).unwrap_or_else(|error| panic!("{}: {error}", level.name));
        assert_eq!(attempt.faults as u32, attack.cost.faults(), "{}", level.name);
        assert!(attempt.breaks || attack.cost.choices() > 0, "{}: {faults}", level.name);
    }
}

#[test]
fn what_the_budget_does_not_allow_does_not_count() {
    let level = Level::find("token").expect("a level");
    let with = |faults: &str| Scenario::parse("attempt", &(level.text() + faults)).expect("a scenario");
    let pause = "\n[[fault]]\npause = \"A\"\nat = \"A.acquired\"\nfor = \"15s\"\n";
    assert!(level.attempt(&with(pause)).expect("within the budget").breaks);
    let twice = OverBudget::TooMany { class: FaultClass::Pause, placed: 2, allowed: 1 };
    assert_eq!(level.attempt(&with(&pause.repeat(2))), Err(twice));
    let crash = level.attempt(&with("\n[[fault]]\ncrash = \"A\"\nat = \"A.acquired\"\n"));
    assert!(matches!(crash, Err(OverBudget::TooMany { class: FaultClass::Crash, .. })));
    assert!(matches!(
        level.attempt(&with("\n[[fault]]\nevict = \"lock\"\nat = \"A.acquired\"\n")),
        Err(OverBudget::Kind(_))
    ));
}

#[test]
fn levels_have_names_of_their_own() {
    let names: BTreeSet<&str> = LEVELS.iter().map(|level| level.name).collect();
    assert_eq!(names.len(), LEVELS.len());
    assert!(library::all().iter().all(|scenario| !names.contains(scenario.name)));
}
