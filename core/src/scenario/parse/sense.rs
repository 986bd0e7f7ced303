//! Whether the parts of a scenario make sense together.

use std::ops::Range;

use super::fields::short;
use crate::i18n::Text;
use crate::scenario::problem::Problems;
use crate::scenario::{ClientSetting, Fault, FaultKind, Milestone, Moment, Topology, Trigger};
use crate::time::{Span, Time};
use crate::wire::{ClientId, NodeId};

/// Complains about a milestone that a client with such steps never comes to.
pub(super) fn milestone_is_possible(
    client: &ClientSetting,
    milestone: Milestone,
    at: &Range<usize>,
    problems: &mut Problems,
) {
    if milestone.is_on_the_way_of(&client.steps) {
        return;
    }
    let name = &client.name;
    let steps = Text::list(client.steps.iter().map(ToString::to_string));
    let steps = Text::new(short(&steps.en), short(&steps.zh));
    problems
        .add(
            at.clone(),
            Text::new(format!("{name} never comes to `{milestone}`"), format!("{name} 永远不会到达 `{milestone}`")),
        )
        .hint(format!("its steps are: {}", steps.en), format!("它的步骤是：{}", steps.zh));
}

/// Complains about faults that contradict the scenario or each other. Each fault comes with its place in the file.
pub(super) fn faults(
    faults: &[(Fault, Range<usize>)],
    clients: &[ClientSetting],
    until: Option<Time>,
    problems: &mut Problems,
) {
    for (index, (fault, at)) in faults.iter().enumerate() {
        if let Trigger::Client { client, milestone } = fault.at.trigger
            && let Some(client) = clients.get(usize::from(client.0))
        {
            milestone_is_possible(client, milestone, at, problems);
        }
        if let (Some(until), Trigger::Start) = (until, &fault.at.trigger)
            && Time::START + fault.at.plus >= until
        {
            problems
                .add(at.clone(), Text::new("the run ends before this strikes", "运行在它发生之前就结束了"))
                .hint(format!("`until` is {until}"), format!("`until` 是 {until}"));
        }
        for (earlier, _) in &faults[..index] {
            contradiction(earlier, fault, at, clients, problems);
            contradiction(fault, earlier, at, clients, problems);
        }
    }
}

/// Complains if `dead` ends for good what `other` strikes at the same time or later.
fn contradiction(dead: &Fault, other: &Fault, at: &Range<usize>, clients: &[ClientSetting], problems: &mut Problems) {
    let (victim, gone_for) = match dead.kind {
        FaultKind::Crash { client, restart } => (Victim::Client(client), restart),
        FaultKind::Down { node, restart, .. } => (Victim::Node(node), restart),
        FaultKind::Failover { .. } => (Victim::Node(NodeId(0)), None),
        _ => return,
    };
    if struck(&other.kind) != Some(victim) || !within(&dead.at, gone_for, &other.at) {
        return;
    }
    let (en, zh) = match victim {
        Victim::Client(client) => {
            let name = clients.get(usize::from(client.0)).map_or("the client", |client| &*client.name);
            (format!("{name} is dead at this moment"), format!("此刻 {name} 已经崩溃"))
        }
        Victim::Node(_) => ("the server is down at this moment".to_owned(), "此刻服务器已经停机".to_owned()),
    };
    problems.add(at.clone(), Text::new(en, zh)).hint(
        "another fault has struck it: give one of them another moment, or `restart_after`",
        "另一个故障已经让它停下：换一个时刻，或者写上 `restart_after`",
    );
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Victim {
    Client(ClientId),
    Node(NodeId),
}

/// Who must be alive for a fault to strike.
fn struck(kind: &FaultKind) -> Option<Victim> {
    match kind {
        FaultKind::Pause { client, .. } | FaultKind::Crash { client, .. } | FaultKind::Message { client, .. } => {
            Some(Victim::Client(*client))
        }
        FaultKind::Down { node, .. }
        | FaultKind::Slow { node, .. }
        | FaultKind::Evict { node, .. }
        | FaultKind::FlushScripts { node }
        | FaultKind::Operator { node, .. } => Some(Victim::Node(*node)),
        FaultKind::Failover { .. } => Some(Victim::Node(NodeId(0))),
        FaultKind::Promote { .. } | FaultKind::Cut { .. } | FaultKind::Step { .. } | FaultKind::Drift { .. } => None,
    }
}

/// Whether `moment` lies in the time `gone_for` after `dead`, as far as the file alone can tell: the same trigger and occurrence.
fn within(dead: &Moment, gone_for: Option<Span>, moment: &Moment) -> bool {
    let same = dead.trigger == moment.trigger && dead.occurrence == moment.occurrence;
    same && moment.plus >= dead.plus && gone_for.is_none_or(|gone_for| moment.plus < dead.plus + gone_for)
}

/// Complains about a resource in Redis where there is no Redis.
pub(super) fn resource_needs_redis(topology: Option<&Topology>, at: Range<usize>, problems: &mut Problems) {
    match topology {
        None | Some(Topology::Single | Topology::Replicated { .. }) => {}
        Some(_) => {
            problems
                .add(
                    at,
                    Text::new(
                        "the resource lives in a Redis that is not there",
                        "资源放在 Redis 里，但这里没有（单一的）Redis",
                    ),
                )
                .hint(
                    "write `redis = \"single\"` in [servers], or leave `home` out",
                    "在 [servers] 里写 `redis = \"single\"`，或者去掉 `home`",
                );
        }
    }
}

/// A resource in a database needs one.
pub(super) fn resource_needs_database(at: Range<usize>, problems: &mut Problems) {
    problems
        .add(at, Text::new("the resource lives in a database that is not there", "资源放在数据库里，但这里没有数据库"))
        .hint(
            "write `service = \"database\"` in [servers], or leave `home` out",
            "在 [servers] 里写 `service = \"database\"`，或者去掉 `home`",
        );
}
