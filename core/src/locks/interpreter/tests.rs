//! A lock client on a stage: inputs by hand, outputs as a log.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use expect_test::{Expect, expect};

use crate::locks::{Client, Identity, Input, Kind, LockClient, LockRequest, MAX_RENEWALS, Output, Params, Value, find};
use crate::time::{LocalTime, Span};
use crate::wire::{NodeId, Reply};

pub(super) struct Stage {
    client: Client,
    now: i64,
    log: String,
    in_flight: Vec<LockRequest>,
    until: Option<i64>,
}

fn params(kind: &Kind) -> Params {
    kind.default_params("lock".into(), vec![NodeId(0)])
}

impl Stage {
    pub(super) fn new(name: &str) -> Stage {
        Stage::with(name, |_| {})
    }

    pub(super) fn with(name: &str, change: impl FnOnce(&mut Params)) -> Stage {
        let kind = find(name).expect("a shipped lock");
        let mut params = params(kind);
        change(&mut params);
        kind.check(&params).expect("parameters that the lock accepts");
        Stage::of(kind.build(&params, Identity::new("A")))
    }

    fn of(client: Client) -> Stage {
        Stage { client, now: 0, log: String::new(), in_flight: Vec::new(), until: None }
    }

    fn give(&mut self, input: Input) -> &mut Stage {
        let at = LocalTime { wall: self.now, monotonic: self.now };
        self.client.handle(at, input);
        loop {
            let output = self.client.poll();
            let clock = Span(self.now as u64);
            let _ = match &output {
                Output::Send { request, phase, code, command, .. } => {
                    self.in_flight.push(*request);
                    let line = code.map_or(0, |code| code.line);
                    let words: Vec<_> = command.words().iter().map(|word| String::from_utf8_lossy(word)).collect();
                    let short =
                        |word: &_| if str::contains(word, '\n') { "<script>".to_owned() } else { str::to_owned(word) };
                    let short = words.iter().map(|word| short(word)).collect::<Vec<_>>().join(" ");
                    writeln!(self.log, "{clock} send #{} {phase:?} line {line}: {short}", request.0)
                }
                Output::Cancel { request } => {
                    self.in_flight.retain(|other| other != request);
                    writeln!(self.log, "{clock} cancel #{}", request.0)
                }
                Output::Event(event) => writeln!(self.log, "{clock} {event:?}"),
                Output::Choose { label, count } => {
                    let _ = writeln!(self.log, "{clock} choose {label:?} of {count}");
                    self.client.handle(at, Input::Chosen(count / 2));
                    Ok(())
                }
                Output::Wait { until } => {
                    self.until = *until;
                    return self;
                }
            };
        }
    }

    pub(super) fn acquire(&mut self) -> &mut Stage {
        self.give(Input::Acquire { wait: None })
    }

    /// Answers the oldest request.
    pub(super) fn reply(&mut self, reply: Reply) -> &mut Stage {
        let request = self.in_flight.remove(0);
        self.give(Input::Reply { request, reply })
    }

    fn disconnect(&mut self) -> &mut Stage {
        let request = self.in_flight.remove(0);
        self.give(Input::Disconnected { request })
    }

    pub(super) fn release(&mut self) -> &mut Stage {
        self.give(Input::Release)
    }

    /// Lets time pass to a local instant in milliseconds, with every timer on its instant.
    pub(super) fn until(&mut self, millis: i64) -> &mut Stage {
        while let Some(until) = self.until.filter(|until| *until <= millis * 1_000) {
            self.now = until;
            self.give(Input::Timer);
        }
        self.now = millis * 1_000;
        self
    }

    /// Lets time pass while the client stands still; a timer that fell due comes at the end.
    pub(super) fn pause_until(&mut self, millis: i64) -> &mut Stage {
        self.now = millis * 1_000;
        if self.until.is_some_and(|until| until <= self.now) {
            self.give(Input::Timer);
        }
        self
    }

    pub(super) fn shows(&self, expected: Expect) {
        expected.assert_eq(&self.log);
    }
}

pub(super) fn ok() -> Reply {
    Reply::ok()
}

pub(super) fn int(number: i64) -> Reply {
    Reply::Integer(number)
}

#[test]
fn no_lock_lets_its_client_in_without_a_word() {
    let mut stage = Stage::new("none");
    stage.acquire().release().shows(expect![[r#"
        0s Acquiring
        0s Acquired { token: None, valid_for: None }
        0s Releasing
        0s Released
    "#]]);
}

#[test]
fn v1_tries_again_until_setnx_says_one() {
    let mut stage = Stage::new("setnx-del");
    stage.acquire().reply(int(0)).until(100).reply(int(1)).until(3_000).release().reply(int(1)).shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SETNX lock A-1
        100ms send #1 Acquire line 2: SETNX lock A-1
        100ms Acquired { token: Some(Opaque("A-1")), valid_for: None }
        3s Releasing
        3s send #2 Release line 4: DEL lock
        3s Released
    "#]]);
}

#[test]
fn v2_sends_two_commands_and_asks_for_whole_seconds() {
    let mut stage = Stage::new("setnx-expire");
    stage.acquire().reply(int(1)).reply(int(1)).release().reply(int(0)).shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SETNX lock A-1
        0s send #1 Acquire line 3: EXPIRE lock 10
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        0s Releasing
        0s send #2 Release line 5: DEL lock
        0s Released
    "#]]);
}

#[test]
fn v4_learns_from_its_release_that_it_had_lost_the_lock() {
    let mut stage = Stage::new("token-lua");
    stage.acquire().reply(ok()).until(11_000).release().reply(int(0)).shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        11s Releasing
        11s send #1 Release line 4: EVAL <script> 1 lock A-1
        11s ReleaseFailed { why: NotHolder }
    "#]]);
}

#[test]
fn get_then_del_does_not_delete_what_it_did_not_find() {
    let mut stage = Stage::new("get-then-del");
    stage.acquire().reply(ok()).release().reply(Reply::bulk("B-1")).acquire().reply(ok());
    stage.release().reply(Reply::bulk("A-2")).reply(int(1)).shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        0s Releasing
        0s send #1 Release line 4: GET lock
        0s ReleaseFailed { why: NotHolder }
        0s Acquiring
        0s send #2 Acquire line 2: SET lock A-2 NX PX 10000
        0s Acquired { token: Some(Opaque("A-2")), valid_for: Some(Span(10000000)) }
        0s Releasing
        0s send #3 Release line 4: GET lock
        0s send #4 Release line 5: DEL lock
        0s Released
    "#]]);
}

#[test]
fn the_fenced_lock_hands_out_the_number_that_the_script_returned() {
    let mut stage = Stage::new("fenced");
    stage.acquire().reply(Reply::Nil).until(100).reply(int(34)).release().reply(int(1)).shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: EVAL <script> 2 lock lock:fence A-1 10000
        100ms send #1 Acquire line 2: EVAL <script> 2 lock lock:fence A-1 10000
        100ms Acquired { token: Some(Number(34)), valid_for: Some(Span(10000000)) }
        100ms Releasing
        100ms send #2 Release line 4: EVAL <script> 1 lock A-1
        100ms Released
    "#]]);
}

#[test]
fn a_fence_that_is_no_number_is_not_taken_for_one() {
    let mut stage = Stage::of(
        Kind::from_listing("mine", "acquire:\n  fence = GET {key}\nrelease:\n  DEL {key}\n")
            .expect("a listing")
            .build(&params(find("fenced").expect("a shipped lock")), Identity::new("A")),
    );
    stage.acquire().reply(Reply::bulk("f81d4fae")).reply(int(1)).shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: GET lock
        0s send #1 Release line 4: DEL lock
        0s Refused { why: Error("UNEXPECTED") }
    "#]]);
}

#[test]
fn the_watchdog_extends_every_third_of_the_lease_and_stops_at_release() {
    let mut stage = Stage::new("watchdog");
    stage.acquire().reply(ok()).until(3_333).reply(int(1)).until(6_666).reply(int(1)).until(8_000);
    stage.release().reply(int(1)).until(60_000).shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        3.333s send #1 Renew line 6: EVAL <script> 1 lock A-1 10000
        3.333s Extended { valid_for: Some(Span(10000000)) }
        6.666s send #2 Renew line 6: EVAL <script> 1 lock A-1 10000
        6.666s Extended { valid_for: Some(Span(10000000)) }
        8s Releasing
        8s send #3 Release line 4: EVAL <script> 1 lock A-1
        8s Released
    "#]]);
}

#[test]
fn a_watchdog_that_finds_another_holder_says_lost_once() {
    let mut stage = Stage::new("watchdog");
    stage.acquire().reply(ok()).pause_until(15_000).reply(int(0)).until(60_000).release().reply(int(0));
    stage.shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        15s send #1 Renew line 6: EVAL <script> 1 lock A-1 10000
        15s Lost
        1m Releasing
        1m send #2 Release line 4: EVAL <script> 1 lock A-1
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
        0s send #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        3.333s send #1 Renew line 6: EVAL <script> 1 lock A-1 10000
        3.333s ExtendFailed { why: Error("LOADING") }
        6.666s send #2 Renew line 6: EVAL <script> 1 lock A-1 10000
    "#]],
        ),
        (
            "watchdog-as-printed",
            expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 3: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        3.333s send #1 Renew line 7: EVAL <script> 1 lock A-1 10000
        3.333s ExtendFailed { why: Error("LOADING") }
    "#]],
        ),
    ] {
        let mut stage = Stage::new(name);
        stage.acquire().reply(ok()).until(3_333).reply(Reply::Error("LOADING wait".into())).until(9_000);
        stage.shows(expected);
    }
}

#[test]
fn a_release_does_not_wait_for_a_renewal_in_flight_and_ignores_its_reply() {
    let mut stage = Stage::new("watchdog");
    stage.acquire().reply(ok()).until(3_333).release().reply(int(0)).reply(int(1)).until(60_000);
    stage.shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        3.333s send #1 Renew line 6: EVAL <script> 1 lock A-1 10000
        3.333s Releasing
        3.333s send #2 Release line 4: EVAL <script> 1 lock A-1
        3.333s Released
    "#]]);
}

#[test]
fn a_time_out_means_unknown_so_the_lock_is_released_before_it_is_refused() {
    let mut stage = Stage::with("token-lua", |params| params.timeout = Some(Span::from_millis(50)));
    stage.acquire().until(60).reply(int(1)).shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SET lock A-1 NX PX 10000
        50ms cancel #0
        50ms send #1 Release line 4: EVAL <script> 1 lock A-1
        60ms Refused { why: TimedOut }
    "#]]);
}

#[test]
fn a_lost_connection_is_released_best_effort_and_refused() {
    let mut stage = Stage::new("token-lua");
    stage.acquire().disconnect().disconnect().shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s send #1 Release line 4: EVAL <script> 1 lock A-1
        0s Refused { why: Disconnected }
    "#]]);
}

#[test]
fn too_few_replicas_mean_release_and_try_again() {
    let mut stage = Stage::new("wait");
    stage.acquire().reply(ok()).reply(int(0)).reply(int(1)).until(100).reply(ok()).reply(int(2)).shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 5: SET lock A-1 NX PX 10000
        0s send #1 Acquire line 6: WAIT 1 100
        0s send #2 Release line 8: EVAL <script> 1 lock A-1
        100ms send #3 Acquire line 5: SET lock A-1 NX PX 10000
        100ms send #4 Acquire line 6: WAIT 1 100
        100ms Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
    "#]]);
}

#[test]
fn a_bounded_wait_ends_when_the_next_try_would_come_too_late() {
    let mut stage = Stage::new("token-lua");
    stage.give(Input::Acquire { wait: Some(Span::from_millis(150)) });
    stage.reply(Reply::Nil).until(100).reply(Reply::Nil).shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SET lock A-1 NX PX 10000
        100ms send #1 Acquire line 2: SET lock A-1 NX PX 10000
        100ms Refused { why: Held }
    "#]]);
}

#[test]
fn jitter_is_asked_for_and_added_to_the_delay() {
    let mut stage = Stage::with("token-lua", |params| params.jitter = Span(100));
    stage.acquire().reply(Reply::Nil).until(200).shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s choose Jitter of 101
        100.05ms send #1 Acquire line 2: SET lock A-1 NX PX 10000
    "#]]);
}

#[test]
fn a_delay_that_backs_off_doubles_up_to_its_bound() {
    let mut stage = Stage::with("setnx-del", |params| {
        (params.retry, params.backoff) = (Span::from_millis(10), Span::from_millis(30));
    });
    stage.acquire().reply(int(0)).until(10).reply(int(0)).until(30).reply(int(0)).until(60).reply(int(0)).until(90);
    stage.shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SETNX lock A-1
        10ms send #1 Acquire line 2: SETNX lock A-1
        30ms send #2 Acquire line 2: SETNX lock A-1
        60ms send #3 Acquire line 2: SETNX lock A-1
        90ms send #4 Acquire line 2: SETNX lock A-1
    "#]]);
}

#[test]
fn a_watchdog_that_is_bounded_stops_without_a_word() {
    let mut stage =
        Stage::with("watchdog", |params| params.extra = [(MAX_RENEWALS.to_owned(), Value::Number(1))].into());
    stage.acquire().reply(ok()).until(3_333).reply(int(1)).until(20_000).release().reply(int(0));
    stage.shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        3.333s send #1 Renew line 6: EVAL <script> 1 lock A-1 10000
        3.333s Extended { valid_for: Some(Span(10000000)) }
        20s Releasing
        20s send #2 Release line 4: EVAL <script> 1 lock A-1
        20s ReleaseFailed { why: NotHolder }
    "#]]);
}

#[test]
fn an_inner_acquire_waits_for_the_outer_hold_which_goes_on_being_renewed() {
    let mut stage = Stage::new("watchdog");
    stage.acquire().reply(ok()).give(Input::Acquire { wait: Some(Span::ZERO) }).reply(Reply::Nil);
    stage.until(3_333).reply(int(1)).release().reply(int(1)).shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        0s Acquiring
        0s send #1 Acquire line 2: SET lock A-2 NX PX 10000
        0s Refused { why: Held }
        3.333s send #2 Renew line 6: EVAL <script> 1 lock A-1 10000
        3.333s Extended { valid_for: Some(Span(10000000)) }
        3.333s Releasing
        3.333s send #3 Release line 4: EVAL <script> 1 lock A-1
        3.333s Released
    "#]]);
}

#[test]
fn a_check_asks_the_service_where_the_listing_can() {
    let mut stage = Stage::new("token-lua");
    stage.acquire().reply(ok()).give(Input::Check).reply(Reply::bulk("A-1")).give(Input::Check).reply(Reply::Nil);
    stage.give(Input::Check).release().shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        0s send #1 Check line 6: GET lock
        0s Looked { mine: true }
        0s send #2 Check line 6: GET lock
        0s Looked { mine: false }
        0s send #3 Check line 6: GET lock
        0s cancel #3
        0s Releasing
        0s send #4 Release line 4: EVAL <script> 1 lock A-1
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
    let mut stage = Stage::of(kind.build(&params(&kind), Identity::new("A")));
    stage.acquire().reply(ok()).release().reply(int(1));
    stage.acquire().reply(ok()).release().reply(Reply::Error("NOSCRIPT gone".into())).reply(int(1));
    stage.shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SET lock A-1 NX PX 10000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(10000000)) }
        0s Releasing
        0s send #1 Release line 4: EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0
        0s Released
        0s Acquiring
        0s send #2 Acquire line 2: SET lock A-2 NX PX 10000
        0s Acquired { token: Some(Opaque("A-2")), valid_for: Some(Span(10000000)) }
        0s Releasing
        0s send #3 Release line 4: EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0
        0s send #4 Release line 5: EVAL return 1 0
        0s Released
    "#]]);
}

#[test]
fn a_restarted_client_never_uses_a_token_twice() {
    let mut stage = Stage::new("token-lua");
    stage.acquire().reply(ok());
    let mut second = Stage::of(stage.client.restarted());
    second.acquire().shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 2: SET lock A-2 NX PX 10000
    "#]]);
}

#[test]
fn two_clients_that_only_met_at_different_times_hash_alike_relative_to_now() {
    let relative = |stage: &Stage| {
        let mut hasher = DefaultHasher::new();
        stage.client.hash_relative(LocalTime { wall: 0, monotonic: stage.now }, &mut hasher);
        hasher.finish()
    };
    let whole = |stage: &Stage| {
        let mut hasher = DefaultHasher::new();
        stage.client.hash(&mut hasher);
        hasher.finish()
    };
    let mut early = Stage::new("watchdog");
    early.acquire().reply(Reply::Nil).until(50);
    let mut late = Stage::new("watchdog");
    late.until(7_000).acquire().reply(Reply::Nil).until(7_100).reply(Reply::Nil).until(7_150);
    assert_eq!(relative(&early), relative(&late), "waiting 50 ms for the next try is the same at any time");
    assert_ne!(whole(&early), whole(&late));
    late.until(7_151);
    assert_ne!(relative(&early), relative(&late), "49 ms are not 50");
}

#[test]
fn a_try_that_fails_sends_the_very_same_command() {
    let mut client = Stage::new("token-lua").client;
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
    let mut stage = Stage::new("setnx-timestamp");
    stage.acquire().reply(int(0)).reply(Reply::bulk("4000"));
    stage.until(4_101).reply(int(0)).reply(Reply::bulk("4000")).reply(Reply::bulk("4000"));
    stage.release().reply(int(1)).shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 3: SETNX lock 10000
        0s send #1 Acquire line 4: GET lock
        100ms send #2 Acquire line 3: SETNX lock 10100
        4.101s send #3 Acquire line 4: GET lock
        4.101s send #4 Acquire line 5: GETSET lock 10100
        4.101s Acquired { token: None, valid_for: Some(Span(5999000)) }
        4.101s Releasing
        4.101s send #5 Release line 7: DEL lock
        4.101s Released
    "#]]);
}

#[test]
fn who_loses_the_getset_tries_again() {
    let mut stage = Stage::new("setnx-timestamp");
    stage.acquire().until(50).reply(int(0)).reply(Reply::bulk("49")).reply(Reply::bulk("10040"));
    assert!(stage.log.ends_with("50ms send #2 Acquire line 5: GETSET lock 10000\n"), "{}", stage.log);
    assert_eq!(stage.until, Some(150_000));
}

#[test]
fn a_timer_that_arms_itself_again_outlives_the_release_that_it_met() {
    let mut stage = Stage::new("distlock-as-printed");
    stage.acquire().reply(ok()).until(10_000).release().reply(int(1));
    // Its reply comes after the release has begun: the next one follows, and nobody is told.
    stage.reply(int(1)).until(20_000).disconnect().until(30_000).shows(expect![[r#"
        0s Acquiring
        0s send #0 Acquire line 3: SET lock A-1 NX PX 30000
        0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(30000000)) }
        10s send #1 Renew line 7: EVAL <script> 1 lock A-1 30000
        10s Releasing
        10s send #2 Release line 5: EVAL <script> 1 lock A-1
        10s Released
        20s send #3 Renew line 7: EVAL <script> 1 lock A-1 30000
        30s send #4 Renew line 7: EVAL <script> 1 lock A-1 30000
    "#]]);
}

#[test]
fn a_timer_that_arms_itself_again_ends_with_a_release_that_it_did_not_meet() {
    let mut stage = Stage::new("distlock-as-printed");
    stage.acquire().reply(ok()).until(10_000).reply(int(0)).until(11_000).release().reply(int(1));
    assert_eq!(stage.until, None);
    assert!(!stage.log.contains("Lost"), "{}", stage.log);
}
