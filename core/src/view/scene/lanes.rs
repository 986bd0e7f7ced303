//! Which lanes a run has, and who lives where.

use super::{Lane, LaneId, Whose};
use crate::history::{Guard, Header, Machine, NodeRole, ResourceKind};
use crate::i18n::Text;
use crate::wire::{ClientId, LockId, NodeId};

/// The lanes of a run in drawing order: faults, clients, the lock where no single server decides, servers, resource.
pub(super) fn lanes(header: &Header) -> Vec<Lane> {
    let lane = |whose, name, words| Lane { whose, name, words, rows: 1 };
    let mut lanes = vec![lane(
        Whose::Faults,
        Text::new("faults", "故障"),
        Text::new("What real life does to the machines.", "现实世界对这些机器做了什么。"),
    )];
    for (index, client) in header.clients.iter().enumerate() {
        let name = &client.name;
        lanes.push(lane(
            Whose::Client(ClientId(index as u16)),
            Text::same(name),
            Text::new(
                format!("Client {name}: what it believes and does."),
                format!("客户端 {name}：它相信什么、做什么。"),
            ),
        ));
    }
    if decided_together(header) {
        for (index, lock) in header.locks.iter().enumerate() {
            let key = &lock.key;
            lanes.push(lane(
                Whose::Lock(LockId(index as u8)),
                Text::same(key),
                Text::new(
                    format!("Who holds {key}, by the records of all nodes together."),
                    format!("综合所有节点的记录，谁持有 {key}。"),
                ),
            ));
        }
    }
    for (index, node) in header.nodes.iter().enumerate() {
        let name = &node.name;
        let words = match node.role {
            NodeRole::Master => Text::new(format!("Server {name}, the master."), format!("服务器 {name}，主节点。")),
            NodeRole::Replica => Text::new(format!("Server {name}, a replica."), format!("服务器 {name}，副本。")),
            NodeRole::Independent => {
                Text::new(format!("Server {name}, an independent node."), format!("服务器 {name}，独立节点。"))
            }
        };
        lanes.push(lane(Whose::Node(NodeId(index as u8)), Text::same(name), words));
    }
    lanes.push(lane(Whose::Resource, resource_name(header.resource.kind), guard_words(header.resource.guard)));
    lanes
}

/// Whether a lock is held by a quorum of independent nodes rather than by one server's word.
pub(super) fn decided_together(header: &Header) -> bool {
    header.nodes.iter().filter(|node| node.role == NodeRole::Independent).count() > 1
}

/// The lane of someone; that of the faults for someone whom the header does not name.
pub(super) fn lane_of(lanes: &[Lane], whose: Whose) -> LaneId {
    LaneId(lanes.iter().position(|lane| lane.whose == whose).unwrap_or(0) as u16)
}

/// The lane that a machine lives on.
pub(super) fn whose(machine: Machine) -> Whose {
    match machine {
        Machine::Client(client) => Whose::Client(client),
        Machine::Node(node) => Whose::Node(node),
        Machine::Resource => Whose::Resource,
    }
}

/// What a resource is called.
fn resource_name(kind: ResourceKind) -> Text {
    match kind {
        ResourceKind::Register => Text::new("register", "寄存器"),
        ResourceKind::Stock => Text::new("stock", "库存"),
        ResourceKind::Ledger => Text::new("ledger", "账本"),
        ResourceKind::Job => Text::new("job", "任务"),
    }
}

fn guard_words(guard: Guard) -> Text {
    match guard {
        Guard::None => Text::new(
            "The protected resource. It checks nothing: whoever asks is served.",
            "被保护的资源。它什么都不检查：谁来都照办。",
        ),
        Guard::Fencing => Text::new(
            "The protected resource. It refuses a fencing token smaller than the greatest it has seen.",
            "被保护的资源。它拒绝比见过的最大值更小的 fencing token。",
        ),
        Guard::Version => Text::new(
            "The protected resource. It refuses a write computed from an old version.",
            "被保护的资源。它拒绝基于旧版本的写入。",
        ),
        Guard::Timestamp => Text::new(
            "The protected resource. It refuses a write if the time of the last change is later than what the writer read.",
            "被保护的资源。最后修改时间晚于写入者读到的时间，就拒绝写入。",
        ),
        Guard::UniqueKey => Text::new(
            "The protected resource. It refuses a key that it has seen.",
            "被保护的资源。它拒绝已经出现过的唯一键。",
        ),
        Guard::StateMachine => Text::new(
            "The protected resource. It refuses a step that its state does not allow.",
            "被保护的资源。它拒绝当前状态不允许的步骤。",
        ),
    }
}
