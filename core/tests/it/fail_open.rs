//! A client that goes on without the lock acts as its holder, and has nothing to give back.

use locklab_core::check::{Property, Report, Verdict, check, happened};
use locklab_core::choices::Choices;
use locklab_core::history::History;
use locklab_core::locks;
use locklab_core::scenario::Scenario;
use locklab_core::sim;
use locklab_core::time::Span;

/// A works for 3 s; B comes at 1 s, does not wait, and does these steps.
fn played(steps: &str) -> (History, Report) {
    let text = format!(
        r#"
        title = "Fail open"
        [lock]
        kind = "token-lua"
        [[client]]
        name = "A"
        work = "3s"
        [[client]]
        name = "B"
        starts = "1s"
        steps = [{steps}]
        wait = "0s"
        when_refused = "go-on"
        [expect]
        broken = ["mutual-exclusion"]
        "#
    );
    let scenario = Scenario::parse("test/fail-open", &text).unwrap_or_else(|errors| panic!("{errors}"));
    let lock = locks::find("token-lua").expect("it is shipped");
    let run = sim::run(&scenario, lock, Choices::scripted()).expect("it applies");
    let report = check(&run.history);
    (run.history, report)
}

#[test]
fn who_goes_on_without_the_lock_is_inside_without_a_lease() {
    let (history, report) = played(r#""lock", "1s", "unlock", "1s""#);
    assert_eq!(report.totals.overlap, Span::from_secs(1));
    assert_eq!(report.totals.overrun, Span::from_secs(1));
    assert_eq!((report.totals.grants, report.totals.false_success), (1, 0), "nobody told B that it had the lock");
    assert_eq!(happened(&history, "B.release-executed"), Ok(false));
    assert_eq!(happened(&history, "B.finished"), Ok(true));
}

#[test]
fn who_gets_the_lock_in_the_end_gives_it_back_once() {
    let (history, report) = played(r#""lock", "3s", "lock", "1s", "unlock", "unlock""#);
    assert_eq!(report.totals.overlap, Span::from_secs(2));
    assert_eq!(report.totals.grants, 2);
    assert_eq!(happened(&history, "B.released"), Ok(true));
    assert_eq!(report.verdict(Property::NoForeignRelease), &Verdict::Holds);
}

#[test]
fn who_is_refused_twice_is_inside_once() {
    let (_, report) = played(r#""lock", "500ms", "lock", "500ms", "unlock", "1s", "unlock""#);
    assert_eq!(report.totals.overlap, Span::from_secs(1));
}
