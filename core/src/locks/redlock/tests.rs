//! A Redlock client on a stage: inputs by hand, answers node by node, outputs as a log.

use expect_test::expect;

use super::setup::{Act, CODE, EXTEND, RECREATE, RELEASE, Setup};
use super::*;
use crate::locks::stage::{Stage, client};
use crate::locks::{Value, find};
use crate::wire::{NodeId, Reply};

fn stage(change: impl FnOnce(&mut Params)) -> Stage {
    let written = |output: &Output| match output {
        Output::Send { to, request, command, .. } => format!("#{} to {}: {}", request.0, to.0, command.name()),
        other => unreachable!("{other:?} is not sent"),
    };
    Stage::of(client("redlock", 5, change), written)
}

fn set(name: &'static str, value: Value) -> impl FnOnce(&mut Params) {
    move |params| drop(params.extra.insert(name.into(), value))
}

#[test]
fn a_quorum_and_time_left_are_the_lock() {
    let mut stage = stage(|_| {});
    stage.acquire(None).until(3).reply_from([0, 4, 2], &Reply::ok()).reply_from([1, 3], &Reply::Nil);
    stage.give(Input::Release).reply_from([0, 1, 2, 3, 4], &Reply::Integer(1));
    stage.shows(expect![[r#"
        0s Acquiring
        0s #0 to 0: SET
        0s #1 to 1: SET
        0s #2 to 2: SET
        0s #3 to 3: SET
        0s #4 to 4: SET
        3ms Checked
        3ms Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(9895000)) }
        3ms Releasing
        3ms #5 to 0: EVAL
        3ms #6 to 1: EVAL
        3ms #7 to 2: EVAL
        3ms #8 to 3: EVAL
        3ms #9 to 4: EVAL
        3ms Released
    "#]]);
}

#[test]
fn without_a_quorum_every_node_is_asked_to_forget_before_the_next_try() {
    let mut stage = stage(|params| params.jitter = Span(7));
    stage.chooses = |_| 5;
    stage.acquire(Some(Span::from_millis(150))).reply_from([0, 1], &Reply::ok()).reply_from([2, 3, 4], &Reply::Nil);
    stage.reply_from([0, 1], &Reply::Integer(1)).reply_from([2, 3, 4], &Reply::Integer(0));
    stage.until(101).reply_from([0, 1, 2, 3, 4], &Reply::Nil).reply_from([0, 1, 2, 3, 4], &Reply::Integer(0));
    stage.shows(expect![[r#"
        0s Acquiring
        0s #0 to 0: SET
        0s #1 to 1: SET
        0s #2 to 2: SET
        0s #3 to 3: SET
        0s #4 to 4: SET
        0s #5 to 0: EVAL
        0s #6 to 1: EVAL
        0s #7 to 2: EVAL
        0s #8 to 3: EVAL
        0s #9 to 4: EVAL
        0s chooses Jitter of 8
        100.005ms #10 to 0: SET
        100.005ms #11 to 1: SET
        100.005ms #12 to 2: SET
        100.005ms #13 to 3: SET
        100.005ms #14 to 4: SET
        101ms #15 to 0: EVAL
        101ms #16 to 1: EVAL
        101ms #17 to 2: EVAL
        101ms #18 to 3: EVAL
        101ms #19 to 4: EVAL
        101ms chooses Jitter of 8
        101ms Refused { why: Held }
    "#]]);
}

#[test]
fn too_few_nodes_that_answer_at_all_are_told_apart_from_another_holder() {
    let mut stage = stage(|_| {});
    stage.acquire(Some(Span::ZERO)).disconnect_from([0, 1, 2]).reply_from([3, 4], &Reply::ok());
    stage.disconnect_from([0, 1, 2]).reply_from([3, 4], &Reply::Integer(1));
    assert!(stage.log.ends_with("Refused { why: NoQuorum }\n"), "{}", stage.log);
}

#[test]
fn a_node_that_does_not_answer_costs_one_time_out_and_no_more() {
    let mut stage = stage(|_| {});
    stage.acquire(None).until(1).reply_from([0, 1, 2], &Reply::ok()).forget_log().until(60);
    stage.shows(expect![[r#"
        50ms cancels #3 to 3: SET
        50ms cancels #4 to 4: SET
        50ms Checked
        50ms Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(9848000)) }
    "#]]);
}

#[test]
fn one_after_the_other_a_silent_node_delays_those_after_it() {
    let mut stage = stage(set("sends", Value::Word("sequential".into())));
    stage.acquire(None).reply_from([0], &Reply::ok()).until(50).reply_from([2, 3, 4], &Reply::ok());
    stage.shows(expect![[r#"
        0s Acquiring
        0s #0 to 0: SET
        0s #1 to 1: SET
        50ms cancels #1 to 1: SET
        50ms #2 to 2: SET
        50ms #3 to 3: SET
        50ms #4 to 4: SET
        50ms Checked
        50ms Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(9848000)) }
    "#]]);
}

#[test]
fn a_try_may_begin_at_any_node() {
    let mut stage = stage(set("order", Value::Word("rotated".into())));
    stage.chooses = |_| 3;
    stage.acquire(None);
    assert_eq!(stage.in_flight.iter().map(|sent| sent.to.0).collect::<Vec<_>>(), [3, 4, 0, 1, 2]);
}

#[test]
fn a_pause_before_the_last_look_at_the_clock_is_noticed() {
    let mut stage = stage(|_| {});
    stage.acquire(Some(Span::ZERO));
    // The replies came early, and are read late: the timers have not been served.
    stage.now = 15_000_000;
    stage.reply_from([0, 1, 2, 3, 4], &Reply::ok()).reply_from([0, 1, 2, 3, 4], &Reply::Integer(0));
    assert!(stage.log.contains("15s Checked\n") && stage.log.ends_with("15s Refused { why: Expired }\n"));
    assert!(!stage.log.contains("Acquired"));
}

#[test]
fn nothing_is_left_when_the_drift_takes_the_rest() {
    for (millis, has_it) in [(9_897, true), (9_898, false)] {
        let mut stage = stage(|params| params.timeout = None);
        stage.acquire(Some(Span::ZERO)).until(millis).reply_from([0, 1, 2, 3, 4], &Reply::ok());
        assert_eq!(stage.log.contains("Acquired"), has_it, "after {millis} ms");
    }
}

#[test]
fn a_library_that_does_not_look_hands_over_what_is_over() {
    let mut stage = stage(set("checked", Value::Switch(false)));
    stage.acquire(None);
    stage.now = 15_000_000;
    stage.reply_from([0, 1, 2, 3, 4], &Reply::ok());
    assert!(stage.log.ends_with("Acquired { token: Some(Opaque(\"A-1\")), valid_for: Some(Span(0)) }\n"));
    assert!(!stage.log.contains("Checked"));
}

#[test]
fn a_wall_clock_that_is_set_back_lengthens_what_is_left() {
    let left = |clock: &str| {
        let mut stage = stage(set("clock", Value::Word(clock.into())));
        stage.acquire(None).until(10);
        stage.ahead = -5_000_000;
        stage.reply_from([0, 1, 2, 3, 4], &Reply::ok());
        stage.log.lines().last().expect("a line").to_owned()
    };
    assert!(left("monotonic").contains("Span(9888000)"), "{}", left("monotonic"));
    assert!(left("wall").contains("Span(14888000)"), "{}", left("wall"));
}

#[test]
fn a_release_that_no_quorum_confirms_says_why() {
    let release = |freed: u8, foreign: u8| {
        let mut stage = stage(|_| {});
        stage.acquire(None).reply_from(0..5, &Reply::ok()).give(Input::Release);
        stage.reply_from(0..freed, &Reply::Integer(1)).reply_from(freed..freed + foreign, &Reply::Integer(0));
        stage.disconnect_from(freed + foreign..5);
        stage.log.lines().last().expect("a line").to_owned()
    };
    assert_eq!(release(3, 0), "0s Released");
    assert_eq!(release(2, 3), "0s ReleaseFailed { why: NotHolder }");
    assert_eq!(release(2, 0), "0s ReleaseFailed { why: NoQuorum }");
}

#[test]
fn a_check_asks_all_and_needs_a_quorum() {
    let mut stage = stage(|_| {});
    stage.acquire(None).reply_from(0..5, &Reply::ok()).forget_log();
    stage.give(Input::Check).reply_from(0..3, &Reply::bulk("A-1")).reply_from(3..5, &Reply::Nil);
    stage.give(Input::Check).reply_from(0..2, &Reply::bulk("A-1")).reply_from(2..5, &Reply::bulk("B-1"));
    stage.give(Input::Check).give(Input::Release);
    stage.shows(expect![[r#"
        0s #5 to 0: GET
        0s #6 to 1: GET
        0s #7 to 2: GET
        0s #8 to 3: GET
        0s #9 to 4: GET
        0s Looked { mine: true }
        0s #10 to 0: GET
        0s #11 to 1: GET
        0s #12 to 2: GET
        0s #13 to 3: GET
        0s #14 to 4: GET
        0s Looked { mine: false }
        0s #15 to 0: GET
        0s #16 to 1: GET
        0s #17 to 2: GET
        0s #18 to 3: GET
        0s #19 to 4: GET
        0s cancels #15 to 0: GET
        0s cancels #16 to 1: GET
        0s cancels #17 to 2: GET
        0s cancels #18 to 3: GET
        0s cancels #19 to 4: GET
        0s Releasing
        0s #20 to 0: EVAL
        0s #21 to 1: EVAL
        0s #22 to 2: EVAL
        0s #23 to 3: EVAL
        0s #24 to 4: EVAL
    "#]]);
}

#[test]
fn a_client_after_a_crash_knows_nothing_but_its_next_token_is_new() {
    let mut stage = stage(|_| {});
    stage.acquire(None).reply_from(0..5, &Reply::ok());
    stage.restart();
    stage.forget_log().acquire(None).reply_from(0..5, &Reply::ok());
    assert!(stage.log.contains("\"A-2\""), "{}", stage.log);
}

#[test]
fn two_clients_that_differ_only_in_when_are_one_state() {
    let try_at = |start: i64| {
        let mut stage = stage(|_| {});
        stage.now = start;
        stage.acquire(None).until(start / 1_000 + 2).reply_from([0, 1], &Reply::ok());
        let asking = stage.fingerprint();
        stage.reply_from([2, 3, 4], &Reply::ok());
        (asking, stage.fingerprint())
    };
    assert_eq!(try_at(0), try_at(70_000));
    assert_ne!(try_at(0).0, try_at(0).1);
}

#[test]
fn the_lines_that_the_states_name_are_those_of_the_text() {
    let lines: Vec<&str> = CODE.lines().collect();
    for (act, word) in [(Act::Lock, "SET"), (Act::Free, "EVAL"), (Act::Look, "GET"), (Act::Extend, "EVAL @extend")] {
        let line = lines[usize::from(act.code().line) - 1];
        assert!(line.contains(&format!("every node: {word} ")), "{act:?}: {line}");
    }
    for (name, script) in [("release", RELEASE), ("extend", EXTEND), ("recreate", RECREATE)] {
        let shown = CODE.split_once(&format!("script {name}:\n")).expect("the script is shown").1;
        let shown = shown.split("\n\n").next().expect("a text");
        let shown: String =
            shown.lines().map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line))).collect();
        assert_eq!(shown, script);
    }
}

#[test]
fn a_parameter_that_is_not_there_is_what_the_lock_has_by_default() {
    let kind = find("redlock").expect("a shipped lock");
    let bare = kind.default_params("lock".into(), (0..5).map(NodeId).collect());
    let mut full = bare.clone();
    for parameter in &kind.parameters {
        full.extra.extend(parameter.default.clone().map(|default| (parameter.name.clone(), default)));
    }
    let setup = |params: &Params| Setup { params: bare.clone(), ..Setup::new(params, Identity::new("A")) };
    assert_eq!(setup(&full), setup(&bare));
}

#[test]
fn a_round_may_be_decided_before_all_have_answered() {
    for (replies, ends) in [(Reply::ok(), "Acquired"), (Reply::Nil, "Refused { why: Held }")] {
        let mut stage = stage(set("decided_by", Value::Word("quorum".into())));
        stage.acquire(Some(Span::ZERO)).reply_from([0, 1], &replies);
        assert!(!stage.log.contains(ends));
        stage.reply_from([2], &replies);
        if replies == Reply::Nil {
            // What the other two did is unknown: everything is taken back.
            stage.in_flight.retain(|sent| sent.request.0 >= 5);
            stage.reply_from([0, 1, 2], &Reply::Integer(0));
        }
        assert!(stage.log.contains(ends), "{}", stage.log);
    }
}

#[test]
fn a_quorum_of_those_that_answer_is_smaller_than_one_of_those_that_are_configured() {
    for (word, ends) in [("configured", "Refused { why: NoQuorum }"), ("answering", "Acquired")] {
        let mut stage = stage(set("quorum", Value::Word(word.into())));
        stage.acquire(Some(Span::ZERO)).reply_from([0, 1], &Reply::ok()).disconnect_from([2, 3, 4]);
        stage.until(60);
        assert!(stage.log.contains(ends), "{word}: {}", stage.log);
    }
}

#[test]
fn an_error_of_one_node_can_fail_a_try_that_has_its_quorum_and_leaves_its_keys() {
    let mut stage = stage(set("errors", Value::Word("fatal".into())));
    stage.acquire(None).reply_from([0, 1, 2, 3], &Reply::ok()).disconnect_from([4]);
    assert!(stage.log.ends_with("0s Checked\n0s Refused { why: Disconnected }\n"), "{}", stage.log);
    assert!(stage.in_flight.is_empty(), "{:?}", stage.in_flight);
}

#[test]
fn what_a_failed_try_locked_is_taken_back_where_the_library_says() {
    let freed = |word: &str| {
        let mut stage = stage(set("clean_up", Value::Word(word.into())));
        stage.acquire(Some(Span::from_millis(150))).reply_from([0, 1], &Reply::ok()).reply_from([2, 3, 4], &Reply::Nil);
        let between: Vec<u8> = stage.in_flight.iter().map(|sent| sent.to.0).collect();
        stage.reply_from(between.clone(), &Reply::Integer(1)).until(100).reply_from(0..5, &Reply::Nil);
        let at_the_end: Vec<u8> = stage.in_flight.iter().map(|sent| sent.to.0).collect();
        stage.reply_from(at_the_end.clone(), &Reply::Integer(1));
        assert!(stage.log.ends_with("Refused { why: Held }\n"), "{word}: {}", stage.log);
        (between, at_the_end)
    };
    let all = || vec![0, 1, 2, 3, 4];
    assert_eq!(freed("everywhere"), (all(), all()));
    assert_eq!(freed("granted"), (vec![0, 1], vec![]));
    assert_eq!(freed("at-the-end"), (vec![], all()));
    assert_eq!(freed("never"), (vec![], vec![]));
}

#[test]
fn validity_that_counts_from_the_first_try_is_over_before_it_begins() {
    for (word, left) in [("try", 888_000), ("first-try", 0)] {
        let mut stage = stage(|params| {
            params.ttl = Span::from_secs(1);
            params.retry = Span::from_millis(1_100);
            params.timeout = None;
            params.extra.insert("checked".into(), Value::Switch(false));
            params.extra.insert("counted_from".into(), Value::Word(word.into()));
        });
        stage.acquire(None).reply_from(0..5, &Reply::Nil).reply_from(0..5, &Reply::Integer(0));
        stage.until(1_100).until(1_200).reply_from(0..5, &Reply::ok());
        assert!(stage.log.ends_with(&format!("valid_for: Some(Span({left})) }}\n")), "{}", stage.log);
    }
}

/// A holder whose lease of 10 s is extended every 5 s.
fn renewing(not_renewed: &'static str) -> Stage {
    let mut stage = stage(|params| {
        for (name, word) in [("renew", "extend"), ("not_renewed", not_renewed)] {
            params.extra.insert(name.into(), Value::Word(word.into()));
        }
        params.extra.insert("renew_percent".into(), Value::Number(50));
    });
    stage.acquire(None).reply_from(0..5, &Reply::ok()).forget_log();
    stage
}

#[test]
fn an_extension_needs_a_majority_and_time_that_is_left() {
    let mut stage = renewing("retry");
    stage.until(5_000).reply_from(0..3, &Reply::Integer(1)).reply_from(3..5, &Reply::Integer(0));
    assert!(stage.log.ends_with("5s Extended { valid_for: Some(Span(9898000)) }\n"), "{}", stage.log);
    stage.until(10_000).reply_from(0..2, &Reply::Integer(1)).disconnect_from(2..5);
    assert!(stage.log.ends_with("10s ExtendFailed { why: NoQuorum }\n"), "{}", stage.log);
    stage.until(15_000);
    // The answers came in time, and are read late: the timers have not been served.
    stage.now = 25_000_000;
    stage.reply_from(0..5, &Reply::Integer(1));
    assert!(stage.log.ends_with("25s ExtendFailed { why: Expired }\n"), "{}", stage.log);
}

#[test]
fn what_follows_a_failed_extension_is_the_librarys() {
    let fails = |not_renewed, foreign: bool| {
        let mut stage = renewing(not_renewed);
        for at in [5_000, 10_000, 15_000] {
            stage.until(at);
            let asked: Vec<u8> = stage.in_flight.iter().map(|sent| sent.to.0).collect();
            if foreign {
                stage.reply_from(asked, &Reply::Integer(0));
            } else {
                stage.disconnect_from(asked);
            }
        }
        stage.log.lines().filter(|line| !line.contains('#')).collect::<Vec<_>>().join("; ")
    };
    expect![[r#"
        5s ExtendFailed { why: NotHolder }; 10s ExtendFailed { why: NotHolder }; 15s ExtendFailed { why: NotHolder }
        5s Lost
        5s Lost
        5s ExtendFailed { why: NoQuorum }; 9.898s Lost"#]]
    .assert_eq(
        &[fails("retry", true), fails("lost", false), fails("lost-at-the-end", true), fails("lost-at-the-end", false)]
            .join("\n"),
    );
}

#[test]
fn a_release_does_not_wait_for_an_extension_and_its_answers_are_nothing() {
    let mut stage = renewing("lost");
    stage.until(5_000).give(Input::Release);
    stage.reply_from(0..5, &Reply::Integer(0));
    assert!(!stage.log.contains("Lost"), "{}", stage.log);
    stage.reply_from(0..5, &Reply::Integer(1));
    assert!(stage.log.ends_with("5s Released\n"), "{}", stage.log);
    assert_eq!(stage.until, None);
}

#[test]
fn a_release_that_is_not_counted_never_fails() {
    let mut stage = stage(set("release", Value::Word("ignored".into())));
    stage.acquire(None).reply_from(0..5, &Reply::ok()).give(Input::Release).reply_from(0..5, &Reply::Integer(0));
    assert!(stage.log.ends_with("0s Released\n"), "{}", stage.log);
}
