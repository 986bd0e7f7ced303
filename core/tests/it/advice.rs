//! Advice: every row of the choosing tables, and what is said where nothing is enough.

use locklab_core::compare::advice::{Advice, Check, Server, Situation, Stakes, Task, advise};
use locklab_core::compare::{Answer, Means, Threat};
use locklab_core::locks::{self, Needs};
use locklab_core::time::Span;

fn advice(task: Task, stakes: Stakes, check: Check, servers: &[Server]) -> Advice {
    advise(&Situation { task, stakes, check, work: None, servers: servers.to_vec() })
}

fn names(advice: &Advice) -> Vec<String> {
    std::iter::once(&advice.choice).chain(&advice.alternatives).map(|mechanism| mechanism.name()).collect()
}

fn is_redis(advice: &Advice) -> bool {
    advice.choice.lock.promises.exclusion
        && matches!(advice.choice.lock.needs, Needs::Redis | Needs::IndependentRedis { .. })
}

#[test]
fn ordinary_business_has_enough_in_one_redis_with_a_watchdog() {
    let advice = advice(Task::Update, Stakes::Waste, Check::Nothing, &[Server::Redis]);
    assert_eq!(advice.choice.name(), "watchdog");
    // The plainer one is not taken because of a run.
    assert_eq!(advice.rejected[0].cell.mechanism.name(), "token-lua");
    assert_eq!((advice.rejected[0].cell.threat, &advice.rejected[0].found.answer), (Threat::LongWork, &Answer::Broken));
    // What a rare pause does is said, and is for the resource to bear.
    assert!(advice.left.iter().any(|reason| reason.cell.threat == Threat::Pause));
}

#[test]
fn work_that_is_surely_short_needs_no_watchdog() {
    let work = Some(Span::from_millis(200));
    let servers = vec![Server::Redis];
    let situation = Situation { task: Task::Update, stakes: Stakes::Waste, check: Check::Nothing, work, servers };
    assert_eq!(advise(&situation).choice.name(), "token-lua");
}

#[test]
fn very_high_demands_take_no_redis_lock_but_an_optimistic_one() {
    let servers = [Server::Redis, Server::ZooKeeper, Server::Etcd, Server::Database];
    let advice = advice(Task::Update, Stakes::Money, Check::Condition, &servers);
    assert_eq!(advice.choice.name(), "none+version");
    assert!(advice.needs_no_lock() && advice.is_enough());
    let redis = ["token-lua", "watchdog", "fenced"];
    assert!(
        !names(&advice).iter().any(|name| redis.iter().any(|redis| name.starts_with(redis))),
        "{:?}",
        names(&advice)
    );
}

#[test]
fn redlock_where_it_must_be_has_the_resource_as_its_last_line() {
    let advice = advice(Task::Several, Stakes::Harm, Check::Condition, &[Server::Redlock]);
    assert_eq!(advice.choice.name(), "redlock+version");
    assert!(advice.is_enough());
    assert_ne!(advice.choice.means, Means::Nothing);
}

#[test]
fn what_must_only_be_done_once_wants_a_unique_key() {
    for stakes in [Stakes::Waste, Stakes::Harm, Stakes::Money] {
        let advice = advice(Task::Once, stakes, Check::Condition, &[Server::Redis, Server::Database]);
        assert_eq!(advice.choice.name(), "none+unique-key");
        assert!(advice.reasons.iter().any(|reason| reason.cell.threat == Threat::Duplicate && reason.is_good()));
    }
}

#[test]
fn a_stock_wants_one_script_or_one_conditional_update() {
    let script = advice(Task::Counter, Stakes::Harm, Check::Nothing, &[Server::Redis]);
    assert_eq!(script.choice.name(), "none+script");
    let update = advice(Task::Counter, Stakes::Harm, Check::Condition, &[Server::Database]);
    assert_eq!(update.choice.name(), "none+atomic");
    // Where money is at stake, a script in Redis is not enough: a failover forgets what was taken.
    let money = advice(Task::Counter, Stakes::Money, Check::Condition, &[Server::Redis, Server::Database]);
    assert_eq!(money.choice.name(), "none+atomic");
    assert_eq!(money.rejected[0].cell.threat, Threat::Failover);
}

#[test]
fn one_operation_over_several_resources_wants_a_lock() {
    let advice = advice(Task::Several, Stakes::Waste, Check::Condition, &[Server::Redis, Server::Database]);
    assert!(!advice.needs_no_lock() && advice.is_enough());
    assert_eq!(advice.choice.name(), "watchdog");
}

#[test]
fn a_scheduled_job_wants_a_lock_or_the_lease_of_its_cluster() {
    let lock = advice(Task::Job, Stakes::Waste, Check::Nothing, &[Server::Redis]);
    assert!(!lock.needs_no_lock());
    if locks::kinds().iter().any(|kind| kind.needs == Needs::Kubernetes) {
        let lease = advice(Task::Job, Stakes::Waste, Check::Nothing, &[Server::Redis, Server::Kubernetes]);
        assert_eq!(lease.choice.lock.needs, Needs::Kubernetes);
    }
}

#[test]
fn strong_consistency_of_money_is_not_for_redis() {
    if !locks::kinds().iter().any(|kind| matches!(kind.needs, Needs::Etcd | Needs::ZooKeeper)) {
        return;
    }
    let servers = [Server::Redis, Server::Redlock, Server::ZooKeeper, Server::Etcd];
    let advice = advice(Task::Several, Stakes::Money, Check::Token, &servers);
    assert!(!is_redis(&advice) && advice.is_enough(), "{:?}", names(&advice));
    assert_eq!(advice.choice.means, Means::Token);
    let redis = advice.rejected.iter().filter(|reason| reason.cell.mechanism.lock.needs == Needs::Redis);
    assert!(redis.count() > 0);
}

#[test]
fn where_nothing_is_enough_the_advice_says_what_is_left_to_fix() {
    let advice = advice(Task::Update, Stakes::Harm, Check::Nothing, &[Server::Redis]);
    assert!(!advice.is_enough());
    let pause = advice.left.iter().find(|reason| reason.cell.threat == Threat::Pause).expect("a pause is not kept");
    assert!(pause.remedy().en.contains("fencing token"), "{}", pause.remedy().en);
    assert!(advice.left.iter().all(|reason| !reason.remedy().zh.is_empty()));
}
