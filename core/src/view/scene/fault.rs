//! What real life does to the machines.

use super::build::{Builder, Open};
use super::lanes::whose;
use super::words::{self, Names};
use super::{BarKind, Element, LaneId, MarkKind, Point, Scene, Tone, Weight, Whose};
use crate::history::{FaultEvent, Machine};
use crate::i18n::Text;
use crate::time::Span;
use crate::wire::LockId;

impl Builder<'_> {
    pub(super) fn fault(&mut self, point: Point, fault: &FaultEvent) -> Element {
        let words = words::fault(self.names, fault);
        let mut kind = MarkKind::Strikes;
        let label = fault_label(self.names, fault);
        match fault {
            FaultEvent::Paused { client, length, .. } => {
                let words = words.clone();
                let length = length.map_or_else(String::new, |length| format!(" {length}"));
                let label = Text::new(format!("stopped{length}"), format!("停顿{length}"));
                self.open(
                    Open::Paused(*client),
                    Whose::Client(*client),
                    0,
                    BarKind::Paused,
                    Tone::Fault,
                    point,
                    label,
                    words,
                );
            }
            FaultEvent::Resumed { client } => {
                self.close(Open::Paused(*client), point);
                kind = MarkKind::Heals;
            }
            FaultEvent::Crashed { client } => {
                for open in [Open::Paused(*client), Open::Work(*client)] {
                    self.close(open, point);
                }
                for lock in 0..self.history.header.locks.len() as u8 {
                    self.close(Open::Waiting(*client, LockId(lock)), point);
                }
                let label = Text::new("dead", "已死");
                self.open(
                    Open::Dead(*client),
                    Whose::Client(*client),
                    0,
                    BarKind::Dead,
                    Tone::Fault,
                    point,
                    label,
                    words.clone(),
                );
            }
            FaultEvent::Restarted { client } => {
                self.close(Open::Dead(*client), point);
                kind = MarkKind::Heals;
            }
            FaultEvent::Down { node } => {
                let label = Text::new("down", "宕机");
                self.open(
                    Open::Down(*node),
                    Whose::Node(*node),
                    0,
                    BarKind::Down,
                    Tone::Fault,
                    point,
                    label,
                    words.clone(),
                );
            }
            FaultEvent::Up { node, .. } => {
                self.close(Open::Down(*node), point);
                kind = MarkKind::Heals;
            }
            FaultEvent::Promoted { node } => {
                self.promote(point, *node);
                kind = MarkKind::Promoted;
            }
            FaultEvent::Cut { from, to } => {
                let open = Open::Cut(*from.min(to), *from.max(to));
                self.open(open, Whose::Faults, 0, BarKind::Cut, Tone::Fault, point, label.clone(), words.clone());
            }
            FaultEvent::Healed { from, to } => {
                self.close(Open::Cut(*from.min(to), *from.max(to)), point);
                kind = MarkKind::Heals;
            }
            FaultEvent::Slowed { node, by } => {
                self.close(Open::Slow(*node), point);
                if *by == Span::ZERO {
                    kind = MarkKind::Heals;
                } else {
                    self.open(
                        Open::Slow(*node),
                        Whose::Faults,
                        0,
                        BarKind::Slow,
                        Tone::Fault,
                        point,
                        label.clone(),
                        words.clone(),
                    );
                }
            }
            FaultEvent::Stepped { .. } | FaultEvent::Drifts { .. } => kind = MarkKind::ClockStep,
            FaultEvent::Request { .. }
            | FaultEvent::Reply { .. }
            | FaultEvent::Evicted { .. }
            | FaultEvent::ScriptsFlushed { .. }
            | FaultEvent::Operator { .. } => {}
        }
        self.mark(Whose::Faults, point, kind, Tone::Fault, Weight::Loud, label, words)
    }

    pub(super) fn clock(&mut self, point: Point, machine: Machine, error: i64) -> Element {
        self.close(Open::Clock(machine), point);
        let name = self.names.machine(machine);
        if error == 0 {
            let words = Text::new(format!("the clock of {} is right", name.en), format!("{} 的时钟准确", name.zh));
            return self.note(whose(machine), point, Weight::Quiet, words);
        }
        let off = words::signed(error);
        let words =
            Text::new(format!("the clock of {} is off by {off}", name.en), format!("{} 的时钟偏差 {off}", name.zh));
        let label = Text::new(format!("clock {off}"), format!("时钟 {off}"));
        self.open(Open::Clock(machine), whose(machine), 0, BarKind::ClockOff, Tone::Fault, point, label, words)
    }
}

/// One or two words for a fault's mark.
fn fault_label(names: Names<'_>, fault: &FaultEvent) -> Text {
    match fault {
        FaultEvent::Paused { client, length, .. } => {
            let client = names.client(*client);
            let length = length.map_or_else(String::new, |length| format!(" {length}"));
            Text::new(format!("{client} stops{length}"), format!("{client} 停顿{length}"))
        }
        FaultEvent::Resumed { client } => {
            let client = names.client(*client);
            Text::new(format!("{client} goes on"), format!("{client} 恢复"))
        }
        FaultEvent::Crashed { client } => {
            let client = names.client(*client);
            Text::new(format!("{client} crashes"), format!("{client} 崩溃"))
        }
        FaultEvent::Restarted { client } => {
            let client = names.client(*client);
            Text::new(format!("{client} restarts"), format!("{client} 重启"))
        }
        FaultEvent::Down { node } => {
            let node = names.node(*node);
            Text::new(format!("{node} down"), format!("{node} 宕机"))
        }
        FaultEvent::Up { node, .. } => {
            let node = names.node(*node);
            Text::new(format!("{node} up"), format!("{node} 恢复"))
        }
        FaultEvent::Promoted { node } => {
            let node = names.node(*node);
            Text::new(format!("{node} is master"), format!("{node} 升主"))
        }
        FaultEvent::Cut { from, to } => {
            let (from, to) = (names.machine(*from), names.machine(*to));
            Text::new(format!("cut {} | {}", from.en, to.en), format!("断网 {} | {}", from.zh, to.zh))
        }
        FaultEvent::Healed { .. } => Text::new("healed", "恢复"),
        FaultEvent::Request { .. } => Text::new("request", "请求"),
        FaultEvent::Reply { .. } => Text::new("reply", "回复"),
        FaultEvent::Stepped { by, .. } => {
            let by = words::signed(*by);
            Text::new(format!("clock {by}"), format!("时钟 {by}"))
        }
        FaultEvent::Drifts { ppm, .. } => Text::new(format!("drift {ppm} ppm"), format!("漂移 {ppm} ppm")),
        FaultEvent::Slowed { node, .. } => {
            let node = names.node(*node);
            Text::new(format!("{node} slow"), format!("{node} 变慢"))
        }
        FaultEvent::Evicted { .. } => Text::new("evicted", "淘汰"),
        FaultEvent::ScriptsFlushed { .. } => Text::new("scripts flushed", "脚本清空"),
        FaultEvent::Operator { .. } => Text::new("operator", "运维"),
    }
}

/// Gives bars of the faults' lane that overlap rows of their own.
pub(super) fn stack(scene: &mut Scene) {
    let mut free_from: Vec<Point> = Vec::new();
    for bar in scene.bars.iter_mut().filter(|bar| bar.lane == LaneId(0)) {
        let row = free_from.iter().position(|free| *free <= bar.from).unwrap_or(free_from.len()).min(7);
        if row == free_from.len() {
            free_from.push(bar.until);
        }
        free_from[row] = bar.until;
        bar.row = row as u8;
    }
    scene.lanes[0].rows = free_from.len().max(1) as u8;
}
