use super::*;
use crate::servers::typed::{A, B, at, execute, run};

#[test]
fn every_write_has_the_next_revision_and_a_key_keeps_that_of_its_creation() {
    let mut etcd = Etcd::default();
    assert_eq!(run(&mut etcd, 0, "put a 1"), "(integer) 2", "an empty store is at revision 1");
    assert_eq!(run(&mut etcd, 0, "put b 1"), "(integer) 3");
    assert_eq!(run(&mut etcd, 0, "put a 2"), "(integer) 4");
    assert_eq!(run(&mut etcd, 0, "get a"), r#"["a", "2", (integer) 2, (integer) 4]"#);
    assert_eq!(run(&mut etcd, 0, "del a"), "(integer) 1");
    assert_eq!(run(&mut etcd, 0, "del a"), "(integer) 0");
    assert_eq!(run(&mut etcd, 0, "put a 3"), "(integer) 6", "the deletion was a revision, deleting nothing was none");
}

#[test]
fn a_transaction_does_one_branch_or_the_other_at_one_revision() {
    let mut etcd = Etcd::default();
    let line = "txn if create(k)=0 then put k A put other A get k else get k";
    assert_eq!(
        run(&mut etcd, 0, line),
        r#"[(integer) 1, (integer) 2, (integer) 2, ["k", "A", (integer) 2, (integer) 2]]"#
    );
    assert_eq!(run(&mut etcd, 0, line), r#"[(integer) 0, ["k", "A", (integer) 2, (integer) 2]]"#);
}

#[test]
fn the_keys_below_a_prefix_stand_in_the_order_of_their_creation() {
    let mut etcd = Etcd::default();
    for key in ["lock/9", "lock/1", "lock/5", "other/0"] {
        run(&mut etcd, 0, &format!("put {key} x"));
    }
    assert!(run(&mut etcd, 0, "get lock/ --first").starts_with(r#"["lock/9""#));
    assert!(run(&mut etcd, 0, "get lock/ --last-before=4").starts_with(r#"["lock/1""#));
    assert_eq!(run(&mut etcd, 0, "get lock/ --last-before=2"), "(nil)");
}

#[test]
fn a_lease_takes_its_keys_along_on_its_instant_and_not_before() {
    let mut etcd = Etcd::default();
    assert_eq!(run(&mut etcd, 0, "lease grant 10"), r#"["1", (integer) 10]"#);
    run(&mut etcd, 0, "put k A --lease=1");
    assert!(etcd.expire(LocalTime { wall: 0, monotonic: 9_999_999 }).is_empty());
    assert!(run(&mut etcd, 9, "get k").starts_with(r#"["k""#));
    let gone_at = etcd.records(&LocalClock::default(), Time(0))["k"].gone_at;
    assert_eq!(gone_at, Some(Time(10_000_000)));
    assert_eq!(run(&mut etcd, 10, "get k"), "(nil)");
    assert!(run(&mut etcd, 10, "lease keep-alive 1").starts_with("(error) NotFound "));
    assert!(run(&mut etcd, 10, "put k A --lease=1").starts_with("(error) NotFound "));
    assert!(run(&mut etcd, 10, "txn if create(k)=0 then put k A --lease=1").starts_with("(error) NotFound "));
}

#[test]
fn a_kept_lease_goes_on_and_a_revoked_one_is_over() {
    let mut etcd = Etcd::default();
    run(&mut etcd, 0, "lease grant 10");
    run(&mut etcd, 0, "put k A --lease=1");
    assert_eq!(run(&mut etcd, 8, "lease keep-alive 1"), "(integer) 10");
    assert!(run(&mut etcd, 17, "get k").starts_with(r#"["k""#));
    assert_eq!(run(&mut etcd, 17, "lease revoke 1"), "OK");
    assert_eq!(run(&mut etcd, 17, "get k"), "(nil)");
    assert!(run(&mut etcd, 17, "lease revoke 1").starts_with("(error) NotFound "));
}

#[test]
fn a_lease_is_never_shorter_than_elections_allow() {
    assert_eq!(run(&mut Etcd::default(), 0, "lease grant 1"), r#"["1", (integer) 2]"#);
}

#[test]
fn a_watch_answers_at_the_deletion_or_at_once_if_that_has_been() {
    let mut etcd = Etcd::default();
    run(&mut etcd, 0, "put k A");
    assert_eq!(execute(&mut etcd, 0, B, "watch k --rev=2").outcome, Outcome::Blocked { timeout: None });
    let told = execute(&mut etcd, 1, A, "del k").deliveries;
    assert_eq!(told, [Delivery { client: B, message: watch::notice(DELETED, "k"), answers: true }]);
    assert_eq!(run(&mut etcd, 1, "watch k --rev=2"), r#"["DELETE", "k"]"#);
    run(&mut etcd, 2, "put k A");
    assert_eq!(run(&mut etcd, 2, "watch k --rev=2"), r#"["DELETE", "k"]"#, "it was deleted and is another one now");
}

#[test]
fn the_end_of_a_lease_answers_who_waits_for_its_key() {
    let mut etcd = Etcd::default();
    run(&mut etcd, 0, "lease grant 10");
    run(&mut etcd, 0, "put k A --lease=1");
    execute(&mut etcd, 0, B, "watch k --rev=2");
    assert_eq!(etcd.expire(at(10)), [Delivery { client: B, message: watch::notice(DELETED, "k"), answers: true }]);
}

#[test]
fn who_is_disconnected_waits_no_longer() {
    let mut etcd = Etcd::default();
    run(&mut etcd, 0, "put k A");
    execute(&mut etcd, 0, B, "watch k --rev=2");
    etcd.disconnect(at(0), B);
    assert!(execute(&mut etcd, 1, A, "del k").deliveries.is_empty());
}

#[test]
fn a_new_leader_starts_every_lease_at_its_full_time() {
    let mut etcd = Etcd::default();
    run(&mut etcd, 0, "lease grant 10");
    run(&mut etcd, 0, "put k A --lease=1");
    etcd.down(at(6));
    assert_eq!(etcd.records(&LocalClock::default(), Time(6_000_000))["k"].gone_at, None, "nobody counts");
    assert!(etcd.expire(at(11)).is_empty());
    etcd.up(at(12), true);
    assert_eq!(etcd.records(&LocalClock::default(), Time(12_000_000))["k"].gone_at, Some(Time(22_000_000)));
    assert!(run(&mut etcd, 21, "get k").starts_with(r#"["k""#));
    assert_eq!(run(&mut etcd, 22, "get k"), "(nil)");
}

#[test]
fn a_wall_clock_that_is_set_changes_no_lease() {
    let mut etcd = Etcd::default();
    run(&mut etcd, 0, "lease grant 10");
    run(&mut etcd, 0, "put k A --lease=1");
    etcd.expire(LocalTime { wall: 3_600_000_000, monotonic: 1_000_000 });
    assert!(run(&mut etcd, 1, "get k").starts_with(r#"["k""#));
}

#[test]
fn a_command_that_makes_no_sense_is_refused_in_words() {
    let mut etcd = Etcd::default();
    for line in [
        "",
        "SET k v",
        "get",
        "put k",
        "lease grant soon",
        "txn if value(k)=1 then put k v",
        "watch k",
        "get k --frist",
    ] {
        assert!(run(&mut etcd, 0, line).starts_with("(error) InvalidArgument "), "{line}");
    }
}
