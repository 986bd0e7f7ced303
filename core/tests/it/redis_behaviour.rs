//! What the model of Redis does beyond single replies: expiry, replication, restarts, blocking, what an observer sees.

use locklab_core::servers::redis::{
    Blocked, Cause, Change, Delivery, Execution, Kept, Link, Outcome, Redis, ScriptBudget, Scripting, Settings,
};
use locklab_core::time::{LocalClock, LocalTime, Span, Time};
use locklab_core::wire::{ClientId, Command, NodeId, RecordValue, Reply};

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);

fn at(millis: i64) -> LocalTime {
    LocalTime { wall: millis * 1_000, monotonic: millis * 1_000 }
}

/// Runs a line of words at a millisecond of the server's clock.
fn run(redis: &mut Redis, millis: i64, client: ClientId, line: &str) -> Execution {
    redis.execute(at(millis), Some(client), &Command::new(line.split(' ')))
}

fn reply(redis: &mut Redis, millis: i64, client: ClientId, line: &str) -> String {
    match run(redis, millis, client, line).outcome {
        Outcome::Reply(reply) => reply.to_string(),
        outcome => panic!("{line}: {outcome:?}"),
    }
}

fn stream(execution: &Execution) -> Vec<String> {
    execution.effects.iter().map(ToString::to_string).collect()
}

/// Applies what happened on the master, in order, at the replica's own time.
fn apply(replica: &mut Redis, millis: i64, execution: &Execution) {
    for effect in &execution.effects {
        replica.apply(at(millis), effect);
    }
}

fn replica() -> Redis {
    let mut replica = Redis::default();
    replica.replicate_from(NodeId(0));
    replica.set_link(Link::Up);
    replica
}

#[test]
fn a_key_is_present_at_its_expiry_and_gone_a_millisecond_later() {
    let mut redis = Redis::default();
    assert_eq!(reply(&mut redis, 0, A, "SET lock A NX PX 100"), "OK");
    assert_eq!(reply(&mut redis, 100, B, "PTTL lock"), "(integer) 0");
    assert_eq!(reply(&mut redis, 100, B, "SET lock B NX PX 100"), "(nil)");
    assert_eq!(reply(&mut redis, 101, B, "SET lock B NX PX 100"), "OK");
    // But an expiry that is set to now deletes at once.
    assert_eq!(reply(&mut redis, 150, B, "PEXPIREAT lock 150"), "(integer) 1");
    assert_eq!(reply(&mut redis, 150, B, "EXISTS lock"), "(integer) 0");
}

#[test]
fn the_stream_carries_absolute_instants_and_nothing_of_a_refused_command() {
    let mut redis = Redis::default();
    assert_eq!(stream(&run(&mut redis, 7, A, "SET lock A NX PX 100")), ["SET lock A PXAT 107"]);
    assert_eq!(stream(&run(&mut redis, 8, B, "SET lock B NX PX 100")), [""; 0]);
    assert_eq!(stream(&run(&mut redis, 9, A, "PEXPIRE lock 500")), ["PEXPIREAT lock 509"]);
    assert_eq!(stream(&run(&mut redis, 9, A, "PEXPIRE lock 0")), ["DEL lock"]);
    assert_eq!(stream(&run(&mut redis, 9, A, "HINCRBY hash f 1")), ["HINCRBY hash f 1"]);
    run(&mut redis, 10, A, "SET lock A PX 5");
    let expired = run(&mut redis, 16, B, "SET lock B NX PX 5");
    assert_eq!(stream(&expired), ["DEL lock", "SET lock B PXAT 21"]);
    assert!(matches!(expired.effects[0].change, Change::Delete { cause: Cause::Expired, .. }));
    assert_eq!((expired.effects[0].by, expired.effects[1].by), (None, Some(B)));
}

#[test]
fn a_replica_hides_an_expired_key_by_its_own_clock_and_keeps_it_until_its_master_deletes_it() {
    let (mut master, mut replica) = (Redis::default(), replica());
    let set = run(&mut master, 0, A, "SET lock A NX PX 30000");
    apply(&mut replica, 0, &set);
    // The replica's clock is 45 seconds ahead.
    assert_eq!(reply(&mut replica, 45_000, B, "GET lock"), "(nil)");
    assert_eq!(reply(&mut replica, 45_000, B, "DBSIZE"), "(integer) 1");
    assert!(replica.active_expire(at(45_000)).effects.is_empty());
    assert_eq!(reply(&mut master, 1, B, "GET lock"), "\"A\"");
    replica.promote();
    assert_eq!(reply(&mut replica, 45_001, B, "SET lock B NX PX 30000"), "OK");
}

#[test]
fn a_failover_loses_what_was_not_replicated() {
    let (mut master, mut replica) = (Redis::default(), replica());
    let warm = run(&mut master, 0, A, "SET other 1");
    apply(&mut replica, 0, &warm);
    assert_eq!(reply(&mut master, 1, A, "SET lock A NX PX 30000"), "OK");
    replica.promote();
    assert_eq!(reply(&mut replica, 2, B, "SET lock B NX PX 30000"), "OK");
    assert_eq!(reply(&mut replica, 2, B, "GET other"), "\"1\"");
    // The old master comes back as a replica and takes over what the new one has.
    master.replicate_from(NodeId(1));
    assert_eq!(reply(&mut master, 3, A, "GET lock"), "\"A\"");
    master.load(&replica.image());
    assert_eq!(reply(&mut master, 3, A, "GET lock"), "\"B\"");
}

#[test]
fn wait_counts_the_replicas_that_have_what_the_caller_wrote() {
    let mut master = Redis::default();
    master.attach(NodeId(1), 0);
    master.attach(NodeId(2), 0);
    run(&mut master, 0, A, "SET lock A");
    let waiting = run(&mut master, 0, A, "WAIT 2 100");
    let expected = Blocked::Wait { replicas: 2, timeout: Some(Span::from_millis(100)), offset: 1 };
    assert_eq!(waiting.outcome, Outcome::Blocked(expected));
    // Who has written nothing waits for nothing.
    assert_eq!(reply(&mut master, 0, B, "WAIT 2 100"), "(integer) 2");
    master.acknowledge(NodeId(1), 1);
    assert_eq!(master.acknowledged(1), 1);
    assert_eq!(reply(&mut master, 0, A, "WAIT 1 100"), "(integer) 1");
    reply(&mut master, 0, A, "MULTI");
    reply(&mut master, 0, A, "WAIT 2 0");
    assert_eq!(reply(&mut master, 0, A, "EXEC"), "[(integer) 1]");
}

#[test]
fn a_blocked_pop_is_answered_by_the_first_push_in_the_order_of_waiting() {
    let mut redis = Redis::default();
    for client in [B, A] {
        let blocked = run(&mut redis, 0, client, "BLPOP signal 2.5");
        let expected = Blocked::List { timeout: Some(Span::from_millis(2_500)) };
        assert_eq!(blocked.outcome, Outcome::Blocked(expected));
    }
    let pushed = run(&mut redis, 1, ClientId(2), "RPUSH signal go");
    let item = Reply::Array(vec![Reply::bulk("signal"), Reply::bulk("go")]);
    assert_eq!(pushed.deliveries, [(B, Delivery::Answer(item))]);
    assert_eq!(stream(&pushed), ["RPUSH signal go", "LPOP signal"]);
    assert_eq!(redis.time_out(B), None);
    assert_eq!(redis.time_out(A), Some(Reply::NilArray));
    assert!(run(&mut redis, 2, ClientId(2), "RPUSH signal go").deliveries.is_empty());
}

#[test]
fn what_a_restart_keeps_is_what_the_disk_had() {
    let mut redis = Redis::default();
    run(&mut redis, 0, A, "SET old 1");
    let snapshot = redis.image();
    run(&mut redis, 0, A, "SET lock A NX PX 5000");
    run(&mut redis, 0, A, "SCRIPT LOAD return");
    let after = |kept: Kept, millis: i64| {
        let mut redis = redis.clone();
        redis.restart(kept);
        ["old", "lock"].map(|key| reply(&mut redis, millis, B, &format!("EXISTS {key}")))
    };
    let (yes, no) = ("(integer) 1", "(integer) 0");
    assert_eq!(after(Kept::Nothing, 10), [no, no]);
    assert_eq!(after(Kept::Everything, 10), [yes, yes]);
    assert_eq!(after(Kept::Everything, 5_001), [yes, no], "time goes on while the server is down");
    assert_eq!(after(Kept::Image(snapshot), 10), [yes, no]);
    redis.restart(Kept::Everything);
    let digest = "63143b6f8007b98c53ca2149822777b3566f9241";
    assert_eq!(reply(&mut redis, 0, A, &format!("SCRIPT EXISTS {digest}")), "[(integer) 0]");
}

#[test]
fn an_evicted_key_is_gone_whatever_its_expiry() {
    let mut redis = Redis::default();
    run(&mut redis, 0, A, "SET lock A PX 5000");
    let evicted = redis.evict(at(1), b"lock");
    assert!(matches!(evicted.effects[0].change, Change::Delete { cause: Cause::Evicted, .. }));
    assert_eq!(reply(&mut redis, 2, B, "SET lock B NX PX 5000"), "OK");
}

#[test]
fn an_observer_sees_who_created_a_key_and_when_it_will_be_gone() {
    let mut redis = Redis::default();
    let mut clock = LocalClock::default();
    clock.step(60_000_000);
    run(&mut redis, 60_000, A, "SET lock A NX PX 1000");
    run(&mut redis, 60_000, B, "SET lock B XX KEEPTTL");
    let record = redis.record(&clock, Time(500), b"lock").expect("the key is shown");
    assert_eq!(record.value, RecordValue::Text("B".into()));
    assert_eq!((record.created_by, record.created), (Some(A), 1));
    assert_eq!(record.gone_at, Some(Time(1_001_000)));
    assert!(redis.record(&clock, Time(1_000_999), b"lock").is_some());
    assert!(redis.records(&clock, Time(1_001_000)).is_empty());
    assert_eq!(redis.next_expiry(), Some(61_000));
}

#[test]
fn a_client_that_disconnects_leaves_no_transaction_and_no_subscription() {
    let mut redis = Redis::default();
    reply(&mut redis, 0, A, "MULTI");
    run(&mut redis, 0, A, "SUBSCRIBE news");
    redis.disconnect(A);
    assert_eq!(reply(&mut redis, 0, A, "EXEC"), "(error) ERR EXEC without MULTI");
    assert_eq!(reply(&mut redis, 0, B, "PUBLISH news x"), "(integer) 0");
}

#[test]
fn a_subscribed_client_goes_on_sending_commands_on_its_other_connection() {
    let mut redis = Redis::default();
    run(&mut redis, 0, A, "SUBSCRIBE news");
    assert_eq!(reply(&mut redis, 0, A, "SET lock A NX PX 100"), "OK");
}

#[test]
fn a_script_has_no_time_of_its_own_and_leaves_nothing_behind() {
    let mut redis = Redis::default();
    let mut eval = |source: &str| {
        let command = Command::new(["EVAL", source, "1", "lock"]);
        redis.execute(at(0), Some(A), &command).reply().expect("a reply").to_string()
    };
    assert_eq!(eval("return redis.call('set', KEYS[1], 'A', 'PX', 50)"), "OK");
    assert!(eval("string.leak = 1").contains("Attempt to modify a readonly table"));
    eval("getmetatable('').__index = nil");
    assert_eq!(eval("return ('x'):upper()"), "\"X\"");
    assert!(eval("return math.sin(1)").contains("math.sin is refused"));
    assert!(eval("return cjson.encode({})").contains("not modelled"));
}

#[test]
fn a_script_that_exceeds_its_budget_is_stopped_at_the_same_instruction() {
    let budget = ScriptBudget { instructions: 100_000, memory: 8 << 20 };
    let mut redis = Redis::new(Settings::default(), Scripting::without_memory(budget));
    let mut eval = |source: &str| {
        let command = Command::new(["EVAL", source, "0"]);
        redis.execute(at(0), Some(A), &command).reply().expect("a reply").to_string()
    };
    let loops = "local n = 0 while true do n = n + 1 redis.call('set', 'n', n) end";
    assert!(eval(loops).contains("Script killed"));
    let first = eval("return redis.call('get', 'n')");
    assert!(eval(loops).contains("Script killed"));
    assert_eq!(eval("return redis.call('get', 'n')"), first);
    assert!(eval("pcall(function() while true do end end) return 1").contains("Script killed"));
    assert!(eval("local t = {} while true do t[#t + 1] = string.rep('x', 10000) end").contains("not enough memory"));
    assert!(eval("local s = 'x' while true do s = s..s end").contains("not enough memory"));
    assert!(eval("local s = 'x' while true do s = s..s..s..s..s..s..s..s end").contains("not enough memory"));
}
