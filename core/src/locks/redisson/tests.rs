//! Clients of the family on a stage: inputs by hand, answers by hand, outputs as a log.

use expect_test::expect;

use super::*;
use crate::history::Mode;
use crate::locks::stage::{Stage, client};
use crate::locks::{Value, find};
use crate::wire::NodeId;

fn staged(lock: &str, extra: &[(&str, Value)]) -> Stage {
    let written = |output: &Output| match output {
        Output::Send { to, command, .. } if command.name() == "EVAL" => {
            let words = command.words().iter().enumerate().filter(|(place, _)| *place != 1);
            let words: Vec<_> = words.map(|(_, word)| String::from_utf8_lossy(word)).collect();
            format!("to {}: {}", to.0, words.join(" "))
        }
        Output::Send { to, command, .. } => format!("to {}: {command}", to.0),
        other => unreachable!("{other:?} is not sent"),
    };
    let extra = extra.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Stage::of(client(lock, 5, |params| params.extra = extra), written)
}

impl Stage {
    fn replies(&mut self, replies: &[Reply]) -> &mut Stage {
        for reply in replies {
            self.reply(reply.clone());
        }
        self
    }

    fn message(&mut self, channel: &str) -> &mut Stage {
        let message = Reply::Array(["message", channel, "free"].map(Reply::bulk).to_vec());
        self.give(Input::Push { from: NodeId(0), message })
    }
}

const HELD: Reply = Reply::Integer(5_000);

fn subscribed() -> Reply {
    Reply::Array(vec![Reply::Array(vec![Reply::bulk("subscribe")])])
}

#[test]
fn every_listing_says_what_its_machine_sends() {
    let everywhere = [Act::Acquire, Act::Release, Act::Renew, Act::Check];
    let messages = [Act::Subscribe, Act::Unsubscribe];
    let own = |flavor| match flavor {
        Flavor::Reentrant => vec![Act::Subscribe, Act::Unsubscribe, Act::Confirm],
        Flavor::Fair => vec![Act::Subscribe, Act::Unsubscribe, Act::Leave],
        Flavor::Child | Flavor::RedChild => vec![Act::Subscribe, Act::Unsubscribe, Act::Expire],
        Flavor::ReadWrite | Flavor::Fenced => messages.to_vec(),
        Flavor::Spin => Vec::new(),
    };
    let flavors = [
        Flavor::Reentrant,
        Flavor::Fair,
        Flavor::ReadWrite,
        Flavor::Fenced,
        Flavor::Spin,
        Flavor::Child,
        Flavor::RedChild,
    ];
    let params = find("redisson").expect("a shipped lock").default_params("lock".into(), vec![NodeId(0)]);
    for flavor in flavors {
        for mode in [Mode::Exclusive, Mode::Shared] {
            let setup = Setup::new(flavor, &params, Identity { mode, ..Identity::new("A") });
            for act in everywhere.into_iter().chain(own(flavor)) {
                let (code, command) = setup.command(act, &Call::default()).expect("the listing knows the act");
                let line = flavor.code().lines().nth(usize::from(code.line) - 1).expect("a line of the listing");
                assert!(line.contains(&command.name()), "{flavor:?} {act:?}: {line}");
                for word in command.words().iter().skip(2) {
                    let word = String::from_utf8_lossy(word).replace("{lock}", "");
                    assert!(!word.contains(['{', '@']), "{flavor:?} {act:?}: {word} is filled in");
                }
            }
        }
    }
}

#[test]
fn a_reader_a_writer_and_a_plain_lock_send_lines_of_their_own() {
    let line = |mode, plain: &str| {
        let kind = find("redisson-read-write").expect("a shipped lock");
        let mut params = kind.default_params("lock".into(), vec![NodeId(0)]);
        params.extra.insert("exclusive_as".into(), Value::Word(plain.into()));
        let setup = Setup::new(Flavor::ReadWrite, &params, Identity { mode, ..Identity::new("A") });
        let line = |act| setup.command(act, &Call::default()).expect("the listing knows the act").0.line;
        [line(Act::Acquire), line(Act::Release), line(Act::Renew), line(Act::Check)]
    };
    let (reader, writer, plain) =
        (line(Mode::Shared, "write"), line(Mode::Exclusive, "write"), line(Mode::Exclusive, "plain"));
    for place in 0..4 {
        assert_eq!(writer[place], reader[place] + 1);
        // What a plain lock asks to see whether it holds is what a reader asks.
        assert_eq!(plain[place], if place == 3 { writer[place] } else { writer[place] + 1 });
    }
}

#[test]
fn who_is_refused_subscribes_asks_once_more_and_is_woken_by_a_message() {
    let mut stage = staged("redisson", &[]);
    stage.acquire(None).replies(&[HELD, subscribed(), HELD]);
    assert_eq!(stage.until, Some(5_000_000), "the hint bounds the wait");
    stage.now = 2_000_000;
    stage.message("another channel").message("redisson_lock__channel:{lock}").reply(Reply::Nil).says(expect![[r#"
        0s Acquiring
        0s to 0: EVAL 1 lock 30000 A:1
        0s to 0: SUBSCRIBE redisson_lock__channel:{lock}
        0s to 0: EVAL 1 lock 30000 A:1
        2s to 0: EVAL 1 lock 30000 A:1
        2s to 0: UNSUBSCRIBE redisson_lock__channel:{lock}
        2s Acquired { token: None, valid_for: Some(Span(30000000)) }
    "#]]);
}

#[test]
fn a_message_that_comes_while_it_asks_is_not_lost() {
    let mut stage = staged("redisson", &[]);
    stage.acquire(None).replies(&[HELD, subscribed()]);
    stage.message("redisson_lock__channel:{lock}").reply(HELD);
    assert_eq!(stage.in_flight.len(), 1, "it asks again instead of waiting");
}

#[test]
fn a_hint_of_nothing_is_waited_for_nevertheless() {
    let mut stage = staged("redisson", &[]);
    stage.acquire(None).replies(&[Reply::Integer(0), subscribed(), Reply::Integer(0)]);
    assert_eq!(stage.until, Some(1_000));
    let mut immortal = staged("redisson", &[]);
    immortal.acquire(None).replies(&[Reply::Integer(-1), subscribed(), Reply::Integer(-1)]);
    assert_eq!(immortal.until, None, "a key without an end is waited for until a message comes");
}

#[test]
fn a_bounded_wait_gives_up_once_and_leaves_the_queue() {
    let mut stage = staged("redisson-fair", &[]);
    stage.give(Input::Acquire { wait: Some(Span::from_secs(2)) }).replies(&[HELD, subscribed(), HELD]);
    stage.time_passes().replies(&[Reply::Nil, Reply::Integer(1)]).says(expect![[r#"
        0s Acquiring
        0s to 0: EVAL 3 lock redisson_lock_queue:{lock} redisson_lock_timeout:{lock} 30000 A:1 300000 0
        0s to 0: SUBSCRIBE redisson_lock__channel:{lock}:A:1
        0s to 0: EVAL 3 lock redisson_lock_queue:{lock} redisson_lock_timeout:{lock} 30000 A:1 300000 0
        2s to 0: UNSUBSCRIBE redisson_lock__channel:{lock}:A:1
        2s to 0: EVAL 2 redisson_lock_queue:{lock} redisson_lock_timeout:{lock} A:1 300000
        2s Refused { why: Held }
    "#]]);
    assert_eq!(stage.until, None);
    let mut at_once = staged("redisson", &[]);
    at_once.give(Input::Acquire { wait: Some(Span::ZERO) }).reply(HELD);
    assert!(at_once.log.ends_with("Refused { why: Held }\n"), "one try and no subscription: {}", at_once.log);
}

#[test]
fn the_watchdog_counts_holds_and_stops_with_the_last() {
    let mut stage = staged("redisson", &[]);
    stage.acquire(None).reply(Reply::Nil).acquire(None).reply(Reply::Nil);
    stage.time_passes().reply(Reply::Integer(1));
    stage.give(Input::Release).reply(Reply::Integer(0));
    assert_eq!(stage.until, Some(20_000_000), "one hold is left");
    stage.give(Input::Release).reply(Reply::Integer(1));
    assert_eq!(stage.until, None);
    stage.says(expect![[r#"
        0s Acquiring
        0s to 0: EVAL 1 lock 30000 A:1
        0s Acquired { token: None, valid_for: Some(Span(30000000)) }
        0s Acquiring
        0s to 0: EVAL 1 lock 30000 A:1
        0s Reentered { count: 2 }
        10s to 0: EVAL 1 lock A:1 30000
        10s Extended { valid_for: Some(Span(30000000)) }
        10s Releasing
        10s to 0: EVAL 3 lock redisson_lock__channel:{lock} redisson_unlock_latch:{lock}:A-1 A:1 30000 0
        10s Descended { count: 1 }
        10s Releasing
        10s to 0: EVAL 3 lock redisson_lock__channel:{lock} redisson_unlock_latch:{lock}:A-2 A:1 30000 0
        10s Released
    "#]]);
}

#[test]
fn a_renewal_that_finds_nothing_is_dropped_and_one_that_fails_comes_again() {
    let mut lost = staged("redisson", &[]);
    lost.acquire(None).reply(Reply::Nil).time_passes().reply(Reply::Integer(0));
    assert_eq!(lost.until, None);
    assert!(lost.log.ends_with("ExtendFailed { why: NotHolder }\n"), "{}", lost.log);
    let mut late = staged("redisson", &[]);
    late.acquire(None).reply(Reply::Nil).time_passes().time_passes();
    assert_eq!((late.now, late.until), (13_000_000, Some(20_000_000)), "a time-out of 3 s, the next try at 20 s");
    assert!(
        late.log.contains("13s cancels ") && late.log.ends_with("13s ExtendFailed { why: TimedOut }\n"),
        "{}",
        late.log
    );
}

#[test]
fn a_given_lease_has_no_watchdog() {
    let mut stage = staged("redisson", &[("lease", Value::Span(Span::from_secs(5)))]);
    stage.acquire(None).reply(Reply::Nil);
    assert_eq!(stage.until, None);
    assert!(stage.log.ends_with("Acquired { token: None, valid_for: Some(Span(5000000)) }\n"), "{}", stage.log);
}

#[test]
fn a_stale_registration_is_never_served_again() {
    let mut stage = staged("redisson", &[("stale_registration", Value::Switch(true))]);
    stage.acquire(None).reply(Reply::Nil).time_passes().reply(Reply::Integer(0));
    stage.give(Input::Release).reply(Reply::Nil).acquire(None).reply(Reply::Nil);
    assert_eq!(stage.until, None);
}

#[test]
fn a_spin_lock_doubles_its_delay_up_to_128_ms() {
    let mut stage = staged("redisson-spin", &[]);
    stage.acquire(None);
    let delays: Vec<i64> = (0..10)
        .map(|_| {
            let asked = stage.reply(HELD).now;
            stage.time_passes();
            (stage.now - asked) / 1_000
        })
        .collect();
    assert_eq!(delays, [1, 2, 4, 8, 16, 32, 64, 128, 128, 128]);
}

#[test]
fn a_try_that_no_replica_confirms_is_taken_back_four_times() {
    let mut stage = staged("redisson", &[("wait_replicas", Value::Number(2))]);
    stage.acquire(None);
    for _ in 0..3 {
        stage.replies(&[Reply::Nil, Reply::Integer(0), Reply::Integer(1)]).time_passes();
    }
    stage.replies(&[Reply::Nil, Reply::Integer(0), Reply::Integer(1)]);
    assert!(stage.log.ends_with("3s Refused { why: TimedOut }\n"), "{}", stage.log);
    let mut confirmed = staged("redisson", &[("wait_replicas", Value::Number(2))]);
    confirmed.acquire(None).replies(&[Reply::Nil, Reply::Integer(1)]);
    assert!(confirmed.log.contains("WAIT 2 1000\n0s Acquired"), "one of two is enough: {}", confirmed.log);
}

#[test]
fn an_acquire_whose_reply_is_late_is_sent_again_only_where_that_is_wanted() {
    let mut resent = staged("redisson", &[("resend", Value::Switch(true))]);
    resent.acquire(None).time_passes();
    assert_eq!(resent.in_flight.len(), 1);
    let mut refused = staged("redisson", &[]);
    refused.acquire(None).time_passes();
    assert!(
        refused.log.contains("3s cancels ") && refused.log.ends_with("3s Refused { why: TimedOut }\n"),
        "{}",
        refused.log
    );
}

#[test]
fn a_fenced_lock_hands_out_the_number_that_the_script_returns() {
    let mut stage = staged("redisson-fenced", &[]);
    stage.acquire(None).reply(Reply::Array(vec![Reply::Integer(34)]));
    assert!(stage.log.contains("Acquired { token: Some(Number(34))"), "{}", stage.log);
}

#[test]
fn a_multi_lock_takes_its_children_in_order_and_gives_all_back_when_one_is_missed() {
    let mut stage = staged("redisson-multi", &[]);
    stage.give(Input::Acquire { wait: Some(Span::from_secs(1)) }).replies(&[Reply::Nil, HELD, subscribed(), HELD]);
    stage.time_passes().replies(&[Reply::Nil, Reply::Integer(1)]).says(expect![[r#"
        0s Acquiring
        0s to 0: EVAL 1 lock:1 30000 A:1
        0s to 0: EVAL 1 lock:2 30000 A:1
        0s to 0: SUBSCRIBE redisson_lock__channel:{lock:2}
        0s to 0: EVAL 1 lock:2 30000 A:1
        1s to 0: UNSUBSCRIBE redisson_lock__channel:{lock:2}
        1s to 0: EVAL 2 lock:1 redisson_lock__channel:{lock:1} A:1 30000
        1s Refused { why: Held }
    "#]]);
    assert_eq!(stage.until, None);
}

#[test]
fn a_multi_lock_with_a_lease_takes_its_children_for_twice_the_wait_first() {
    let lease = ("lease", Value::Span(Span::from_secs(7)));
    let mut stage = staged("redisson-multi", &[("children", Value::Number(2)), lease]);
    stage.acquire(None).replies(&[Reply::Nil, Reply::Nil, Reply::Integer(1), Reply::Integer(1)]);
    stage.give(Input::Release).replies(&[Reply::Integer(1), Reply::Integer(1)]).says(expect![[r#"
        0s Acquiring
        0s to 0: EVAL 1 lock:1 6000 A:1
        0s to 0: EVAL 1 lock:2 6000 A:1
        0s to 0: PEXPIRE lock:1 7000
        0s to 0: PEXPIRE lock:2 7000
        0s Acquired { token: None, valid_for: Some(Span(7000000)) }
        0s Releasing
        0s to 0: EVAL 2 lock:1 redisson_lock__channel:{lock:1} A:1 7000
        0s to 0: EVAL 2 lock:2 redisson_lock__channel:{lock:2} A:1 7000
        0s Released
    "#]]);
}

#[test]
fn a_re_entry_that_fails_takes_back_only_itself() {
    let mut stage = staged("redisson-multi", &[("children", Value::Number(2))]);
    stage.acquire(None).replies(&[Reply::Nil, Reply::Nil]);
    stage.give(Input::Acquire { wait: Some(Span::ZERO) }).replies(&[Reply::Nil, HELD, Reply::Integer(0)]);
    assert!(stage.log.ends_with("Refused { why: Held }\n"), "{}", stage.log);
    stage.log.clear();
    stage.give(Input::Release).replies(&[Reply::Integer(1), Reply::Integer(1)]);
    assert!(stage.log.ends_with("Released\n"), "the outer hold was still there: {}", stage.log);
}

#[test]
fn a_red_lock_needs_more_than_half_of_its_nodes() {
    let mut stage = staged("redisson-red-lock", &[]);
    stage.acquire(None);
    for _ in 0..2 {
        let request = stage.in_flight.remove(0).request;
        stage.give(Input::Disconnected { request });
    }
    stage.replies(&[Reply::Nil, Reply::Nil, Reply::Nil]);
    assert!(stage.log.contains("Acquired"), "three of five: {}", stage.log);
    let mut short = staged("redisson-red-lock", &[]);
    short.acquire(None);
    for _ in 0..3 {
        let request = short.in_flight.remove(0).request;
        short.give(Input::Disconnected { request });
    }
    assert!(short.in_flight.is_empty() && !short.log.contains("Acquired"), "two of five: {}", short.log);
    assert_eq!(short.until, Some(100_000), "another round after a pause");
}

#[test]
fn clients_that_differ_only_in_when_they_began_are_the_same() {
    for (kind, replies) in [
        ("redisson", vec![HELD, subscribed(), HELD]),
        ("redisson-fair", vec![HELD, subscribed(), HELD]),
        ("redisson-spin", vec![HELD]),
        ("redisson", vec![Reply::Nil]),
        ("redisson-multi", vec![Reply::Nil, HELD]),
    ] {
        let played = |began: i64| {
            let mut stage = staged(kind, &[]);
            stage.now = began;
            stage.acquire(None).replies(&replies).fingerprint()
        };
        let (now, later) = match kind {
            // A fair lock's script is told the time.
            "redisson-fair" => (played(0), played(0)),
            _ => (played(0), played(7_000_000)),
        };
        assert_eq!(now, later, "{kind}");
    }
}

#[test]
fn who_starts_again_is_another_owner() {
    let mut stage = staged("redisson", &[]);
    stage.acquire(None).reply(Reply::Nil);
    stage.restart();
    stage.log.clear();
    stage.acquire(None).says(expect![[r#"
        0s Acquiring
        0s to 0: EVAL 1 lock 30000 A-1:1
    "#]]);
}
