//! One pass over a history that turns each event into an element, or makes it part of one.

use std::collections::BTreeMap;

use super::exchange::Exchanges;
use super::lanes::{decided_together, lane_of, lanes, whose};
use super::words::{self, Names};
use super::{Bar, BarKind, Element, Highlight, LaneId, Mark, MarkKind, Point, Scene, Tone, Weight, Whose, fold};
use crate::history::{
    ClientEvent, EndReason, Event, FaultEvent, GrantEnd, GrantEvent, GrantId, Guard, History, KeyChange, LeaveReason,
    LockEvent, Machine, NodeRole, Refusal, Token, What,
};
use crate::i18n::Text;
use crate::say;
use crate::time::{Span, Time};
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
enum Open {
    Waiting(ClientId, LockId),
    Section(ClientId, LockId),
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
    history: &'h History,
    pub(super) names: Names<'h>,
    pub(super) scene: Scene,
    open: BTreeMap<Open, u32>,
    holders: BTreeMap<(LockId, GrantId), ClientId>,
    acquired: BTreeMap<(ClientId, LockId), u32>,
    master: NodeId,
    promoted: Option<Point>,
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
        stack_faults(&mut self.scene);
        fold::fold(&mut self.scene, self.names);
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

    fn client(&mut self, point: Point, client: ClientId, event: &ClientEvent) -> Element {
        let name = self.names.client(client);
        let whose = Whose::Client(client);
        let tone = Tone::Client(client);
        match event {
            ClientEvent::Started { run } => self.note(
                whose,
                point,
                Weight::Quiet,
                Text::new(format!("{name} begins (run {run})"), format!("{name} 开始（第 {run} 次）")),
            ),
            ClientEvent::Step { step } => {
                self.close(Open::Work(client), point);
                if step.starts_with(|char: char| char.is_ascii_digit()) {
                    let words = Text::new(format!("{name} works for {step}"), format!("{name} 工作 {step}"));
                    return self.open(
                        Open::Work(client),
                        whose,
                        0,
                        BarKind::Work,
                        tone,
                        point,
                        Text::same(&**step),
                        words,
                    );
                }
                self.note(whose, point, Weight::Quiet, Text::new(format!("{name}: {step}"), format!("{name}：{step}")))
            }
            ClientEvent::Entered { lock, hold, .. } => self.entered(point, client, *lock, *hold),
            ClientEvent::Left { lock, why, .. } => {
                self.close(Open::Section(client, *lock), point);
                self.close(Open::Work(client), point);
                let weight = if *why == LeaveReason::Died { Weight::Quiet } else { Weight::Plain };
                self.mark(whose, point, MarkKind::Left, tone, weight, Text::default(), words::left(&name, *why))
            }
            ClientEvent::Lock { lock, event } => self.lock_event(point, client, *lock, event),
            ClientEvent::Asked { request, operation, .. } => self.asked(point, client, *request, *operation),
            ClientEvent::Answered { request, .. } => self.answered(point, client, *request, true),
            ClientEvent::Unanswered { request } => self.answered(point, client, *request, false),
            ClientEvent::Finished { done } => {
                self.close(Open::Work(client), point);
                match done {
                    true => self.note(
                        whose,
                        point,
                        Weight::Quiet,
                        Text::new(format!("{name} is done"), format!("{name} 完成")),
                    ),
                    false => {
                        let words = Text::new(format!("{name} gives up its work"), format!("{name} 放弃了它的工作"));
                        self.mark(
                            whose,
                            point,
                            MarkKind::Refused,
                            tone,
                            Weight::Plain,
                            Text::new("gives up", "放弃"),
                            words,
                        )
                    }
                }
            }
        }
    }

    fn entered(&mut self, point: Point, client: ClientId, lock: LockId, hold: u32) -> Element {
        let name = self.names.client(client);
        let (whose, tone) = (Whose::Client(client), Tone::Client(client));
        self.close(Open::Waiting(client, lock), point);
        let key = Open::Section(client, lock);
        if !self.open.contains_key(&key) {
            let words = Text::new(
                format!("{name} acts as holder (hold {hold})"),
                format!("{name} 以持有者身份行事（第 {hold} 次持有）"),
            );
            self.open(key, whose, lock.0, BarKind::Section, tone, point, Text::same(&name), words);
        }
        let label = Text::new("enters", "进入");
        match self.acquired.remove(&(client, lock)) {
            Some(index) => {
                let mark = &mut self.scene.marks[index as usize];
                (mark.at, mark.kind, mark.weight, mark.label) = (point, MarkKind::Entered, Weight::Loud, label);
                Element::Mark(index)
            }
            None => {
                let words = Text::new(format!("{name} ENTERS"), format!("{name} 进入临界区"));
                self.mark(whose, point, MarkKind::Entered, tone, Weight::Loud, label, words)
            }
        }
    }

    fn lock_event(&mut self, point: Point, client: ClientId, lock: LockId, event: &LockEvent) -> Element {
        let name = self.names.client(client);
        let (whose, tone) = (Whose::Client(client), Tone::Client(client));
        let empty = Text::default();
        let on = self.which(lock);
        let believed = |span: Option<Span>| match span {
            Some(span) => Text::new(format!(", sure of the lock for {span}"), format!("，自认为还能持有 {span}")),
            None => Text::default(),
        };
        match event {
            LockEvent::Acquiring => {
                let words = Text::new(format!("{name} wants the lock"), format!("{name} 想要锁"));
                self.open(Open::Waiting(client, lock), whose, lock.0, BarKind::Waiting, tone, point, empty, words)
            }
            LockEvent::Checked => self.note(
                whose,
                point,
                Weight::Quiet,
                Text::new(format!("{name} reads its clock"), format!("{name} 看自己的时钟")),
            ),
            LockEvent::Acquired { token, valid_for } => {
                self.close(Open::Waiting(client, lock), point);
                let (token_en, token_zh) = self.shown_token(token.as_ref()).map_or_else(Default::default, |token| {
                    (format!(" with token {token}"), format!("，token 为 {token}"))
                });
                let believed = believed(*valid_for);
                let words = Text::new(
                    format!("{name} ENTERS{}{token_en}{}", on.en, believed.en),
                    format!("{name} 进入临界区{}{token_zh}{}", on.zh, believed.zh),
                );
                let element = self.mark(whose, point, MarkKind::Note, tone, Weight::Plain, empty, words);
                if let Element::Mark(index) = element {
                    self.acquired.insert((client, lock), index);
                }
                element
            }
            LockEvent::Reentered { count } => self.note(
                whose,
                point,
                Weight::Plain,
                Text::new(format!("{name} enters once more (depth {count})"), format!("{name} 重入（深度 {count}）")),
            ),
            LockEvent::Refused { why } => {
                self.close(Open::Waiting(client, lock), point);
                let why = words::refusal(why);
                let words = Text::new(
                    format!("{name} does not get the lock: {}", why.en),
                    format!("{name} 没有拿到锁：{}", why.zh),
                );
                self.mark(whose, point, MarkKind::Refused, tone, Weight::Loud, Text::new("no lock", "没拿到"), words)
            }
            LockEvent::Looked { mine: true } => self.note(
                whose,
                point,
                Weight::Plain,
                Text::new(format!("{name} looks: the lock is still its own"), format!("{name} 检查：锁还是自己的")),
            ),
            LockEvent::Looked { mine: false } => {
                let words = Text::new(
                    format!("{name} looks: the lock is NOT its own any more"),
                    format!("{name} 检查：锁已经不是自己的"),
                );
                self.mark(whose, point, MarkKind::Refused, tone, Weight::Loud, Text::new("not mine", "不是我的"), words)
            }
            LockEvent::Extended { valid_for } => {
                let believed = believed(*valid_for);
                let words =
                    Text::new(format!("{name} renewed{}", believed.en), format!("{name} 续期成功{}", believed.zh));
                self.mark(whose, point, MarkKind::Renewed, tone, Weight::Quiet, Text::new("renewed", "续期"), words)
            }
            LockEvent::ExtendFailed { why } => {
                let why = words::refusal(why);
                let words =
                    Text::new(format!("{name}'s renewal FAILS: {}", why.en), format!("{name} 续期失败：{}", why.zh));
                self.mark(
                    whose,
                    point,
                    MarkKind::Refused,
                    tone,
                    Weight::Plain,
                    Text::new("not renewed", "续期失败"),
                    words,
                )
            }
            LockEvent::Lost => {
                let words = Text::new(format!("{name} learns that the lock is LOST"), format!("{name} 得知锁已丢失"));
                self.mark(whose, point, MarkKind::Vanished, tone, Weight::Loud, Text::new("lost", "丢锁"), words)
            }
            LockEvent::Releasing => self.note(
                whose,
                point,
                Weight::Quiet,
                Text::new(format!("{name} starts to release"), format!("{name} 开始释放锁")),
            ),
            LockEvent::Descended { count } => self.note(
                whose,
                point,
                Weight::Quiet,
                Text::new(
                    format!("{name} gives back an inner hold (depth {count})"),
                    format!("{name} 退出一层重入（深度 {count}）"),
                ),
            ),
            LockEvent::Released => self.note(
                whose,
                point,
                Weight::Quiet,
                Text::new(format!("{name} released the lock"), format!("{name} 已释放锁")),
            ),
            LockEvent::ReleaseFailed { why } => {
                let unknown = matches!(why, Refusal::TimedOut | Refusal::Disconnected);
                let why = words::refusal(why);
                let words = match unknown {
                    true => say!(
                        "{name} does not know what its release did: {why}",
                        "{name} 不知道释放是否成功：{why}",
                        name = name,
                        why = why
                    ),
                    false => say!(
                        "{name}'s release frees nothing: {why}",
                        "{name} 的释放没有效果：{why}",
                        name = name,
                        why = why
                    ),
                };
                self.mark(
                    whose,
                    point,
                    MarkKind::Refused,
                    tone,
                    Weight::Plain,
                    Text::new("frees nothing", "未释放"),
                    words,
                )
            }
        }
    }

    fn grant(&mut self, point: Point, lock: LockId, event: &GrantEvent) -> Element {
        let whose = self.decider(lock);
        let on = self.which(lock);
        match event {
            GrantEvent::Granted { grant, holder, ends, .. } => {
                let name = self.names.client(*holder);
                let until = words::lease_until(*ends);
                let words =
                    say!("{name}'s lease{on} {until}", "{name} 的租约{on}{until}", name = name, on = on, until = until);
                self.holders.insert((lock, *grant), *holder);
                let key = Open::Lease(lock, *grant);
                let tone = Tone::Client(*holder);
                let bar = self.open(key, whose, lock.0, BarKind::Lease, tone, point, Text::same(&name), words.clone());
                if self.follows(point, Some(*holder), words.clone()).is_none() {
                    self.mark(whose, point, MarkKind::Note, tone, Weight::Plain, Text::default(), words);
                }
                bar
            }
            GrantEvent::Moved { grant, ends, by } => {
                let holder = self.holders.get(&(lock, *grant)).copied();
                let name = holder.map_or_else(String::new, |holder| self.names.client(holder));
                let until = words::lease_until(*ends);
                let words = say!(
                    "{name}'s lease{on} now runs {until}",
                    "{name} 的租约{on}改为{until}",
                    name = name,
                    on = on,
                    until = until
                );
                let tone = holder.map_or(Tone::Plain, Tone::Client);
                if let Some(exchange) = self.follows(point, *by, words.clone()) {
                    return Element::Exchange(exchange);
                }
                self.mark(whose, point, MarkKind::Renewed, tone, Weight::Plain, Text::default(), words)
            }
            GrantEvent::Ended { grant, why, by } => {
                let holder = self.holders.get(&(lock, *grant)).copied();
                let name = holder.map_or_else(String::new, |holder| self.names.client(holder));
                let tone = holder.map_or(Tone::Plain, Tone::Client);
                let drawn =
                    self.open.get(&Open::Lease(lock, *grant)).map(|index| self.scene.bars[*index as usize].lane);
                let whose = drawn.map_or(whose, |lane| self.scene.lanes[usize::from(lane.0)].whose);
                self.close(Open::Lease(lock, *grant), point);
                let words = words::lease_ended(&name, &on, *why, by.map(|by| self.names.client(by)).as_deref());
                if let (GrantEnd::Removed, true) = (why, *by == holder)
                    && let Some(exchange) = self.follows(point, *by, words.clone())
                {
                    return Element::Exchange(exchange);
                }
                let (kind, weight, label) = match why {
                    GrantEnd::Expired => (MarkKind::Expired, Weight::Loud, Text::new("expired", "到期")),
                    GrantEnd::Vanished => (MarkKind::Vanished, Weight::Loud, Text::new("gone", "消失")),
                    GrantEnd::Removed if *by == holder => (MarkKind::Removed, Weight::Plain, Text::default()),
                    GrantEnd::Removed => (MarkKind::Removed, Weight::Loud, Text::new("removed", "被删")),
                };
                self.mark(whose, point, kind, tone, weight, label, words)
            }
        }
    }

    fn key(&mut self, point: Point, node: NodeId, key: &str, change: KeyChange, creator: Option<ClientId>) -> Element {
        let lock = self.history.header.locks.iter().position(|lock| key.starts_with(lock.key.as_str()));
        let whose = Whose::Node(node);
        let tone = creator.map_or(Tone::Plain, Tone::Client);
        let words = words::key_changed(&self.names.node(node), key, change);
        let caused = self.exchanges.just_executed(point.at, node);
        let decisive = self.decider(LockId(0)) == whose;
        if let (Some(lock), false) = (lock, decisive) {
            let open = Open::Record(node, lock as u8);
            if matches!(change, KeyChange::Created | KeyChange::Changed) && !self.open.contains_key(&open) {
                let name = creator.map_or_else(String::new, |client| self.names.client(client));
                self.open(open, whose, lock as u8, BarKind::Record, tone, point, Text::same(name), words.clone());
            } else if !matches!(change, KeyChange::Created | KeyChange::Changed) {
                self.close(open, point);
            }
        }
        match caused {
            Some(exchange) => Element::Exchange(exchange),
            None => {
                let weight = if lock.is_some() && !decisive && change != KeyChange::Changed {
                    Weight::Plain
                } else {
                    Weight::Quiet
                };
                let kind = match change {
                    KeyChange::Created | KeyChange::Changed => MarkKind::Note,
                    KeyChange::Deleted => MarkKind::Removed,
                    KeyChange::Expired => MarkKind::Expired,
                    KeyChange::Evicted | KeyChange::Vanished => MarkKind::Vanished,
                };
                self.mark(whose, point, kind, tone, weight, Text::default(), words)
            }
        }
    }

    fn fault(&mut self, point: Point, fault: &FaultEvent) -> Element {
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

    fn clock(&mut self, point: Point, machine: Machine, error: i64) -> Element {
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

    /// The new master decides from now on. Its records tell which leases go on, in the events of the same instant.
    fn promote(&mut self, point: Point, node: NodeId) {
        if decided_together(&self.history.header) {
            return;
        }
        self.master = node;
        self.promoted = Some(point);
        for lock in 0..self.history.header.locks.len() as u8 {
            self.close(Open::Record(node, lock), point);
        }
    }

    /// Leases that outlive a promotion are drawn on the new master's lane from there on.
    fn move_leases(&mut self, promoted: Point) {
        let leases: Vec<Open> = self.open.keys().copied().filter(|open| matches!(open, Open::Lease(..))).collect();
        for lease in leases {
            let Some(index) = self.open.get(&lease).copied() else { continue };
            let bar = self.scene.bars[index as usize].clone();
            if bar.from.event < promoted.event {
                self.close(lease, promoted);
                self.open(
                    lease,
                    Whose::Node(self.master),
                    bar.row,
                    BarKind::Lease,
                    bar.tone,
                    promoted,
                    bar.label,
                    bar.words,
                );
            }
        }
    }

    /// The lane on which a lock's leases are drawn.
    fn decider(&self, lock: LockId) -> Whose {
        match decided_together(&self.history.header) {
            true => Whose::Lock(lock),
            false => Whose::Node(self.master),
        }
    }

    /// A token that tells a reader something: a number, or whatever is shown to a guard that wants one.
    pub(super) fn shown_token(&self, token: Option<&Token>) -> Option<String> {
        let guarded = self.history.header.resource.guard == Guard::Fencing;
        token.filter(|token| guarded || matches!(token, Token::Number(_))).map(words::token)
    }

    /// Which lock, where the run has several: ` on stock`.
    fn which(&self, lock: LockId) -> Text {
        let locks = &self.history.header.locks;
        match locks.get(usize::from(lock.0)) {
            Some(info) if locks.len() > 1 => say!(" on {key}", "（{key}）", key = info.key),
            _ => Text::default(),
        }
    }

    /// Notes a consequence on the exchange that `by` has just had executed, if there is one.
    fn follows(&mut self, point: Point, by: Option<ClientId>, words: Text) -> Option<u32> {
        let index = self.exchanges.just_executed_by(point.at, by?)?;
        self.scene.exchanges[index as usize].effects.push(words);
        Some(index)
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
    fn open(
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

    fn close(&mut self, open: Open, at: Point) {
        if let Some(index) = self.open.remove(&open) {
            self.scene.bars[index as usize].until = at;
        }
    }

    pub(super) fn lane(&self, whose: Whose) -> LaneId {
        lane_of(&self.scene.lanes, whose)
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
fn stack_faults(scene: &mut Scene) {
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
