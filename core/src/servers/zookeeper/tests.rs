use super::*;
use crate::servers::typed::{A, B, at, execute, run};

/// An ensemble with a session of 10 s for A and one for B.
fn connected() -> ZooKeeper {
    let mut zookeeper = ZooKeeper::default();
    assert_eq!(run(&mut zookeeper, 0, "connect 10000"), "\"1\"");
    assert_eq!(run(&mut zookeeper, 0, "connect 10000"), "\"2\"");
    zookeeper
}

#[test]
fn sequential_znodes_are_numbered_below_their_parent_and_zxids_over_all() {
    let mut zookeeper = connected();
    assert_eq!(run(&mut zookeeper, 0, "create -s -e lock/n- A @1"), r#"["lock/n-0000000000", (integer) 3]"#);
    assert_eq!(run(&mut zookeeper, 0, "create -s -e lock/n- B @2"), r#"["lock/n-0000000001", (integer) 4]"#);
    assert_eq!(run(&mut zookeeper, 0, "create -s -e other/n- B @2"), r#"["other/n-0000000000", (integer) 5]"#);
    assert_eq!(run(&mut zookeeper, 0, "ls lock @1"), r#"["n-0000000000", "n-0000000001"]"#);
    assert_eq!(run(&mut zookeeper, 0, "exists lock/n-0000000001 @1"), r#"["B", (integer) 4]"#);
}

#[test]
fn a_session_that_is_not_heard_of_ends_on_its_instant_and_takes_its_znodes_along() {
    let mut zookeeper = connected();
    run(&mut zookeeper, 0, "create -s -e lock/n- A @1");
    assert_eq!(run(&mut zookeeper, 4, "ping @1"), "PONG");
    let gone_at = zookeeper.records(&LocalClock::default(), Time(4_000_000))["lock/n-0000000000"].gone_at;
    assert_eq!(gone_at, Some(Time(14_000_000)));
    run(&mut zookeeper, 4, "ping @2");
    assert_eq!(run(&mut zookeeper, 13, "ls lock @2"), r#"["n-0000000000"]"#);
    assert_eq!(run(&mut zookeeper, 14, "ls lock @2"), "[]");
    assert!(run(&mut zookeeper, 14, "ping @1").starts_with("(error) SESSIONEXPIRED "));
}

#[test]
fn a_znode_that_lasts_is_no_sessions() {
    let mut zookeeper = connected();
    assert_eq!(run(&mut zookeeper, 0, "create config x @1"), r#"["config", (integer) 3]"#);
    assert!(run(&mut zookeeper, 0, "create config y @2").starts_with("(error) NODEEXISTS "));
    run(&mut zookeeper, 0, "close @1");
    assert_eq!(run(&mut zookeeper, 0, "exists config @2"), r#"["x", (integer) 3]"#);
    assert_eq!(run(&mut zookeeper, 0, "delete config"), "OK");
    assert!(run(&mut zookeeper, 0, "delete config").starts_with("(error) NONODE "));
}

#[test]
fn a_watch_answers_at_the_deletion_or_at_once_if_there_is_nothing() {
    let mut zookeeper = connected();
    run(&mut zookeeper, 0, "create -s -e lock/n- A @1");
    let waits = Outcome::Blocked { timeout: None };
    assert_eq!(execute(&mut zookeeper, 0, B, "exists -w lock/n-0000000000 @2").outcome, waits);
    run(&mut zookeeper, 0, "exists lock/n-0000000000 @1");
    let message = Reply::Array(vec![Reply::bulk("NodeDeleted"), Reply::bulk("lock/n-0000000000")]);
    let told = execute(&mut zookeeper, 1, A, "delete lock/n-0000000000 @1").deliveries;
    assert_eq!(told, [Delivery { client: B, message, answers: true }]);
    assert_eq!(execute(&mut zookeeper, 1, B, "exists -w lock/n-0000000000 @2"), Reply::Nil.into());
}

#[test]
fn the_end_of_a_session_tells_who_watches() {
    let mut zookeeper = connected();
    run(&mut zookeeper, 0, "create -s -e lock/n- A @1");
    execute(&mut zookeeper, 5, B, "exists -w lock/n-0000000000 @2");
    assert_eq!(zookeeper.expire(at(10)).len(), 1);
}

#[test]
fn a_session_outlives_its_connection_and_a_watch_does_not() {
    let mut zookeeper = connected();
    run(&mut zookeeper, 0, "create -s -e lock/n- A @1");
    execute(&mut zookeeper, 0, B, "exists -w lock/n-0000000000 @2");
    zookeeper.disconnect(at(1), A);
    zookeeper.disconnect(at(1), B);
    assert_eq!(run(&mut zookeeper, 1, "ls lock @1"), r#"["n-0000000000"]"#);
    assert!(execute(&mut zookeeper, 1, A, "close @1").deliveries.is_empty());
}

#[test]
fn a_new_leader_gives_every_session_its_full_time() {
    let mut zookeeper = connected();
    run(&mut zookeeper, 0, "create -s -e lock/n- A @1");
    zookeeper.down(at(6));
    zookeeper.expire(at(11));
    zookeeper.up(at(12), true);
    let gone_at = zookeeper.records(&LocalClock::default(), Time(12_000_000))["lock/n-0000000000"].gone_at;
    assert_eq!(gone_at, Some(Time(22_000_000)));
}

#[test]
fn a_command_that_makes_no_sense_is_refused_in_words() {
    let mut zookeeper = connected();
    for line in ["", "connect soon", "ping", "ping @one", "create -s -e lock/n- A", "ls", "set k v @1"] {
        assert!(run(&mut zookeeper, 0, line).starts_with("(error) BADARGUMENTS "), "{line}");
    }
}
