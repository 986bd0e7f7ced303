use expect_test::expect;

use super::setup::CODE;
use super::*;
use crate::locks::stage::{Stage, assert_asks, error};
use crate::locks::{Input, Params, Value};

fn stage(change: impl FnOnce(&mut Params)) -> Stage {
    Stage::new("kubernetes", |params| {
        params.jitter = Span::ZERO;
        change(params);
    })
}

fn record(holder: &str, version: u64, renewed: &str) -> Reply {
    let fields = [
        ("holderIdentity", holder),
        ("leaseDurationSeconds", "15"),
        ("leaseTransitions", "0"),
        ("renewTime", renewed),
        ("resourceVersion", &version.to_string()),
    ];
    Reply::Array(fields.into_iter().flat_map(|(name, value)| [Reply::bulk(name), Reply::bulk(value)]).collect())
}

/// The leader since 0.
fn leading(change: impl FnOnce(&mut Params)) -> Stage {
    let mut stage = stage(change);
    stage.give(Input::Acquire { wait: None }).answer("get", Reply::Nil).answer("create", record("A-1", 1, "0s"));
    stage.forget_log();
    stage
}

#[test]
fn who_finds_no_record_creates_it_and_leads_and_clears_it_when_it_stops() {
    let mut stage = stage(|_| {});
    stage.give(Input::Acquire { wait: None }).answer("get", Reply::Nil).answer("create", record("A-1", 1, "0s"));
    stage.give(Input::Release).answer("get", record("A-1", 1, "0s")).answer("replace", record("", 2, "0s"));
    stage.shows(expect![[r#"
        0s Acquiring
        0s get lease lock
        0s create lease lock holderIdentity=A-1 leaseDurationSeconds=15 leaseTransitions=0 renewTime=0s
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(12000000)) }
        0s Releasing
        0s get lease lock
        0s replace lease lock resourceVersion=1 holderIdentity= leaseDurationSeconds=1 leaseTransitions=0 renewTime=0s
        0s Released
    "#]]);
}

#[test]
fn a_candidate_takes_over_when_the_record_has_not_changed_for_its_duration_since_it_saw_it() {
    let mut stage = stage(|params| params.retry = Span::from_millis(7_500));
    stage.give(Input::Acquire { wait: None }).answer("get", record("B-1", 4, "0s")).until(7_500);
    stage.answer("get", record("B-1", 5, "6s")).until(15_000).answer("get", record("B-1", 5, "6s"));
    stage.until(22_500).forget_log().answer("get", record("B-1", 5, "6s"));
    stage.shows(expect![[r#"
        22.5s replace lease lock resourceVersion=5 holderIdentity=A-1 leaseDurationSeconds=15 leaseTransitions=1 renewTime=22.5s
    "#]]);
}

#[test]
fn a_wall_clock_that_is_set_ahead_misleads_only_who_goes_by_the_time_in_the_record() {
    let takes_over = |judges: &str| {
        let mut stage = stage(|params| drop(params.extra.insert("judges".into(), Value::Word(judges.into()))));
        stage.give(Input::Acquire { wait: None }).answer("get", record("B-1", 4, "0s"));
        stage.ahead = 3_600_000_000;
        stage.until(2_000).answer("get", record("B-1", 4, "0s"));
        stage.log.contains("replace")
    };
    assert!(!takes_over("observed"));
    assert!(takes_over("renew-time"));
}

#[test]
fn a_candidate_that_assumes_its_own_duration_takes_over_a_healthy_leader() {
    let mut stage = stage(|params| {
        params.retry = Span::from_secs(10);
        params.extra.insert("assumes".into(), Value::Span(Span::from_secs(10)));
    });
    stage.give(Input::Acquire { wait: None }).answer("get", record("B-1", 4, "0s")).until(10_000);
    stage.answer("get", record("B-1", 4, "0s"));
    assert!(stage.log.contains("10s replace lease lock resourceVersion=4 holderIdentity=A-1"), "{}", stage.log);
}

#[test]
fn of_two_candidates_the_one_whose_version_is_old_waits_on() {
    let mut stage = stage(|params| params.jitter = Span::from_millis(2_400));
    stage.give(Input::Acquire { wait: None }).answer("get", record("", 4, "0s")).forget_log();
    stage.answer("replace", error("Conflict")).until(3_000);
    stage.shows(expect![[r#"
        0s chooses Jitter of 2400001
        2s get lease lock
    "#]]);
}

#[test]
fn a_leader_renews_and_stops_when_it_has_not_managed_to_for_its_deadline() {
    let mut stage = leading(|_| {});
    stage.until(2_000).answer("get", record("A-1", 1, "0s")).answer("replace", record("A-1", 2, "2s")).until(4_000);
    stage.break_off("get").until(6_000).answer("get", record("A-1", 2, "2s")).break_off("replace").until(30_000);
    stage.shows(expect![[r#"
        2s get lease lock
        2s replace lease lock resourceVersion=1 holderIdentity=A-1 leaseDurationSeconds=15 leaseTransitions=0 renewTime=2s
        2s Extended { valid_for: Some(Span(12000000)) }
        4s get lease lock
        4s ExtendFailed { why: Disconnected }
        6s get lease lock
        6s replace lease lock resourceVersion=2 holderIdentity=A-1 leaseDurationSeconds=15 leaseTransitions=0 renewTime=6s
        6s ExtendFailed { why: Disconnected }
        8s get lease lock
        14s cancels get lease lock
        14s Lost
    "#]]);
}

#[test]
fn a_leader_that_reads_anothers_name_has_lost() {
    let mut stage = leading(|_| {});
    stage.until(2_000).answer("get", record("B-1", 2, "1s")).give(Input::Release);
    stage.shows(expect![[r#"
        2s get lease lock
        2s Lost
        2s Releasing
        2s ReleaseFailed { why: NotHolder }
    "#]]);
}

#[test]
fn a_leader_that_does_not_release_leaves_the_record_as_it_is() {
    let mut stage = leading(|params| drop(params.extra.insert("release_on_cancel".into(), Value::Switch(false))));
    stage.give(Input::Release).until(60_000);
    assert_eq!(stage.log, "0s Releasing\n0s Released\n");
}

#[test]
fn a_process_that_starts_again_is_another_candidate() {
    let mut stage = leading(|_| {});
    stage.restart().give(Input::Acquire { wait: None }).answer("get", record("A-1", 1, "0s")).until(1_000);
    assert_eq!(stage.log, "0s Acquiring\n0s get lease lock\n");
}

#[test]
fn the_lines_that_the_questions_name_are_those_of_the_text() {
    let questions = [
        (Question::Get, "get lease"),
        (Question::Create, "none: create lease"),
        (Question::Take, "replace lease"),
        (Question::Reread, "get lease"),
        (Question::Renew, "replace lease"),
        (Question::Last, "get lease"),
        (Question::Release, "replace lease"),
        (Question::Look, "get lease"),
    ];
    for (question, words) in questions {
        assert_asks(CODE, question, words);
    }
}
