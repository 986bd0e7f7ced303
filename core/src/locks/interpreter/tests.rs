//! A lock client on a stage: inputs by hand, outputs as a log.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use expect_test::expect;

use crate::locks::stage::{Stage, client};
use crate::locks::{Client, Identity, Input, Kind, LockClient, MAX_RENEWALS, Output, Params, Value, find};
use crate::time::{LocalTime, Span};
use crate::wire::{NodeId, Reply};

pub(super) fn staged(lock: &str) -> Stage {
    staged_with(lock, |_| {})
}

pub(super) fn staged_with(lock: &str, change: impl FnOnce(&mut Params)) -> Stage {
    on_stage(client(lock, 1, change))
}

fn on_stage(client: Client) -> Stage {
    let mut stage = Stage::of(client, written);
    stage.chooses = |count| count / 2;
    stage
}

fn written(output: &Output) -> String {
    let Output::Send { request, phase, code, command, .. } = output else { unreachable!("{output:?} is not sent") };
    let line = code.map_or(0, |code| code.line);
    let words = command.words().iter().map(|word| String::from_utf8_lossy(word));
    let short = words.map(|word| if word.contains('\n') { "<script>".into() } else { word.into_owned() });
    format!("#{} {phase:?} line {line}: {}", request.0, short.collect::<Vec<_>>().join(" "))
}

fn params(kind: &Kind) -> Params {
    kind.default_params("lock".into(), vec![NodeId(0)])
}

pub(super) fn ok() -> Reply {
    Reply::ok()
}

pub(super) fn int(number: i64) -> Reply {
    Reply::Integer(number)
}

#[test]
fn no_lock_lets_its_client_in_without_a_word() {
    let mut stage = staged("none");
    stage.acquire(None).release().shows(expect![[r#"
        0s Acquiring
        0s Acquired { token: None, valid_for: None }
        0s Releasing
        0s Released
    "#]]);
}

#[test]
fn v1_tries_again_until_setnx_says_one() {
    let mut stage = staged("setnx-del");
    stage.acquire(None).reply(int(0)).until(100).reply(int(1)).until(3_000).release().reply(int(1)).shows(expect![[
        r#"
        0s Acquiring
        0s #0 Acquire line 2: SETNX lock A-1
        100ms #1 Acquire line 2: SETNX lock A-1
        100ms Acquired { token: Some(Opaque("A-1")), valid_for: None }
        3s Releasing
        3s #2 Release line 4: DEL lock
        3s Released
    "#
    ]]);
}

#[test]
fn v2_sends_two_commands_and_asks_for_whole_seconds() {
    let mut stage = staged("setnx-expire");
    stage.acquire(None).reply(int(1)).reply(int(1)).release().reply(int(0)).shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SETNX lock A-1
        0s #1 Acquire line 3: EXPIRE lock 10
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        0s Releasing
        0s #2 Release line 5: DEL lock
        0s Released
    "#]]);
}

#[test]
fn v4_learns_from_its_release_that_it_had_lost_the_lock() {
    let mut stage = staged("token-lua");
    stage.acquire(None).reply(ok()).until(11_000).release().reply(int(0)).shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        11s Releasing
        11s #1 Release line 4: EVAL <script> 1 lock A-1
        11s ReleaseFailed { why: NotHolder }
    "#]]);
}

#[test]
fn get_then_del_does_not_delete_what_it_did_not_find() {
    let mut stage = staged("get-then-del");
    stage.acquire(None).reply(ok()).release().reply(Reply::bulk("B-1")).acquire(None).reply(ok());
    stage.release().reply(Reply::bulk("A-2")).reply(int(1)).shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        0s Releasing
        0s #1 Release line 4: GET lock
        0s ReleaseFailed { why: NotHolder }
        0s Acquiring
        0s #2 Acquire line 2: SET lock A-2 NX PX 10000
        0s Acquired { token: Some(Opaque("A-2")), valid_for: Some(Span(10000000)) }
        0s Releasing
        0s #3 Release line 4: GET lock
        0s #4 Release line 5: DEL lock
        0s Released
    "#]]);
}

#[test]
fn the_fenced_lock_hands_out_the_number_that_the_script_returned() {
    let mut stage = staged("fenced");
    stage.acquire(None).reply(Reply::Nil).until(100).reply(int(34)).release().reply(int(1)).shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: EVAL <script> 2 lock lock:fence A-1 10000
        100ms #1 Acquire line 2: EVAL <script> 2 lock lock:fence A-1 10000
        100ms Acquired { token: Some(Number(34)), valid_for: Some(Span(10000000)) }
        100ms Releasing
        100ms #2 Release line 4: EVAL <script> 1 lock A-1
        100ms Released
    "#]]);
}

#[test]
fn a_fence_that_is_no_number_is_not_taken_for_one() {
    let mut stage = on_stage(
        Kind::from_listing("mine", "acquire:\n  fence = GET {key}\nrelease:\n  DEL {key}\n")
            .expect("a listing")
            .build(&params(find("fenced").expect("a shipped lock")), Identity::new("A")),
    );
    stage.acquire(None).reply(Reply::bulk("f81d4fae")).reply(int(1)).shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: GET lock
        0s #1 Release line 4: DEL lock
        0s Refused { why: Error("UNEXPECTED") }
    "#]]);
}

#[test]
fn the_watchdog_extends_every_third_of_the_lease_and_stops_at_release() {
    let mut stage = staged("watchdog");
    stage.acquire(None).reply(ok()).until(3_333).reply(int(1)).until(6_666).reply(int(1)).until(8_000);
    stage.release().reply(int(1)).until(60_000).shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        3.333s #1 Renew line 6: EVAL <script> 1 lock A-1 10000
        3.333s Extended { valid_for: Some(Span(10000000)) }
        6.666s #2 Renew line 6: EVAL <script> 1 lock A-1 10000
        6.666s Extended { valid_for: Some(Span(10000000)) }
        8s Releasing
        8s #3 Release line 4: EVAL <script> 1 lock A-1
        8s Released
    "#]]);
}

#[test]
fn a_watchdog_that_finds_another_holder_says_lost_once() {
    let mut stage = staged("watchdog");
    stage.acquire(None).reply(ok()).asleep_until(15_000).reply(int(0)).until(60_000).release().reply(int(0));
    stage.shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        15s #1 Renew line 6: EVAL <script> 1 lock A-1 10000
        15s Lost
        1m Releasing
        1m #2 Release line 4: EVAL <script> 1 lock A-1
        1m ReleaseFailed { why: NotHolder }
    "#]]);
}

#[test]
fn a_watchdog_tries_again_after_an_error_and_the_printed_one_never_does() {
    for (name, expected) in [
        (
            "watchdog",
            expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        3.333s #1 Renew line 6: EVAL <script> 1 lock A-1 10000
        3.333s ExtendFailed { why: Error("LOADING") }
        6.666s #2 Renew line 6: EVAL <script> 1 lock A-1 10000
    "#]],
        ),
        (
            "watchdog-as-printed",
            expect![[r#"
        0s Acquiring
        0s #0 Acquire line 3: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        3.333s #1 Renew line 7: EVAL <script> 1 lock A-1 10000
        3.333s ExtendFailed { why: Error("LOADING") }
    "#]],
        ),
    ] {
        let mut stage = staged(name);
        stage.acquire(None).reply(ok()).until(3_333).reply(Reply::Error("LOADING wait".into())).until(9_000);
        stage.shows(expected);
    }
}

#[test]
fn a_release_does_not_wait_for_a_renewal_in_flight_and_ignores_its_reply() {
    let mut stage = staged("watchdog");
    stage.acquire(None).reply(ok()).until(3_333).release().reply(int(0)).reply(int(1)).until(60_000);
    stage.shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        3.333s #1 Renew line 6: EVAL <script> 1 lock A-1 10000
        3.333s Releasing
        3.333s #2 Release line 4: EVAL <script> 1 lock A-1
        3.333s Released
    "#]]);
}

#[test]
fn a_time_out_means_unknown_so_the_lock_is_released_before_it_is_refused() {
    let mut stage = staged_with("token-lua", |params| params.timeout = Some(Span::from_millis(50)));
    stage.acquire(None).until(60).reply(int(1)).shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-1 NX PX 10000
        50ms cancels #0 Acquire line 2: SET lock A-1 NX PX 10000
        50ms #1 Release line 4: EVAL <script> 1 lock A-1
        60ms Refused { why: TimedOut }
    "#]]);
}

#[test]
fn a_lost_connection_is_released_best_effort_and_refused() {
    let mut stage = staged("token-lua");
    stage.acquire(None).disconnect().disconnect().shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s #1 Release line 4: EVAL <script> 1 lock A-1
        0s Refused { why: Disconnected }
    "#]]);
}

#[test]
fn too_few_replicas_mean_release_and_try_again() {
    let mut stage = staged("wait");
    stage.acquire(None).reply(ok()).reply(int(0)).reply(int(1)).until(100).reply(ok()).reply(int(2)).shows(expect![[
        r#"
        0s Acquiring
        0s #0 Acquire line 5: SET lock A-1 NX PX 10000
        0s #1 Acquire line 6: WAIT 1 100
        0s #2 Release line 8: EVAL <script> 1 lock A-1
        100ms #3 Acquire line 5: SET lock A-1 NX PX 10000
        100ms #4 Acquire line 6: WAIT 1 100
        100ms Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
    "#
    ]]);
}

#[test]
fn a_bounded_wait_ends_when_the_next_try_would_come_too_late() {
    let mut stage = staged("token-lua");
    stage.give(Input::Acquire { wait: Some(Span::from_millis(150)) });
    stage.reply(Reply::Nil).until(100).reply(Reply::Nil).shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-1 NX PX 10000
        100ms #1 Acquire line 2: SET lock A-1 NX PX 10000
        100ms Refused { why: Held }
    "#]]);
}

#[test]
fn jitter_is_asked_for_and_added_to_the_delay() {
    let mut stage = staged_with("token-lua", |params| params.jitter = Span(100));
    stage.acquire(None).reply(Reply::Nil).until(200).shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s chooses Jitter of 101
        100.05ms #1 Acquire line 2: SET lock A-1 NX PX 10000
    "#]]);
}

#[test]
fn a_delay_that_backs_off_doubles_up_to_its_bound() {
    let mut stage = staged_with("setnx-del", |params| {
        (params.retry, params.backoff) = (Span::from_millis(10), Span::from_millis(30));
    });
    stage.acquire(None).reply(int(0)).until(10).reply(int(0)).until(30).reply(int(0)).until(60).reply(int(0)).until(90);
    stage.shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SETNX lock A-1
        10ms #1 Acquire line 2: SETNX lock A-1
        30ms #2 Acquire line 2: SETNX lock A-1
        60ms #3 Acquire line 2: SETNX lock A-1
        90ms #4 Acquire line 2: SETNX lock A-1
    "#]]);
}

#[test]
fn a_watchdog_that_is_bounded_stops_without_a_word() {
    let mut stage =
        staged_with("watchdog", |params| params.extra = [(MAX_RENEWALS.to_owned(), Value::Number(1))].into());
    stage.acquire(None).reply(ok()).until(3_333).reply(int(1)).until(20_000).release().reply(int(0));
    stage.shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        3.333s #1 Renew line 6: EVAL <script> 1 lock A-1 10000
        3.333s Extended { valid_for: Some(Span(10000000)) }
        20s Releasing
        20s #2 Release line 4: EVAL <script> 1 lock A-1
        20s ReleaseFailed { why: NotHolder }
    "#]]);
}

#[test]
fn an_inner_acquire_waits_for_the_outer_hold_which_goes_on_being_renewed() {
    let mut stage = staged("watchdog");
    stage.acquire(None).reply(ok()).give(Input::Acquire { wait: Some(Span::ZERO) }).reply(Reply::Nil);
    stage.until(3_333).reply(int(1)).release().reply(int(1)).shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        0s Acquiring
        0s #1 Acquire line 2: SET lock A-2 NX PX 10000
        0s Refused { why: Held }
        3.333s #2 Renew line 6: EVAL <script> 1 lock A-1 10000
        3.333s Extended { valid_for: Some(Span(10000000)) }
        3.333s Releasing
        3.333s #3 Release line 4: EVAL <script> 1 lock A-1
        3.333s Released
    "#]]);
}

#[test]
fn a_check_asks_the_service_where_the_listing_can() {
    let mut stage = staged("token-lua");
    stage.acquire(None).reply(ok()).give(Input::Check).reply(Reply::bulk("A-1")).give(Input::Check).reply(Reply::Nil);
    stage.give(Input::Check).release().shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        0s #1 Check line 6: GET lock
        0s Looked { mine: true }
        0s #2 Check line 6: GET lock
        0s Looked { mine: false }
        0s #3 Check line 6: GET lock
        0s cancels #3 Check line 6: GET lock
        0s Releasing
        0s #4 Release line 4: EVAL <script> 1 lock A-1
    "#]]);
}

#[test]
fn a_script_is_called_by_its_hash_and_sent_whole_where_the_server_has_forgotten_it() {
    let text = "\
acquire:
    SET {key} {token} NX PX {ttl_ms} -> OK: next, nil: retry
release:
    EVALSHA @ping 0                  -> 1: done, error NOSCRIPT: next
    EVAL @ping 0                     -> 1: next
script ping:
    return 1
";
    let kind = Kind::from_listing("mine", text).expect("a listing");
    let mut stage = on_stage(kind.build(&params(&kind), Identity::new("A")));
    stage.acquire(None).reply(ok()).release().reply(int(1));
    stage.acquire(None).reply(ok()).release().reply(Reply::Error("NOSCRIPT gone".into())).reply(int(1));
    stage.shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        0s Releasing
        0s #1 Release line 4: EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0
        0s Released
        0s Acquiring
        0s #2 Acquire line 2: SET lock A-2 NX PX 10000
        0s Acquired { token: Some(Opaque("A-2")), valid_for: Some(Span(10000000)) }
        0s Releasing
        0s #3 Release line 4: EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0
        0s #4 Release line 5: EVAL return 1 0
        0s Released
    "#]]);
}

#[test]
fn a_restarted_client_never_uses_a_token_twice() {
    let mut stage = staged("token-lua");
    stage.acquire(None).reply(ok());
    let mut second = on_stage(stage.client.restarted());
    second.acquire(None).shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 2: SET lock A-2 NX PX 10000
    "#]]);
}

#[test]
fn two_clients_that_only_met_at_different_times_hash_alike_relative_to_now() {
    let whole = |stage: &Stage| {
        let mut hasher = DefaultHasher::new();
        stage.client.hash(&mut hasher);
        hasher.finish()
    };
    let mut early = staged("watchdog");
    early.acquire(None).reply(Reply::Nil).until(50);
    let mut late = staged("watchdog");
    late.until(7_000).acquire(None).reply(Reply::Nil).until(7_100).reply(Reply::Nil).until(7_150);
    assert_eq!(early.fingerprint(), late.fingerprint(), "waiting 50 ms for the next try is the same at any time");
    assert_ne!(whole(&early), whole(&late));
    late.until(7_151);
    assert_ne!(early.fingerprint(), late.fingerprint(), "49 ms are not 50");
}

#[test]
fn a_try_that_fails_sends_the_very_same_command() {
    let mut client = staged("token-lua").client;
    let at = |micros| LocalTime { wall: micros, monotonic: micros };
    let mut sent = Vec::new();
    client.handle(at(0), Input::Acquire { wait: None });
    for step in 1..4 {
        while let output = client.poll()
            && !matches!(output, Output::Wait { .. })
        {
            if let Output::Send { request, command, .. } = output {
                sent.push(command);
                client.handle(at(step * 200_000), Input::Reply { request, reply: Reply::Nil });
            }
        }
        client.handle(at(step * 200_000 + 100_000), Input::Timer);
    }
    assert!(sent.len() >= 3);
    assert!(sent.windows(2).all(|pair| Arc::ptr_eq(&pair[0], &pair[1])));
}

#[test]
fn a_lock_that_says_until_when_writes_the_clock_of_its_try_and_compares_with_that_of_the_reply() {
    let mut stage = staged("setnx-timestamp");
    stage.acquire(None).reply(int(0)).reply(Reply::bulk("4000"));
    stage.until(4_101).reply(int(0)).reply(Reply::bulk("4000")).reply(Reply::bulk("4000"));
    stage.release().reply(int(1)).shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 3: SETNX lock 10000
        0s #1 Acquire line 4: GET lock
        100ms #2 Acquire line 3: SETNX lock 10100
        4.101s #3 Acquire line 4: GET lock
        4.101s #4 Acquire line 5: GETSET lock 10100
        4.101s Acquired { token: None, valid_for: Some(Span(5999000)) }
        4.101s Releasing
        4.101s #5 Release line 7: DEL lock
        4.101s Released
    "#]]);
}

#[test]
fn who_loses_the_getset_tries_again() {
    let mut stage = staged("setnx-timestamp");
    stage.acquire(None).until(50).reply(int(0)).reply(Reply::bulk("49")).reply(Reply::bulk("10040"));
    assert!(stage.log.ends_with("50ms #2 Acquire line 5: GETSET lock 10000\n"), "{}", stage.log);
    assert_eq!(stage.until, Some(150_000));
}

#[test]
fn a_timer_that_arms_itself_again_outlives_the_release_that_it_met() {
    let mut stage = staged("distlock-as-printed");
    stage.acquire(None).reply(ok()).until(10_000).release().reply(int(1));
    // Its reply comes after the release has begun: the next one follows, and nobody is told.
    stage.reply(int(1)).until(20_000).disconnect().until(30_000).shows(expect![[r#"
        0s Acquiring
        0s #0 Acquire line 3: SET lock A-1 NX PX 30000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(30000000)) }
        10s #1 Renew line 7: EVAL <script> 1 lock A-1 30000
        10s Releasing
        10s #2 Release line 5: EVAL <script> 1 lock A-1
        10s Released
        20s #3 Renew line 7: EVAL <script> 1 lock A-1 30000
        30s #4 Renew line 7: EVAL <script> 1 lock A-1 30000
    "#]]);
}

#[test]
fn a_timer_that_arms_itself_again_ends_with_a_release_that_it_did_not_meet() {
    let mut stage = staged("distlock-as-printed");
    stage.acquire(None).reply(ok()).until(10_000).reply(int(0)).until(11_000).release().reply(int(1));
    assert_eq!(stage.until, None);
    assert!(!stage.log.contains("Lost"), "{}", stage.log);
}
