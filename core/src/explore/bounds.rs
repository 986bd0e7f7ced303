//! What a search covers, said in sentences.

use super::Adversity;
use crate::i18n::Text;
use crate::say;
use crate::sim::{Allowance, FaultClass, Lengths, Plan};
use crate::time::Span;

/// The bounds of a search.
pub(super) fn bounds(plan: &Plan, adversity: Adversity) -> Vec<Text> {
    let names = Text::list(&plan.names);
    let mut bounds = vec![say!(
        "clients {names}, each with the steps and start of the scenario",
        "客户端 {names}，步骤与启动时刻同场景",
        names = names
    )];
    bounds.push(say!(
        "every order of simultaneous events of different machines",
        "不同机器上同时发生的事件，所有先后顺序"
    ));
    match adversity {
        Adversity::Placed(allowance, lengths) => faults(plan, allowance, lengths, &mut bounds),
        Adversity::Own => {
            bounds.push(say!("the scenario's own faults, at their own moments", "场景自己的故障，在场景写明的时刻发生"))
        }
    }
    let ranges = std::iter::once(&plan.network.default).chain(plan.network.links.iter().map(|(_, _, link)| link));
    if ranges.into_iter().any(|link| link.latency_max > link.latency) {
        bounds.push(say!(
            "a message takes the shortest or the longest time of its link",
            "消息耗时取该链路的最短或最长时间"
        ));
    }
    if plan.params.iter().any(|params| params.jitter > Span::ZERO) {
        bounds.push(say!("a retry waits without jitter or with all of it", "重试的随机抖动取零或最大值"));
    }
    bounds
}

fn faults(plan: &Plan, allowance: Allowance, lengths: Lengths, bounds: &mut Vec<Text>) {
    let each: Vec<String> = allowance.each().map(|(class, count)| format!("{}={count}", class.name())).collect();
    bounds.push(match each.is_empty() {
        true => say!("no faults", "没有故障"),
        false => say!(
            "faults: at most {each}, each striking after any milestone, command, reply or execution, or just before anything that happens to its machine",
            "故障：最多 {each}，可发生在任一里程碑、命令、回复或执行之后，或其机器上任何事情发生之前",
            each = Text::list(&each)
        ),
    });
    let far = Span(plan.params.iter().map(|params| params.ttl.0).max().unwrap_or(0).saturating_mul(2));
    let lasts =
        [FaultClass::Pause, FaultClass::Failover, FaultClass::Restart, FaultClass::RestartEmpty, FaultClass::Partition];
    let open = |class: FaultClass| allowance.of(class) > 0 && lengths.of(class).is_none();
    if lasts.iter().any(|class| open(*class)) {
        bounds.push(say!(
            "a fault that lasts ends 1 µs after, or exactly at, each later instant at which something happens; 1 µs before a lease ends; 1 ms after everything; or never",
            "会持续的故障，结束于之后每个有事发生的时刻、或其后 1 微秒；租约到期前 1 微秒；一切结束后 1 毫秒；或永不结束"
        ));
    }
    if allowance.of(FaultClass::Crash) > 0 {
        bounds.push(say!("a client that crashes does not come back", "崩溃的客户端不再回来"));
    }
    if open(FaultClass::ClockStep) {
        bounds.push(say!(
            "a clock steps to 1 ms before, exactly to, or 1 ms past each pending end of a lease, or by {far} forward or back",
            "时钟跳到每个租约到期前 1 毫秒、恰好到期、或到期后 1 毫秒，或前后各跳 {far}",
            far = far
        ));
    }
    if open(FaultClass::Delay) {
        bounds.push(say!(
            "a delayed message comes 1 µs before, at, or 1 µs after each pending deadline, or {far} late",
            "延迟的消息在每个未到的时刻前 1 微秒、恰好、后 1 微秒到达，或晚 {far}",
            far = far
        ));
    }
    for (class, length) in lengths.each().filter(|(class, _)| allowance.of(*class) > 0) {
        let name = class.name();
        bounds.push(match class {
            FaultClass::ClockStep => {
                say!("{name}: by {length}, forward or back", "{name}：前后各跳 {length}", name = name, length = length)
            }
            _ => say!("{name}: just {length}", "{name}：恰好 {length}", name = name, length = length),
        });
    }
}
