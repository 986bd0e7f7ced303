use super::*;
use crate::servers::typed::{A, B, at, execute, run};

/// A cluster in which session 1 holds the key.
fn held() -> Consul {
    let mut consul = Consul::default();
    for id in ["\"1\"", "\"2\""] {
        assert_eq!(run(&mut consul, 0, "session create -ttl=15s -lock-delay=15s"), id);
    }
    assert_eq!(run(&mut consul, 0, "kv put -acquire=1 lock A"), "(integer) 1");
    consul
}

#[test]
fn a_key_is_one_sessions_until_it_releases_it() {
    let mut consul = held();
    assert_eq!(run(&mut consul, 0, "kv put -acquire=2 lock B"), "(integer) 0");
    assert_eq!(run(&mut consul, 0, "kv get lock"), r#"["A", "1", (integer) 1, (integer) 1]"#);
    assert_eq!(run(&mut consul, 1, "kv put -release=2 lock"), "(integer) 0");
    assert_eq!(run(&mut consul, 1, "kv put -release=1 lock"), "(integer) 1");
    assert_eq!(run(&mut consul, 1, "kv put -acquire=2 lock B"), "(integer) 1", "a release knows no delay");
    assert_eq!(run(&mut consul, 1, "kv get lock"), r#"["B", "2", (integer) 2, (integer) 3]"#);
}

#[test]
fn who_holds_a_key_may_acquire_it_again_and_it_stays_one_acquisition() {
    let mut consul = held();
    assert_eq!(run(&mut consul, 0, "kv put -acquire=1 lock again"), "(integer) 1");
    assert_eq!(run(&mut consul, 0, "kv get lock"), r#"["again", "1", (integer) 1, (integer) 2]"#);
}

#[test]
fn after_a_session_ended_nobody_acquires_its_key_for_the_lock_delay() {
    let mut consul = held();
    run(&mut consul, 14, "session renew 2");
    assert_eq!(run(&mut consul, 15, "kv get lock"), r#"["A", "", (integer) 1, (integer) 2]"#);
    run(&mut consul, 28, "session renew 2");
    assert_eq!(run(&mut consul, 29, "kv put -acquire=2 lock B"), "(integer) 0");
    assert_eq!(run(&mut consul, 30, "kv put -acquire=2 lock B"), "(integer) 1");
    assert!(run(&mut consul, 30, "session renew 1").starts_with("(error) 404 "));
    assert!(run(&mut consul, 30, "kv put -acquire=1 lock A").starts_with("(error) 500 "));
}

#[test]
fn a_destroyed_session_leaves_the_same_delay() {
    let mut consul = held();
    assert_eq!(run(&mut consul, 3, "session destroy 1"), "OK");
    assert_eq!(run(&mut consul, 3, "session destroy 1"), "OK");
    assert_eq!(run(&mut consul, 4, "kv put -acquire=2 lock B"), "(integer) 0");
}

#[test]
fn a_blocking_query_answers_at_the_next_change_or_when_its_wait_is_over() {
    let mut consul = held();
    let wait = Outcome::Blocked { timeout: Some(Span::from_secs(15)) };
    assert_eq!(execute(&mut consul, 0, B, "kv get -index=1 -wait=15s lock").outcome, wait);
    let told = execute(&mut consul, 1, A, "kv put -release=1 lock").deliveries;
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].client, told[0].answers), (B, true));
    assert_eq!(told[0].message.to_string(), r#"["A", "", (integer) 1, (integer) 2]"#);
    assert_eq!(execute(&mut consul, 1, B, "kv get -index=2 -wait=15s lock").outcome, wait);
    assert_eq!(consul.time_out(at(14), B).to_string(), r#"["A", "", (integer) 1, (integer) 2]"#);
    assert_eq!(run(&mut consul, 14, "kv get -index=1 -wait=15s lock"), r#"["A", "", (integer) 1, (integer) 2]"#);
}

#[test]
fn the_end_of_a_session_answers_queries_at_its_instant() {
    let mut consul = held();
    execute(&mut consul, 1, B, "kv get -index=1 -wait=60s lock");
    let records = consul.records(&LocalClock::default(), Time(1_000_000));
    assert_eq!(records["session/1"].gone_at, Some(Time(15_000_000)));
    assert!(consul.expire(LocalTime { wall: 0, monotonic: 14_999_999 }).is_empty());
    assert_eq!(consul.expire(at(15)).len(), 1);
}

#[test]
fn a_time_to_live_out_of_bounds_is_refused() {
    for ttl in ["9s", "86401s"] {
        let line = format!("session create -ttl={ttl} -lock-delay=0s");
        assert!(run(&mut Consul::default(), 0, &line).starts_with("(error) 500 "), "{ttl}");
    }
}

#[test]
fn a_new_leader_gives_every_session_its_full_time_and_forgets_delays() {
    let mut consul = held();
    consul.down(at(10));
    assert!(consul.expire(at(20)).is_empty());
    consul.up(at(20), true);
    let records = consul.records(&LocalClock::default(), Time(20_000_000));
    assert_eq!(records["session/1"].gone_at, Some(Time(35_000_000)));
    run(&mut consul, 20, "session destroy 1");
    consul.down(at(21));
    consul.up(at(21), true);
    assert_eq!(run(&mut consul, 21, "kv put -acquire=2 lock B"), "(integer) 1");
}

#[test]
fn a_command_that_makes_no_sense_is_refused_in_words() {
    let mut consul = held();
    for line in
        ["", "kv get", "kv put lock x", "kv put -cas=1 lock x", "session create -ttl=soon -lock-delay=1s", "lock x"]
    {
        assert!(run(&mut consul, 0, line).starts_with("(error) 400 "), "{line}");
    }
}
