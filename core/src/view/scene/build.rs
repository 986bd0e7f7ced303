//! One pass over a history that turns each event into an element, or makes it part of one.

use std::collections::BTreeMap;

use super::exchange::Exchanges;
use super::lanes::{lane_of, lanes};
use super::words::{self, Names};
use super::{Bar, BarKind, Element, Highlight, LaneId, Mark, MarkKind, Point, Scene, Tone, Weight, Whose, fault, fold};
use crate::history::{EndReason, Event, GrantId, History, Machine, NodeRole, What};
use crate::i18n::Text;
use crate::time::Time;
use crate::view::highlight;
use crate::wire::{ClientId, LockId, NodeId};

/// What is to be drawn of a run; `highlights` are what the checker found broken.
pub fn scene(history: &History, highlights: Vec<Highlight>) -> Scene {
    let mut builder = Builder::new(history, highlights);
    for (index, event) in history.events.iter().enumerate() {
        let point = Point { at: event.at, event: index as u32 };
        let owner = builder.take(point, event);
        builder.scene.owners.push(owner);
    }
    builder.finish()
}

/// What can be open on a lane, and is closed by a later event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Open {
    Waiting(ClientId, LockId),
    Section(ClientId, LockId, u32),
    Work(ClientId),
    Paused(ClientId),
    Dead(ClientId),
    Lease(LockId, GrantId),
    Record(NodeId, u8),
    Down(NodeId),
    Slow(NodeId),
    Cut(Machine, Machine),
    Clock(Machine),
}

pub(super) struct Builder<'h> {
    pub(super) history: &'h History,
    pub(super) names: Names<'h>,
    pub(super) scene: Scene,
    pub(super) open: BTreeMap<Open, u32>,
    pub(super) holders: BTreeMap<(LockId, GrantId), ClientId>,
    pub(super) acquired: BTreeMap<(ClientId, LockId), u32>,
    pub(super) rows: BTreeMap<ClientId, Vec<LockId>>,
    pub(super) master: NodeId,
    pub(super) promoted: Option<Point>,
    pub(super) exchanges: Exchanges,
}

impl<'h> Builder<'h> {
    fn new(history: &'h History, highlights: Vec<Highlight>) -> Builder<'h> {
        let header = &history.header;
        let master = header.nodes.iter().position(|node| node.role == NodeRole::Master).unwrap_or(0);
        let scene = Scene {
            title: header.title.clone(),
            lock: header.lock.clone(),
            end: history.events.last().map_or(Time::START, |event| event.at),
            lanes: lanes(header),
            bars: Vec::new(),
            marks: Vec::new(),
            exchanges: Vec::new(),
            folds: Vec::new(),
            highlights,
            times: history.events.iter().map(|event| event.at).collect(),
            owners: Vec::with_capacity(history.events.len()),
        };
        Builder {
            history,
            names: Names(header),
            scene,
            open: BTreeMap::new(),
            holders: BTreeMap::new(),
            acquired: BTreeMap::new(),
            rows: BTreeMap::new(),
            master: NodeId(master as u8),
            promoted: None,
            exchanges: Exchanges::default(),
        }
    }

    fn finish(mut self) -> Scene {
        let end = Point { at: self.scene.end, event: self.history.events.len() as u32 };
        for index in std::mem::take(&mut self.open).into_values() {
            let bar = &mut self.scene.bars[index as usize];
            bar.until = end;
            bar.open = true;
        }
        fault::stack(&mut self.scene);
        fold::fold(&mut self.scene, self.names);
        highlight::place(&mut self.scene);
        self.scene
    }

    fn take(&mut self, point: Point, event: &Event) -> Element {
        let settles = matches!(event.what, What::Key { .. } | What::Grant { .. } | What::Fault(_) | What::Clock { .. });
        if let Some(promoted) = self.promoted.take_if(|promoted| !settles || promoted.at < point.at) {
            self.move_leases(promoted);
        }
        match &event.what {
            What::Sent { .. }
            | What::Executed { .. }
            | What::Got { .. }
            | What::Missed { .. }
            | What::Pushed { .. } => self.message(point, &event.what),
            What::Effect(effect) => self.effect(point, effect),
            What::Client { client, event } => self.client(point, *client, event),
            What::Key { node, key, change, record, by } => {
                let creator = record.as_ref().and_then(|record| record.created_by).or(*by);
                self.key(point, *node, key, *change, creator)
            }
            What::Grant { lock, event } => self.grant(point, *lock, event),
            What::Fault(fault) => self.fault(point, fault),
            What::Clock { machine, error } => self.clock(point, *machine, *error),
            What::End(why) => {
                let weight = if *why == EndReason::Quiet { Weight::Quiet } else { Weight::Plain };
                self.mark(Whose::Faults, point, MarkKind::End, Tone::Plain, weight, Text::default(), words::ended(*why))
            }
        }
    }

    pub(super) fn note(&mut self, whose: Whose, at: Point, weight: Weight, words: Text) -> Element {
        self.mark(whose, at, MarkKind::Note, Tone::Plain, weight, Text::default(), words)
    }

    #[expect(clippy::too_many_arguments, reason = "one for each field of a mark")]
    pub(super) fn mark(
        &mut self,
        whose: Whose,
        at: Point,
        kind: MarkKind,
        tone: Tone,
        weight: Weight,
        label: Text,
        words: Text,
    ) -> Element {
        let lane = self.lane(whose);
        self.scene.marks.push(Mark { lane, row: 0, at, kind, tone, weight, label, words });
        Element::Mark(self.scene.marks.len() as u32 - 1)
    }

    #[expect(clippy::too_many_arguments, reason = "one for each field of a bar")]
    pub(super) fn open(
        &mut self,
        open: Open,
        whose: Whose,
        row: u8,
        kind: BarKind,
        tone: Tone,
        from: Point,
        label: Text,
        words: Text,
    ) -> Element {
        self.close(open, from);
        let lane = self.lane(whose);
        let rows = &mut self.scene.lanes[usize::from(lane.0)].rows;
        *rows = (*rows).max(row.saturating_add(1));
        let index = self.scene.bars.len() as u32;
        self.scene.bars.push(Bar { lane, row, kind, tone, from, until: from, open: false, label, words });
        self.open.insert(open, index);
        Element::Bar(index)
    }

    pub(super) fn close(&mut self, open: Open, at: Point) {
        if let Some(index) = self.open.remove(&open) {
            self.scene.bars[index as usize].until = at;
        }
    }

    pub(super) fn lane(&self, whose: Whose) -> LaneId {
        lane_of(&self.scene.lanes, whose)
    }
}
