//! Where the faults of a threat strike, and how long they last.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Threat;
use super::cell::Stage;
use super::judgement::STRUCK;
use super::moments::{Just, Place, Stage as Standing};
use crate::history::{Machine, Trouble, What};
use crate::i18n::Text;
use crate::locks::Needs;
use crate::say;
use crate::scenario::{Fault, FaultKind, Leg};
use crate::time::Span;
use crate::wire::{Command, NodeId};

/// The runs of a threat: in each all of some faults strike.
#[derive(Clone, Debug)]
pub(super) struct Placements {
    /// The faults of each run.
    pub all: Vec<Vec<Fault>>,
    /// What is tried, in a few words.
    pub tried: Text,
}

/// How long a server is away that comes back: longer than the scenes' bound on waiting.
const OUTAGE: Span = Span::from_secs(7);
/// How long a server takes to restart.
const RESTART: Span = Span::from_millis(100);
/// How long a replica takes to follow a dead master.
const PROMOTION: Span = Span::from_millis(100);

/// What is tried at each of some moments: several runs, each with its faults.
type Kinds = Vec<Vec<FaultKind>>;

/// The faults of a threat for a scene; or why the threat does not concern the mechanism.
pub(super) fn placements(threat: Threat, stage: &Stage) -> Result<Placements, Text> {
    placed(threat, stage, &lengths(stage.ttl()), leap(stage.ttl()))
}

/// The runs of a threat whose faults all last so long, or step a clock so far; none where it does not concern the mechanism.
pub(super) fn lasting(threat: Threat, stage: &Stage, length: Span) -> Vec<Vec<Fault>> {
    placed(threat, stage, &[length], length).map_or(Vec::new(), |placements| placements.all)
}

fn placed(threat: Threat, stage: &Stage, lengths: &[Span], leap: Span) -> Result<Placements, Text> {
    concerns(threat, stage)?;
    let ttl = stage.ttl();
    let nodes = stage.plan.params.first().map_or(Vec::new(), |params| params.nodes.clone());
    let moments = stage.moments();
    let at = |wanted: fn(&Place) -> bool| moments.iter().filter(|place| wanted(place)).cloned().collect::<Vec<_>>();
    let everywhere = at(|_| true);
    let steps = [signed(leap), -signed(leap)];
    let (places, kinds): (Vec<Place>, Kinds) = match threat {
        Threat::LongWork | Threat::ReEntry => {
            return Ok(Placements { all: vec![Vec::new()], tried: without_faults(threat, ttl) });
        }
        Threat::CrashHolding => (at(|place| place.stage == Standing::Inside), crashes()),
        Threat::CrashBetween => (at(|place| place.stage != Standing::Inside), crashes()),
        Threat::Pause => (everywhere, pauses(lengths)),
        Threat::PauseAfterCheck => (at(|place| place.stage == Standing::Checked), pauses(lengths)),
        Threat::LateRequest => (
            at(|place| matches!(place.just, Just::Sent | Just::SentToResource)),
            lengths.iter().map(|by| vec![message(Leg::Request, Trouble::Delayed(*by))]).collect(),
        ),
        Threat::LostReply => (
            at(|place| matches!(place.just, Just::Executed | Just::SentToResource)),
            vec![vec![message(Leg::Reply, Trouble::Lost)]],
        ),
        Threat::Duplicate => (
            at(|place| matches!(place.just, Just::Sent | Just::SentToResource)),
            vec![vec![message(Leg::Request, Trouble::Doubled)]],
        ),
        Threat::CutOff => {
            let cut = |length| nodes.iter().map(|node| cut(*node, length)).collect();
            (everywhere, lengths.iter().copied().map(Some).chain([None]).map(cut).collect())
        }
        Threat::Failover => {
            let replicas = (0..stage.plan.nodes.len()).filter(|index| stage.plan.nodes[*index].is_replica);
            let promoted = replicas.map(|index| NodeId(index as u8));
            (everywhere, promoted.map(|to| vec![FaultKind::Failover { to, after: PROMOTION }]).collect())
        }
        Threat::RestartEmpty => (everywhere, restarts(&nodes)),
        Threat::ClockOne => {
            let each = nodes.iter().flat_map(|node| steps.map(|by| vec![step(Machine::Node(*node), by)]));
            (everywhere, each.collect())
        }
        Threat::ClockMajority => {
            let together = |by| majority(&nodes).iter().map(|node| step(Machine::Node(*node), by)).collect();
            (everywhere, steps.map(together).to_vec())
        }
        Threat::ClockClient => (everywhere, steps.map(|by| vec![step(Machine::Client(STRUCK), by)]).to_vec()),
        Threat::MinorityDown => (everywhere, outages(&nodes[..nodes.len().saturating_sub(1) / 2])),
        Threat::MajorityDown => (everywhere, outages(majority(&nodes))),
        Threat::Eviction => {
            let evict = |key: &Arc<str>, node: NodeId| vec![FaultKind::Evict { node, key: key.clone() }];
            let keys = keys(stage);
            let each = keys.iter().flat_map(|key| nodes.iter().map(|node| evict(key, *node)));
            (everywhere, each.collect())
        }
        Threat::ForeignDelete => {
            let delete = |key: &Arc<str>, node: NodeId| FaultKind::Operator {
                node,
                command: Arc::new(Command::new(["DEL", key])),
            };
            let everywhere_deleted = |key| nodes.iter().map(|node| delete(key, *node)).collect();
            (everywhere, keys(stage).iter().map(everywhere_deleted).collect())
        }
    };
    if places.is_empty() || kinds.is_empty() {
        return Err(never(threat));
    }
    let run = |place: &Place, kinds: &Vec<FaultKind>| -> Vec<Fault> {
        kinds.iter().map(|kind| Fault { kind: kind.clone(), at: place.at.clone() }).collect()
    };
    let all = places.iter().flat_map(|place| kinds.iter().map(|kinds| run(place, kinds))).collect();
    Ok(Placements { all, tried: tried(threat, places.len() as u64, ttl) })
}

/// Whether a threat concerns a mechanism at all.
fn concerns(threat: Threat, stage: &Stage) -> Result<(), Text> {
    let plan = &stage.plan;
    let asks_servers = stage.calm.events.iter().any(|event| matches!(event.what, What::Sent { .. }));
    let is_redis = matches!(plan.kind.needs, Needs::Redis | Needs::IndependentRedis { .. });
    let has_lock = plan.kind.promises.exclusion;
    let of_servers = matches!(
        threat,
        Threat::CutOff
            | Threat::Failover
            | Threat::RestartEmpty
            | Threat::ClockOne
            | Threat::ClockMajority
            | Threat::MinorityDown
            | Threat::MajorityDown
            | Threat::Eviction
            | Threat::ForeignDelete
    );
    if of_servers && !asks_servers {
        return Err(say!("it asks no server", "它不访问任何服务器"));
    }
    match threat {
        Threat::ReEntry | Threat::PauseAfterCheck if !has_lock => Err(say!("there is no lock", "没有锁")),
        Threat::Failover if matches!(plan.kind.needs, Needs::IndependentRedis { .. }) => {
            Err(say!("its nodes know nothing of each other: there is no replica", "各节点互不相识，没有副本"))
        }
        Threat::Failover | Threat::RestartEmpty if !is_redis => Err(say!(
            "the service writes to disk before it answers, and is modelled as one that loses nothing",
            "该服务先落盘再应答，模型中不会丢数据"
        )),
        Threat::Eviction | Threat::ForeignDelete if !is_redis => {
            Err(say!("it keeps no keys in Redis", "它不在 Redis 中保存键"))
        }
        Threat::MinorityDown if plan.params.first().is_none_or(|params| params.nodes.len() < 3) => {
            Err(say!("one service, modelled as one server: there is no minority", "模型中只有一台服务器，没有少数派"))
        }
        _ => Ok(()),
    }
}

/// Why a fault never strikes although the threat concerns the mechanism.
fn never(threat: Threat) -> Text {
    match threat {
        Threat::PauseAfterCheck => {
            say!("it cannot be asked whether the lock is still held", "无法询问锁是否仍被持有")
        }
        Threat::Eviction | Threat::ForeignDelete => say!("it leaves no key to delete", "它没有留下可删的键"),
        _ => say!("there is no such moment in its run", "运行中没有这样的时刻"),
    }
}

/// Shorter than the lease; just longer, so that the next holder is at work; longer than that too.
fn lengths(ttl: Span) -> [Span; 3] {
    let two_thirds = Span(ttl.0 / 3 * 2);
    [two_thirds, ttl + Span::from_millis(500), ttl + two_thirds]
}

/// How far a clock jumps: past the end of a lease that has just begun.
fn leap(ttl: Span) -> Span {
    ttl + Span(ttl.0 / 3)
}

fn crashes() -> Kinds {
    let crash = |restart| vec![FaultKind::Crash { client: STRUCK, restart }];
    vec![crash(None), crash(Some(Span::from_secs(1)))]
}

fn pauses(lengths: &[Span]) -> Kinds {
    let pause = |length: &Span| vec![FaultKind::Pause { client: STRUCK, task: false, length: Some(*length) }];
    lengths.iter().map(pause).collect()
}

fn message(leg: Leg, trouble: Trouble) -> FaultKind {
    FaultKind::Message { client: STRUCK, leg, trouble }
}

fn cut(node: NodeId, length: Option<Span>) -> FaultKind {
    FaultKind::Cut { from: Machine::Client(STRUCK), to: Machine::Node(node), length }
}

fn step(machine: Machine, by: i64) -> FaultKind {
    FaultKind::Step { machine, by }
}

/// Each node by itself, and all at once, as when the power fails.
fn restarts(nodes: &[NodeId]) -> Kinds {
    let down = |node: &NodeId| FaultKind::Down { node: *node, restart: Some(RESTART), data_kept: Some(false) };
    let each = nodes.iter().map(|node| vec![down(node)]);
    let all = nodes.iter().map(down).collect();
    each.chain((nodes.len() > 1).then_some(all)).collect()
}

/// All of these nodes at once: for a while, and for ever.
fn outages(nodes: &[NodeId]) -> Kinds {
    let down = |node: &NodeId, restart| FaultKind::Down { node: *node, restart, data_kept: Some(true) };
    [Some(OUTAGE), None].map(|restart| nodes.iter().map(|node| down(node, restart)).collect()).to_vec()
}

fn majority(nodes: &[NodeId]) -> &[NodeId] {
    &nodes[..(nodes.len() / 2 + 1).min(nodes.len())]
}

/// The keys that the run leaves on its servers.
fn keys(stage: &Stage) -> BTreeSet<Arc<str>> {
    let key = |what: &What| match what {
        What::Key { key, .. } => Some(key.clone()),
        _ => None,
    };
    stage.calm.events.iter().filter_map(|event| key(&event.what)).collect()
}

fn signed(span: Span) -> i64 {
    span.0 as i64
}

fn without_faults(threat: Threat, ttl: Span) -> Text {
    match threat {
        Threat::LongWork => {
            say!("work of 2 s to 12 s with a lease of {ttl}", "租约 {ttl}，工作 2 秒到 12 秒", ttl = ttl)
        }
        _ => say!("the holder asks for its lock once more", "持有者再次请求同一把锁"),
    }
}

fn tried(threat: Threat, moments: u64, ttl: Span) -> Text {
    let [short, longer, longest] = lengths(ttl);
    let step = leap(ttl);
    let what = match threat {
        Threat::CrashHolding | Threat::CrashBetween => {
            say!("for good, and with a restart after 1 s", "不再回来，或 1 秒后重启")
        }
        Threat::Pause | Threat::PauseAfterCheck | Threat::LateRequest => say!(
            "for {short}, {longer} and {longest}",
            "时长 {short}、{longer}和 {longest}",
            short = short,
            longer = longer,
            longest = longest
        ),
        Threat::CutOff => say!(
            "for {short}, {longer}, {longest} and for ever",
            "时长 {short}、{longer}、{longest} 和永久",
            short = short,
            longer = longer,
            longest = longest
        ),
        Threat::LostReply => say!("one reply", "一条回复"),
        Threat::Duplicate => say!("one request", "一条请求"),
        Threat::Failover => say!("to each replica, quick or slow", "分别切换到快的和慢的副本"),
        Threat::RestartEmpty => say!("each server, and all of them at once", "每台服务器，以及全部同时"),
        Threat::ClockOne | Threat::ClockMajority | Threat::ClockClient => {
            say!("by {step} forward and back", "前后各跳 {step}", step = step)
        }
        Threat::MinorityDown | Threat::MajorityDown => {
            say!("for {outage} and for ever", "时长 {outage} 和永久", outage = OUTAGE)
        }
        Threat::Eviction | Threat::ForeignDelete => say!("each key", "每一个键"),
        Threat::LongWork | Threat::ReEntry => Text::default(),
    };
    say!(
        "at each of {moments} moments of A's run: {what}",
        "在 A 运行的 {moments} 个时刻逐一尝试：{what}",
        moments = moments,
        what = what
    )
}
