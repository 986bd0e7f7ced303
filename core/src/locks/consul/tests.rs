use expect_test::expect;

use super::setup::CODE;
use super::*;
use crate::locks::Input;
use crate::locks::stage::{Stage, assert_asks, error};

fn stage() -> Stage {
    Stage::new("consul", |_| {})
}

/// The key as `kv get` shows it: whose session holds it, its lock index, its modify index.
fn key(session: &str, lock_index: i64, modify_index: i64) -> Reply {
    let indexes = [Reply::Integer(lock_index), Reply::Integer(modify_index)];
    Reply::Array([Reply::bulk("x"), Reply::bulk(session)].into_iter().chain(indexes).collect())
}

/// A client that holds the lock since 0.
fn holding() -> Stage {
    let mut stage = stage();
    stage.give(Input::Acquire { wait: None }).answer("session create", Reply::bulk("7"));
    stage.answer("kv put", Reply::Integer(1)).answer("kv get", key("7", 3, 9)).forget_log();
    stage
}

#[test]
fn a_session_acquires_the_key_and_the_lock_index_is_the_token() {
    let mut stage = stage();
    stage.give(Input::Acquire { wait: None }).answer("session create", Reply::bulk("7"));
    stage.answer("kv put", Reply::Integer(1)).answer("kv get", key("7", 3, 9));
    stage.give(Input::Release).answer("kv put -release", Reply::Integer(1)).answer("session destroy", Reply::ok());
    stage.shows(expect![[r#"
        0s Acquiring
        0s session create -ttl=15s -lock-delay=15s
        0s kv put -acquire=7 lock A-1
        0s kv get lock
        0s Acquired { token: Some(Number(3)), valid_for: Some(Span(15000000)) }
        0s Releasing
        0s kv put -release=7 lock
        0s session destroy 7
        0s Released
    "#]]);
}

#[test]
fn a_waiter_asks_to_be_told_and_during_the_lock_delay_it_tries_every_few_seconds() {
    let mut stage = stage();
    stage.give(Input::Acquire { wait: None }).answer("session create", Reply::bulk("7"));
    stage.answer("kv put", Reply::Integer(0)).answer("kv get lock", key("1", 1, 2)).forget_log();
    stage.until(1_000).answer("kv get -index=2", key("", 1, 3)).answer("kv put", Reply::Integer(0));
    stage.answer("kv get lock", key("", 1, 3)).until(6_000).answer("kv put", Reply::Integer(1));
    stage.shows(expect![[r#"
        1s kv put -acquire=7 lock A-1
        1s kv get lock
        6s kv put -acquire=7 lock A-1
        6s kv get lock
    "#]]);
}

#[test]
fn a_query_that_ends_without_a_change_is_asked_again() {
    let mut stage = stage();
    stage.give(Input::Acquire { wait: None }).answer("session create", Reply::bulk("7"));
    stage.answer("kv put", Reply::Integer(0)).answer("kv get lock", key("1", 1, 2)).forget_log();
    stage.answer("kv get -index=2", key("1", 1, 2));
    assert_eq!(stage.log, "0s kv get -index=2 -wait=15s lock\n");
}

#[test]
fn a_session_is_renewed_at_half_its_time_and_one_that_cannot_be_is_lost_when_it_is_over() {
    let mut stage = holding();
    stage.until(8_000).answer("session renew", Reply::ok()).until(16_000).break_off("session renew").until(60_000);
    stage.shows(expect![[r#"
        7.5s session renew 7
        8s Extended { valid_for: Some(Span(15000000)) }
        15s session renew 7
        16s ExtendFailed { why: Disconnected }
        22.5s session renew 7
        23s Lost
    "#]]);
}

#[test]
fn a_holder_that_is_told_that_its_session_is_over_has_lost_and_cannot_release() {
    let mut stage = holding();
    stage.until(8_000).answer("session renew", error("404")).give(Input::Release);
    stage.answer("kv put -release", Reply::Integer(0));
    stage.shows(expect![[r#"
        7.5s session renew 7
        8s Lost
        8s Releasing
        8s kv put -release=7 lock
        8s session destroy 7
        8s ReleaseFailed { why: NotHolder }
    "#]]);
}

#[test]
fn a_waiter_whose_session_is_over_creates_another() {
    let mut stage = stage();
    stage.give(Input::Acquire { wait: None }).answer("session create", Reply::bulk("7"));
    stage.answer("kv put", Reply::Integer(0)).answer("kv get lock", key("1", 1, 2)).forget_log();
    stage.until(8_000).answer("session renew", error("404"));
    stage.shows(expect![[r#"
        7.5s session renew 7
        8s cancels kv get -index=2 -wait=15s lock
        8s session create -ttl=15s -lock-delay=15s
    "#]]);
}

#[test]
fn a_second_acquire_of_the_same_lock_is_refused_by_the_library_itself() {
    let mut stage = holding();
    stage.give(Input::Acquire { wait: None });
    assert_eq!(stage.log, "0s Acquiring\n0s Refused { why: Held }\n");
}

#[test]
fn a_time_to_live_that_consul_does_not_accept_is_an_error_at_once() {
    let mut stage = Stage::new("consul", |params| params.ttl = Span::from_secs(5));
    stage.give(Input::Acquire { wait: None }).answer("session create", error("500"));
    assert!(stage.log.ends_with("Refused { why: Error(\"500\") }\n"), "{}", stage.log);
}

#[test]
fn the_lines_that_the_questions_name_are_those_of_the_text() {
    let questions = [
        (Question::Create, "session create"),
        (Question::Acquire, "kv put -acquire"),
        (Question::Index, "kv get {key}"),
        (Question::Holder, "kv get {key}"),
        (Question::Watch, "kv get -index"),
        (Question::Renew, "session renew"),
        (Question::Release, "kv put -release"),
        (Question::Destroy, "session destroy"),
        (Question::Look, "kv get {key}"),
    ];
    for (question, words) in questions {
        assert_asks(CODE, question, words);
    }
}
