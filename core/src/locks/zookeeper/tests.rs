use expect_test::expect;

use super::setup::CODE;
use super::*;
use crate::locks::stage::{Stage, array, assert_asks, error};
use crate::locks::{Input, Value};

const OWN: &str = "A-1-0000000003";
const AHEAD: &str = "B-1-0000000002";
const FIRST: &str = "C-1-0000000001";

fn stage(listens: &str) -> Stage {
    Stage::new("zookeeper", |params| {
        params.extra.insert("listens".into(), Value::Word(listens.into()));
    })
}

fn place() -> Reply {
    array(&["lock/A-1-0000000003", "9"])
}

/// A client that holds the lock since 0, with czxid 9.
fn holding(listens: &str) -> Stage {
    let mut stage = stage(listens);
    stage.give(Input::Acquire { wait: None }).answer("connect", Reply::bulk("1")).answer("create", place());
    stage.answer("ls", array(&[OWN])).forget_log();
    stage
}

#[test]
fn the_lowest_number_holds_the_lock_and_its_czxid_is_the_token() {
    let mut stage = stage("lost");
    stage.give(Input::Acquire { wait: None }).answer("connect", Reply::bulk("1")).answer("create", place());
    stage.answer("ls", array(&[OWN, "B-1-0000000004"]));
    stage.give(Input::Release).answer("delete", Reply::ok()).answer("close", Reply::ok());
    stage.shows(expect![[r#"
        0s Acquiring
        0s connect 10000
        0s create -s -e lock/A-1- A @1
        0s ls lock @1
        0s Acquired { token: Some(Number(9)), valid_for: Some(Span(10000000)) }
        0s Releasing
        0s delete lock/A-1-0000000003 @1
        0s close @1
        0s Released
    "#]]);
}

#[test]
fn a_waiter_watches_only_the_place_just_ahead_and_lists_again_when_it_is_gone() {
    let mut stage = stage("lost");
    stage.give(Input::Acquire { wait: None }).answer("connect", Reply::bulk("1")).answer("create", place());
    // The names' order is not that of their numbers.
    stage.forget_log().answer("ls", array(&[OWN, AHEAD, FIRST]));
    stage.answer("exists -w", array(&["NodeDeleted", "lock/B-1-0000000002"])).answer("ls", array(&[OWN, FIRST]));
    stage.answer("exists -w", Reply::Nil).answer("ls", array(&[OWN]));
    stage.shows(expect![[r#"
        0s exists -w lock/B-1-0000000002 @1
        0s ls lock @1
        0s exists -w lock/C-1-0000000001 @1
        0s ls lock @1
        0s Acquired { token: Some(Number(9)), valid_for: Some(Span(10000000)) }
    "#]]);
}

#[test]
fn a_place_whose_creation_was_not_answered_is_found_by_its_name() {
    let mut stage = stage("lost");
    stage.give(Input::Acquire { wait: None }).answer("connect", Reply::bulk("1")).break_off("create").until(200);
    stage.answer("ls", array(&[OWN])).answer("exists", array(&["A", "9"]));
    stage.shows(expect![[r#"
        0s Acquiring
        0s connect 10000
        0s create -s -e lock/A-1- A @1
        100ms ls lock @1
        200ms exists lock/A-1-0000000003 @1
        200ms Acquired { token: Some(Number(9)), valid_for: Some(Span(10000000)) }
    "#]]);
}

#[test]
fn a_place_that_was_never_created_or_is_gone_is_created_once_more() {
    let mut stage = stage("lost");
    stage.give(Input::Acquire { wait: None }).answer("connect", Reply::bulk("1")).break_off("create").until(200);
    stage.forget_log().answer("ls", array(&[AHEAD]));
    stage.shows(expect![[r#"
        200ms create -s -e lock/A-1- A @1
    "#]]);
}

#[test]
fn a_waiter_whose_session_is_over_queues_up_again_in_another() {
    let mut stage = stage("lost");
    stage.give(Input::Acquire { wait: None }).answer("connect", Reply::bulk("1")).answer("create", place());
    stage.answer("ls", array(&[OWN, AHEAD])).forget_log();
    stage.asleep_until(15_000).answer("ping", error("SESSIONEXPIRED")).answer("connect", Reply::bulk("2"));
    stage.shows(expect![[r#"
        15s ping @1
        15s cancels exists -w lock/B-1-0000000002 @1
        15s connect 10000
        15s create -s -e lock/A-1- A @2
    "#]]);
}

#[test]
fn a_holder_that_hears_nothing_learns_of_the_loss_long_after_the_ensemble_has_ended_its_session() {
    let mut stage = holding("lost");
    stage.until(3_500).answer("ping", Reply::Status("PONG".into())).until(30_000);
    stage.shows(expect![[r#"
        3.333333s ping @1
        3.5s Extended { valid_for: Some(Span(10000000)) }
        6.666666s ping @1
        9.999999s ping @1
        13.333332s ping @1
        16.666665s ping @1
        19.999998s ping @1
        20.166s Lost
    "#]]);
}

#[test]
fn a_holder_that_listens_to_the_suspended_state_stops_in_time() {
    let mut stage = holding("suspended");
    stage.until(3_500).answer("ping", Reply::Status("PONG".into())).until(30_000);
    assert!(stage.log.ends_with("10.166s Lost\n"), "{}", stage.log);
}

#[test]
fn a_holder_that_is_told_that_its_session_is_over_has_lost_the_lock() {
    let mut stage = holding("lost");
    stage.asleep_until(12_000).answer("ping", error("SESSIONEXPIRED")).until(13_000);
    stage.give(Input::Release).answer("delete", error("SESSIONEXPIRED"));
    stage.shows(expect![[r#"
        12s ping @1
        12s Lost
        13s Releasing
        13s delete lock/A-1-0000000003 @1
        13s close @1
        13s ReleaseFailed { why: Expired }
    "#]]);
}

#[test]
fn a_place_that_is_gone_already_is_released_all_the_same() {
    let mut stage = holding("lost");
    stage.give(Input::Release).answer("delete", error("NONODE"));
    assert!(stage.log.ends_with("Released\n"), "{}", stage.log);
}

#[test]
fn whoever_is_inside_enters_again_without_asking() {
    let mut stage = holding("lost");
    stage.give(Input::Acquire { wait: None }).give(Input::Release).give(Input::Release);
    stage.shows(expect![[r#"
        0s Acquiring
        0s Reentered { count: 2 }
        0s Releasing
        0s Descended { count: 1 }
        0s Releasing
        0s delete lock/A-1-0000000003 @1
    "#]]);
}

#[test]
fn who_waits_too_long_leaves_the_queue() {
    let mut stage = stage("lost");
    stage.give(Input::Acquire { wait: Some(Span::from_millis(500)) }).answer("connect", Reply::bulk("1"));
    stage.answer("create", place()).answer("ls", array(&[OWN, AHEAD])).forget_log().until(1_000);
    stage.shows(expect![[r#"
        500ms cancels exists -w lock/B-1-0000000002 @1
        500ms close @1
        500ms Refused { why: Held }
    "#]]);
}

#[test]
fn the_lines_that_the_questions_name_are_those_of_the_text() {
    let questions = [
        (Question::Connect, "connect"),
        (Question::Create, "create -s -e"),
        (Question::List, "ls {key}"),
        (Question::Watch, "exists -w"),
        (Question::Own, "exists {mine}"),
        (Question::Ping, "ping"),
        (Question::Delete, "delete {mine}"),
        (Question::Close, "close"),
        (Question::Look, "exists {mine}"),
    ];
    for (question, words) in questions {
        assert_asks(CODE, question, words);
    }
}
