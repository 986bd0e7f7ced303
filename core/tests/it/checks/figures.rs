//! Figures and happenings by name.

use locklab_core::check::{Amount, TOTALS, check, happened, happenings};
use locklab_core::history::{EndReason, GrantEnd, Guard};
use locklab_core::i18n::{Language, Say};
use locklab_core::time::{Span, Time};

use crate::run::{A, B, Run, gc_pause};

fn seconds(from: u64, until: u64) -> (Time, Time) {
    (Time(from * 1_000_000), Time(until * 1_000_000))
}

#[test]
fn the_pause_has_its_well_known_figures() {
    let totals = check(&gc_pause().quiet()).totals;
    // case BB-01 counts an overrun from 10,000; the key is still shown in that millisecond.
    assert_eq!(totals.by_name("overlap"), Ok(Amount::Span(Span::from_millis(2_000))));
    assert_eq!(totals.by_name("overrun"), Ok(Amount::Span(Span::from_millis(6_999))));
    assert_eq!(totals.by_name("claimed_overlap"), Ok(Amount::Span(Span::ZERO)));
    assert_eq!(totals.by_name("stale_writes"), Ok(Amount::Count(1)));
    assert_eq!(totals.by_name("lost_updates"), Ok(Amount::Count(1)));
    assert_eq!(totals.by_name("grants"), Ok(Amount::Count(2)));
    assert_eq!(totals.by_name("winners"), Ok(Amount::Count(2)));
    assert_eq!(totals.longest_hold, Span::from_secs(17));
    assert_eq!(totals.longest_wait, Span::from_millis(9_100));
}

#[test]
fn an_orphan_ends_with_its_lease_or_never() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).at(1_000).crashes(A);
    assert_eq!(check(&run.clone().quiet()).totals.orphan, [(Time(1_000_000), Time(10_001_000))]);
    run.at(10_001).expires(1);
    assert_eq!(check(&run.quiet()).totals.orphan, [(Time(1_000_000), Time(10_001_000))]);
    let mut run = Run::new();
    run.at(0).acquires(A, None).at(1_000).crashes(A).at(5_000);
    assert_eq!(check(&run.end(EndReason::Until)).totals.orphan, [(Time(1_000_000), Time::NEVER)]);
}

#[test]
fn a_lease_on_its_way_to_its_client_is_no_orphan() {
    let mut run = Run::new();
    run.at(0).waits(A).at(1).granted(A, Some(10_002)).at(2).enters(A);
    run.at(5).leaves(A, locklab_core::history::LeaveReason::Releasing);
    run.at(7).ends(1, GrantEnd::Removed, Some(A));
    assert_eq!(check(&run.quiet()).totals.orphan, [(Time(5_000), Time(7_000))]);
}

#[test]
fn idle_is_the_time_without_a_holder_while_somebody_waits() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(35_000)).at(10_000).waits(B).at(20_000).crashes(A);
    run.at(35_000).expires(1).granted(B, Some(45_000)).enters(B).at(36_000).releases(B, 2);
    let totals = check(&run.quiet()).totals;
    assert_eq!(totals.idle, [seconds(20, 35)]);
    assert_eq!(totals.idle_time, Span::from_secs(15));
}

#[test]
fn every_total_has_a_name_a_meaning_and_a_value() {
    let totals = check(&gc_pause().quiet()).totals;
    for total in TOTALS {
        let amount = totals.by_name(total.name).expect("it is listed");
        assert!(!amount.say(Language::English).is_empty());
        assert!(total.en.ends_with('.') && total.zh.ends_with('。'), "{}", total.name);
    }
    assert_eq!(totals.by_name("overlap_conflicting"), totals.by_name("overlap"));
    let error = totals.by_name("overlapp").expect_err("a typo");
    assert_eq!(error.to_string(), "unknown total \"overlapp\"; did you mean \"overlap\"?");
    assert_eq!(error.hint().zh, "是不是想写 \"overlap\"？");
}

#[test]
fn what_happened_is_asked_by_name() {
    let history = gc_pause().quiet();
    for name in ["A.acquired", "B.wrote", "A.paused", "A.resumed", "any.finished", "A.release-failed", "B.granted"] {
        assert_eq!(happened(&history, name), Ok(true), "{name}");
    }
    for name in ["A.write-refused", "B.paused", "C.acquired", "any.crashed"] {
        assert_eq!(happened(&history, name), Ok(false), "{name}");
    }
    let error = |name: &str| happened(&history, name).expect_err("unknown").to_string();
    assert_eq!(error("A.aquired"), "unknown happening \"A.aquired\"; did you mean \"A.acquired\"?");
    assert_eq!(error("D.acquired"), "unknown client \"D\"");
    assert_eq!(error("acquired"), "unknown client \"acquired\"");
    assert!(happenings().all(|(name, meaning)| !name.is_empty() && !meaning.zh.is_empty()));
}

#[test]
fn a_conflict_is_false_where_nothing_had_changed() {
    let versioned = |guard: Guard, interferes: bool| {
        let mut run = Run::new();
        run.header.resource.guard = guard;
        run.at(0).reads(A);
        if interferes {
            run.at(1).reads(B).writes(B);
        }
        run.at(2).write_refused(A, "4000");
        check(&run.quiet()).totals
    };
    assert_eq!(versioned(Guard::Version, false).false_conflicts, 1);
    assert_eq!(versioned(Guard::Version, true).false_conflicts, 0);
    assert_eq!(versioned(Guard::Fencing, false).false_conflicts, 0, "whoever is late is not told of a conflict");
}

#[test]
fn without_a_lock_the_changes_are_the_attempts() {
    let mut run = Run::new();
    run.at(0).reads(A).reads(B).writes(A).write_refused(B, "1").reads(B).writes(B);
    assert_eq!(check(&run.quiet()).totals.attempts, 0);
    run.header.promises.exclusion = false;
    assert_eq!(check(&run.quiet()).totals.attempts, 3);
}
