use expect_test::expect;

use super::setup::CODE;
use super::*;
use crate::locks::stage::{Stage, array, assert_asks, error};
use crate::locks::{Input, Value};

fn stage(switches: &[(&str, bool)]) -> Stage {
    Stage::new("etcd", |params| {
        for (name, on) in switches {
            params.extra.insert((*name).into(), Value::Switch(*on));
        }
    })
}

/// The answer to the transaction: the own key has been put at a revision, and this one was created first.
fn put(revision: &str, first: &str) -> Reply {
    Reply::Array(vec![Reply::Integer(1), array(&[revision]).first(), array(&["lock/1", "A-1", first, first])])
}

trait First {
    fn first(self) -> Reply;
}

impl First for Reply {
    fn first(self) -> Reply {
        let Reply::Array(mut items) = self else { unreachable!("it is an array") };
        items.remove(0)
    }
}

/// A client that holds the lock since 0, at revision 5.
fn holding(switches: &[(&str, bool)]) -> Stage {
    let mut stage = stage(switches);
    stage.give(Input::Acquire { wait: None }).answer("lease grant", array(&["1", "10"]));
    stage.answer("txn", put("5", "5")).forget_log();
    stage
}

#[test]
fn who_is_first_holds_the_lock_and_its_revision_is_the_token() {
    let mut stage = stage(&[]);
    stage.give(Input::Acquire { wait: None }).answer("lease grant", array(&["7", "10"])).answer("txn", put("5", "5"));
    stage.give(Input::Release).answer("del", Reply::Integer(1)).answer("lease revoke", Reply::ok());
    stage.shows(expect![[r#"
        0s Acquiring
        0s lease grant 10
        0s txn if create(lock/7)=0 then put lock/7 A-1 --lease=7 get lock/ --first else get lock/7 get lock/ --first
        0s Acquired { token: Some(Number(5)), valid_for: Some(Span(10000000)) }
        0s Releasing
        0s del lock/7
        0s lease revoke 7
        0s Released
    "#]]);
}

#[test]
fn who_is_not_first_waits_for_those_ahead_one_by_one_and_then_reads_its_own_key() {
    let mut stage = stage(&[]);
    stage.give(Input::Acquire { wait: None }).answer("lease grant", array(&["7", "10"])).answer("txn", put("5", "3"));
    stage.forget_log();
    stage.answer("get lock/ --last-before=5", array(&["lock/3", "C-1", "4", "4"]));
    stage.answer("watch lock/3", array(&["DELETE", "lock/3"]));
    stage.answer("get lock/ --last-before=5", array(&["lock/2", "B-1", "3", "3"]));
    stage.answer("watch lock/2", array(&["DELETE", "lock/2"]));
    stage.answer("get lock/ --last-before=5", Reply::Nil).answer("get lock/7", array(&["lock/7", "A-1", "5", "5"]));
    stage.shows(expect![[r#"
        0s watch lock/3 --rev=4
        0s get lock/ --last-before=5
        0s watch lock/2 --rev=3
        0s get lock/ --last-before=5
        0s get lock/7
        0s Acquired { token: Some(Number(5)), valid_for: Some(Span(10000000)) }
    "#]]);
}

#[test]
fn a_waiter_whose_own_key_is_gone_is_refused_and_without_the_last_look_it_is_not() {
    let waited = |reread| {
        let mut stage = stage(&[("reread", reread)]);
        stage.give(Input::Acquire { wait: None }).answer("lease grant", array(&["7", "10"]));
        stage.answer("txn", put("5", "3")).answer("get", array(&["lock/2", "B-1", "3", "3"]));
        stage.answer("watch", array(&["DELETE", "lock/2"])).answer("get", Reply::Nil);
        if reread {
            stage.answer("get lock/7", Reply::Nil);
        }
        stage.log.lines().last().expect("a line").to_owned()
    };
    assert_eq!(waited(true), "0s Refused { why: Expired }");
    assert!(waited(false).starts_with("0s Acquired "), "{}", waited(false));
}

#[test]
fn a_lease_is_kept_every_third_of_it_also_while_its_owner_waits() {
    let mut stage = stage(&[]);
    stage.give(Input::Acquire { wait: None }).answer("lease grant", array(&["7", "10"])).answer("txn", put("5", "3"));
    stage.answer("get", array(&["lock/2", "B-1", "3", "3"])).forget_log();
    stage.until(4_000).answer("lease keep-alive", Reply::Integer(10)).until(7_000);
    stage.shows(expect![[r#"
        3.333333s lease keep-alive 7
        6.666666s lease keep-alive 7
    "#]]);
}

#[test]
fn a_holder_that_hears_nothing_for_its_whole_lease_takes_the_lock_to_be_lost() {
    let mut stage = holding(&[]);
    stage.until(4_000).break_off("lease keep-alive").until(20_000);
    stage.shows(expect![[r#"
        3.333333s lease keep-alive 1
        4s ExtendFailed { why: Disconnected }
        6.666666s lease keep-alive 1
        9.999999s lease keep-alive 1
        10s Lost
    "#]]);
}

#[test]
fn a_holder_that_is_told_that_its_lease_is_over_has_lost_the_lock_and_its_release_is_not_looked_at() {
    let mut stage = holding(&[]);
    stage.until(4_000).answer("lease keep-alive", error("NotFound")).until(9_000);
    stage.give(Input::Release).answer("del", Reply::Integer(0));
    stage.shows(expect![[r#"
        3.333333s lease keep-alive 1
        4s Lost
        9s Releasing
        9s del lock/1
        9s lease revoke 1
        9s Released
    "#]]);
}

#[test]
fn one_that_retakes_goes_on_if_nobody_is_ahead_and_has_lost_if_somebody_is() {
    let retake = |first: &str| {
        let mut stage = holding(&[("retake", true)]);
        stage.asleep_until(66_000).answer("lease keep-alive", error("NotFound"));
        stage.answer("lease grant", array(&["2", "10"])).answer("txn", put("9", first));
        stage.log
    };
    expect![[r#"
        66s lease keep-alive 1
        66s lease grant 10
        66s txn if create(lock/2)=0 then put lock/2 A-1 --lease=2 get lock/ --first else get lock/2 get lock/ --first
        66s Extended { valid_for: Some(Span(10000000)) }
    "#]]
    .assert_eq(&retake("9"));
    assert!(retake("8").ends_with("66s Lost\n66s lease revoke 2\n"), "{}", retake("8"));
}

#[test]
fn a_second_acquire_finds_its_own_key_and_the_first_release_deletes_it() {
    let mut stage = holding(&[]);
    let own = || array(&["lock/1", "A-1", "5", "5"]);
    stage.give(Input::Acquire { wait: None }).answer("txn", Reply::Array(vec![Reply::Integer(0), own(), own()]));
    stage.give(Input::Release).answer("del", Reply::Integer(1)).give(Input::Release).answer("del", Reply::Integer(0));
    stage.shows(expect![[r#"
        0s Acquiring
        0s txn if create(lock/1)=0 then put lock/1 A-2 --lease=1 get lock/ --first else get lock/1 get lock/ --first
        0s Reentered { count: 2 }
        0s Releasing
        0s del lock/1
        0s Descended { count: 1 }
        0s Releasing
        0s del lock/1
        0s lease revoke 1
        0s Released
    "#]]);
}

#[test]
fn who_tries_once_or_waits_too_long_leaves_the_queue() {
    let refused = |wait: u64| {
        let mut stage = stage(&[]);
        stage.give(Input::Acquire { wait: Some(Span::from_millis(wait)) }).answer("lease grant", array(&["7", "10"]));
        stage.answer("txn", put("5", "3"));
        if wait > 0 {
            stage.answer("get", array(&["lock/2", "B-1", "3", "3"])).until(2_000);
        }
        stage.log.lines().rev().take(2).map(|line| format!("{line}\n")).collect::<String>()
    };
    assert_eq!(refused(0), "0s Refused { why: Held }\n0s lease revoke 7\n");
    assert_eq!(refused(500), "500ms Refused { why: Held }\n500ms lease revoke 7\n");
}

#[test]
fn a_watch_that_breaks_off_is_asked_for_again() {
    let mut stage = stage(&[]);
    stage.give(Input::Acquire { wait: None }).answer("lease grant", array(&["7", "10"])).answer("txn", put("5", "3"));
    stage.answer("get", array(&["lock/2", "B-1", "3", "3"])).forget_log();
    stage.break_off("watch").until(1_000);
    let own = array(&["lock/7", "A-1", "5", "5"]);
    stage.answer("txn", Reply::Array(vec![Reply::Integer(0), own, array(&["lock/2", "B-1", "3", "3"])]));
    stage.shows(expect![[r#"
        100ms txn if create(lock/7)=0 then put lock/7 A-1 --lease=7 get lock/ --first else get lock/7 get lock/ --first
        1s get lock/ --last-before=5
    "#]]);
}

#[test]
fn a_check_asks_whether_the_own_key_is_there() {
    let mut stage = holding(&[]);
    stage.give(Input::Check).answer("get lock/1", array(&["lock/1", "A-1", "5", "5"]));
    stage.give(Input::Check).answer("get lock/1", Reply::Nil);
    assert_eq!(stage.log, "0s get lock/1\n0s Looked { mine: true }\n0s get lock/1\n0s Looked { mine: false }\n");
}

#[test]
fn the_lines_that_the_questions_name_are_those_of_the_text() {
    let questions = [
        (Question::Grant, "lease grant"),
        (Question::Enter, "txn if"),
        (Question::Ahead, "get {key}/ --last-before"),
        (Question::Watch, "watch {ahead}"),
        (Question::Reread, "get {mine}"),
        (Question::Keep, "lease keep-alive"),
        (Question::Leave, "del {mine}"),
        (Question::Revoke, "lease revoke"),
        (Question::Look, "get {mine}"),
    ];
    for (question, words) in questions {
        assert_asks(CODE, question, words);
    }
}
