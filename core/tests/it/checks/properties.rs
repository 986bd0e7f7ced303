//! Each property broken, holding and not applicable.

use locklab_core::check::{Judge, Property, Verdict, check};
use locklab_core::history::{
    CellId, ClientEvent, Effected, EndReason, FaultEvent, GrantEnd, Guard, History, LeaveReason, LockEvent, Operation,
    Outcome, Phase, Refusal, ResourceKind, Token,
};

use crate::run::{A, B, C, REDIS, Run, gc_pause};

#[track_caller]
fn broken(history: &History, property: Property, times: usize) {
    match check(history).verdict(property) {
        Verdict::Broken { evidence } => assert_eq!(evidence.len(), times, "{evidence:?}"),
        other => panic!("{property} should be broken, but {other:?}"),
    }
}

#[track_caller]
fn verdict(history: &History, property: Property, expected: Verdict) {
    assert_eq!(check(history).verdict(property), &expected, "{property}");
}

fn one_after_the_other() -> Run {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).reads(A);
    run.at(500).waits(B);
    run.at(1_000).writes(A).executes(A, Phase::Release, REDIS).releases(A, 1);
    run.at(1_000).granted(B, Some(11_001)).enters(B).reads(B);
    run.at(2_000).writes(B).executes(B, Phase::Release, REDIS).releases(B, 2);
    run
}

fn alone() -> History {
    Run::new().at(0).acquires(A, Some(10_001)).at(1_000).releases(A, 1).quiet()
}

#[test]
fn a_pause_beyond_the_lease_breaks_exactly_four_properties() {
    let report = check(&gc_pause().quiet());
    let expected = [Property::MutualExclusion, Property::NoOverrun, Property::NoStaleWrite, Property::NoLostUpdate];
    assert_eq!(report.broken().collect::<Vec<_>>(), expected);
}

#[test]
fn one_after_the_other_breaks_nothing() {
    let report = check(&one_after_the_other().quiet());
    assert_eq!(report.broken().count(), 0);
    let held = [Property::MutualExclusion, Property::NoOverrun, Property::NoStaleWrite, Property::NoLostUpdate];
    for property in held.into_iter().chain([Property::NoForeignRelease, Property::NoFalseSuccess, Property::NoDeadlock])
    {
        assert_eq!(report.verdict(property), &Verdict::Holds, "{property}");
    }
    for property in [Property::Continuity, Property::Available, Property::FencingMonotonic, Property::Fairness] {
        assert_eq!(report.verdict(property), &Verdict::NotApplicable, "{property}");
    }
    for property in [Property::NoOversell, Property::ExactlyOnce] {
        assert_eq!(report.verdict(property), &Verdict::NotApplicable, "{property}");
    }
}

#[test]
fn exclusion_is_not_tested_by_one_client_or_without_a_lock() {
    verdict(&alone(), Property::MutualExclusion, Verdict::NotApplicable);
    let mut run = gc_pause();
    run.header.promises.exclusion = false;
    let report = check(&run.quiet());
    assert_eq!(report.verdict(Property::MutualExclusion), &Verdict::NotApplicable);
    assert_eq!(report.broken().collect::<Vec<_>>(), [Property::NoLostUpdate]);
}

#[test]
fn a_run_that_is_cut_by_its_bound_is_unknown_unless_it_broke() {
    verdict(&one_after_the_other().end(EndReason::Bound), Property::MutualExclusion, Verdict::Unknown);
    broken(&gc_pause().end(EndReason::Bound), Property::MutualExclusion, 1);
    let mut endless = one_after_the_other().quiet();
    endless.events.pop();
    verdict(&endless, Property::MutualExclusion, Verdict::Unknown);
}

#[test]
fn a_paused_holder_whose_lease_is_over_overruns_it_until_it_leaves() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).at(2_000).pauses(A, 15_000).at(10_001).expires(1);
    run.at(17_000).resumes(A).leaves(A, LeaveReason::Stopped);
    broken(&run.quiet(), Property::NoOverrun, 1);
}

#[test]
fn a_read_of_a_newer_grant_makes_an_older_write_stale() {
    let mut run = gc_pause();
    let history = run.quiet();
    broken(&history, Property::NoStaleWrite, 1);
    // Without B's requests there is nothing newer to be older than.
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).reads(A).at(10_001).expires(1).granted(B, Some(20_002)).enters(B);
    run.at(11_000).writes(A).releases_nothing(A).at(12_000).releases(B, 2);
    verdict(&run.quiet(), Property::NoStaleWrite, Verdict::NotApplicable);
}

#[test]
fn a_refused_latecomer_writes_nothing_stale() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).reads(A).at(10_001).expires(1).granted(B, Some(20_002)).enters(B).reads(B);
    run.at(11_000).write_refused(A, "34").releases_nothing(A).at(12_000).writes(B).releases(B, 2);
    verdict(&run.quiet(), Property::NoStaleWrite, Verdict::Holds);
    verdict(&run.quiet(), Property::NoLostUpdate, Verdict::Holds);
}

#[test]
fn an_update_that_was_lost_can_come_back() {
    let mut run = Run::new();
    run.at(0).reads(A).reads(B).reads(C);
    run.at(1).writes(A).reads(C).at(2).writes(B);
    broken(&run.clone().quiet(), Property::NoLostUpdate, 1);
    // C had read A's value: now B's is the one that is lost.
    run.at(3).writes(C);
    let report = check(&run.quiet());
    let Verdict::Broken { evidence } = report.verdict(Property::NoLostUpdate) else { panic!("still broken") };
    assert_eq!(evidence.iter().map(|violation| violation.clients.clone()).collect::<Vec<_>>(), [[C, B]]);
    assert_eq!(report.totals.lost_updates, 1);
}

#[test]
fn an_atomic_step_loses_nothing() {
    let mut run = Run::new();
    for (client, base) in [(A, 0), (B, 1), (C, 2)] {
        let effected = Effected { base, version: base + 1, value: "x".into() };
        run.at(u64::from(base)).effect(client, Operation::Atomic, Outcome::Accepted(effected));
    }
    verdict(&run.quiet(), Property::NoLostUpdate, Verdict::Holds);
}

#[test]
fn releasing_the_lock_of_the_successor_is_foreign() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).at(10_001).expires(1).acquires(B, Some(20_002));
    run.at(12_000).releases_by(A, 2).at(15_000).releases_nothing(B);
    broken(&run.quiet(), Property::NoForeignRelease, 1);
    assert_eq!(check(&run.quiet()).totals.foreign_releases, 1);
}

#[test]
fn renewing_the_lock_of_the_successor_is_foreign() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).at(10_001).expires(1).acquires(B, Some(20_002));
    run.at(12_000).executes(A, Phase::Renew, REDIS).moves(2, Some(22_001), A);
    run.at(15_000).releases(B, 2).releases_nothing(A);
    let report = check(&run.quiet());
    assert!(report.verdict(Property::NoForeignRelease).is_broken());
    assert_eq!((report.totals.foreign_renewals, report.totals.foreign_releases), (1, 0));
}

#[test]
fn a_take_over_to_acquire_is_no_foreign_release() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001));
    run.at(5_000).waits(B).executed(B, REDIS).ends(1, GrantEnd::Removed, Some(B)).granted(B, Some(15_001)).enters(B);
    run.at(6_000).releases(B, 2).releases_nothing(A);
    verdict(&run.quiet(), Property::NoForeignRelease, Verdict::NotApplicable);
    broken(&run.quiet(), Property::MutualExclusion, 1);
}

#[test]
fn an_answer_that_comes_after_the_lease_is_a_false_success() {
    let mut run = Run::new();
    run.at(0).waits(A).granted(A, Some(10_001)).pauses(A, 17_000).at(10_001).expires(1);
    run.at(17_000).resumes(A).enters(A).releases_nothing(A);
    broken(&run.quiet(), Property::NoFalseSuccess, 1);
    verdict(&alone(), Property::NoFalseSuccess, Verdict::Holds);
    verdict(&Run::new().at(0).waits(A).quiet(), Property::NoFalseSuccess, Verdict::NotApplicable);
}

#[test]
fn a_lease_that_begins_again_breaks_the_continuity_of_its_hold() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).at(10_001).expires(1);
    run.at(11_000).acquires(B, Some(21_001)).at(20_000).releases(B, 2);
    let mut ended = run.clone();
    ended.at(40_000).releases_nothing(A);
    verdict(&ended.quiet(), Property::Continuity, Verdict::Holds);
    run.at(30_000).granted(A, Some(40_001)).at(40_000).releases(A, 3);
    broken(&run.quiet(), Property::Continuity, 1);
    assert_eq!(check(&run.quiet()).totals.resurrections, 1);
}

#[test]
fn a_lease_that_is_replaced_at_the_same_instant_goes_on() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).at(5_000).ends(1, GrantEnd::Removed, Some(A)).granted(A, Some(15_001));
    run.at(6_000).releases(A, 2);
    verdict(&run.quiet(), Property::Continuity, Verdict::Holds);
}

#[test]
fn a_lock_without_end_whose_owner_is_gone_is_a_deadlock() {
    let mut run = Run::new();
    run.at(0).acquires(A, None).at(1_000).crashes(A).at(9_000);
    broken(&run.quiet(), Property::NoDeadlock, 1);
    let mut leased = Run::new();
    leased.at(0).acquires(A, Some(10_001)).at(1_000).crashes(A).at(10_001).expires(1);
    verdict(&leased.quiet(), Property::NoDeadlock, Verdict::Holds);
    verdict(&Run::new().quiet(), Property::NoDeadlock, Verdict::NotApplicable);
}

#[test]
fn a_crash_before_the_answer_leaves_a_lock_without_an_owner() {
    let mut run = Run::new();
    run.at(0).waits(A).granted(A, None).crashes(A).at(1_000);
    broken(&run.quiet(), Property::NoDeadlock, 1);
}

#[test]
fn an_operator_who_must_remove_the_lock_does_not_undo_the_deadlock() {
    let mut run = Run::new();
    run.at(0).acquires(A, None).at(1_000).crashes(A).at(7_200_000).ends(1, GrantEnd::Removed, None);
    broken(&run.quiet(), Property::NoDeadlock, 1);
    verdict(&run.quiet(), Property::NoForeignRelease, Verdict::NotApplicable);
}

#[test]
fn a_client_that_waits_for_its_own_lease_waits_for_itself() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).at(1_000).waits(A).at(10_001).expires(1).granted(A, Some(20_002)).enters(A);
    run.at(11_000).releases(A, 2);
    broken(&run.quiet(), Property::NoDeadlock, 1);
}

#[test]
fn waiting_for_a_live_holder_is_no_deadlock() {
    let mut run = Run::new();
    run.at(0).acquires(A, None).at(1_000).waits(B).at(2_000);
    verdict(&run.end(EndReason::Until), Property::NoDeadlock, Verdict::Holds);
}

#[test]
fn an_idle_lock_that_nobody_gets_in_time_makes_no_progress() {
    let mut run = Run::new();
    run.at(0).acquires(A, None).at(500).waits(B).at(1_000).crashes(A);
    let mut early = run.clone();
    verdict(&early.at(30_999).end(EndReason::Until), Property::Progress, Verdict::Unknown);
    broken(&run.at(31_000).end(EndReason::Until), Property::Progress, 1);
}

#[test]
fn a_run_that_goes_quiet_with_a_waiter_makes_no_progress() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).at(500).waits(B).at(1_000).releases(A, 1).at(1_001);
    broken(&run.quiet(), Property::Progress, 1);
    verdict(&one_after_the_other().quiet(), Property::Progress, Verdict::Holds);
    verdict(&alone(), Property::Progress, Verdict::NotApplicable);
}

#[test]
fn progress_is_not_asked_for_while_a_fault_is_on() {
    let mut run = Run::new();
    run.at(0).fault(FaultEvent::Down { node: REDIS }).waits(A).at(100_000);
    verdict(&run.clone().end(EndReason::Until), Property::Progress, Verdict::NotApplicable);
    broken(&run.end(EndReason::Until), Property::Available, 1);
}

#[test]
fn a_lock_is_available_if_somebody_gets_it_while_a_server_is_down() {
    let mut run = Run::new();
    run.at(0).fault(FaultEvent::Down { node: REDIS }).waits(A).at(1_000).granted(A, Some(9_000)).enters(A);
    run.at(2_000).releases(A, 1).at(90_000);
    verdict(&run.end(EndReason::Until), Property::Available, Verdict::Holds);
    let mut quiet = Run::new();
    quiet.at(0).fault(FaultEvent::Down { node: REDIS }).waits(A).at(1_000);
    verdict(&quiet.clone().end(EndReason::Until), Property::Available, Verdict::Unknown);
    quiet.lock(A, LockEvent::Refused { why: Refusal::NoQuorum }).at(2_000);
    broken(&quiet.quiet(), Property::Available, 1);
}

#[test]
fn tokens_that_do_not_grow_cannot_fence() {
    let tokens = |first: Token, second: Token| {
        let mut run = Run::new();
        run.header.promises.fencing = true;
        run.at(0).waits(A).granted(A, Some(10_001)).enters_with(A, Some(first)).at(1_000).releases(A, 1);
        run.at(1_000).waits(B).granted(B, Some(11_001)).enters_with(B, Some(second)).at(2_000).releases(B, 2);
        run.quiet()
    };
    verdict(&tokens(Token::Number(33), Token::Number(34)), Property::FencingMonotonic, Verdict::Holds);
    broken(&tokens(Token::Number(33), Token::Number(33)), Property::FencingMonotonic, 1);
    broken(&tokens(Token::Number(33), Token::Number(1)), Property::FencingMonotonic, 1);
    broken(&tokens(Token::Opaque("f0".into()), Token::Opaque("f1".into())), Property::FencingMonotonic, 1);
}

#[test]
fn news_that_arrive_out_of_order_do_not_break_the_order_of_tokens() {
    let mut run = Run::new();
    run.header.resource.guard = Guard::Fencing;
    run.at(0).waits(A).granted(A, Some(10_001)).waits(B).at(10_001).expires(1).granted(B, Some(20_002));
    run.enters_with(B, Some(Token::Number(34))).at(11_000).enters_with(A, Some(Token::Number(33)));
    verdict(&run.quiet(), Property::FencingMonotonic, Verdict::Holds);
}

#[test]
fn a_sale_that_overwrites_another_still_sells() {
    let mut run = Run::new();
    run.header.resource.kind = ResourceKind::Stock;
    run.header.resource.initial = 1;
    run.at(0).reads(A).reads(B).writes(A);
    verdict(&run.clone().quiet(), Property::NoOversell, Verdict::Holds);
    run.writes(B);
    broken(&run.quiet(), Property::NoOversell, 1);
    assert_eq!(check(&run.quiet()).totals.oversold, 1);
}

#[test]
fn a_job_runs_once_or_breaks_its_promise() {
    let job = |writes: &[locklab_core::wire::ClientId]| {
        let mut run = Run::new();
        run.header.resource.kind = ResourceKind::Job;
        run.at(0).client(A, ClientEvent::Started { run: 1 });
        for client in writes {
            run.reads(*client).writes(*client);
        }
        run.quiet()
    };
    verdict(&job(&[A]), Property::ExactlyOnce, Verdict::Holds);
    broken(&job(&[A, B]), Property::ExactlyOnce, 1);
    broken(&job(&[]), Property::ExactlyOnce, 1);
    assert_eq!(check(&job(&[])).totals.missed_runs, 1);
}

#[test]
fn each_scheduled_run_of_a_job_is_one_of_its_own() {
    let started = |client, run| (client, ClientEvent::Started { run });
    let mut run = Run::new();
    run.header.resource.kind = ResourceKind::Job;
    for (client, event) in [started(A, 1), started(B, 1)] {
        run.at(0).client(client, event);
    }
    run.at(1).reads(A).writes(A);
    for (client, event) in [started(A, 2), started(B, 2)] {
        run.at(1_000).client(client, event);
    }
    let missed = run.clone();
    run.reads(B).writes(B);
    verdict(&run.clone().quiet(), Property::ExactlyOnce, Verdict::Holds);
    assert_eq!(check(&missed.clone().quiet()).totals.missed_runs, 1);
    broken(&run.reads(A).writes(A).quiet(), Property::ExactlyOnce, 1);
    assert_eq!(check(&run.clone().quiet()).totals.runs, 3);
}

#[test]
fn a_job_that_was_begun_under_a_lock_that_nobody_got_is_missed() {
    let mut run = Run::new();
    run.header.resource.kind = ResourceKind::Job;
    run.header.clients[1].cell = Some(CellId(1));
    run.at(0).client(A, ClientEvent::Started { run: 1 }).reads(A).writes(A);
    run.at(1).client(B, ClientEvent::Started { run: 1 });
    let history = run.quiet();
    broken(&history, Property::ExactlyOnce, 1);
    assert_eq!(check(&history).totals.missed_runs, 1);
}

#[test]
fn a_waiter_is_overtaken_no_more_often_than_promised() {
    let overtaken = |bound: u32| {
        let mut run = Run::new();
        run.header.promises.overtaking = Some(bound);
        run.at(0).acquires(A, Some(10_001)).at(100).waits(B).at(200).waits(C);
        run.at(1_000).releases(A, 1).granted(C, Some(11_001)).enters(C);
        run.at(2_000).releases(C, 2).granted(B, Some(12_001)).enters(B).at(3_000).releases(B, 3);
        run.quiet()
    };
    broken(&overtaken(0), Property::Fairness, 1);
    verdict(&overtaken(1), Property::Fairness, Verdict::Holds);
}

#[test]
fn readers_share_a_lock_without_overlap() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).acquires(B, Some(10_001)).shared();
    run.at(1_000).releases(A, 1).releases(B, 2);
    let report = check(&run.quiet());
    assert_eq!(report.verdict(Property::MutualExclusion), &Verdict::Holds);
    assert_eq!(report.totals.overlap, locklab_core::time::Span::ZERO);
}

#[test]
fn a_judge_forgets_absolute_time_but_not_what_broke() {
    use std::hash::{DefaultHasher, Hasher};
    let hash = |history: &History, count: usize| {
        let mut judge = Judge::start(&history.header, Property::ALL);
        history.events.iter().take(count).for_each(|event| judge.step(event));
        let mut hasher = DefaultHasher::new();
        judge.remember(&mut hasher);
        hasher.finish()
    };
    let at = |start: u64, length: u64| {
        let mut run = Run::new();
        run.at(start).acquires(A, Some(start + 10_001)).at(start + length).quiet()
    };
    assert_eq!(hash(&at(0, 500), 4), hash(&at(7_000, 500), 4));
    assert_ne!(hash(&at(0, 500), 5), hash(&at(0, 600), 5));
    let paused = gc_pause().quiet();
    let broken_at = |count: usize| {
        let mut judge = Judge::start(&paused.header, Property::ALL);
        paused.events.iter().take(count).for_each(|event| judge.step(event));
        judge.broken().collect::<Vec<_>>()
    };
    assert_eq!(broken_at(8), []);
    assert!(broken_at(paused.events.len()).contains(&Property::MutualExclusion));
}
